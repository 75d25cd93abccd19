"""The catalog: parts, designs, offers and model shapes with the prices in force."""

from __future__ import annotations

from urllib.parse import urlencode

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from frontend import catalog_rows

ROWS_PER_PAGE = 60


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """Rows of one kind that match a search."""
    q = request.GET.get("q", "").replace("\x00", "").strip()[:100]
    kind = request.GET.get("kind", "")
    as_of = catalog_rows.today()
    rows = catalog_rows.rows(kind, q, as_of)
    paginator = Paginator(rows, ROWS_PER_PAGE)
    context = {
        "section": "catalog",
        "page": paginator.get_page(request.GET.get("page")),
        "n_rows": paginator.count,
        "kinds": catalog_rows.kinds(),
        "kind": kind,
        "q": q,
        "as_of": as_of,
        "query": "?" + urlencode({"q": q, "kind": kind}),
    }
    return render(request, "frontend/catalog/index.html", context)


@require_safe
def sources(request: HttpRequest) -> HttpResponse:
    """Who says so."""
    q = request.GET.get("q", "").replace("\x00", "").strip()[:100]
    context = {"section": "catalog", "q": q, "sources": catalog_rows.sources(q)}
    return render(request, "frontend/catalog/sources.html", context)
