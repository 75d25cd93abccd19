"""Errors of the model on a buyer's own rows, before and after calibration."""

from __future__ import annotations

from typing import Any

from calculator import formatting
from frontend.figures.base import Figure, Record, Spec, Table, base_spec, legend

NAME = "calibration"
BEFORE, AFTER = "default model", "your calibration"
RULE = "#85887f"
"""Grey that shows on both themes; the palette is for what is compared."""
Residual = dict[str, Any]


def figure(fit: dict[str, Any], residuals: list[Residual]) -> Figure:
    """Two points a measured row: how far either model is off."""
    used = [row for row in residuals if row["measured"] is not None]
    summary = _summary(fit)
    return Figure(
        name=NAME,
        title="Predicted against measured",
        summary=summary,
        spec=_spec(summary),
        records=[record for row in used for record in _records(row)],
        table=_table(used),
        legend=legend([BEFORE, AFTER]),
    )


def _error(row: Residual, key: str) -> float | None:
    return None if row[key] is None else row[key] / row["measured"] - 1.0


def _records(row: Residual) -> list[Record]:
    return [
        {
            "row": row["id"],
            "model": label,
            "measured": row["measured"],
            "error": _error(row, key),
            "shown": signed(_error(row, key)),
        }
        for key, label in (("before", BEFORE), ("after", AFTER))
    ]


def signed(fraction: float | None) -> str:
    """A relative error with its sign, for example +3.1 %."""
    if fraction is None:
        return formatting.UNKNOWN
    return f"{100.0 * fraction:+.1f}\N{NO-BREAK SPACE}%"


def _summary(fit: dict[str, Any]) -> str:
    before = formatting.percent(fit["before"]["median"])
    after = formatting.percent(fit["after"]["median"])
    count = fit["n_fitted"]
    rows = "1 row" if count == 1 else f"{count} rows"
    return f"Median error over {rows}: {before} before, {after} after calibration."


def _spec(summary: str) -> Spec:
    color = {
        "field": "model",
        "type": "nominal",
        "scale": {"domain": [BEFORE, AFTER]},
        "legend": None,
    }
    shape = {
        **color,
        "scale": {"domain": [BEFORE, AFTER], "range": ["circle", "square"]},
    }
    return base_spec(summary=summary) | {
        "height": 260,
        "layer": [
            {
                "mark": {
                    "type": "rule",
                    "strokeDash": [4, 4],
                    "color": RULE,
                    "aria": False,  # a line to read against, no datum
                },
                "encoding": {"y": {"datum": 0}},
            },
            {
                "mark": {"type": "point", "filled": True, "size": 70, "opacity": 0.9},
                "encoding": {
                    "x": {
                        "field": "measured",
                        "type": "quantitative",
                        "scale": {"type": "log", "nice": True},
                        "title": "Measured tokens/s per GPU",
                        "axis": {"format": "~s", "tickCount": 6, "grid": False},
                    },
                    "y": {
                        "field": "error",
                        "type": "quantitative",
                        "title": "Predicted over measured - 1",
                        "axis": {"format": "+.0%", "tickCount": 6},
                    },
                    "color": color,
                    "shape": shape,
                    "tooltip": [
                        {"field": "row", "title": "Row"},
                        {"field": "model", "title": "Model"},
                        {"field": "shown", "title": "Error"},
                    ],
                },
            },
        ],
    }


def _with_error(row: Residual, key: str) -> str:
    error = signed(_error(row, key))
    return f"{formatting.number(row[key])}\N{NO-BREAK SPACE}({error})"


def _table(used: list[Residual]) -> Table:
    keys = ("before", "after", "left_out")
    return Table(
        columns=[
            "Row",
            "Measured, tokens/s per GPU",
            "Default model",
            "Your calibration",
            "Fitted without this row",
            "Assumed",
        ],
        rows=[
            [
                row["id"],
                formatting.number(row["measured"]),
                *(
                    formatting.UNKNOWN if row[key] is None else _with_error(row, key)
                    for key in keys
                ),
                row["note"] or "nothing",
            ]
            for row in used
        ],
    )
