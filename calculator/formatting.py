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
