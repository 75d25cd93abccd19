"""Checks across the files of a price book: references, keys, ranges, units."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from django.core.exceptions import ValidationError
from django.db import models

from catalog.choices import PriceUnit
from catalog.models import (
    Component,
    ModelShape,
    NodeDesign,
    PriceBook,
    PriceQuote,
    RentalOffer,
    Source,
)
from catalog.services.pricebook_files import Placed, Pricebook, QuoteEntry, RowError

OFFER_UNITS = {PriceUnit.INSTANCE_HOUR}
COMPONENT_UNITS = {PriceUnit.EACH, PriceUnit.TB, PriceUnit.KW}

RATES = {"rate"}


def check(pricebook: Pricebook) -> list[RowError]:
    """Find everything that would make the load wrong."""
    return [
        *_duplicate_slugs(pricebook),
        *_dangling_references(pricebook),
        *_columns(pricebook),
        *_quotes(pricebook),
        *_design_lines(pricebook),
    ]


def _slugs(rows: Iterable[Placed]) -> set[str]:
    return {row.data.slug for row in rows}


def _duplicate_slugs(pricebook: Pricebook) -> Iterator[RowError]:
    """Components and offers share one name space, because quotes name either."""
    groups = (
        pricebook.books,
        pricebook.sources,
        [*pricebook.components, *pricebook.offers],
        pricebook.designs,
        pricebook.models,
    )
    for rows in groups:
        seen: set[str] = set()
        for row in rows:
            if row.data.slug in seen:
                yield row.error("slug", f"{row.data.slug!r} stands twice")
            seen.add(row.data.slug)


def _dangling_references(pricebook: Pricebook) -> Iterator[RowError]:
    sources, components = _slugs(pricebook.sources), _slugs(pricebook.components)
    gpus = {row.data.slug for row in pricebook.components if row.data.kind == "gpu"}
    books, designs = _slugs(pricebook.books), _slugs(pricebook.designs)
    items = components | _slugs(pricebook.offers)
    source = {"source": sources}
    network = source | {"network_source": sources, "gpu": gpus}
    design = source | {"power_source": sources, "gpu": gpus, "price_book": books}
    for rows, targets in (
        (pricebook.components, source),
        (pricebook.models, source),
        (pricebook.fx, source),
        (pricebook.offers, network),
        (pricebook.designs, design),
        (pricebook.lines, {"design": designs, "component": components}),
        (pricebook.quotes, source | {"price_book": books, "item": items}),
    ):
        yield from _unknown(rows, targets)


def _unknown(
    rows: Iterable[Placed], targets: dict[str, set[str]]
) -> Iterator[RowError]:
    for row in rows:
        for column, known in targets.items():
            slug = getattr(row.data, column)
            if slug and slug not in known:
                yield row.error(column, f"{slug!r} is not defined in this folder")


def _columns(pricebook: Pricebook) -> Iterator[RowError]:
    """Lengths, choices and number formats as the tables need them."""
    for rows, model in (
        (pricebook.books, PriceBook),
        (pricebook.sources, Source),
        (pricebook.components, Component),
        (pricebook.designs, NodeDesign),
        (pricebook.offers, RentalOffer),
        (pricebook.models, ModelShape),
        (pricebook.quotes, PriceQuote),
    ):
        for row in rows:
            yield from _table_errors(row, model)


def _table_errors(row: Placed, model: type[models.Model]) -> Iterator[RowError]:
    plain = {f.name for f in model._meta.concrete_fields if not f.is_relation}
    values: dict[str, Any] = row.data.model_dump(include=plain)
    others = [f.name for f in model._meta.concrete_fields if f.name not in values]
    try:
        model(**values).clean_fields(exclude=others)
    except ValidationError as error:
        for column, messages in error.message_dict.items():
            yield from (row.error(column, message) for message in messages)


def _quotes(pricebook: Pricebook) -> Iterator[RowError]:
    kinds = {row.data.slug: row.data.kind for row in pricebook.components}
    seen: dict[tuple[Any, ...], Placed] = {}
    for row in pricebook.quotes:
        entry: QuoteEntry = row.data
        first = seen.setdefault(entry.key, row)
        if first is not row:
            yield row.error("item", f"repeats {first.file}, row {first.row} in its key")
        yield from _range_errors(row, entry)
        allowed = _units(kinds.get(entry.item))
        if entry.unit not in allowed:
            yield row.error(
                "unit", f"{entry.unit.value!r} is not one of {_list(allowed)}"
            )


def _units(kind: str | None) -> set[PriceUnit]:
    if kind is None:
        return OFFER_UNITS
    return set(PriceUnit) - OFFER_UNITS if kind in RATES else COMPONENT_UNITS


def _list(units: set[PriceUnit]) -> str:
    return ", ".join(sorted(unit.value for unit in units))


def _range_errors(row: Placed, entry: QuoteEntry) -> Iterator[RowError]:
    low, mid, high = entry.low, entry.mid, entry.high
    if mid is None:
        if low is not None or high is not None:
            yield row.error("mid", "is empty although low or high is given")
    elif (low is not None and low > mid) or (high is not None and high < mid):
        yield row.error(
            "mid", f"must lie between low and high, got {low}, {mid}, {high}"
        )
    if (
        entry.effective_from
        and entry.effective_to
        and entry.effective_to < entry.effective_from
    ):
        yield row.error("effective_to", "is before effective_from")


def _design_lines(pricebook: Pricebook) -> Iterator[RowError]:
    with_lines = {row.data.design for row in pricebook.lines}
    for row in pricebook.designs:
        if row.data.slug not in with_lines:
            yield row.error("slug", "has no line in design_lines.csv")
    seen: set[tuple[str, str]] = set()
    for row in pricebook.lines:
        key = (row.data.design, row.data.component)
        if key in seen:
            yield row.error("component", f"{key[1]!r} stands twice in {key[0]!r}")
        seen.add(key)
