"""Documents in files. PURE."""

from __future__ import annotations

from pathlib import Path

from calculator.spec.problems import MAX_DOCUMENT_BYTES


def read_document(file: Path) -> bytes:
    """Bytes of a file, at most one more than a document may have.

    A device or a film named by mistake is then refused as too large, not loaded whole.

    Raises
    ------
    OSError
        If it cannot be read.
    """
    with file.open("rb") as stream:
        return stream.read(MAX_DOCUMENT_BYTES + 1)
