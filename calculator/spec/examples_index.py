"""The bundled example comparisons. PURE: reads files, knows no framework."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "examples"


def names() -> list[str]:
    """Names of all examples, sorted.

    >>> "no such example" in names()
    False
    """
    return sorted(file.stem for file in FOLDER.glob("*.json"))


def load(name: str) -> dict[str, Any]:
    """Document of one example, as written.

    Raises
    ------
    KeyError
        If there is no example of that name.
    """
    if name not in names():
        raise KeyError(name)
    document: dict[str, Any] = json.loads((FOLDER / f"{name}.json").read_text("utf-8"))
    return document
