"""Share links: a read-only snapshot for whoever knows the address."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.cache import get_conditional_response
from django.views.decorators.http import require_safe

from calculator.models import ShareLink
from calculator.services import sharing
from calculator.spec.result import parse_result
from frontend import revision
from frontend.views import comparison as comparisons

HEADERS = {
    "X-Robots-Tag": "noindex, nofollow",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "private, no-cache",
}


@require_safe
def detail(request: HttpRequest, token: str) -> HttpResponse:
    """The snapshot, or a friendly page if the link does not work."""
    link = sharing.resolve(token)
    if link is None:
        return _marked(render(request, "frontend/shared/gone.html", status=404))
    etag = f'"{link.comparison.result_hash}-{revision.current()}"'
    response = get_conditional_response(request, etag=etag)
    if response is None:
        response = _rendered(request, link)
    response["ETag"] = etag
    return _marked(response)


@require_safe
def figure(request: HttpRequest, token: str, name: str) -> HttpResponse:
    """One chart of the snapshot as SVG."""
    link = sharing.resolve(token)
    if link is None:
        raise Http404
    response = comparisons.figure_response(parse_result(link.comparison.result), name)
    return _marked(response)


def _rendered(request: HttpRequest, link: ShareLink) -> HttpResponse:
    base = reverse("shared-figure", args=[link.token, "NAME"])
    context = comparisons.result_context(link.comparison, base) | {"link": link}
    return render(request, "frontend/shared/detail.html", context)


def _marked(response: HttpResponse) -> HttpResponse:
    for name, value in HEADERS.items():
        response[name] = value
    return response
