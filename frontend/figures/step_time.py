"""Where the time of one step goes: busy parts against exposed ones."""

from __future__ import annotations

from dataclasses import replace

from calculator import formatting
from calculator.spec.result import ResultV1, StepPartResult
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

NAME = "step_time"


Steps = dict[str, list[StepPartResult]]


def figure(result: ResultV1) -> Figure | None:
    """One stacked bar an alternative, None if nothing is feasible."""
    steps = {name: _parts(result, key) for key, name in names(result).items()}
    shown = {name: parts for name, parts in steps.items() if parts}
    if not shown:
        return None
    parts = _order(shown)
    summary = _summary(result, shown)
    return Figure(
        name=NAME,
        title="Where the time of one step goes",
        summary=summary,
        spec=_spec(summary, list(shown), parts),
        records=_records(shown, parts),
        table=_table(result, shown, parts),
        legend=[
            replace(entry, is_faded=not part.is_busy)
            for entry, part in zip(legend(p.label for p in parts), parts, strict=True)
        ],
        n_bands=len(shown),
    )


def _parts(result: ResultV1, key: str) -> list[StepPartResult]:
    throughput = result.alternatives[key].throughput
    return [part for part in throughput.step if part.seconds > 0] if throughput else []


def _order(shown: Steps) -> list[StepPartResult]:
    """Each part once, busy ones first."""
    first: dict[str, StepPartResult] = {}
    for parts in shown.values():
        for part in parts:
            first.setdefault(part.key, part)
    return sorted(first.values(), key=lambda part: not part.is_busy)


def _records(shown: Steps, parts: list[StepPartResult]) -> list[Record]:
    order = [part.key for part in parts]
    return [
        {
            "alternative": name,
            "part": part.label,
            "order": order.index(part.key),
            "seconds": part.seconds,
            "state": "computing" if part.is_busy else "waiting",
            "shown": formatting.seconds(part.seconds),
        }
        for name, found in shown.items()
        for part in found
    ]


def _summary(result: ResultV1, shown: Steps) -> str:
    shares = [
        f"{name} "
        + formatting.percent(result.alternatives[key].headline.busy_share, digits=0)
        for key, name in names(result).items()
        if name in shown
    ]
    return "GPUs compute during this part of a step: " + "; ".join(shares) + "."


def _spec(summary: str, labels: list[str], parts: list[StepPartResult]) -> Spec:
    part_names = [part.label for part in parts]
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
                "field": "seconds",
                "type": "quantitative",
                "stack": "zero",
                "title": "Seconds of one optimizer step",
            },
            "color": {
                "field": "part",
                "type": "nominal",
                "sort": part_names,
                "scale": {"domain": part_names},
                "legend": {
                    "orient": "bottom",
                    "title": None,
                    "columns": 4,
                    "symbolType": "square",
                },
            },
            "opacity": {
                "condition": {"test": "datum.state === 'waiting'", "value": 0.65},
                "value": 1,
            },
            "order": {"field": "order", "type": "quantitative"},
            "tooltip": [
                {"field": "alternative", "title": "Alternative"},
                {"field": "part", "title": "Part"},
                {"field": "state", "title": "GPUs are"},
                {"field": "shown", "title": "Time"},
            ],
        },
    }


def _table(result: ResultV1, shown: Steps, parts: list[StepPartResult]) -> Table:
    seconds = [{part.key: part.seconds for part in found} for found in shown.values()]
    rows = [
        [
            f"{part.label} ({'computing' if part.is_busy else 'waiting'})",
            *(formatting.seconds(found.get(part.key)) for found in seconds),
        ]
        for part in parts
    ]
    totals = {
        name: result.alternatives[key].headline.step_time_s
        for key, name in names(result).items()
    }
    return Table(
        columns=["Part of a step", *shown],
        rows=[*rows, ["Step time", *(formatting.seconds(totals[n]) for n in shown)]],
    )
