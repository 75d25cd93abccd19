"""Where a number comes from: its method, its inputs, their sources and dates."""

from __future__ import annotations

from collections.abc import Callable
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
    note: str
    value: str
    unit: str
    badge: str
    observed_on: str
    source: SourceRow | None


@dataclass(frozen=True)
class Link:
    """A part of the page that a number is made of."""

    label: str
    anchor: str


@dataclass(frozen=True)
class Chapter:
    """The story of one alternative's number."""

    label: str
    value: str
    range_text: str
    links: list[Link]
    facts: list[Fact]


@dataclass(frozen=True)
class Story:
    """The story of one headline row."""

    id: str
    row: Row
    formula: str
    method_pages: list[str]
    chapters: list[Chapter]


def story(row: Row, result: ResultV1) -> Story:
    """Story of a headline row, one chapter an alternative."""
    entries = [result.provenance_of(cell.pointer) for cell in row.cells]
    found = [entry for entry in entries if entry is not None]
    return Story(
        id=f"story-{row.metric.name}",
        row=row,
        formula=next((entry.label for entry in found if entry.label), ""),
        method_pages=list(dict.fromkeys(page for e in found if (page := _page(e)))),
        chapters=[
            _chapter(cell, entry, result)
            for cell, entry in zip(row.cells, entries, strict=True)
            if cell.is_known
        ],
    )


def _page(entry: ProvenanceEntry) -> str:
    """Name of the methodology page, without folder, section and ending."""
    return entry.method.partition("#")[0].removesuffix(".md").rsplit("/", 1)[-1]


def _chapter(cell: Cell, entry: ProvenanceEntry | None, result: ResultV1) -> Chapter:
    pointers = entry.inputs[:MAX_INPUTS] if entry else []
    links = [(pointer, link(pointer)) for pointer in pointers]
    return Chapter(
        label=result.alternatives[cell.key].label,
        value=cell.text,
        range_text=cell.range_text,
        links=[found for _, found in links if found is not None],
        facts=[fact(pointer, result) for pointer, found in links if found is None],
    )


def link(pointer: str) -> Link | None:
    """The part of the page that shows a whole part of a document, None for a number."""
    parts = split(pointer)
    if parts[0] == "result" and len(parts) == 4:
        return RESULT_PARTS.get(parts[3], lambda key: None)(parts[2])
    if parts == ["spec", "assumptions"]:
        return Link("shared assumptions", field_id("/assumptions/facility"))
    if parts[0] == "spec" and _is_section(parts):
        return Link(
            SECTION_WORDS.get(parts[1], "") or wording.label(parts[-1]).lower(),
            field_id(pointer.removeprefix("/spec")),
        )
    return None


def _is_section(parts: list[str]) -> bool:
    depth = {"workload": 2, "pricing": 2, "assumptions": 3, "alternatives": 3}
    return len(parts) > 1 and depth.get(parts[1]) == len(parts)


SECTION_WORDS = {"alternatives": "its own inputs", "workload": "the workload"}
RESULT_PARTS: dict[str, Callable[[str], Link | None]] = {
    "lines": lambda key: Link("cost lines", f"lines-{key}"),
    "throughput": lambda key: Link("step and strategy", f"machine-{key}"),
    "cluster": lambda key: Link("cluster and fabric", f"machine-{key}"),
}


def fact(pointer: str, result: ResultV1) -> Fact:
    """What stands behind one pointer: its own entry, or the one that covers it."""
    entry = result.provenance_of(pointer)
    own = result.provenance.get(pointer)
    value = own.value if own and own.value is not None else _stored(pointer, result)
    return Fact(
        label=wording.label(split(pointer)[-1]),
        note=own.label if own else "",
        value=shown(value),
        unit=wording.unit(own.unit) if own else "",
        badge=_badge(entry, value),
        observed_on=entry.observed_on if entry else "",
        source=result.sources.get(entry.source) if entry else None,
    )


def _badge(entry: ProvenanceEntry | None, value: object) -> str:
    """No badge for what is left to the engine: nobody gave that number."""
    if entry is None or value is None:
        return ""
    return lines.badge(entry.confidence, entry.origin)


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
    return wording.choice(value) if isinstance(value, str) else ""
