"""Rows of the catalog pages: an item with its quotes in force."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import Any

from django.db.models import Q, QuerySet
from django.utils import timezone

from catalog import selectors
from catalog.choices import ComponentKind
from catalog.models import PriceBook, PriceQuote, Source

MAX_FACTS = 6
UNITS = {
    "_gbytes_per_s": "GB/s",
    "_tflops": "TFLOP/s",
    "_gbps": "Gb/s",
    "_kw": "kW",
    "_gb": "GB",
    "_tb": "TB",
    "_w": "W",
    "_m": "m",
}


@dataclass(frozen=True)
class Quote:
    """A price in force."""

    low: str
    mid: str | None
    high: str
    unit: str
    observed_on: str
    source: Source
    confidence: str
    terms: str


@dataclass(frozen=True)
class Row:
    """An item of the catalog."""

    slug: str
    name: str
    what: str
    facts: str
    source: Source | None
    no_price: str = "no price"
    quotes: list[Quote] = field(default_factory=list)


def kinds() -> list[tuple[str, str]]:
    """Choices of the filter."""
    return [
        ("", "Rental offers"),
        ("parts", "All parts and rates"),
        *[(value, label) for value, label in ComponentKind.choices],
        ("designs", "Node designs"),
        ("models", "Model shapes"),
    ]


def today() -> date:
    """Today, or the newest price book's day if the clock is behind it."""
    newest = (
        PriceBook.objects.order_by("-as_of").values_list("as_of", flat=True).first()
    )
    return max(timezone.localdate(), newest) if newest else timezone.localdate()


def rows(kind: str, search: str, as_of: date) -> list[Row]:
    """Rows of one kind that match a text, with their quotes."""
    make = MAKERS.get(kind)
    found = make(search) if make else _components(kind, search)
    quotes = _quotes(as_of, {row.slug for row in found})
    for row in found:
        row.quotes.extend(quotes.get(row.slug, []))
    return found


def sources(search: str) -> QuerySet[Source]:
    """Sources that match a text."""
    query = Source.objects.order_by("publisher", "title")
    if search:
        query = query.filter(
            Q(slug__icontains=search)
            | Q(publisher__icontains=search)
            | Q(title__icontains=search)
        )
    return query


def _components(kind: str, search: str) -> list[Row]:
    return [
        Row(
            slug=part.slug,
            name=part.name,
            what=" ".join(filter(None, [part.get_kind_display(), part.part_number])),
            facts=_facts(part.attributes),
            source=part.source,
        )
        for part in selectors.component_list(kind if kind != "parts" else None, search)
    ]


def _offers(search: str) -> list[Row]:
    return [
        Row(
            slug=offer.slug,
            name=offer.label,
            what=f"{offer.gpus_per_instance} × {offer.gpu.name}",
            facts=f"{offer.ports_per_instance} × {_number(offer.port_gbps)} Gb/s "
            f"{offer.get_transport_display()}, {offer.get_term_display()}",
            source=offer.source,
        )
        for offer in selectors.offer_list(search)
    ]


def _designs(search: str) -> list[Row]:
    return [
        Row(
            slug=design.slug,
            name=design.name,
            what=f"{design.gpus_per_node} × {design.gpu.name}",
            facts=f"{_number(design.mean_training_kw)} kW mean in training, "
            f"{_number(design.rated_kw)} kW rated",
            source=design.source,
            no_price="priced by its parts",
        )
        for design in selectors.design_list()
        if _matches(search, design.slug, design.name, design.gpu.name)
    ]


def _models(search: str) -> list[Row]:
    return [
        Row(
            slug=shape.slug,
            name=shape.name,
            what=f"{shape.layers} layers of {shape.hidden}",
            facts=f"{shape.heads} heads, {shape.kv_heads} key-value, MLP {shape.ffn}"
            + (f", {shape.n_experts} experts" if shape.n_experts else ""),
            source=shape.source,
            no_price="not for sale",
        )
        for shape in selectors.model_list()
        if _matches(search, shape.slug, shape.name)
    ]


MAKERS: dict[str, Callable[[str], list[Row]]] = {
    "": _offers,
    "designs": _designs,
    "models": _models,
}


def _matches(search: str, *texts: str) -> bool:
    return search.lower() in " ".join(texts).lower()


def _quotes(as_of: date, items: set[str]) -> dict[str, list[Quote]]:
    found: dict[str, list[Quote]] = defaultdict(list)
    for quote in selectors.quotes_in_force(as_of).filter(item__in=items):
        found[quote.item].append(_quote(quote))
    return found


def _quote(quote: PriceQuote) -> Quote:
    return Quote(
        low=_price(quote.low, quote.currency),
        mid=None if quote.mid is None else _price(quote.mid, quote.currency),
        high=_price(quote.high, quote.currency),
        unit=quote.get_unit_display(),
        observed_on=quote.observed_on,
        source=quote.source,
        confidence=quote.confidence,
        terms=_terms(quote),
    )


def _terms(quote: PriceQuote) -> str:
    return ", ".join(_filled(quote))


def _filled(quote: PriceQuote) -> Iterable[str]:
    yield f"book {quote.price_book.slug}"
    if quote.region:
        yield quote.region
    if quote.payment_option:
        yield quote.payment_option
    if quote.min_quantity > 1:
        yield f"from {quote.min_quantity}"


def _price(value: Decimal | None, currency: str) -> str:
    """As the vendor wrote it, without trailing zeros beyond cents."""
    if value is None:
        return "–"
    digits = 2 if value == round(value, 2) else 4
    text = f"{value:,.{digits}f}".removesuffix(".00")
    return f"${text}" if currency == "USD" else f"{text} {currency}"


def _facts(attributes: dict[str, Any]) -> str:
    """The first attributes in words, units behind the number."""
    shown = [(k, v) for k, v in attributes.items() if isinstance(v, int | float | str)]
    return ", ".join(_fact(name, value) for name, value in shown[:MAX_FACTS])


def _fact(name: str, value: float | str) -> str:
    unit = next((suffix for suffix in UNITS if name.endswith(suffix)), "")
    words = name.removesuffix(unit).removeprefix("n_").replace("_", " ")
    return " ".join(filter(None, [words, _number(value), UNITS.get(unit, "")]))


def _number(value: float | str) -> str:
    return f"{value:,g}" if isinstance(value, int | float) else value
