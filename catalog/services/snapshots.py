"""Copy out of the catalog everything that a comparison uses."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from catalog.choices import PriceUnit
from catalog.documents import (
    PriceRow,
    PriceSnapshot,
    SnapshotRequest,
    UnknownReference,
    price_key,
)
from catalog.models import (
    Component,
    FxRate,
    ModelShape,
    NodeDesign,
    PriceBook,
    PriceQuote,
    RentalOffer,
    Source,
)
from catalog.services import rows
from catalog.services.pricing import pick_quote

MAX_SUGGESTIONS = 5
UNITS = {
    "storage": PriceUnit.TB,
    "cooling": PriceUnit.KW,
    "rental": PriceUnit.INSTANCE_HOUR,
}


@dataclass(frozen=True, slots=True)
class _Priced:
    """An item to price: what it is and on which terms."""

    slug: str
    label: str
    category: str
    region: str = ""
    payment_option: str = ""


def take_snapshot(request: SnapshotRequest) -> PriceSnapshot:
    """Collect the request's references, their parts, prices and sources.

    Raises
    ------
    UnknownReference
        For the first reference that the catalog does not hold, with close matches.
    """
    books = _known(PriceBook.objects.all(), "price-book", {request.price_book})
    if request.as_of is None:
        as_of = books[request.price_book].as_of
        request = request.model_copy(update={"as_of": as_of})
    designs = _designs(request.designs)
    offers = _offers(request.offers)
    shapes = _known(
        ModelShape.objects.select_related("source"), "model", request.models
    )
    components = _known(
        Component.objects.select_related("source"),
        "component",
        _component_slugs(request, designs, offers),
    )
    prices = _prices(request, components, designs, offers)
    fx = _fx(request, prices.values())
    documents = {
        "components": {c.slug: rows.component_row(c) for c in components.values()},
        "designs": {d.slug: rows.design_row(d) for d in designs.values()},
        "offers": {o.slug: rows.offer_row(o) for o in offers.values()},
        "models": {m.slug: rows.model_row(m) for m in shapes.values()},
        "prices": prices,
        "fx": fx,
    }
    return PriceSnapshot(
        as_of=request.as_of,
        price_book=request.price_book,
        sources=_sources(request.sources, documents),
        **documents,
    )


def _known(query: QuerySet, kind: str, slugs: Iterable[str]) -> dict[str, Any]:
    """Rows of ``slugs`` in slug order, or the first unknown one as an error."""
    wanted = sorted(set(slugs))
    found = {row.slug: row for row in query.filter(slug__in=wanted)} if wanted else {}
    for slug in wanted:
        if slug not in found:
            raise UnknownReference(kind, slug, _suggestions(query.model, slug))
    return {slug: found[slug] for slug in wanted}


def _suggestions(model: Any, slug: str) -> list[str]:
    known = model.objects.values_list("slug", flat=True)
    return difflib.get_close_matches(slug, list(known), n=MAX_SUGGESTIONS, cutoff=0.4)


def _designs(slugs: Sequence[str]) -> dict[str, NodeDesign]:
    joined = NodeDesign.objects.select_related(
        "gpu", "price_book", "source", "power_source"
    )
    return _known(joined.prefetch_related("lines__component"), "design", slugs)


def _offers(slugs: Sequence[str]) -> dict[str, RentalOffer]:
    joined = RentalOffer.objects.select_related("gpu", "source", "network_source")
    return _known(joined, "offer", slugs)


def _component_slugs(
    request: SnapshotRequest,
    designs: dict[str, NodeDesign],
    offers: dict[str, RentalOffer],
) -> set[str]:
    """Requested components, all parts of the designs, and every GPU."""
    slugs = set(request.components)
    for design in designs.values():
        slugs.add(design.gpu.slug)
        slugs.update(line.component.slug for line in design.lines.all())
    return slugs | {offer.gpu.slug for offer in offers.values()}


def _prices(
    request: SnapshotRequest,
    components: dict[str, Component],
    designs: dict[str, NodeDesign],
    offers: dict[str, RentalOffer],
) -> dict[str, PriceRow]:
    """Price every item in the request's book, and each design's parts in its own."""
    wanted = _books_by_item(designs)
    billable = components.keys() & {*request.components, *wanted}
    items = [
        _Priced(slug, components[slug].name, components[slug].kind)
        for slug in sorted(billable)
    ]
    items += [
        _Priced(o.slug, o.label, "rental", o.region, o.payment_option)
        for o in offers.values()
    ]
    books = {request.price_book}.union(*wanted.values())
    quotes = _quotes(request, books, [item.slug for item in items])
    prices: dict[str, PriceRow] = {}
    for item in items:
        own_books = wanted.get(item.slug, set()) - {request.price_book}
        for book in sorted(own_books):
            _put(prices, _pick(request, item, book, quotes))
        is_only_own = item.slug not in request.components and bool(own_books)
        row = _pick(request, item, request.price_book, quotes)
        if row is None and not (
            is_only_own and _is_priced(prices, item.slug, own_books)
        ):
            row = _missing(request, item)
        _put(prices, row)
    return prices


def _books_by_item(designs: dict[str, NodeDesign]) -> dict[str, set[str]]:
    """Own price books in which a part is looked up, by part."""
    wanted: dict[str, set[str]] = {}
    for design in designs.values():
        for line in design.lines.all():
            wanted.setdefault(line.component.slug, set()).add(design.price_book.slug)
    return wanted


def _is_priced(prices: dict[str, PriceRow], item: str, books: set[str]) -> bool:
    return all(price_key(book, item) in prices for book in books)


def _put(prices: dict[str, PriceRow], row: PriceRow | None) -> None:
    if row is not None:
        prices[price_key(row.price_book, row.item)] = row


def _quotes(
    request: SnapshotRequest, books: set[str], items: list[str]
) -> dict[tuple[str, str], list[PriceQuote]]:
    """Quotes in force by book and item, in one query."""
    query = PriceQuote.objects.in_force(request.as_of).filter(
        price_book__slug__in=books, item__in=items
    )
    found: dict[tuple[str, str], list[PriceQuote]] = {}
    for quote in query.select_related("price_book", "source"):
        found.setdefault((quote.price_book.slug, quote.item), []).append(quote)
    return found


def _pick(
    request: SnapshotRequest,
    item: _Priced,
    book: str,
    quotes: dict[tuple[str, str], list[PriceQuote]],
) -> PriceRow | None:
    quote = pick_quote(
        quotes.get((book, item.slug), []),
        as_of=request.as_of,
        region=item.region,
        payment_option=item.payment_option,
    )
    if quote is None:
        return None
    return rows.price_row(quote, label=item.label, category=item.category)


def _missing(request: SnapshotRequest, item: _Priced) -> PriceRow:
    return rows.missing_row(
        item.slug,
        label=item.label,
        category=item.category,
        unit=UNITS.get(item.category, PriceUnit.EACH).value,
        book=request.price_book,
    )


def _fx(request: SnapshotRequest, prices: Iterable[PriceRow]) -> dict[str, Any]:
    """Take the latest known rate of each foreign currency, not after ``as_of``."""
    currencies = {row.currency for row in prices} - {"USD"}
    query = FxRate.objects.filter(
        currency__in=currencies, reporting="USD", observed_on__lte=request.as_of
    )
    ordered = query.select_related("source").order_by("currency", "observed_on")
    return {rate.currency: rows.fx_row(rate) for rate in ordered}


def _sources(requested: Sequence[str], documents: dict[str, Any]) -> dict[str, Any]:
    """Copy every source that something in the snapshot names."""
    slugs = set(requested)
    for table in documents.values():
        for row in table.values():
            for name in ("source", "power_source", "network_source"):
                slugs.add(getattr(row, name, ""))
    known = _known(Source.objects.all(), "source", slugs - {""})
    return {slug: rows.source_row(source) for slug, source in known.items()}
