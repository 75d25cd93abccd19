"""Load a price-book folder: plan (check everything), then apply (all or nothing)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from django.db import models, transaction

from catalog.models import (
    BomLine,
    Component,
    FxRate,
    ModelShape,
    NodeDesign,
    PriceBook,
    RentalOffer,
    Source,
)
from catalog.services.checks import check
from catalog.services.pricebook_files import (
    Placed,
    Pricebook,
    PricebookError,
    read_folder,
)
from catalog.services.quotes import sync_quotes

BUNDLED_FOLDER = (
    Path(__file__).resolve().parent.parent / "data" / "pricebooks" / "2026-12"
)


@dataclass(slots=True)
class Outcome:
    """What a load did, by table: created, updated, unchanged."""

    tables: dict[str, Counter[str]] = field(default_factory=dict)

    @property
    def n_changes(self) -> int:
        """Rows created, updated or withdrawn."""
        return sum(c.total() - c["unchanged"] for c in self.tables.values())


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
    outcome.tables["price quotes"] = sync_quotes(pricebook, book_ids, source_ids)
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
