"""Load a price-book folder: plan (check everything), then apply (all or nothing)."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from django.db import models, transaction

from catalog.choices import ItemKind
from catalog.models import (
    BomLine,
    Component,
    FxRate,
    ModelShape,
    NodeDesign,
    PriceBook,
    PriceQuote,
    RentalOffer,
    Source,
)
from catalog.services.checks import check
from catalog.services.pricebook_files import (
    Placed,
    Pricebook,
    PricebookError,
    QuoteEntry,
    read_folder,
)

BUNDLED_FOLDER = (
    Path(__file__).resolve().parent.parent / "data" / "pricebooks" / "2026-12"
)


@dataclass(slots=True)
class Outcome:
    """What a load did, by table: created, updated, unchanged."""

    tables: dict[str, Counter[str]] = field(default_factory=dict)
    n_absent_quotes: int = 0

    @property
    def n_changes(self) -> int:
        """Rows created or updated."""
        return sum(c["created"] + c["updated"] for c in self.tables.values())


def load_folder(folder: Path = BUNDLED_FOLDER) -> Outcome:
    """Read, check and load ``folder``; a second run changes nothing.

    Raises
    ------
    PricebookError
        With every error found; then nothing is written.
    """
    pricebook = read_folder(folder)
    errors = check(pricebook)
    if errors:
        raise PricebookError(errors)
    return apply_pricebook(pricebook)


@transaction.atomic
def apply_pricebook(pricebook: Pricebook) -> Outcome:
    """Write a checked price book in one transaction."""
    outcome = Outcome()
    _sync(outcome, PriceBook, [p.data.model_dump() for p in pricebook.books])
    _sync(outcome, Source, [p.data.model_dump() for p in pricebook.sources])
    source_ids = _ids(Source)
    _sync(outcome, Component, _component_values(pricebook.components, source_ids))
    component_ids, book_ids = _ids(Component), _ids(PriceBook)
    links = {
        "source": source_ids,
        "power_source": source_ids,
        "network_source": source_ids,
    }
    links |= {"gpu": component_ids, "price_book": book_ids}
    _sync(outcome, NodeDesign, _linked(pricebook.designs, links, drop={"lines"}))
    _sync_lines(outcome, pricebook.lines, component_ids)
    _sync(outcome, RentalOffer, _linked(pricebook.offers, links))
    _sync(outcome, ModelShape, _linked(pricebook.models, links))
    _sync_fx(outcome, pricebook.fx, source_ids)
    _add_quotes(outcome, pricebook, book_ids, source_ids)
    return outcome


def _ids(model: type[models.Model]) -> dict[str, int]:
    return dict(model.objects.values_list("slug", "id"))


def _component_values(
    rows: Iterable[Placed], source_ids: dict[str, int]
) -> list[dict[str, Any]]:
    return _linked(rows, {"source": source_ids})


def _linked(
    rows: Iterable[Placed],
    links: dict[str, dict[str, int]],
    drop: Iterable[str] = (),
) -> list[dict[str, Any]]:
    """Turn rows into column values; slugs that point elsewhere become keys."""
    result = []
    for row in rows:
        values = row.data.model_dump(exclude=set(drop))
        for name in links.keys() & values.keys():
            slug = values.pop(name)
            values[f"{name}_id"] = links[name][slug] if slug else None
        result.append(values)
    return result


def _sync(
    outcome: Outcome, model: type[models.Model], rows: list[dict[str, Any]]
) -> None:
    """Create the rows that are new, update those that differ, by slug."""
    known = model.objects.in_bulk(field_name="slug")
    new, changed = [], []
    for values in rows:
        existing = known.get(values["slug"])
        if existing is None:
            new.append(model(**values))
        elif any(getattr(existing, name) != value for name, value in values.items()):
            for name, value in values.items():
                setattr(existing, name, value)
            changed.append(existing)
    model.objects.bulk_create(new)
    if changed:
        columns = [f.name for f in model._meta.concrete_fields if not f.primary_key]
        model.objects.bulk_update(changed, columns)
    _count(outcome, model, len(rows), len(new), len(changed))


def _count(
    outcome: Outcome, model: Any, n_rows: int, n_new: int, n_changed: int
) -> None:
    outcome.tables[str(model._meta.verbose_name_plural)] = Counter(
        created=n_new, updated=n_changed, unchanged=n_rows - n_new - n_changed
    )


def _sync_lines(
    outcome: Outcome, rows: list[Placed], component_ids: dict[str, int]
) -> None:
    """Replace the lines of each design whose lines differ."""
    wanted: dict[int, list[BomLine]] = {}
    design_ids = _ids(NodeDesign)
    for row in rows:
        lines = wanted.setdefault(design_ids[row.data.design], [])
        lines.append(_bom_line(row.data, design_ids, component_ids, len(lines)))
    present: dict[int, list[BomLine]] = {}
    for line in BomLine.objects.order_by("design_id", "position"):
        present.setdefault(line.design_id, []).append(line)
    new: list[BomLine] = []
    for design_id, lines in wanted.items():
        if [_line_key(x) for x in present.get(design_id, [])] != [
            _line_key(x) for x in lines
        ]:
            BomLine.objects.filter(design_id=design_id).delete()
            new.extend(lines)
    BomLine.objects.bulk_create(new)
    _count(outcome, BomLine, len(rows), len(new), 0)


def _bom_line(
    entry: Any, design_ids: dict[str, int], component_ids: dict[str, int], position: int
) -> BomLine:
    return BomLine(
        design_id=design_ids[entry.design],
        position=position,
        component_id=component_ids[entry.component],
        quantity=entry.quantity,
        note=entry.note,
    )


def _line_key(line: BomLine) -> tuple[Any, ...]:
    return (line.position, line.component_id, line.quantity, line.note)


def _sync_fx(outcome: Outcome, rows: list[Placed], source_ids: dict[str, int]) -> None:
    """Add exchange rates; a changed rate of the same day replaces the old one."""
    counts: Counter[str] = Counter()
    for row in rows:
        entry = row.data
        key = {
            name: getattr(entry, name)
            for name in ("currency", "reporting", "observed_on")
        }
        values = {"rate": entry.rate, "source_id": source_ids[entry.source]}
        existing = FxRate.objects.filter(**key).first()
        if existing and all(getattr(existing, n) == v for n, v in values.items()):
            counts["unchanged"] += 1
            continue
        FxRate.objects.update_or_create(**key, defaults=values)
        counts["updated" if existing else "created"] += 1
    outcome.tables["exchange rates"] = counts


def content_hash(entry: QuoteEntry) -> str:
    """Hash of what a quote says, the same for equal amounts however written."""
    content = entry.model_dump(mode="json")
    for name in ("low", "mid", "high"):
        amount = getattr(entry, name)
        content[name] = None if amount is None else f"{amount:.6f}"
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def quote_id(digest: str, supersedes: str = "") -> str:
    """Short stable identity of a quote: its content and what it supersedes."""
    return hashlib.sha256(f"{digest} {supersedes}".encode()).hexdigest()[:12]


def _add_quotes(
    outcome: Outcome,
    pricebook: Pricebook,
    book_ids: dict[str, int],
    source_ids: dict[str, int],
) -> None:
    """Add new quotes; one that corrects a known quote supersedes it."""
    books = [row.data.slug for row in pricebook.books]
    known = {_stored_key(quote): quote for quote in _current_quotes(books)}
    offers = {row.data.slug for row in pricebook.offers}
    kinds = {row.data.slug: row.data.kind for row in pricebook.components}
    new, n_superseding = [], 0
    for entry in (row.data for row in pricebook.quotes):
        old, digest = known.pop(entry.key, None), content_hash(entry)
        if old is not None and old.content_hash == digest:
            continue
        n_superseding += old is not None
        quote = _quote(
            entry, digest, old, book_ids[entry.price_book], source_ids[entry.source]
        )
        quote.item_kind = _item_kind(entry.item, offers, kinds)
        new.append(quote)
    PriceQuote.objects.bulk_create(new)
    _count(outcome, PriceQuote, len(pricebook.quotes), len(new), 0)
    outcome.n_absent_quotes = len(known)


def _current_quotes(books: list[str]) -> models.QuerySet[PriceQuote]:
    current = PriceQuote.objects.filter(
        price_book__slug__in=books, superseded_by__isnull=True
    )
    return current.select_related("price_book", "source")


def _stored_key(quote: PriceQuote) -> tuple[Any, ...]:
    return (
        quote.price_book.slug,
        quote.item,
        quote.region,
        quote.min_quantity,
        quote.payment_option,
        quote.source.slug,
        quote.observed_on,
        quote.effective_from,
    )


def _item_kind(item: str, offers: set[str], kinds: dict[str, str]) -> str:
    if item in offers:
        return ItemKind.OFFER
    return ItemKind.RATE if kinds[item] == "rate" else ItemKind.COMPONENT


def _quote(
    entry: QuoteEntry, digest: str, old: PriceQuote | None, book_id: int, source_id: int
) -> PriceQuote:
    values = entry.model_dump(exclude={"price_book", "source"})
    return PriceQuote(
        quote_id=quote_id(digest, old.quote_id if old else ""),
        content_hash=digest,
        price_book_id=book_id,
        source_id=source_id,
        supersedes=old,
        **values,
    )
