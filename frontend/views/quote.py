"""The quote page: edit, live preview, and what its buttons do."""

from __future__ import annotations

import uuid
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.views.decorators.http import require_http_methods, require_POST

from calculator import selectors
from calculator.services import examples, owners, sharing
from frontend import quoting
from frontend.forms import actions, state
from frontend.forms.binding import MOST_ALTERNATIVES, Document
from frontend.quoting import Attempt
from frontend.report import build

SEE_OTHER = 303
UNPROCESSABLE = 422


@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: HttpRequest) -> HttpResponse:
    """Show the form with its result; a post recalculates or changes the alternatives."""
    if request.method == "POST":
        return _act(request)
    try:
        document = _requested(request)
    except state.StateError as error:
        return render(
            request, "frontend/quote/damaged.html", {"error": error}, status=400
        )
    return page(request, quoting.of_document(document, owners.owner_key_of(request)))


@require_POST
def preview(request: HttpRequest) -> HttpResponse:
    """Result fragment of the form as it stands; on problems the last result stays."""
    attempt = quoting.of_posted(request.POST, owners.owner_key_of(request))
    if attempt.result is None:
        return _preview_of_problems(request, attempt)
    context = {
        "report": build.build(attempt.result),
        "code": attempt.code,
        "editable": True,
    }
    response = render(request, "frontend/quote/_preview.html", context)
    address = quoting.edit_url(attempt.document)
    if address:
        response["HX-Replace-Url"] = address
    return response


def _preview_of_problems(request: HttpRequest, attempt: Attempt) -> HttpResponse:
    context = {"problems": quoting.shown_problems(attempt), "has_last_good": True}
    response = render(request, "frontend/quote/_preview_problems.html", context)
    response["HX-Reswap"] = "none"
    return response


def _requested(request: HttpRequest) -> Document:
    """Document that the address asks for."""
    if code := request.GET.get("d"):
        document = state.decode(code)
        alternatives = document.get("alternatives")
        if not isinstance(alternatives, dict):
            raise state.StateError("the link holds no comparison")
        if len(alternatives) > MOST_ALTERNATIVES:
            raise state.StateError("the link holds too many alternatives")
        return document
    if name := request.GET.get("example"):
        return _found(examples.get(name))
    if comparison_id := request.GET.get("from"):
        return _spec_of(comparison_id, owners.owner_key_of(request))
    if token := request.GET.get("share"):
        link = sharing.resolve(token)
        return _found(link.comparison.spec if link else None)
    return quoting.start_document()


def _found(document: Document | None) -> Document:
    if document is None:
        raise Http404
    return document


def _spec_of(comparison_id: str, owner_key: str) -> Document:
    try:
        identity = uuid.UUID(comparison_id)
    except ValueError:
        raise Http404 from None
    comparison = selectors.comparison_for(identity, owner_key)
    return _found(comparison.spec if comparison else None)


def _act(request: HttpRequest) -> HttpResponse:
    """Do what the pressed button says, then show the page under its own address."""
    attempt = quoting.of_posted(request.POST, owners.owner_key_of(request))
    action = request.POST.get("action", "")
    if ":" in action and attempt.document["order"]:
        return _change_alternatives(request, attempt, action)
    address = quoting.edit_url(attempt.document) if attempt.result else ""
    if address:
        return HttpResponseRedirect(address, status=SEE_OTHER)
    return page(request, attempt)


def _change_alternatives(
    request: HttpRequest, attempt: Attempt, action: str
) -> HttpResponse:
    document, key = actions.apply(attempt.document, action, quoting.starters())
    address = quoting.edit_url(document, focus=key)
    if address:
        return HttpResponseRedirect(address, status=SEE_OTHER)
    return page(request, quoting.of_document(document, owners.owner_key_of(request)))


def page(request: HttpRequest, attempt: Attempt, status: int = 200) -> HttpResponse:
    """The whole page; while inputs are wrong it shows the last good result."""
    owner_key = owners.owner_key_of(request)
    last = request.POST.get("last", "")
    shown = attempt if attempt.result else quoting.last_good(last, owner_key)
    if attempt.problems and request.method == "POST":
        status = UNPROCESSABLE
    context: dict[str, Any] = {
        "section": "quote",
        "title": attempt.document.get("name") or "comparison",
        "form": quoting.form_of(attempt, request.GET.get("focus", ""), owner_key),
        "starters": quoting.starter_labels(),
        "problems": quoting.shown_problems(attempt),
        "focus_problems": bool(attempt.problems),
        "has_last_good": bool(attempt.problems and shown),
        "report": build.build(shown.result) if shown and shown.result else None,
        "code": shown.code if shown else "",
        "editable": True,
    }
    return render(request, "frontend/quote/edit.html", context, status=status)
