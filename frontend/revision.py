"""Which version of the pages is running: a hash of what they are rendered from."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

SUFFIXES = {".html", ".py", ".css", ".js"}


@cache
def current() -> str:
    """Short hash of templates, code and styles; equal in every process of a release."""
    folder = Path(__file__).parent
    files = sorted(path for path in folder.rglob("*") if path.suffix in SUFFIXES)
    digest = hashlib.sha256()
    for path in files:
        digest.update(path.relative_to(folder).as_posix().encode() + path.read_bytes())
    return digest.hexdigest()[:16]
