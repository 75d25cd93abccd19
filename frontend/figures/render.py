"""Figures as SVG, rendered by the server (for pages without JavaScript, and for print)."""

from __future__ import annotations

import vl_convert

from frontend.figures.base import VEGA_LITE_VERSION, Figure
from frontend.figures.palette import CONFIG

WIDTH_PX = 760


def svg(figure: Figure) -> str:
    """The figure as an SVG document; nothing is fetched from outside."""
    spec = figure.complete_spec() | {"width": WIDTH_PX}
    text: str = vl_convert.vegalite_to_svg(
        spec, vl_version=VEGA_LITE_VERSION, config=CONFIG, allowed_base_urls=[]
    )
    return text
