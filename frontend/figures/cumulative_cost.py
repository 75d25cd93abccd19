"""Money spent since the purchase, month by month."""

from __future__ import annotations

from calculator import formatting
from calculator.spec.result import CashFlow, ResultV1
from frontend.figures.base import Figure, Record, Spec, Table, base_spec, legend, names

NAME = "cumulative_cost"
TABLE_EVERY_MONTHS = 12


Flows = dict[str, CashFlow]


def figure(result: ResultV1) -> Figure | None:
    """One line an alternative, None without any ledger."""
    flows: Flows = {
        name: flow
        for key, name in names(result).items()
        if (flow := result.alternatives[key].cash_flow) is not None
    }
    if not flows:
        return None
    summary = _summary(flows)
    return Figure(
        name=NAME,
        title="Money spent since the start",
        summary=summary,
        spec=_spec(summary, list(flows)),
        records=_records(flows),
        table=_table(flows),
        legend=legend(flows),
    )


def _records(flows: Flows) -> list[Record]:
    return [
        {
            "alternative": name,
            "month": month,
            "usd": usd,
            "shown": formatting.short_money(usd),
        }
        for name, flow in flows.items()
        for month, usd in zip(flow.months, flow.cumulative_usd, strict=True)
    ]


def _summary(flows: Flows) -> str:
    ends = [
        f"{name} {formatting.short_money(flow.cumulative_usd[-1])}"
        for name, flow in flows.items()
    ]
    months = max(flow.months[-1] for flow in flows.values())
    return f"After {months} months: " + "; ".join(ends) + "."


def _spec(summary: str, labels: list[str]) -> Spec:
    return base_spec(summary=summary) | {
        "height": 260,
        "mark": {"type": "line", "strokeWidth": 2.5, "interpolate": "linear"},
        "encoding": {
            "x": {
                "field": "month",
                "type": "quantitative",
                "title": "Month",
                "axis": {"tickMinStep": 6, "grid": False},
            },
            "y": {
                "field": "usd",
                "type": "quantitative",
                "title": "USD, not discounted",
                "axis": {"format": "$~s", "tickCount": 5},
            },
            "color": {
                "field": "alternative",
                "type": "nominal",
                "sort": labels,
                "scale": {"domain": labels},
                "legend": {
                    "orient": "bottom",
                    "title": None,
                    "columns": 4,
                    "symbolType": "stroke",
                    "labelLimit": 260,
                },
            },
            "strokeDash": {
                "field": "alternative",
                "type": "nominal",
                "sort": labels,
                "scale": {"domain": labels},
                "legend": {"orient": "bottom", "title": None},
            },
            "tooltip": [
                {"field": "alternative", "title": "Alternative"},
                {"field": "month", "title": "Month"},
                {"field": "shown", "title": "Spent so far"},
            ],
        },
    }


def _table(flows: Flows) -> Table:
    """Each year's end; the chart has every month."""
    months = sorted({month for flow in flows.values() for month in flow.months})
    kept = [m for m in months if m % TABLE_EVERY_MONTHS == 0 or m == months[-1]]
    by_month = [
        dict(zip(flow.months, flow.cumulative_usd, strict=True))
        for flow in flows.values()
    ]
    return Table(
        columns=["Month", *flows],
        rows=[
            [str(m), *(formatting.short_money(found.get(m)) for found in by_month)]
            for m in kept
        ],
    )
