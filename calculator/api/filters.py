"""Filters of the catalog's lists. Each is declared once: it filters and is documented."""

from typing import Any

import django_filters as df
from drf_spectacular.utils import OpenApiParameter

from calculator.api.errors import QueryInvalid
from catalog import choices

ISO_DATE = ["%Y-%m-%d"]


def text(field: str, lookup: str = "exact", **extra: Any) -> df.CharFilter:
    """Filter by a short text."""
    return df.CharFilter(
        field_name=field, lookup_expr=lookup, max_length=100, strip=False, **extra
    )


def choice(field: str, values: type) -> df.ChoiceFilter:
    """Filter by one of a closed list."""
    return df.ChoiceFilter(field_name=field, choices=values.choices)


class ComponentFilters(df.FilterSet):
    """Filters of components."""

    kind = choice("kind", choices.ComponentKind)
    manufacturer = text("manufacturer", "iexact")
    search = df.CharFilter(
        method="matching", max_length=100, help_text="Text in the name."
    )

    def matching(self, queryset, name, value):
        """Keep rows whose slug, name, maker or part number holds the text."""
        found = queryset.none()
        for field in ("slug", "name", "manufacturer", "part_number"):
            found |= queryset.filter(**{f"{field}__icontains": value})
        return found


class OfferFilters(df.FilterSet):
    """Filters of rental offers."""

    provider = text("provider", "iexact")
    gpu = text("gpu__slug")
    term = choice("term", choices.OfferTerm)
    transport = choice("transport", choices.Transport)
    region = text("region")


class DesignFilters(df.FilterSet):
    """Filters of node designs."""

    gpu = text("gpu__slug")
    price_book = text("price_book__slug")


class ModelFilters(df.FilterSet):
    """Filters of model shapes."""

    search = text("name", "icontains", help_text="Text in the name.")


class QuoteFilters(df.FilterSet):
    """Filters of price quotes."""

    item = text("item", help_text="Slug of the component, offer or rate.")
    item_kind = choice("item_kind", choices.ItemKind)
    price_book = text("price_book__slug")
    source = text("source__slug")
    confidence = choice("confidence", choices.Confidence)
    region = text("region")
    in_force_on = df.DateFilter(
        method="in_force",
        input_formats=ISO_DATE,
        help_text="Day (YYYY-MM-DD) on which the quote holds and nothing supersedes it.",
    )

    def in_force(self, queryset, name, value):
        """Keep quotes in force on a day."""
        return queryset.in_force(value)


class SourceFilters(df.FilterSet):
    """Filters of sources."""

    kind = choice("kind", choices.SourceKind)


def filtered(filters: type[df.FilterSet], query_params: Any, queryset: Any) -> Any:
    """Apply the filters of a request.

    Raises
    ------
    QueryInvalid
        If a value is empty or not one that the filter knows.
    """
    given = {
        name: query_params[name]
        for name in filters.base_filters
        if name in query_params
    }
    for name, value in given.items():
        if value == "":
            raise QueryInvalid(f"{name} is empty: give a value or leave it out.")
    found = filters(given, queryset)
    if not found.is_valid():
        name, messages = next(iter(found.errors.items()))
        raise QueryInvalid(f"{name}: {' '.join(messages)}")
    return found.qs


def parameters_of(filters: type[df.FilterSet]) -> list[OpenApiParameter]:
    """OpenAPI parameters of the filters."""
    return [
        OpenApiParameter(
            name, _schema(item), description=item.extra.get("help_text") or ""
        )
        for name, item in filters.base_filters.items()
    ]


def _schema(item: df.Filter) -> dict[str, Any]:
    if isinstance(item, df.ChoiceFilter):
        return {"type": "string", "enum": [value for value, _ in item.extra["choices"]]}
    if isinstance(item, df.DateFilter):
        return {"type": "string", "format": "date"}
    return {"type": "string", "minLength": 1, "maxLength": 100}
