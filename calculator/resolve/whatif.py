"""What-if: change fields of a comparison by JSON Pointer, and compare two results. PURE."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from calculator.spec import pointers
from calculator.spec.problems import problem
from calculator.spec.result import ResultV1
from calculator.spec.schema_lookup import field_schema

ALL = "*"
"""In place of an alternative's key: every alternative that has the field."""


@dataclass(frozen=True, slots=True)
class Change:
    """One headline number of one alternative, before and after."""

    alternative: str
    name: str
    before: float | None
    after: float | None

    @property
    def fraction(self) -> float | None:
        """Relative change, where both numbers exist [1]."""
        if self.before is None or self.after is None or self.before == 0.0:
            return None
        return self.after / self.before - 1.0


def read_setting(text: str) -> tuple[str, Any]:
    """Split ``/pointer=value``; the value is JSON, or plain text where it is not.

    Raises
    ------
    SpecError
        Where there is no pointer or no value.
    """
    pointer, equals, value = text.partition("=")
    if not equals or not pointer.startswith("/"):
        raise problem("", "invalid", f"{text!r} is not of the form /field=value")
    try:
        return pointer, json.loads(value)
    except json.JSONDecodeError:
        return pointer, value


def apply_settings(document: dict[str, Any], settings: Iterable[str]) -> dict[str, Any]:
    """Copy of a comparison with fields changed; ``/alternatives/*/...`` means all.

    Raises
    ------
    SpecError
        Where a setting cannot be read or names no field of a comparison.
    """
    for text in settings:
        pointer, value = read_setting(text)
        for place in _places(document, pointer):
            document = pointers.replace(document, place, value)
    return document


def _places(document: dict[str, Any], pointer: str) -> list[str]:
    parts = pointers.split(pointer)
    if field_schema(pointers.join(parts)) is None:
        raise problem(pointer, "field_unknown", f"a comparison has no field {pointer}")
    if parts[:2] != ["alternatives", ALL]:
        return [pointer]
    found = [
        pointers.join(["alternatives", key, *parts[2:]])
        for key, option in document.get("alternatives", {}).items()
        if _has_field(option, parts[2:])
    ]
    if not found:
        raise problem(pointer, "field_unknown", f"no alternative has {pointer}")
    return found


def _has_field(option: dict[str, Any], parts: list[str]) -> bool:
    """Whether the kind of this alternative has the field; absent fabrics stay absent."""
    if parts[:1] == ["fabric"]:
        return bool(option.get("fabric"))
    own_only = {"storage", "n_nodes", "node_design", "node_price_usd"}
    rented = option.get("kind") == "rent"
    is_own_field = bool(parts) and parts[0] in own_only
    return not (rented and is_own_field)


def changes(
    before: ResultV1, after: ResultV1, names: Iterable[str]
) -> tuple[Change, ...]:
    """Headline numbers of all alternatives that both results hold."""
    wanted = tuple(names)
    return tuple(
        Change(
            alternative=key,
            name=name,
            before=getattr(before.alternatives[key].headline, name),
            after=getattr(after.alternatives[key].headline, name),
        )
        for key in after.order
        if key in before.alternatives
        for name in wanted
    )
