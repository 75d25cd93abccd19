"""Canonical bytes and hashes: equal documents have equal hashes."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from pydantic import BaseModel


def canonical_bytes(document: Any) -> bytes:
    """UTF-8 JSON with sorted keys, no spaces, no NaN."""
    plain = (
        document.model_dump(mode="json")
        if isinstance(document, BaseModel)
        else document
    )
    text = json.dumps(
        plain,
        sort_keys=True,
        separators=(",", ":"),
        ensure_ascii=False,
        allow_nan=False,
    )
    return text.encode()


def sha256(document: Any) -> str:
    """Hexadecimal SHA-256 of the canonical bytes."""
    return hashlib.sha256(canonical_bytes(document)).hexdigest()
