"""The quote form: sections, fields and alternatives as the templates show them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from calculator.spec.pointers import join, split
from calculator.spec.problems import Problem
from calculator.spec.scenario import MAX_ALTERNATIVES
from frontend.forms import describe, numbers, wording
from frontend.forms.binding import GIVEN, Fields
from frontend.forms.describe import MISSING, Branches, Group, Leaf, Node

Choices = Mapping[str, list[tuple[str, str]]]


@dataclass(frozen=True)
class Context:
    """What every field needs: posted texts, what is wrong, what the catalog offers."""

    fields: Fields
    problems: Mapping[str, list[str]]
    choices: Choices
    starters: Fields = field(default_factory=dict)
    focus: tuple[str, ...] = ()

    def text(self, pointer: str) -> str | None:
        """Posted text of a field, None when it was not posted."""
        values = self.fields.get(pointer)
        return values[-1] if values else None


@dataclass(frozen=True)
class FieldView:
    """One labelled input."""

    pointer: str
    id: str
    leaf: Leaf
    value: str
    unit: str
    placeholder: str
    bounds: str
    step: str
    default: str
    choices: list[tuple[str, str]]
    errors: list[str]

    @property
    def is_default(self) -> bool:
        """True while the value is the document's own default."""
        return self.value == self.default

    @property
    def is_wide(self) -> bool:
        """Names and catalog entries need the room of two numbers."""
        return bool(self.leaf.catalog_list) or self.leaf.control in {"text", "area"}

    @property
    def described_by(self) -> str:
        """Ids of the texts that explain the field."""
        return f"{self.id}-help {self.id}-error"


@dataclass(frozen=True)
class Branch:
    """One of several ways to fill a section."""

    kind: str
    label: str
    is_chosen: bool
    section: SectionView


@dataclass(frozen=True)
class SectionView:
    """A fieldset: plain fields, nested sections, and what is folded as advanced."""

    pointer: str
    id: str
    label: str
    help: str
    is_optional: bool = False
    is_given: bool = True
    fields: list[FieldView] = field(default_factory=list)
    sections: list[SectionView] = field(default_factory=list)
    advanced: list[FieldView] = field(default_factory=list)
    advanced_sections: list[SectionView] = field(default_factory=list)
    branches: list[Branch] = field(default_factory=list)

    @property
    def is_advanced_open(self) -> bool:
        """Advanced fields unfold when one of them is wrong or changed."""
        return any(f.errors for f in self.advanced) or any(
            section.has_errors for section in self.advanced_sections
        )

    @property
    def n_changed(self) -> int:
        """How many folded fields differ from their default."""
        own = sum(not f.is_default for f in self.advanced)
        return own + sum(
            not f.is_default for s in self.advanced_sections for f in s.all_fields()
        )

    @property
    def has_errors(self) -> bool:
        """True if any field below is wrong."""
        return any(f.errors for f in self.all_fields())

    def all_fields(self) -> Iterable[FieldView]:
        """Every field below."""
        yield from self.fields
        yield from self.advanced
        for section in (*self.sections, *self.advanced_sections):
            yield from section.all_fields()
        for branch in self.branches:
            yield from branch.section.all_fields()


@dataclass(frozen=True)
class AlternativeView:
    """One alternative's card."""

    key: str
    id: str
    kind: str
    label: str
    is_base: bool
    is_open: bool
    size: str
    section: SectionView


@dataclass(frozen=True)
class SpecForm:
    """The whole form."""

    about: list[FieldView]
    workload: SectionView
    alternatives: list[AlternativeView]
    assumptions: list[SectionView]
    pricing: SectionView
    can_add: bool


def field_id(pointer: str) -> str:
    """HTML id of the field at ``pointer``.

    >>> field_id("/workload/seq_len")
    'f--workload--seq_len'
    """
    return "f" + pointer.replace("/", "--")


def build(
    fields: Fields,
    problems: list[Problem],
    choices: Choices,
    starters: Fields,
    focus: str = "",
) -> SpecForm:
    """Form of posted (or `binding.to_posted`) fields; ``focus`` names the open card."""
    opened = (focus,) if focus else ()
    context = Context(fields, _by_pointer(problems), choices, starters, opened)
    root = _section(describe.comparison(), "", context)
    by_name = {split(section.pointer)[-1]: section for section in root.sections}
    order = fields.get("/order", [])
    return SpecForm(
        about=root.fields,
        workload=by_name["workload"],
        alternatives=[_alternative(key, context) for key in order],
        assumptions=by_name["assumptions"].sections,
        pricing=by_name["pricing"],
        can_add=len(order) < MAX_ALTERNATIVES,
    )


def _by_pointer(problems: list[Problem]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for problem in problems:
        found.setdefault(problem.pointer, []).append(message(problem))
    return found


def message(problem: Problem) -> str:
    """The problem's sentence with the field's label instead of its name."""
    parts = split(problem.pointer) if problem.pointer.startswith("/") else []
    if not parts or not problem.message.startswith(parts[-1]):
        return problem.message
    return wording.label(parts[-1]) + problem.message.removeprefix(parts[-1])


def _alternative(key: str, context: Context) -> AlternativeView:
    pointer = join(["alternatives", key])
    kind = context.text(f"{pointer}/kind") or ""
    group = describe.option(kind) or Group("option", "", "", ())
    section = _section(group, pointer, context)
    first = context.fields.get("/order", [])[:1]
    return AlternativeView(
        key=key,
        id=field_id(pointer),
        kind=kind,
        label=context.text(f"{pointer}/label") or key,
        is_base=context.text("/base") == key,
        is_open=section.has_errors or key in (context.focus or first),
        size=_size(pointer, context),
        section=section,
    )


def _size(pointer: str, context: Context) -> str:
    """Nodes or instances in words, for the folded card."""
    for name in ("n_nodes", "n_instances"):
        if count := context.text(f"{pointer}/{name}"):
            return f"{count} {wording.label(name).lower()}"
    return ""


def _section(group: Group, pointer: str, context: Context) -> SectionView:
    is_given = not group.is_optional or context.text(pointer) == GIVEN
    if not is_given:
        context = _with_starters(context, pointer)
    section = SectionView(
        pointer=pointer,
        id=field_id(pointer),
        label=group.label,
        help=group.help,
        is_optional=group.is_optional,
        is_given=is_given,
    )
    for node in group.children:
        _place(section, node, f"{pointer}/{node.name}", context)
    return section


def _with_starters(context: Context, pointer: str) -> Context:
    """An absent part shows sensible values, ready to be switched on."""
    name = split(pointer)[-1]
    begin = f"/{name}/"
    found = {
        pointer + "/" + key.removeprefix(begin): value
        for key, value in context.starters.items()
        if key.startswith(begin)
    }
    return replace(context, fields={**found, **context.fields})


def _place(section: SectionView, node: Node, pointer: str, context: Context) -> None:
    if isinstance(node, Leaf):
        fields = section.advanced if node.is_advanced else section.fields
        fields.append(_field(node, pointer, context))
        return
    child = (
        _branches(node, pointer, context)
        if isinstance(node, Branches)
        else _section(node, pointer, context)
    )
    (section.advanced_sections if node.is_advanced else section.sections).append(child)


def _branches(node: Branches, pointer: str, context: Context) -> SectionView:
    chosen = context.text(f"{pointer}/kind") or next(iter(node.groups))
    return SectionView(
        pointer=pointer,
        id=field_id(pointer),
        label=node.label,
        help=node.help,
        branches=[
            Branch(
                kind=kind,
                label=wording.choice(kind),
                is_chosen=kind == chosen,
                section=_section(group, pointer, context),
            )
            for kind, group in node.groups.items()
        ],
    )


def _field(leaf: Leaf, pointer: str, context: Context) -> FieldView:
    posted = context.text(pointer)
    default = "" if leaf.default is MISSING else _shown(leaf.default)
    if leaf.control == "flag":
        value = "on" if posted is not None else ""
    else:
        value = default if posted is None else posted
    return FieldView(
        pointer=pointer,
        id=field_id(pointer),
        leaf=leaf,
        value=value,
        unit=_unit(leaf),
        placeholder="computed" if leaf.is_optional else default,
        bounds=_bounds(leaf),
        step=numbers.shown(_step(leaf)) if leaf.is_number else "",
        default=default,
        choices=_choices(leaf, value, context.choices),
        errors=list(context.problems.get(pointer, [])),
    )


def _shown(default: Any) -> str:
    if isinstance(default, bool):
        return "on" if default else ""
    return numbers.shown(default)


def _step(leaf: Leaf) -> float:
    return numbers.step(
        leaf.default, is_integer=leaf.control == "integer", maximum=leaf.maximum
    )


def _unit(leaf: Leaf) -> str:
    if leaf.unit == "1" and leaf.minimum == 0 and leaf.maximum == 1:
        return "0 to 1"
    return wording.unit(leaf.unit)


def _bounds(leaf: Leaf) -> str:
    """The permitted range in words."""
    if leaf.minimum is None or leaf.maximum is None:
        return ""
    low = "more than " if leaf.is_minimum_open else ""
    return f"{low}{_number(leaf.minimum)} to {_number(leaf.maximum)}"


def _number(value: float) -> str:
    return f"{value:,.10g}"


def _choices(leaf: Leaf, value: str, choices: Choices) -> list[tuple[str, str]]:
    """Choices of a select; a value outside them stays visible, so nothing is lost."""
    if leaf.control != "choice":
        return []
    if leaf.catalog_list:
        offered = list(choices.get(leaf.catalog_list, []))
    else:
        offered = [(option, wording.choice(option)) for option in leaf.options]
    if leaf.is_optional or not value:
        offered.insert(0, ("", "computed" if leaf.is_optional else "choose"))
    if value and value not in {key for key, _ in offered}:
        offered.append((value, f"{value} (unknown)"))
    return offered
