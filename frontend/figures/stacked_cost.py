"""Cost per million tokens, stacked by ledger category, one bar an alternative."""

from __future__ import annotations

from calculator import formatting
from calculator.spec.result import CostShare, ResultV1
from frontend.figures.base import (
    BAND_PX,
    Figure,
    Record,
    Spec,
    Table,
    base_spec,
    legend,
    names,
)

NAME = "stacked_cost"


def figure(result: ResultV1) -> Figure | None:
    """Stacked cost bars, None if no alternative has a cost per token."""
    named = names(result)
    shares = {named[key]: _shares(result, key) for key in result.order}
    shown = {name: found for name, found in shares.items() if found}
    if not shown:
        return None
    categories = _categories(shown)
    summary = _summary(shown)
    return Figure(
        name=NAME,
        title="What a million trained tokens cost, by category",
        summary=summary,
        spec=_spec(summary, list(shown), list(categories.values())),
        records=_records(shown, list(categories)),
        table=_table(result, shown, categories),
        legend=legend(categories.values()),
        n_bands=len(shown),
    )


def _shares(result: ResultV1, key: str) -> list[CostShare]:
    return [
        share
        for share in result.alternatives[key].costs
        if share.usd_per_million_tokens is not None
        and share.usd_per_million_tokens != 0
    ]


def _categories(shown: dict[str, list[CostShare]]) -> dict[str, str]:
    return {share.key: share.label for found in shown.values() for share in found}


def _records(shown: dict[str, list[CostShare]], categories: list[str]) -> list[Record]:
    return [
        {
            "alternative": name,
            "category": share.label,
            "order": categories.index(share.key),
            "usd": share.usd_per_million_tokens,
            "shown": formatting.short_money(share.usd_per_million_tokens),
        }
        for name, found in shown.items()
        for share in found
    ]


def _summary(shown: dict[str, list[CostShare]]) -> str:
    """The largest category of each alternative."""
    parts = []
    for name, found in shown.items():
        largest = max(found, key=lambda share: share.usd_per_million_tokens or 0)
        amount = formatting.short_money(largest.usd_per_million_tokens)
        parts.append(f"{name}: {largest.label} ({amount})")
    return "Largest category of each. " + "; ".join(parts) + "."


def _spec(summary: str, labels: list[str], categories: list[str]) -> Spec:
    return base_spec(summary=summary) | {
        "height": BAND_PX * len(labels),
        "mark": {"type": "bar", "height": {"band": 0.62}},
        "encoding": {
            "y": {
                "field": "alternative",
                "type": "nominal",
                "sort": labels,
                "title": None,
                "axis": {"labelLimit": 180, "ticks": False, "domain": False},
            },
            "x": {
                "field": "usd",
                "type": "quantitative",
                "stack": "zero",
                "title": "USD per million tokens, levelised",
                "axis": {"format": "$,.2~f", "tickCount": 6},
            },
            "color": {
                "field": "category",
                "type": "nominal",
                "sort": categories,
                "scale": {"domain": categories},
                "legend": {
                    "orient": "bottom",
                    "title": None,
                    "columns": 4,
                    "symbolType": "square",
                },
            },
            "order": {"field": "order", "type": "quantitative"},
            "tooltip": [
                {"field": "alternative", "title": "Alternative"},
                {"field": "category", "title": "Category"},
                {"field": "shown", "title": "Per million tokens"},
            ],
        },
    }


def _table(
    result: ResultV1, shown: dict[str, list[CostShare]], categories: dict[str, str]
) -> Table:
    by_name = [
        {share.key: share.usd_per_million_tokens for share in found}
        for found in shown.values()
    ]
    rows = [
        [label, *(formatting.short_money(found.get(key)) for found in by_name)]
        for key, label in categories.items()
    ]
    totals = {
        name: result.alternatives[key].headline.levelised_usd_per_million_tokens
        for key, name in names(result).items()
    }
    return Table(
        columns=["USD per million tokens", *shown],
        rows=[*rows, ["Total", *(formatting.short_money(totals[n]) for n in shown)]],
    )
