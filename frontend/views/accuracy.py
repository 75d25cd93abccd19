"""Accuracy of predicted throughput: residuals, errors by source, parameters."""

from __future__ import annotations

import re
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import mark_safe
from django.views.decorators.http import require_safe

from calculator.services import accuracy
from frontend import markdown
from frontend.figures import accuracy_scatter
from frontend.figures import render as figure_render
from frontend.views import methodology

WEAK_SPOTS = re.compile(r"^## Known weak spots\s*$(.*?)(?=^## |\Z)", re.M | re.S)


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """What is known about the errors of the model that runs here."""
    report = accuracy.report()
    context: dict[str, Any] = {
        "section": "accuracy",
        "accuracy": report,
        "figure": accuracy_scatter.figure(report),
        "figure_base": request.path + "figures/",
        "weak_spots": _weak_spots(),
        "is_stale": report.calibrated_with not in {"", report.engine_version},
    }
    return render(request, "frontend/accuracy/index.html", context)


@require_safe
def figure(request: HttpRequest, name: str) -> HttpResponse:
    """The scatter as SVG, for pages without script."""
    found = accuracy_scatter.figure(accuracy.report())
    if name != accuracy_scatter.NAME or found is None:
        raise Http404
    response = HttpResponse(figure_render.svg(found), content_type="image/svg+xml")
    response["Cache-Control"] = "public, max-age=3600"
    return response


def _weak_spots() -> str:
    """That section of the methodology page on throughput, as HTML."""
    path = methodology.folder() / "throughput.md"
    found = WEAK_SPOTS.search(path.read_text(encoding="utf-8"))
    if found is None:
        return ""
    html = markdown.render(found[1].strip(), methodology.address)
    return mark_safe(html)  # noqa: S308 (escaped there)
