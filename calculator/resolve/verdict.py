"""Which way, by how much, in one sentence."""

from __future__ import annotations

from calculator.engine.decision.ranking import RankedCost, Ranking, rank
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
    """One sentence that a buyer can repeat: the best, what follows, what has no rank."""
    if not ranking.places:
        reasons = _unranked(ranking, results)
        return (
            "; ".join(
                ["No alternative has a complete cost per trained token", *reasons]
            )
            + "."
        )
    parts = [_best(results[ranking.places[0].key]), *_followers(ranking, results)]
    return "; ".join([*parts, *_unranked(ranking, results)]) + "."


def _best(best: AlternativeResult) -> str:
    head = best.headline
    price = money(head.levelised_usd_per_million_tokens, digits=3)
    low = money(head.levelised_low_usd_per_million_tokens, digits=3)
    high = money(head.levelised_high_usd_per_million_tokens, digits=3)
    return f"{best.label}: {price} per million trained tokens (range {low} to {high})"


def _followers(ranking: Ranking, results: dict[str, AlternativeResult]) -> list[str]:
    """All that are level with the best, and the next one that is not."""
    first, *others = ranking.places
    if not others:
        return ["nothing else to compare it with"] if len(results) == 1 else []
    if first.usd_per_million_tokens <= 0.0:
        next_usd = money(others[0].usd_per_million_tokens, digits=3)
        return [f"next {results[others[0].key].label} at {next_usd}"]
    level = [place for place in others if _over(place) < LEVEL_FRACTION]
    parts = []
    if level:
        names = _listed([results[place.key].label for place in level])
        verb = "is" if len(level) == 1 else "are"
        parts.append(f"{names} {verb} level with it (within 0.5 %)")
    if len(level) < len(others):
        parts.append(_dearer(results[first.key], others[len(level)], results))
    return parts


def _over(place: RankedCost) -> float:
    return place.over_best_fraction or 0.0


def _dearer(
    best: AlternativeResult, place: RankedCost, results: dict[str, AlternativeResult]
) -> str:
    other = results[place.key]
    high = best.headline.levelised_high_usd_per_million_tokens
    low = other.headline.levelised_low_usd_per_million_tokens
    is_apart = high is not None and low is not None and high < low
    gap = percent(_over(place), digits=0)
    return (
        f"{other.label} costs {gap} more{'' if is_apart else '; their ranges overlap'}"
    )


UNRANKED_WORDS = {
    "incomplete": "unranked for want of a price",
    "infeasible": "unable to run the workload",
    "ok": "without a useful token",
}


def _unranked(ranking: Ranking, results: dict[str, AlternativeResult]) -> list[str]:
    """What has no rank, by the reason."""
    keys = set(ranking.unranked)
    parts = []
    for status, words in UNRANKED_WORDS.items():
        names = [
            r.label for key, r in results.items() if key in keys and r.status == status
        ]
        if names:
            parts.append(f"{words}: {_listed(names)}")
    return parts


def _listed(names: list[str]) -> str:
    """Names as a person lists them.

    >>> _listed(["A"]), _listed(["A", "B", "C"])
    ('A', 'A, B and C')
    """
    return " and ".join([", ".join(names[:-1]), names[-1]]) if names[1:] else names[0]
