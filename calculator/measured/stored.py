"""The stored residuals of the last calibration. PURE."""

from __future__ import annotations

import json
from functools import lru_cache
from importlib.resources import files
from typing import Any

FILE = "residuals.json"


@lru_cache(maxsize=1)
def residuals() -> dict[str, Any] | None:
    """Residuals by run and by source, ``None`` before the first calibration."""
    file = files(__package__).joinpath("data", FILE)
    if not file.is_file():
        return None
    document: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return document
