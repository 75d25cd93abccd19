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
    if len(ranking.places) == 1:
        return f"{text}; nothing else to compare it with."
    second = ranking.places[1]
    if not second.over_best_fraction or second.over_best_fraction < LEVEL_FRACTION:
        return f"{text}; {results[second.key].label} is level with it (within 0.5 %)."
    gap = percent(second.over_best_fraction, digits=0)
    firm = "" if ranking.is_clear else "; their ranges overlap"
    return f"{text}; {results[second.key].label} costs {gap} more{firm}."
