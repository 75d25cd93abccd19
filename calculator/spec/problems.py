"""From a body of bytes to a ComparisonV1, or to a list of problems a person can mend."""

from __future__ import annotations

import json
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from calculator.spec import pointers
from calculator.spec.scenario import ComparisonV1
from calculator.spec.schema_lookup import unit_of

Model = TypeVar("Model", bound=BaseModel)
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

    def lines(self) -> list[str]:
        """One line a problem, for terminals and logs."""
        return [f"{p.pointer or '/'}: {p.message} [{p.code}]" for p in self.problems]


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
    return validate_comparison(read_json(body))


def validate_comparison(document: Any) -> ComparisonV1:
    """Validate a plain JSON document (as ``json.loads`` returns it).

    Raises
    ------
    SpecError
        With every problem found.
    """
    return validate(ComparisonV1, document)


def validate(model: type[Model], document: Any) -> Model:
    """Validate a plain JSON document as ``model``.

    Raises
    ------
    SpecError
        With every problem found.
    """
    try:
        return model.model_validate_json(json.dumps(document), strict=True)
    except ValidationError as error:
        raise SpecError(_problems(error, document, model)) from None
    except (ValueError, UnicodeError, RecursionError) as error:
        raise problem("", "malformed_json", f"not readable: {error}") from None


def read_json(body: bytes | str) -> Any:
    """Read JSON: UTF-8 with or without a byte order mark, bounded, finite, keys unique.

    Raises
    ------
    SpecError
        With the one reason why it cannot be read.
    """
    raw = body.encode() if isinstance(body, str) else body
    if len(raw) > MAX_DOCUMENT_BYTES:
        raise problem(
            "",
            "document_too_large",
            f"the document has more than the {MAX_DOCUMENT_BYTES:,} bytes that are read",
        )
    try:
        return json.loads(
            raw.decode("utf-8-sig"),
            parse_constant=_refuse_constant,
            object_pairs_hook=_unique,
        )
    except UnicodeDecodeError as error:
        reason = f"the document is not UTF-8: {error.reason}"
    except json.JSONDecodeError as error:
        reason = f"not JSON: {error.msg} at line {error.lineno}, column {error.colno}"
    except RecursionError:
        reason = "not readable: nested too deeply"
    except ValueError as error:
        reason = str(error)
        if reason.startswith("Exceeds the limit"):  # of Python, in Python's words
            reason = "not readable: a whole number has thousands of digits"
    raise problem("", "malformed_json", reason)


def _refuse_constant(name: str) -> float:
    raise ValueError(f"{name} is not a number in JSON; give a finite number")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for key, value in pairs:
        if key in result:
            raise ValueError(f"the key {key!r} is given twice in one object")
        result[key] = value
    return result


def _problems(
    error: ValidationError, document: Any, model: type[BaseModel]
) -> list[Problem]:
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
                message=_message(item, pointer, model),
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
    "model_shape": "out_of_bounds",
    "json_invalid": "malformed_json",
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


def _message(item: Any, pointer: str, model: type[BaseModel]) -> str:
    """One sentence that names the field, the bound and the unit."""
    kind, context = item["type"], item.get("ctx") or {}
    field = pointers.split(pointer)[-1] if pointer else "document"
    given = _shown(item.get("input"))
    if kind in BOUND_WORDS:
        key, words = BOUND_WORDS[kind]
        bound = f"{_number(context[key])}{unit_of(pointer, model)}"
        return f"{field} must be {words} {bound}, got {given}"
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
        return f"{field} must be a finite number{unit_of(pointer, model)}"
    message = item["msg"]
    if "pointer" in context:  # said by the document itself, about a field it names
        return str(message)
    if not message[:2].isupper():
        message = message[0].lower() + message[1:]
    return f"{field}: {message}, got {given}"


def _number(value: float) -> str:
    return f"{value:,.10g}" if isinstance(value, (int, float)) else str(value)


def _shown(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=True, default=str)
    return text if len(text) <= 60 else text[:57] + "..."
