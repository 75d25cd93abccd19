"""Table rows -> frozen catalog documents."""

from __future__ import annotations

from decimal import Decimal

from catalog.documents import (
    ComponentRow,
    DesignLineRow,
    DesignRow,
    FxRow,
    ModelRow,
    OfferRow,
    PriceRow,
    SourceRow,
)
from catalog.models import (
    Component,
    FxRate,
    ModelShape,
    NodeDesign,
    PriceQuote,
    RentalOffer,
    Source,
)

NO_QUOTE_SOURCE = "no-quote"

MODEL_COLUMNS = tuple(name for name in ModelRow.model_fields if name != "source")
OFFER_COLUMNS = tuple(
    name
    for name in OfferRow.model_fields
    if name not in {"source", "network_source", "gpu"}
)
DESIGN_COLUMNS = tuple(
    name
    for name in DesignRow.model_fields
    if name not in {"source", "power_source", "gpu", "price_book", "lines"}
)
_OWN_QUOTE_FIELDS = {"label", "category", "low", "mid", "high", "source", "price_book"}
QUOTE_COLUMNS = tuple(
    name for name in PriceRow.model_fields if name not in _OWN_QUOTE_FIELDS
)


def source_row(source: Source) -> SourceRow:
    """Copy a source."""
    return SourceRow(**{name: getattr(source, name) for name in SourceRow.model_fields})


def component_row(component: Component) -> ComponentRow:
    """Copy a component; its source must be joined."""
    return ComponentRow(
        slug=component.slug,
        kind=component.kind,
        name=component.name,
        manufacturer=component.manufacturer,
        part_number=component.part_number,
        attributes=component.attributes,
        source=component.source.slug,
        note=component.note,
    )


def design_row(design: NodeDesign) -> DesignRow:
    """Copy a design with its lines; its links must be joined and its lines prefetched."""
    return DesignRow(
        **{name: getattr(design, name) for name in DESIGN_COLUMNS},
        gpu=design.gpu.slug,
        price_book=design.price_book.slug,
        source=design.source.slug,
        power_source=design.power_source.slug if design.power_source else "",
        lines=[
            DesignLineRow(
                component=line.component.slug, quantity=line.quantity, note=line.note
            )
            for line in design.lines.all()
        ],
    )


def offer_row(offer: RentalOffer) -> OfferRow:
    """Copy an offer; its links must be joined."""
    return OfferRow(
        **{name: getattr(offer, name) for name in OFFER_COLUMNS},
        gpu=offer.gpu.slug,
        source=offer.source.slug,
        network_source=offer.network_source.slug if offer.network_source else "",
    )


def model_row(shape: ModelShape) -> ModelRow:
    """Copy a model shape; its source must be joined."""
    values = {name: getattr(shape, name) for name in MODEL_COLUMNS}
    return ModelRow(**values, source=shape.source.slug)


def fx_row(rate: FxRate) -> FxRow:
    """Copy an exchange rate; its source must be joined."""
    return FxRow(
        currency=rate.currency,
        reporting=rate.reporting,
        rate=float(rate.rate),
        observed_on=rate.observed_on.isoformat(),
        source=rate.source.slug,
    )


def price_row(quote: PriceQuote, *, label: str, category: str) -> PriceRow:
    """Copy a quote; its source and book must be joined."""
    return PriceRow(
        **{name: getattr(quote, name) for name in QUOTE_COLUMNS},
        label=label,
        category=category,
        low=_number(quote.low),
        mid=_number(quote.mid),
        high=_number(quote.high),
        source=quote.source.slug,
        price_book=quote.price_book.slug,
    )


def missing_row(
    item: str, *, label: str, category: str, unit: str, book: str
) -> PriceRow:
    """Say that no quote is in force: an unknown price, never zero."""
    return PriceRow(
        quote_id="",
        item=item,
        label=label,
        category=category,
        low=None,
        mid=None,
        high=None,
        unit=unit,
        confidence="low",
        source=NO_QUOTE_SOURCE,
        price_book=book,
        note="No quote is in force on this day: the price is unknown, not zero.",
    )


def _number(amount: Decimal | None) -> float | None:
    return None if amount is None else float(amount)
