"""From a body of bytes to a ComparisonV1, or to a list of problems a person can mend."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from calculator.spec import pointers
from calculator.spec.scenario import ComparisonV1

MAX_DOCUMENT_BYTES = 1_000_000
MAX_PROBLEMS = 100


class Problem(BaseModel):
    """One thing to mend: where, a stable code, and one sentence."""

    model_config = ConfigDict(frozen=True)

    pointer: str
    code: str
    message: str


class SpecError(ValueError):
    """The document is not a valid comparison."""

    def __init__(self, problems: list[Problem]) -> None:
        super().__init__(
            "; ".join(f"{p.pointer or '/'}: {p.message}" for p in problems)
        )
        self.problems = problems


def problem(pointer: str, code: str, message: str) -> SpecError:
    """Make a SpecError of a single problem."""
    return SpecError([Problem(pointer=pointer, code=code, message=message)])


def parse_comparison(body: bytes | str) -> ComparisonV1:
    """Parse a JSON comparison.

    Raises
    ------
    SpecError
        With every problem found: malformed JSON, wrong types, bounds, unknown fields.
    """
    raw = body.encode() if isinstance(body, str) else body
    if len(raw) > MAX_DOCUMENT_BYTES:
        raise problem(
            "",
            "document_too_large",
            f"the document has {len(raw)} bytes; at most {MAX_DOCUMENT_BYTES} are read",
        )
    try:
        text = raw.decode()
    except UnicodeDecodeError as error:
        raise problem(
            "", "malformed_json", f"the document is not UTF-8: {error.reason}"
        ) from None
    try:
        document = json.loads(
            text, parse_constant=_refuse_constant, object_pairs_hook=_unique
        )
    except json.JSONDecodeError as error:
        raise problem(
            "",
            "malformed_json",
            f"not JSON: {error.msg} at line {error.lineno}, column {error.colno}",
        ) from None
    except RecursionError:
        raise problem("", "malformed_json", "not readable: nested too deeply") from None
    except _JsonRefusal as refusal:
        raise problem("", "malformed_json", str(refusal)) from None
    return validate_comparison(document)


def validate_comparison(document: Any) -> ComparisonV1:
    """Validate a plain JSON document (as ``json.loads`` returns it).

    Raises
    ------
    SpecError
        With every problem found.
    """
    try:
        return ComparisonV1.model_validate_json(json.dumps(document), strict=True)
    except ValidationError as error:
        raise SpecError(_problems(error, document)) from None
    except (ValueError, UnicodeError) as error:
        raise problem("", "malformed_json", f"not readable: {error}") from None


class _JsonRefusal(ValueError):
    pass


def _refuse_constant(name: str) -> float:
    raise _JsonRefusal(f"{name} is not a number in JSON; give a finite number")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for key, value in pairs:
        if key in result:
            raise _JsonRefusal(f"the key {key!r} is given twice in one object")
        result[key] = value
    return result


def _problems(error: ValidationError, document: Any) -> list[Problem]:
    found: list[Problem] = []
    for item in error.errors(include_url=False)[:MAX_PROBLEMS]:
        context = item.get("ctx") or {}
        pointer = context.get("pointer") or pointers.join(
            _document_parts(item["loc"], document)
        )
        found.append(
            Problem(
                pointer=pointer,
                code=_code(item["type"]),
                message=_message(item, pointer),
            )
        )
    return found


def _document_parts(location: tuple[int | str, ...], document: Any) -> list[int | str]:
    """Drop the parts that name a union's branch: they are not in the document.

    pydantic puts the tag of a union (``own``, ``catalog``) into the location; such a part
    is recognised because the place above it is an object whose ``kind`` equals it.
    """
    parts: list[int | str] = []
    value: Any = document
    for part in location:
        if part == "[key]":
            continue
        if isinstance(value, dict) and part not in value and value.get("kind") == part:
            continue
        parts.append(part)
        try:
            value = value[part]
        except (KeyError, IndexError, TypeError):
            value = None
    return parts


CODES = {
    "missing": "field_missing",
    "extra_forbidden": "field_unknown",
    "union_tag_not_found": "kind_missing",
    "union_tag_invalid": "kind_unknown",
    "literal_error": "choice_unknown",
    "finite_number": "not_finite",
    "order_mismatch": "order_mismatch",
    "unknown_base": "base_unknown",
}
BOUND_CODES = {"greater_than", "greater_than_equal", "less_than", "less_than_equal"}


def _code(kind: str) -> str:
    if kind in CODES:
        return CODES[kind]
    if kind in BOUND_CODES or kind in {"too_long", "too_short"}:
        return "out_of_bounds"
    if kind.endswith(("_type", "_parsing", "_from_float")):
        return "wrong_type"
    if kind.startswith("string_"):
        return "text_invalid"
    return "invalid"


BOUND_WORDS = {
    "greater_than": ("gt", "more than"),
    "greater_than_equal": ("ge", "at least"),
    "less_than": ("lt", "less than"),
    "less_than_equal": ("le", "at most"),
}


def _message(item: Any, pointer: str) -> str:
    """One sentence that names the field, the bound and the unit."""
    kind, context = item["type"], item.get("ctx") or {}
    field = pointers.split(pointer)[-1] if pointer else "document"
    given = _shown(item.get("input"))
    if kind in BOUND_WORDS:
        key, words = BOUND_WORDS[kind]
        return f"{field} must be {words} {_number(context[key])}{unit_of(pointer)}, got {given}"
    if kind == "missing":
        return f"{field} is required"
    if kind == "extra_forbidden":
        return f"{field} is not a field here"
    if kind == "literal_error":
        return f"{field} must be one of {context['expected']}, got {given}"
    if kind == "union_tag_not_found":
        return f"{field} needs a kind"
    if kind == "union_tag_invalid":
        return f"kind of {field} must be one of {context['expected_tags']}, got {given}"
    if kind == "finite_number":
        return f"{field} must be a finite number{unit_of(pointer)}"
    message = item["msg"]
    return f"{field}: {message[0].lower()}{message[1:]}, got {given}"


def _number(value: float) -> str:
    return f"{value:,.10g}" if isinstance(value, (int, float)) else str(value)


def _shown(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=True, default=str)
    return text if len(text) <= 60 else text[:57] + "..."


def unit_of(pointer: str) -> str:
    """Unit of the field at ``pointer`` with a leading space, or nothing."""
    schema = field_schema(pointer)
    name = (schema or {}).get("x-unit", "1")
    return "" if name == "1" else f" {name}"


@lru_cache(maxsize=4096)
def field_schema(pointer: str) -> dict[str, Any] | None:
    """JSON Schema of the field that ``pointer`` addresses in a comparison, if any."""
    root = _schema()
    nodes = [root]
    for part in pointers.split(pointer):
        nodes = [child for node in nodes for child in _children(node, part, root)]
    leaves = [leaf for node in nodes for leaf in _branches(node, root)]
    return next(
        (leaf for leaf in leaves if "x-unit" in leaf), leaves[0] if leaves else None
    )


_SCHEMA: dict[str, Any] = {}


def _schema() -> dict[str, Any]:
    if not _SCHEMA:
        _SCHEMA.update(ComparisonV1.model_json_schema())
    return _SCHEMA


def _branches(node: dict[str, Any], root: dict[str, Any]) -> list[dict[str, Any]]:
    if "$ref" in node:
        return _branches(root["$defs"][node["$ref"].rsplit("/", 1)[1]], root)
    options = node.get("anyOf") or node.get("oneOf") or node.get("allOf")
    if options:
        return [leaf for option in options for leaf in _branches(option, root)]
    return [node]


def _children(
    node: dict[str, Any], part: str, root: dict[str, Any]
) -> list[dict[str, Any]]:
    found = []
    for branch in _branches(node, root):
        if part in branch.get("properties", {}):
            found.append(branch["properties"][part])
        elif isinstance(branch.get("additionalProperties"), dict):
            found.append(branch["additionalProperties"])
        elif "patternProperties" in branch:
            found.extend(branch["patternProperties"].values())
        elif branch.get("type") == "array" and isinstance(branch.get("items"), dict):
            found.append(branch["items"])
    return found
