"""Cost per million tokens, stacked by ledger category, one bar an alternative."""

from __future__ import annotations

from math import inf

from calculator import formatting
from calculator.spec.result import ResultV1
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
MAX_CATEGORIES = 10
REST = "Everything else"


Costs = dict[str, dict[str, float]]


def figure(result: ResultV1) -> Figure | None:
    """Stacked cost bars, None if no alternative has a cost per token."""
    costs = {name: _costs(result, key) for key, name in names(result).items()}
    shown = {name: found for name, found in costs.items() if found}
    if not shown:
        return None
    folded = _folded(shown)
    categories = _categories(folded)
    summary = _summary(shown)
    return Figure(
        name=NAME,
        title="What a million trained tokens cost, by category",
        summary=summary,
        spec=_spec(summary, list(shown), categories),
        records=_records(folded, categories),
        table=_table(result, shown),
        legend=legend(categories),
        n_bands=len(shown),
    )


def _costs(result: ResultV1, key: str) -> dict[str, float]:
    """Cost per million tokens by category label; equal labels are added up."""
    costs: dict[str, float] = {}
    for share in result.alternatives[key].costs:
        if share.usd_per_million_tokens:
            known = costs.get(share.label, 0.0)
            costs[share.label] = known + share.usd_per_million_tokens
    return costs


def _folded(shown: Costs) -> Costs:
    """Small categories together, so that colours can be told apart; sums stay."""
    sizes: dict[str, float] = {}
    for costs in shown.values():
        for label, usd in costs.items():
            size = inf if usd < 0 else usd
            sizes[label] = max(sizes.get(label, 0.0), size)
    if len(sizes) <= MAX_CATEGORIES:
        return shown
    kept = set(sorted(sizes, key=lambda label: -sizes[label])[: MAX_CATEGORIES - 1])
    return {name: _fold(costs, kept) for name, costs in shown.items()}


def _fold(costs: dict[str, float], kept: set[str]) -> dict[str, float]:
    large = {label: usd for label, usd in costs.items() if label in kept}
    rest = sum(usd for label, usd in costs.items() if label not in kept)
    return large | ({REST: rest} if rest else {})


def _categories(shown: Costs) -> list[str]:
    """Each category once, in the order of the ledger, what is folded last."""
    labels = dict.fromkeys(label for costs in shown.values() for label in costs)
    return sorted(labels, key=lambda label: label == REST)


def _records(shown: Costs, categories: list[str]) -> list[Record]:
    return [
        {
            "alternative": name,
            "category": label,
            "order": categories.index(label),
            "usd": usd,
            "shown": formatting.short_money(usd),
        }
        for name, costs in shown.items()
        for label, usd in costs.items()
    ]


def _summary(shown: Costs) -> str:
    """The largest category of each alternative."""
    parts = []
    for name, costs in shown.items():
        largest = max(costs, key=lambda label: costs[label])
        amount = formatting.short_money(costs[largest])
        parts.append(f"{name}: {largest} ({amount})")
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
                "axis": {"ticks": False, "domain": False},
            },
            "x": {
                "field": "usd",
                "type": "quantitative",
                "stack": "zero",
                "title": "USD per million tokens",
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


def _table(result: ResultV1, shown: Costs) -> Table:
    """Every category, also those that the chart folds."""
    rows = [
        [label, *(formatting.short_money(costs.get(label)) for costs in shown.values())]
        for label in _categories(shown)
    ]
    totals = {
        name: result.alternatives[key].headline.levelised_usd_per_million_tokens
        for key, name in names(result).items()
    }
    return Table(
        columns=["USD per million tokens", *shown],
        rows=[*rows, ["Total", *(formatting.short_money(totals[n]) for n in shown)]],
    )
