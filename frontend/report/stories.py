"""Where a number comes from: its method, its inputs, their sources and dates."""

from __future__ import annotations

from dataclasses import dataclass

from calculator import formatting
from calculator.spec.pointers import get, split
from calculator.spec.result import ProvenanceEntry, ResultV1
from catalog.documents import SourceRow
from frontend.forms import wording
from frontend.forms.spec_form import field_id
from frontend.report import lines
from frontend.report.headline import Cell, Row

MAX_INPUTS = 40


@dataclass(frozen=True)
class Fact:
    """One input of a number."""

    label: str
    value: str
    unit: str
    badge: str
    observed_on: str
    source: SourceRow | None
    field_id: str


@dataclass(frozen=True)
class Chapter:
    """The story of one alternative's number."""

    label: str
    value: str
    range_text: str
    origin: str
    facts: list[Fact]


@dataclass(frozen=True)
class Story:
    """The story of one headline row."""

    id: str
    row: Row
    method_page: str
    method_section: str
    chapters: list[Chapter]


def story(row: Row, result: ResultV1) -> Story:
    """Story of a headline row, one chapter an alternative."""
    entries = [result.provenance_of(cell.pointer) for cell in row.cells]
    method = next((entry.method for entry in entries if entry and entry.method), "")
    page, _, section = method.partition("#")
    return Story(
        id=f"story-{row.metric.name}",
        row=row,
        method_page=page.removesuffix(".md").rsplit("/", 1)[-1],
        method_section=section,
        chapters=[
            _chapter(cell, entry, result)
            for cell, entry in zip(row.cells, entries, strict=True)
            if cell.is_known
        ],
    )


def _chapter(cell: Cell, entry: ProvenanceEntry | None, result: ResultV1) -> Chapter:
    pointers = entry.inputs[:MAX_INPUTS] if entry else []
    return Chapter(
        label=result.alternatives[cell.key].label,
        value=cell.text,
        range_text=cell.range_text,
        origin=lines.ORIGINS.get(entry.origin, "") if entry else "",
        facts=[fact(pointer, result) for pointer in pointers],
    )


def fact(pointer: str, result: ResultV1) -> Fact:
    """What stands behind one pointer: its own entry, or the one that covers it."""
    entry = result.provenance_of(pointer)
    own = result.provenance.get(pointer)
    value = own.value if own and own.value is not None else _stored(pointer, result)
    return Fact(
        label=(own.label if own else "") or wording.label(split(pointer)[-1]),
        value=shown(value),
        unit=wording.unit(own.unit) if own else "",
        badge=lines.badge(entry.confidence, entry.origin) if entry else "",
        observed_on=entry.observed_on if entry else "",
        source=result.sources.get(entry.source) if entry else None,
        field_id=_field_of(pointer),
    )


def _field_of(pointer: str) -> str:
    """Id of the input of the form, for addresses in the comparison."""
    if not pointer.startswith("/spec/"):
        return ""
    return field_id(pointer.removeprefix("/spec"))


def _stored(pointer: str, result: ResultV1) -> object:
    """Number at an address of this result, if it is a plain one."""
    parts = split(pointer)
    if len(parts) < 2 or parts[0] != "result":
        return None
    value: object = result
    for part in parts[1:]:
        if isinstance(value, dict | list):
            try:
                value = get(value, "/" + part)
            except KeyError:
                return None
        else:
            value = getattr(value, part, None)
    return value


def shown(value: object) -> str:
    """A fact's value as people read it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return formatting.number(value)
    if isinstance(value, float):
        return lines.quantity(value) if abs(value) >= 1 else f"{value:.4g}"
    return value if isinstance(value, str) else ""
