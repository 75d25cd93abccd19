"""Colours of charts rendered by the server; the browser takes its own from the tokens."""

from __future__ import annotations

from typing import Any

CATEGORIES = [
    "#2f6f8f",
    "#d08a2e",
    "#7a5ea8",
    "#3f8f5f",
    "#b4503c",
    "#5c7f99",
    "#a8873f",
    "#8f6f86",
    "#4f9a94",
    "#8a8f98",
    "#6b4f2f",
    "#a3577d",
]
INK, QUIET, RULE, PAPER = "#1f2328", "#5d6470", "#dfdcd4", "#ffffff"
FONT = "Helvetica, Arial, sans-serif"

CONFIG: dict[str, Any] = {
    "background": PAPER,
    "font": FONT,
    "view": {"stroke": None},
    "axis": {
        "labelColor": QUIET,
        "titleColor": QUIET,
        "titleFontWeight": "normal",
        "gridColor": RULE,
        "domainColor": RULE,
        "tickColor": RULE,
        "labelFontSize": 12,
        "titleFontSize": 12,
    },
    "axisY": {"labelLimit": 180},
    "legend": {
        "labelColor": INK,
        "titleColor": QUIET,
        "titleFontWeight": "normal",
        "labelFontSize": 12,
        "titleFontSize": 12,
    },
    "range": {"category": CATEGORIES},
}
