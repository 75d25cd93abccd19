"""Methodology pages, written beside the code in docs/methodology."""

from __future__ import annotations

import re
from pathlib import Path

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.safestring import mark_safe
from django.views.decorators.http import require_safe

from frontend import markdown

NAME = re.compile(r"[a-z0-9][a-z0-9_-]*")


def folder() -> Path:
    """Where the pages stand."""
    return Path(settings.BASE_DIR) / "docs" / "methodology"


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """All pages with their titles."""
    pages = [_summary(path) for path in sorted(folder().glob("*.md"))]
    context = {"pages": pages, "section": "methodology"}
    return render(request, "frontend/methodology/index.html", context)


@require_safe
def page(request: HttpRequest, name: str) -> HttpResponse:
    """One page."""
    path = folder() / f"{name}.md"
    if not NAME.fullmatch(name) or not path.is_file():
        raise Http404
    text = path.read_text(encoding="utf-8")
    context = {
        "title": markdown.title(text, name),
        "html": mark_safe(markdown.render(text, address)),  # noqa: S308 (escaped there)
        "section": "methodology",
    }
    return render(request, "frontend/methodology/page.html", context)


def address(name: str) -> str:
    """Address of a methodology page that another one links to."""
    return reverse("methodology-page", args=[name]) if NAME.fullmatch(name) else "#"


def _summary(path: Path) -> dict[str, str]:
    text = path.read_text(encoding="utf-8")
    return {
        "name": path.stem,
        "title": markdown.title(text, path.stem.replace("-", " ")),
        "lead": markdown.lead(text),
    }
