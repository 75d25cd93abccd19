"""Which way, by how much, in one sentence."""

from __future__ import annotations

from calculator.engine.decision.ranking import Ranking, rank
from calculator.formatting import money, percent
from calculator.spec.result import AlternativeResult, Ranked, Verdict
from calculator.spec.scenario import ComparisonV1

LEVEL_FRACTION = 0.005
"""Differences below what a percent can show are called level."""


def verdict(spec: ComparisonV1, results: dict[str, AlternativeResult]) -> Verdict:
    """Rank by levelised cost; incomplete and infeasible alternatives stay unranked."""
    ranking = rank(
        costs={key: _cost(results[key]) for key in spec.order},
        lows={key: results[key].headline.levelised_low_usd_per_million_tokens
              for key in spec.order},
        highs={key: results[key].headline.levelised_high_usd_per_million_tokens
               for key in spec.order},
    )  # fmt: skip
    return Verdict(
        best=ranking.best,
        ranking=[
            Ranked(
                alternative=place.key,
                place=place.place,
                levelised_usd_per_million_tokens=place.usd_per_million_tokens,
                over_best_fraction=place.over_best_fraction,
            )
            for place in ranking.places
        ],
        unranked=[key for key in spec.order if key in set(ranking.unranked)],
        margin_fraction=ranking.margin_fraction,
        is_clear=ranking.is_clear,
        sentence=sentence(ranking, results),
    )


def _cost(result: AlternativeResult) -> float | None:
    if result.status != "ok":
        return None
    return result.headline.levelised_usd_per_million_tokens


def sentence(ranking: Ranking, results: dict[str, AlternativeResult]) -> str:
    """One sentence that a buyer can repeat."""
    if not ranking.places:
        return "No alternative has a complete cost per trained token."
    best = results[ranking.places[0].key]
    head = best.headline
    price = money(head.levelised_usd_per_million_tokens, digits=3)
    low = money(head.levelised_low_usd_per_million_tokens, digits=3)
    high = money(head.levelised_high_usd_per_million_tokens, digits=3)
    text = f"{best.label}: {price} per million trained tokens (range {low} to {high})"
    return f"{text}; {_beside(ranking, results)}."


def _beside(ranking: Ranking, results: dict[str, AlternativeResult]) -> str:
    """What the second place is to the first."""
    if len(ranking.places) == 1:
        is_alone = not ranking.unranked
        return (
            "nothing else to compare it with"
            if is_alone
            else "no other alternative has a complete cost"
        )
    best, second = ranking.places[:2]
    label, over = results[second.key].label, second.over_best_fraction
    if over is None:
        price = money(second.usd_per_million_tokens, digits=3)
        is_free = second.usd_per_million_tokens <= best.usd_per_million_tokens
        return f"{label} costs nothing either" if is_free else f"{label} costs {price}"
    if over < LEVEL_FRACTION:
        return f"{label} is level with it (within 0.5 %)"
    firm = "" if ranking.is_clear else "; their ranges overlap"
    return f"{label} costs {percent(over, digits=0)} more{firm}"
