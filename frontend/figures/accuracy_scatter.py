"""Predicted against measured throughput, one point a published run."""

from __future__ import annotations

from calculator import formatting
from calculator.spec.accuracy import AccuracyV1, MeasuredRun
from frontend.figures.base import (
    PALETTE_SIZE,
    Figure,
    LegendEntry,
    Record,
    Spec,
    Table,
    base_spec,
)

NAME = "predicted_measured"
SHAPES = ["circle", "square", "triangle-up"]


def figure(report: AccuracyV1) -> Figure | None:
    """Log-log scatter, None before a calibration."""
    if not report.runs:
        return None
    families = [f.key for f in report.families] or sorted(
        {r.family for r in report.runs}
    )
    summary = _summary(report)
    return Figure(
        name=NAME,
        title="Predicted against measured",
        summary=summary,
        spec=_spec(summary, families, report),
        records=[_record(run, families) for run in report.runs],
        table=_table(report.runs),
        legend=[
            LegendEntry(n % PALETTE_SIZE + 1, key, is_round=n < PALETTE_SIZE)
            for n, key in enumerate(families)
        ],
    )


def _summary(report: AccuracyV1) -> str:
    """Number of runs and how many lie within the stated error."""
    within = sum(
        _ratio(run) <= 1 + report.p90_error_fraction for run in report.runs
    ) / len(report.runs)
    return (
        f"{formatting.number(len(report.runs))} published runs; each is predicted by a "
        "fit that has not seen its source where such a prediction is stored. "
        f"{formatting.percent(within, digits=0)} lie within "
        f"{formatting.percent(report.p90_error_fraction, digits=0)}, the dashed lines."
    )


def shown(run: MeasuredRun) -> float:
    """The prediction that is held against the measurement."""
    return run.predicted if run.left_out is None else run.left_out


def _ratio(run: MeasuredRun) -> float:
    ratio = shown(run) / run.measured
    return max(ratio, 1 / ratio)


def _record(run: MeasuredRun, families: list[str]) -> Record:
    place = families.index(run.family)
    return {
        "id": run.id,
        "family": run.family,
        "shape": SHAPES[place // PALETTE_SIZE % len(SHAPES)],
        "what": f"{run.model} on {run.n_gpus} {run.gpu}",
        "measured": run.measured,
        "predicted": shown(run),
        "measured_shown": formatting.si(run.measured),
        "predicted_shown": formatting.si(shown(run)),
        "error_shown": formatting.percent(shown(run) / run.measured - 1),
    }


def _spec(summary: str, families: list[str], report: AccuracyV1) -> Spec:
    spec = base_spec(summary=summary)
    ends = [r.measured for r in report.runs] + [shown(r) for r in report.runs]
    span = [min(ends) * 0.9, max(ends) * 1.1]
    factor = 1 + report.p90_error_fraction
    lines = [
        _line(span, 1.0, []),
        *(_line(span, f, [5, 5]) for f in (factor, 1 / factor)),
    ]
    return spec | {"height": 440, "layer": [*lines, _points(families, span)]}


def _axis(field: str, title: str, span: list[float]) -> Spec:
    return {
        "field": field,
        "type": "quantitative",
        "scale": {"type": "log", "domain": span, "nice": False, "clamp": True},
        "title": title,
        "axis": {"format": "~s", "tickCount": 6, "grid": False},
    }


def _points(families: list[str], span: list[float]) -> Spec:
    return {
        "mark": {"type": "point", "filled": True, "size": 34, "opacity": 0.75},
        "encoding": {
            "x": _axis("measured", "Measured, tokens/s per GPU", span),
            "y": _axis("predicted", "Predicted, tokens/s per GPU", span),
            "color": {
                "field": "family",
                "type": "nominal",
                "sort": families,
                "scale": {"domain": families},
                "legend": {"orient": "bottom", "title": None, "columns": 8},
            },
            "shape": {"field": "shape", "type": "nominal", "scale": None},
            "tooltip": [
                {"field": "id", "title": "Run"},
                {"field": "what", "title": "Job"},
                {"field": "measured_shown", "title": "Measured"},
                {"field": "predicted_shown", "title": "Predicted"},
                {"field": "error_shown", "title": "Error"},
            ],
        },
    }


def _line(span: list[float], factor: float, dash: list[int]) -> Spec:
    ends = [{"x": x, "y": x * factor} for x in span]
    return {
        "data": {"values": ends},
        "mark": {
            "type": "line",
            "color": "#85887f",
            "strokeDash": dash,
            "strokeWidth": 1,
            "clip": True,
            "tooltip": False,
        },
        "encoding": {
            "x": {"field": "x", "type": "quantitative"},
            "y": {"field": "y", "type": "quantitative"},
        },
    }


def _table(runs: list[MeasuredRun]) -> Table:
    return Table(
        columns=["Run", "Job", "Measured", "Predicted", "Source left out", "Error"],
        rows=[
            [
                run.id,
                f"{run.model} on {run.n_gpus} {run.gpu}",
                formatting.si(run.measured),
                formatting.si(run.predicted),
                formatting.si(run.left_out),
                formatting.percent(shown(run) / run.measured - 1),
            ]
            for run in runs
        ],
    )
