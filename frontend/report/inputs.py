"""The inputs of a stored comparison, in groups, each with where it comes from."""

from __future__ import annotations

from dataclasses import dataclass

from calculator.spec.pointers import join, split
from calculator.spec.result import ResultV1
from frontend.forms import wording
from frontend.forms.spec_form import field_id
from frontend.report.stories import Fact, fact

GROUP_DEPTH = {"workload": 1, "pricing": 1, "assumptions": 2, "alternatives": 2}


@dataclass(frozen=True)
class InputGroup:
    """Inputs of one section."""

    id: str
    label: str
    facts: list[Fact]


def groups(result: ResultV1) -> list[InputGroup]:
    """Every input that the result accounts for, in document order."""
    members: dict[str, list[str]] = {}
    for pointer in result.provenance:
        parts = split(pointer)
        depth = GROUP_DEPTH.get(parts[1], 0) if len(parts) > 1 else 0
        if parts[0] == "spec" and depth and len(parts) > depth + 1:
            members.setdefault(join(parts[1 : depth + 1]), []).append(pointer)
    return [
        InputGroup(
            id=field_id(group),
            label=_label(group, result),
            facts=[fact(pointer, result) for pointer in pointers],
        )
        for group, pointers in members.items()
    ]


def _label(group: str, result: ResultV1) -> str:
    name = split(group)[-1]
    if group.startswith("/alternatives/") and name in result.alternatives:
        return result.alternatives[name].label
    return wording.label(name)
