"""Order of alternatives by cost per trained token, and how sure that order is."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from calculator.engine.errors import DomainError


@dataclass(frozen=True, slots=True)
class RankedCost:
    """A place in the order. ``over_best_fraction`` is cost over the best's, minus 1.

    The fraction is ``None`` where the best cost is not positive: no ratio exists.
    """

    key: str
    place: int
    usd_per_million_tokens: float
    over_best_fraction: float | None


@dataclass(frozen=True, slots=True)
class Ranking:
    """Cheapest first. ``unranked`` has no honest cost, by key.

    ``margin_fraction`` is second over first, minus 1. ``is_clear`` is true when the
    stated ranges of first and second do not overlap.
    """

    places: tuple[RankedCost, ...]
    unranked: tuple[str, ...]
    best: str | None
    margin_fraction: float | None
    is_clear: bool


def rank(
    costs: Mapping[str, float | None],
    lows: Mapping[str, float | None],
    highs: Mapping[str, float | None],
) -> Ranking:
    """Order alternatives by levelised cost; the order of the mapping does not matter.

    Parameters
    ----------
    costs : mapping
        Levelised cost by alternative, ``None`` where there is none.
        [USD per million tokens]
    lows, highs : mapping
        Ends of each stated range; an absent key or ``None`` states no range.
        [USD per million tokens]

    Returns
    -------
    Ranking
        Equal costs stand in order of their keys.

    Raises
    ------
    DomainError
        If a cost or an end of a range is not finite, or a range is upside down.
    """
    known = {key: cost for key, cost in costs.items() if cost is not None}
    _check(known, lows, highs)
    ordered = sorted(known.items(), key=lambda item: (item[1], item[0]))
    best_cost = ordered[0][1] if ordered else 0.0
    places = tuple(
        RankedCost(key, place, cost, _over(cost, best_cost))
        for place, (key, cost) in enumerate(ordered, start=1)
    )
    return Ranking(
        places=places,
        unranked=tuple(sorted(key for key, cost in costs.items() if cost is None)),
        best=places[0].key if places else None,
        margin_fraction=places[1].over_best_fraction if len(places) > 1 else None,
        is_clear=_is_clear(places, lows, highs),
    )


def _over(cost: float, best_cost: float) -> float | None:
    return cost / best_cost - 1.0 if best_cost > 0.0 else None


def _is_clear(
    places: tuple[RankedCost, ...],
    lows: Mapping[str, float | None],
    highs: Mapping[str, float | None],
) -> bool:
    if len(places) == 1 or not places:
        return False
    high_of_first = highs.get(places[0].key)
    low_of_second = lows.get(places[1].key)
    if high_of_first is None or low_of_second is None:
        return False
    return high_of_first < low_of_second


def _check(
    costs: Mapping[str, float],
    lows: Mapping[str, float | None],
    highs: Mapping[str, float | None],
) -> None:
    for key, cost in costs.items():
        low, high = lows.get(key), highs.get(key)
        for name, value in (("cost", cost), ("low", low), ("high", high)):
            if value is not None and not math.isfinite(value):
                raise DomainError(
                    f"The {name} of {key!r} is {value} [USD per million tokens], "
                    "must be a finite number.",
                    field=key,
                )
        if low is not None and high is not None and low > high:
            raise DomainError(
                f"The range of {key!r} runs from {low:g} to {high:g} "
                "[USD per million tokens], must not be upside down.",
                field=key,
            )
