"""Saved comparisons: made by a job, shown as stored, shared by links."""

from __future__ import annotations

import uuid
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from calculator import selectors
from calculator.models import Comparison, ShareLink
from calculator.services import comparisons, owners, sharing
from calculator.spec.problems import SpecError
from calculator.spec.result import ResultV1, parse_result
from frontend import quoting
from frontend.figures import catalogue
from frontend.figures import render as figure_render
from frontend.quoting import Attempt
from frontend.report import build, inputs
from frontend.views import quote

MAX_EXPIRY_DAYS = 3650


@require_POST
def create(request: HttpRequest) -> HttpResponse:
    """Save the posted form: a job computes it, then it has its own address."""
    owner_key = owners.owner_key_of(request, create=True)
    attempt = quoting.of_posted(request.POST, owner_key)
    if attempt.spec is None or attempt.problems:
        return quote.page(request, attempt)
    try:
        job = comparisons.create(spec=attempt.spec, owner_key=owner_key)
    except SpecError as error:
        refused = Attempt(attempt.document, attempt.fields, problems=error.problems)
        return quote.page(request, refused)
    if job.state == "succeeded" and job.comparison_id:
        return redirect("comparison-detail", job.comparison_id)
    return redirect("job-detail", job.id)


@require_safe
def detail(request: HttpRequest, comparison_id: uuid.UUID) -> HttpResponse:
    """A stored comparison with its share links."""
    owner_key = owners.owner_key_of(request)
    comparison = _visible(comparison_id, owner_key)
    base = reverse("comparison-figure", args=[comparison.id, "NAME"])
    context = result_context(comparison, base)
    context["links"] = [
        _with_url(request, link)
        for link in selectors.share_links_of(comparison, owner_key)
    ]
    return render(request, "frontend/comparison/detail.html", context)


@require_safe
def figure(request: HttpRequest, comparison_id: uuid.UUID, name: str) -> HttpResponse:
    """One chart as SVG."""
    comparison = _visible(comparison_id, owners.owner_key_of(request))
    return figure_response(parse_result(comparison.result), name)


@require_POST
def share(request: HttpRequest, comparison_id: uuid.UUID) -> HttpResponse:
    """Make a share link."""
    owner_key = owners.owner_key_of(request)
    comparison = _visible(comparison_id, owner_key)
    expires_in_days = _days(request.POST.get("expires_in_days", ""))
    sharing.create(comparison, owner_key=owner_key, expires_in_days=expires_in_days)
    return redirect(reverse("comparison-detail", args=[comparison.id]) + "#share-title")


@require_POST
def revoke(request: HttpRequest, comparison_id: uuid.UUID) -> HttpResponse:
    """End a share link."""
    owner_key = owners.owner_key_of(request)
    comparison = _visible(comparison_id, owner_key)
    sharing.revoke(request.POST.get("token", ""), owner_key=owner_key)
    return redirect(reverse("comparison-detail", args=[comparison.id]) + "#share-title")


def result_context(comparison: Comparison, figure_url: str) -> dict[str, Any]:
    """What the templates of a stored result need; nothing is computed again."""
    result = parse_result(comparison.result)
    return {
        "comparison": comparison,
        "report": build.build(result),
        "inputs": inputs.groups(result),
        "figure_base": figure_url.removesuffix("NAME.svg"),
    }


def figure_response(result: ResultV1, name: str) -> HttpResponse:
    """A chart of a stored result; results never change, so it may be kept."""
    found = catalogue.figure(name, result)
    if found is None:
        raise Http404
    response = HttpResponse(figure_render.svg(found), content_type="image/svg+xml")
    response["Cache-Control"] = "private, max-age=86400"
    return response


def _visible(comparison_id: uuid.UUID, owner_key: str) -> Comparison:
    comparison = selectors.comparison_for(comparison_id, owner_key)
    if comparison is None:
        raise Http404
    return comparison


def _with_url(request: HttpRequest, link: ShareLink) -> dict[str, Any]:
    path = reverse("shared-detail", args=[link.token])
    return {
        "id": link.pk,
        "token": link.token,
        "expires_at": link.expires_at,
        "url": request.build_absolute_uri(path),
    }


def _days(text: str) -> int | None:
    """Days until a link ends; what is no sensible number means the shortest offered."""
    if text == "":
        return None
    is_number = text.isascii() and text.isdigit() and len(text) < 6
    return min(max(int(text), 1), MAX_EXPIRY_DAYS) if is_number else 7
