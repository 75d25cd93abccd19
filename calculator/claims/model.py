"""What a claim is made of. PURE: no framework."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from calculator.claims.world import World

Document = dict[str, Any]
DEFAULT_TOLERANCE_FRACTION = 0.10


@dataclass(frozen=True, slots=True)
class Quantity:
    """A claimed number: a point (``low`` equals ``high``), a range or a bound.

    ``tolerance_fraction`` widens both bounds by a part of themselves.
    """

    key: str
    label: str
    unit: str
    low: float | None
    high: float | None
    tolerance_fraction: float = DEFAULT_TOLERANCE_FRACTION

    def holds(self, value: float) -> bool:
        """Whether a number of ours agrees."""
        slack = self.tolerance_fraction
        is_above = self.low is None or value >= self.low - slack * abs(self.low)
        is_below = self.high is None or value <= self.high + slack * abs(self.high)
        return is_above and is_below


@dataclass(frozen=True, slots=True)
class Number:
    """A computed number that is shown but not judged."""

    label: str
    value: float
    unit: str


@dataclass(frozen=True, slots=True)
class Answer:
    """What our model says under one reading; keys of ``values`` are quantities."""

    values: Mapping[str, float]
    details: tuple[Number, ...] = ()
    comparison: Document | None = None


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read the words, in words, and how to compute it."""

    label: str
    compute: Callable[[World], Answer]
    is_plain: bool = False


@dataclass(frozen=True, slots=True)
class Evidence:
    """An independent number with its source; a point has equal bounds."""

    label: str
    low: float
    high: float
    unit: str
    publisher: str
    reference: str
    observed_on: str = ""


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim as data. ``untested`` says why there is no reading, or none that judges."""

    id: str
    topic: str
    title: str
    statement: str
    quantities: tuple[Quantity, ...] = ()
    readings: tuple[Reading, ...] = ()
    evidence: Callable[[World], tuple[Evidence, ...]] = field(default=lambda _world: ())
    untested: str = ""


def point(
    key: str,
    label: str,
    unit: str,
    value: float,
    tolerance: float = DEFAULT_TOLERANCE_FRACTION,
) -> Quantity:
    """A claimed point value."""
    return Quantity(key, label, unit, value, value, tolerance)
