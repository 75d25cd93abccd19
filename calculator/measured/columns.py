"""Columns of a case file, and cells as numbers or refusals."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping

CONFIGURATION_COLUMNS = (
    "id",
    "year",
    "model",
    "params_b",
    "layers",
    "hidden",
    "ffn",
    "heads",
    "kv_heads",
    "vocab",
    "moe",
    "seq_len",
    "global_batch_seqs",
    "micro_batch",
    "num_gpus",
    "gpus_per_node",
    "gpu",
    "intra_node",
    "fabric_desc",
    "internode_gbps_per_node",
    "tp",
    "pp",
    "vp",
    "dp",
    "cp",
    "ep",
    "sharding",
    "recompute",
    "precision",
    "framework",
    "notes",
)
"""What a prediction may read; of ``notes`` only the options that ``options`` names."""

REQUIRED_COLUMNS = ("id", "layers", "hidden", "seq_len", "num_gpus", "gpu")

MAX_COUNT = {
    "layers": 10_000,
    "hidden": 1_000_000,
    "ffn": 10_000_000,
    "heads": 100_000,
    "kv_heads": 100_000,
    "vocab": 100_000_000,
    "seq_len": 100_000_000,
    "global_batch_seqs": 100_000_000,
    "micro_batch": 1_000_000,
    "num_gpus": 1_000_000,
    "gpus_per_node": 1_000,
    "tp": 10_000,
    "pp": 10_000,
    "vp": 10_000,
    "cp": 10_000,
    "ep": 10_000,
    "year": 3_000,
}
MAX_GBPS = 1e6
MAX_PARAMS_B = 1e6
SHOWN_CHARACTERS = 40


class Unreadable(ValueError):
    """A row that cannot be evaluated; the message is the reason in one line."""


def shown(text: str) -> str:
    """A cell for a message: printable, short."""
    flat = "".join(c if c.isprintable() else " " for c in text)
    short = flat[:SHOWN_CHARACTERS]
    return repr(short + ("..." if len(flat) > SHOWN_CHARACTERS else ""))


def cell(row: Mapping[str, object], column: str) -> str:
    """Text of a cell, "" where the column or the cell is missing."""
    value = row.get(column)
    return value.strip() if isinstance(value, str) else ""


def count(row: Mapping[str, object], column: str) -> int | None:
    """Whole number of a cell, None where blank.

    Raises
    ------
    Unreadable
        Where the cell is not a whole number from 1 to the column's bound.
    """
    text = cell(row, column)
    if not text:
        return None
    bound = MAX_COUNT[column]
    value = _finite(text)
    if value is None or not 1 <= value <= bound or value != int(value):
        raise Unreadable(
            f"{column} is {shown(text)}, must be a whole number from 1 to {bound:,}"
        )
    return int(value)


def needed_count(row: Mapping[str, object], column: str) -> int:
    """Like :func:`count`, refusing a blank."""
    value = count(row, column)
    if value is None:
        raise Unreadable(f"{column} is blank")
    return value


def positive(row: Mapping[str, object], column: str, bound: float) -> float | None:
    """Positive number of a cell, None where blank.

    Raises
    ------
    Unreadable
        Where the cell is not a number above 0 and at most the bound.
    """
    text = cell(row, column)
    if not text:
        return None
    value = _finite(text)
    if value is None or not 0.0 < value <= bound:
        raise Unreadable(
            f"{column} is {shown(text)}, must be a number above 0, at most {bound:g}"
        )
    return value


def _finite(text: str) -> float | None:
    if not re.fullmatch(r"[+-]?[0-9.]+([eE][+-]?[0-9]+)?", text[:64]) or len(text) > 64:
        return None
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None
