"""The claims ledger: what the reference cluster's author says, tested."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from calculator.services import claims
from frontend.figures import busy_sweep
from frontend.figures import render as figure_render
from frontend.report import claims as report

AN_HOUR = "public, max-age=3600"


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """All claims with their verdicts."""
    context = {
        "section": "claims",
        "page": report.page(claims.ledger()),
        "figure_base": request.path + "figures/",
    }
    return render(request, "frontend/claims/index.html", context)


@require_safe
def figure(request: HttpRequest, name: str) -> HttpResponse:
    """The sweep as SVG, for pages without script."""
    if name not in busy_sweep.NAMES:
        raise Http404
    made = busy_sweep.figures(claims.ledger().sweep)
    found = next((figure for figure in made if figure.name == name), None)
    if found is None:
        raise Http404
    response = HttpResponse(figure_render.svg(found), content_type="image/svg+xml")
    response["Cache-Control"] = AN_HOUR
    return response
