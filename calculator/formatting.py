"""Numbers as people read them: money, SI sizes, durations, percent. The only rounding."""

from __future__ import annotations

import math

UNKNOWN = "–"


def money(usd: float | None, *, digits: int = 0) -> str:
    """US dollars with thousands separators.

    >>> money(1440000.4), money(None), money(-3.256, digits=2)
    ('$1,440,000', '–', '-$3.26')
    """
    if usd is None:
        return UNKNOWN
    sign = "-" if round(usd, digits) < 0 else ""
    return f"{sign}${abs(usd):,.{digits}f}"


def short_money(usd: float | None) -> str:
    """US dollars with three significant digits and a suffix.

    >>> short_money(1443210.0), short_money(180000.0), short_money(0.4123)
    ('$1.44M', '$180k', '$0.412')
    >>> short_money(0.5)
    '$0.500'
    """
    if usd is None:
        return UNKNOWN
    sign, value = ("-" if usd < 0 else ""), abs(usd)
    for limit, suffix in ((1e12, "T"), (1e9, "B"), (1e6, "M"), (1e3, "k")):
        if value >= limit * 0.9995:
            return f"{sign}${_significant(value / limit)}{suffix}"
    return f"{sign}${_significant(value)}"


def percent(fraction: float | None, *, digits: int = 1) -> str:
    """A fraction as percent.

    >>> percent(0.425), percent(None)
    ('42.5 %', '–')
    """
    return UNKNOWN if fraction is None else f"{100 * fraction:.{digits}f} %"


def number(value: float | None, *, digits: int = 0) -> str:
    """A plain number with thousands separators.

    >>> number(16384), number(2.5, digits=1)
    ('16,384', '2.5')
    """
    return UNKNOWN if value is None else f"{value:,.{digits}f}"


def si(value: float | None, unit: str = "") -> str:
    """Three significant digits with a decimal prefix.

    >>> si(70.55e9), si(1.4e12, "tokens")
    ('70.5B', '1.40T tokens')
    """
    if value is None:
        return UNKNOWN
    tail = f" {unit}" if unit else ""
    for limit, suffix in ((1e12, "T"), (1e9, "B"), (1e6, "M"), (1e3, "k")):
        if abs(value) >= limit * 0.9995:
            return f"{_significant(value / limit)}{suffix}{tail}"
    return f"{_significant(value)}{tail}"


def seconds(value: float | None) -> str:
    """A duration in the largest fitting unit.

    >>> seconds(0.0042), seconds(5.5), seconds(7200)
    ('4.20 ms', '5.50 s', '2.0 h')
    """
    if value is None:
        return UNKNOWN
    if value < 1:
        return f"{_significant(value * 1000)} ms"
    if value < 600:
        return f"{_significant(value)} s"
    if value < 2 * 86400:
        return f"{value / 3600:.1f} h"
    return days(value / 86400)


def days(value: float | None) -> str:
    """A duration in days.

    >>> days(254.7), days(3.25)
    ('255 days', '3.2 days')
    """
    if value is None:
        return UNKNOWN
    return f"{value:,.0f} days" if value >= 10 else f"{value:.1f} days"


def _significant(value: float) -> str:
    """Three significant digits without exponent."""
    if value == 0:
        return "0"
    if abs(value) >= 99.95:
        return f"{value:.0f}"
    if abs(value) >= 9.995:
        return f"{value:.1f}"
    if abs(value) >= 0.9995:
        return f"{value:.2f}"
    digits = 2 - math.floor(math.log10(abs(value)))
    return f"{value:.{digits}f}"


def quantity(value: float | None, unit: str) -> str:
    """A number in the way its unit is usually written; ``share`` is a fraction of 1.

    >>> quantity(0.87, "share"), quantity(180000.0, "USD"), quantity(4.13, "x")
    ('87.0 %', '$180k', '4.13 x')
    >>> quantity(32, "nodes"), quantity(3.529, "USD/GPU-hour"), quantity(8, "count")
    ('32 nodes', '$3.53 /GPU-hour', '8')
    """
    if value is None:
        return UNKNOWN
    if unit == "share":
        is_tiny = 0 < abs(value) < 0.0005
        return "under 0.1 %" if is_tiny else percent(value)
    if unit.startswith("USD"):
        return f"{short_money(value)} {unit[3:]}".rstrip()
    if unit == "s":
        return seconds(value)
    text = si(value) if abs(value) >= 10_000 else _significant_signed(value)
    return text if unit == "count" else f"{text} {unit}"


def interval(low: float | None, high: float | None, unit: str) -> str:
    """A point, a range or a bound.

    >>> interval(3, 5, "x"), interval(None, 4.0, "kW"), interval(60, None, "nodes")
    ('3 x to 5 x', 'at most 4 kW', 'at least 60 nodes')
    """
    if low is None:
        return f"at most {quantity(high, unit)}"
    if high is None:
        return f"at least {quantity(low, unit)}"
    if low == high:
        return quantity(low, unit)
    return f"{quantity(low, unit)} to {quantity(high, unit)}"


def _significant_signed(value: float) -> str:
    if value == int(value) and abs(value) < 10_000:
        return f"{value:,.0f}"
    return f"-{_significant(-value)}" if value < 0 else _significant(value)
