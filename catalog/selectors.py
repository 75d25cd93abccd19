"""Read the catalog: lists for pages and the API, quotes in force, form choices."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

from django.db.models import Q, QuerySet

from catalog.models import (
    Component,
    ModelShape,
    NodeDesign,
    PriceBook,
    PriceQuote,
    RentalOffer,
)

MIN_FABRIC_PORT_GBPS = 10


def component_list(
    kind: str | None = None, search: str | None = None
) -> QuerySet[Component]:
    """Components, of one kind and matching a text where given."""
    query = Component.objects.select_related("source")
    if kind:
        query = query.filter(kind=kind)
    if search:
        query = query.filter(
            Q(slug__icontains=search)
            | Q(name__icontains=search)
            | Q(manufacturer__icontains=search)
            | Q(part_number__icontains=search)
        )
    return query


def offer_list(search: str | None = None) -> QuerySet[RentalOffer]:
    """Rental offers with their GPU and sources."""
    query = RentalOffer.objects.select_related("gpu", "source", "network_source")
    if search:
        query = query.filter(
            Q(slug__icontains=search)
            | Q(label__icontains=search)
            | Q(provider__icontains=search)
            | Q(gpu__name__icontains=search)
        )
    return query


def design_list() -> QuerySet[NodeDesign]:
    """Node designs with their lines."""
    joined = NodeDesign.objects.select_related(
        "gpu", "price_book", "source", "power_source"
    )
    return joined.prefetch_related("lines__component")


def model_list() -> QuerySet[ModelShape]:
    """Model shapes."""
    return ModelShape.objects.select_related("source")


def quotes_in_force(as_of: date, book: str | None = None) -> QuerySet[PriceQuote]:
    """Quotes in effect on a day that nothing supersedes, of one price book where given."""
    query = PriceQuote.objects.in_force(as_of).select_related("source", "price_book")
    return query.filter(price_book__slug=book) if book else query


def quote_history(item: str) -> QuerySet[PriceQuote]:
    """All quotes of an item ever, superseded and withdrawn ones too, latest first."""
    query = PriceQuote.objects.filter(item=item).select_related(
        "source", "price_book", "supersedes", "superseded_by"
    )
    return query.order_by("-effective_from", "region", "-id")


def _fabric_switches() -> QuerySet[Component]:
    return component_list("switch").filter(
        attributes__port_gbps__gte=MIN_FABRIC_PORT_GBPS
    )


def _copper_cables() -> QuerySet[Component]:
    return component_list("cable").filter(attributes__medium="copper")


_CHOICES: dict[str, tuple[Callable[[], QuerySet], str]] = {
    "designs": (NodeDesign.objects.all, "name"),
    "offers": (RentalOffer.objects.all, "label"),
    "models": (ModelShape.objects.all, "name"),
    "switches": (_fabric_switches, "name"),
    "nics": (lambda: component_list("nic"), "name"),
    "cables": (_copper_cables, "name"),
    "transceivers": (lambda: component_list("transceiver"), "name"),
    "storage": (lambda: component_list("storage"), "name"),
    "price-books": (PriceBook.objects.all, "title"),
}


def choices_for(name: str) -> list[tuple[str, str]]:
    """Slug and label of each row that a form offers under ``name``.

    Raises
    ------
    KeyError
        If no catalog list has this name.
    """
    query, label = _CHOICES[name]
    return list(query().order_by(label).values_list("slug", label))
