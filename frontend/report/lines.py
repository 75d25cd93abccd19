"""Cost lines: quantity x unit price = amount, with the price's identity beside."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby

from calculator import formatting
from calculator.spec.result import AlternativeResult, CostLine, ResultV1
from catalog.documents import SourceRow

PERIODS = {
    "one_time": "once",
    "monthly": "a month",
    "yearly": "a year",
    "hourly": "an hour",
}
NO_PRICE = "no price"
ORIGINS = {
    "user": "your figure",
    "default": "default",
    "quote": "price",
    "catalog": "catalog",
    "derived": "derived",
    "assumption": "assumption",
}


@dataclass(frozen=True)
class Line:
    """One cost line as shown."""

    line: CostLine
    quantity: str
    unit_price: str
    amount: str
    period: str
    is_missing: bool
    source: SourceRow | None
    badge: str


@dataclass(frozen=True)
class LineGroup:
    """Lines of one group."""

    label: str
    lines: list[Line]


def groups(alternative: AlternativeResult, result: ResultV1) -> list[LineGroup]:
    """Cost lines of one alternative in the order of the result."""
    return [
        LineGroup(label.replace("_", " "), [_line(line, result) for line in lines])
        for label, lines in groupby(alternative.lines, key=lambda line: line.group)
    ]


def _line(line: CostLine, result: ResultV1) -> Line:
    return Line(
        line=line,
        quantity=quantity(line.quantity),
        unit_price=_money(line.unit_price_usd),
        amount=_money(line.amount_usd),
        period=PERIODS[line.period],
        is_missing=line.amount_usd is None,
        source=result.sources.get(line.source),
        badge=badge(line.confidence, line.origin),
    )


def badge(confidence: str, origin: str) -> str:
    """The word that tells how far a number can be trusted."""
    if "assumption" in (confidence, origin):
        return "assumption"
    if origin == "user":
        return ORIGINS["user"]
    return confidence or ORIGINS.get(origin, origin)


def quantity(value: float) -> str:
    """Whole numbers whole, others with up to two digits."""
    digits = 0 if value == round(value) or abs(value) >= 1000 else 2
    return formatting.number(value, digits=digits)


def _money(usd: float | None) -> str:
    if usd is None:
        return NO_PRICE
    digits = 0 if abs(usd) >= 1000 else 2 if abs(usd) >= 1 or usd == 0 else 4
    return formatting.money(usd, digits=digits)
