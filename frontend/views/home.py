"""The start page."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from calculator import selectors
from calculator.services import examples, owners
from frontend import quoting
from frontend.report import build

RECENT = 8


@require_safe
def start(request: HttpRequest) -> HttpResponse:
    """What it is, the reference comparison's answer, and ways to begin."""
    attempt = quoting.of_document(quoting.start_document())
    problems = quoting.shown_problems(attempt)
    context = {
        "report": build.build(attempt.result) if attempt.result else None,
        "problem": problems[0].message if problems else "",
        "examples": examples.listed(),
        "recent": selectors.comparison_list(owners.owner_key_of(request))[:RECENT],
    }
    return render(request, "frontend/home.html", context)
