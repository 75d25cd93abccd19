"""One visit to the quote page: posted fields or a document, validated and evaluated."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse

from calculator import selectors
from calculator.services import examples, previews
from calculator.spec.pointers import join, split
from calculator.spec.problems import Problem, SpecError, validate_comparison
from calculator.spec.result import ResultV1
from calculator.spec.scenario import ComparisonV1
from catalog import selectors as catalog
from frontend.forms import binding, describe, spec_form, state, wording
from frontend.forms.binding import Document, Fields
from frontend.forms.describe import Branches, Group, Leaf, Node

START = "reference"
PROFILES = "stack-profiles"
STARTER_LABELS = {
    "own-infiniband": "Own, InfiniBand",
    "own-ethernet": "Own, Ethernet",
    "rent": "Rent",
}


@dataclass(frozen=True)
class Attempt:
    """A document with what came of it: a result, or problems."""

    document: Document
    fields: Fields
    spec: ComparisonV1 | None = None
    result: ResultV1 | None = None
    problems: list[Problem] = field(default_factory=list)

    @property
    def code(self) -> str:
        """The document as it stands in a link, empty if it is too large for one."""
        return state.encode(binding.without_defaults(self.document))


@dataclass(frozen=True)
class ShownProblem:
    """A problem as the summary lists it."""

    message: str
    field_id: str
    is_field: bool
    place: str


def of_document(document: Document, owner_key: str = "") -> Attempt:
    """Attempt with any JSON object, for example out of a link."""
    attempt = _evaluate(document, binding.to_posted(document), owner_key)
    if attempt.spec is None:
        return attempt
    full = attempt.spec.model_dump(mode="json")
    return _evaluated(attempt, full, binding.to_posted(full))


def of_posted(posted: Any, owner_key: str = "") -> Attempt:
    """Attempt with what a browser posted; its texts are kept as typed."""
    return _evaluate(binding.to_document(posted), dict(posted.lists()), owner_key)


def _evaluated(attempt: Attempt, document: Document, fields: Fields) -> Attempt:
    return Attempt(document, fields, attempt.spec, attempt.result, attempt.problems)


def _evaluate(document: Document, fields: Fields, owner_key: str) -> Attempt:
    spec = None
    try:
        spec = validate_comparison(document)
        return Attempt(document, fields, spec, previews.preview(spec, owner_key))
    except SpecError as error:
        return Attempt(document, fields, spec, problems=error.problems)


def last_good(code: str, owner_key: str = "") -> Attempt | None:
    """The attempt that a page still shows while its inputs are wrong."""
    try:
        attempt = of_document(state.decode(code), owner_key) if code else None
    except state.StateError:
        return None
    return attempt if attempt and attempt.result else None


def edit_url(document: Document, focus: str = "") -> str:
    """Address of the quote page with this document, empty if it is too large for one.

    ``focus`` names the alternative to open and to go to.
    """
    code = state.encode(binding.without_defaults(document))
    if not code:
        return ""
    address = f"{reverse('quote-edit')}?{urlencode({'d': code})}"
    if not focus:
        return address
    place = spec_form.field_id(join(["alternatives", focus]))
    return f"{address}&{urlencode({'focus': focus})}#{place}"


def form_of(
    attempt: Attempt, focus: str = "", owner_key: str = ""
) -> spec_form.SpecForm:
    """The form that shows an attempt."""
    lists = _catalog_lists(describe.comparison())
    for kind in ("own", "rent"):
        lists |= _catalog_lists(describe.option(kind))
    choices = {name: catalog.choices_for(name) for name in sorted(lists - {PROFILES})}
    choices[PROFILES] = _own_profiles(owner_key)
    return spec_form.build(
        attempt.fields, attempt.problems, choices, _starter_fields(), focus
    )


def _own_profiles(owner_key: str) -> list[tuple[str, str]]:
    """Private calibrations, as a form offers them."""
    rows = selectors.stack_profiles_visible_to(owner_key).values_list("id", "name")
    return [(str(identity), name) for identity, name in rows]


def _catalog_lists(node: Node | None) -> set[str]:
    if isinstance(node, Leaf):
        return {node.catalog_list} if node.catalog_list else set()
    if isinstance(node, Branches):
        return set().union(*(_catalog_lists(group) for group in node.groups.values()))
    children = node.children if isinstance(node, Group) else ()
    return set().union(*(_catalog_lists(child) for child in children))


def start_document() -> Document:
    """The comparison that the product starts from."""
    document = examples.get(START)
    if document is None:
        raise LookupError(f"the example {START!r} is not bundled")
    return document


def starters() -> dict[str, Document]:
    """Alternatives that can be added, taken from the start comparison."""
    options = start_document()["alternatives"].values()
    found: dict[str, Document] = {}
    for option in options:
        key = _starter_key(option)
        if key and key not in found:
            found[key] = {**option, "label": STARTER_LABELS[key]}
    return found


def starter_labels() -> list[tuple[str, str]]:
    """Key and label of each, in a fixed order."""
    offered = starters()
    return [(key, text) for key, text in STARTER_LABELS.items() if key in offered]


def _starter_key(option: Document) -> str:
    if option["kind"] == "rent":
        return "rent"
    fabric = option.get("fabric")
    if not fabric:
        return ""
    return "own-infiniband" if fabric["transport"] == "infiniband" else "own-ethernet"


def _starter_fields() -> Fields:
    """Fields of a fabric that is not there yet, so that it can be switched on."""
    option = starters().get("own-infiniband")
    posted = binding.to_posted({"alternatives": {"own": option}}) if option else {}
    begin = "/alternatives/own"
    return {
        key.removeprefix(begin): value
        for key, value in posted.items()
        if key.startswith(f"{begin}/fabric/")
    }


def shown_problems(attempt: Attempt) -> list[ShownProblem]:
    """Problems with the place they are at, in the words of the form."""
    return [_shown(problem, attempt) for problem in attempt.problems]


def _shown(problem: Problem, attempt: Attempt) -> ShownProblem:
    is_pointer = problem.pointer.startswith("/")
    parts = split(problem.pointer) if is_pointer else []
    return ShownProblem(
        message=spec_form.message(problem),
        field_id=spec_form.field_id(problem.pointer),
        is_field=bool(parts),
        place=_place(parts, attempt),
    )


def _place(parts: list[str], attempt: Attempt) -> str:
    """The alternative or section that a problem is in."""
    if len(parts) > 1 and parts[0] == "alternatives":
        label = attempt.fields.get(f"/alternatives/{parts[1]}/label")
        return label[-1] if label else parts[1]
    return wording.label(parts[-2]) if len(parts) > 1 else ""
