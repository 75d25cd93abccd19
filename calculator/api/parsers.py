"""Bodies: read once, by pydantic."""

from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from rest_framework.parsers import BaseParser

from calculator.spec import pointers
from calculator.spec.problems import (
    BOUND_CODES,
    CODES,
    MAX_DOCUMENT_BYTES,
    Problem,
    SpecError,
    parse_comparison,
    problem,
)
from calculator.spec.scenario import ComparisonV1

Model = TypeVar("Model", bound=BaseModel)


class RawJson(BaseParser):
    """Hands the bytes of a JSON body on, at most one document long."""

    media_type = "application/json"

    def parse(
        self, stream: Any, media_type: str | None = None, parser_context: Any = None
    ) -> bytes:
        """Read the body; a longer one is refused before it is read."""
        length = int(parser_context["request"].META["CONTENT_LENGTH"])
        if length > MAX_DOCUMENT_BYTES:
            raise problem(
                "",
                "document_too_large",
                f"the document has {length} bytes; at most {MAX_DOCUMENT_BYTES} are read",
            )
        return stream.read()


def read_comparison(body: object) -> ComparisonV1:
    """Parse the body of a request as a comparison.

    Raises
    ------
    SpecError
        With every problem found.
    """
    try:
        return parse_comparison(_bytes(body))
    except SpecError:
        raise
    except (RecursionError, ValueError) as error:
        raise problem("", "malformed_json", f"not readable: {error}") from None


def read_model(model: type[Model], body: object) -> Model:
    """Parse the body of a request as ``model``.

    Raises
    ------
    SpecError
        With every problem found.
    """
    try:
        return model.model_validate_json(_bytes(body), strict=True)
    except ValidationError as error:
        raise SpecError([_problem(item) for item in error.errors()]) from None


def _bytes(body: object) -> bytes:
    """DRF gives an empty form for an empty body."""
    return body if isinstance(body, bytes) else b""


def _problem(item: Any) -> Problem:
    return Problem(
        pointer=pointers.join(item["loc"]),
        code=_code(item["type"]),
        message=": ".join([*map(str, item["loc"][-1:]), item["msg"]]),
    )


def _code(kind: str) -> str:
    if kind == "json_invalid":
        return "malformed_json"
    if kind in BOUND_CODES:
        return "out_of_bounds"
    return CODES.get(kind, "wrong_type" if kind.endswith("_type") else "invalid")
