"""Bodies: read once, by pydantic."""

from typing import Any, TypeVar

from pydantic import BaseModel
from rest_framework.parsers import BaseParser

from calculator.spec.problems import (
    MAX_DOCUMENT_BYTES,
    parse_comparison,
    problem,
    read_json,
    validate,
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
    return parse_comparison(_bytes(body))


def read_model(model: type[Model], body: object) -> Model:
    """Parse the body of a request as ``model``.

    Raises
    ------
    SpecError
        With every problem found.
    """
    return validate(model, read_json(_bytes(body)))


def _bytes(body: object) -> bytes:
    """DRF gives an empty form for an empty body."""
    return body if isinstance(body, bytes) else b""
