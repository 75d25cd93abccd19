"""A whole comparison in a link: compressed JSON, bounded, safe to decode."""

from __future__ import annotations

import base64
import binascii
import json
import zlib
from typing import Any

MAX_LINK_CHARACTERS = 3000
MAX_DECODED_BYTES = 200_000


class StateError(ValueError):
    """The link does not hold a comparison."""


def encode(document: dict[str, Any]) -> str:
    """Text for a query string; empty if the document is too large for a link."""
    text = json.dumps(document, separators=(",", ":"), ensure_ascii=False, default=str)
    packed = zlib.compress(text.encode("utf-8", "replace"), 9)
    code = base64.urlsafe_b64encode(packed).decode().rstrip("=")
    return code if len(code) <= MAX_LINK_CHARACTERS else ""


def decode(code: str) -> dict[str, Any]:
    """Document of a link; only its size and outer shape are checked.

    Raises
    ------
    StateError
        If it is too long, damaged, or no JSON object.
    """
    if len(code) > MAX_LINK_CHARACTERS:
        raise StateError("the link is too long")
    reader = zlib.decompressobj()
    try:
        packed = base64.urlsafe_b64decode(code + "=" * (-len(code) % 4))
        text = reader.decompress(packed, MAX_DECODED_BYTES)
        document = json.loads(text) if reader.eof else None
    except (binascii.Error, zlib.error, ValueError, RecursionError) as error:
        raise StateError("the link is damaged") from error
    if not reader.eof:
        raise StateError("the link is damaged or too large")
    if not isinstance(document, dict):
        raise StateError("the link holds no comparison")
    return document
