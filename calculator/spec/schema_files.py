"""The published JSON Schemas, one frozen file a document and version. PURE."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from calculator.spec.fabric import FabricSizingV1
from calculator.spec.result import ResultV1
from calculator.spec.scenario import ComparisonV1

FOLDER = Path(__file__).parent / "schemas"
DIALECT = "https://json-schema.org/draft/2020-12/schema"


def current() -> dict[tuple[str, str], dict[str, Any]]:
    """Schemas of the documents as the code has them, by name and version."""
    return {
        ("comparison", "1"): _published(ComparisonV1.model_json_schema()),
        ("result", "1"): _published(ResultV1.model_json_schema(mode="serialization")),
        ("fabric-sizing", "1"): _published(FabricSizingV1.model_json_schema()),
    }


def frozen(name: str, version: str) -> dict[str, Any] | None:
    """Published schema of a document, or ``None``.

    >>> frozen("comparison", "0") is None
    True
    """
    if (name, version) not in current():
        return None
    schema: dict[str, Any] = json.loads(file_of(name, version).read_text("utf-8"))
    return schema


def file_of(name: str, version: str) -> Path:
    """Where the schema of a document is kept."""
    return FOLDER / f"{name}-v{version}.json"


def _published(schema: dict[str, Any]) -> dict[str, Any]:
    return {"$schema": DIALECT, **schema}
