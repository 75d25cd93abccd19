"""What templates need beyond Django: numbers as people read them, addresses, assets."""

from __future__ import annotations

from django import template
from django.contrib.staticfiles.storage import staticfiles_storage
from django.utils.html import format_html

from calculator import formatting
from frontend.forms.spec_form import field_id

register = template.Library()

register.filter("short_money", formatting.short_money)
register.filter("days", formatting.days)


@register.filter
def percent0(fraction: float | None) -> str:
    """A fraction as whole percent."""
    return formatting.percent(fraction, digits=0)


@register.filter
def percent1(fraction: float | None) -> str:
    """A fraction as percent with one decimal."""
    return formatting.percent(fraction)


@register.filter
def significant(value: float | None) -> str:
    """Four significant digits, large and small numbers with an exponent."""
    return formatting.UNKNOWN if value is None else f"{value:.4g}"


@register.filter
def spec_field_id(pointer: str) -> str:
    """Id of the field that an address in the comparison means."""
    return field_id(pointer.removeprefix("/spec"))


@register.filter
def urlize_safely(reference: str) -> str:
    """A reference that is one web address becomes a link, anything else stays text."""
    is_address = reference.startswith(("https://", "http://"))
    if not is_address or any(mark.isspace() for mark in reference):
        return reference
    return format_html(
        '<a href="{}" rel="noreferrer noopener external">{}</a>', reference, reference
    )


@register.simple_tag
def chart_bundle() -> str:
    """Address of the chart library, empty until `build_assets` has written it."""
    try:
        return staticfiles_storage.url("frontend/vendor/vega-bundle.js")
    except ValueError:
        return ""
