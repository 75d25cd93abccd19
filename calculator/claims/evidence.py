"""Independent facts that are not part of the catalog, from a table with citations. PURE."""

from __future__ import annotations

import csv
from functools import lru_cache
from importlib.resources import files

from calculator.claims.model import Evidence


def rows(claim: str) -> tuple[Evidence, ...]:
    """Facts that bear on a claim."""
    return tuple(row for key, row in _table() if key == claim)


@lru_cache(maxsize=1)
def _table() -> tuple[tuple[str, Evidence], ...]:
    text = files(__package__).joinpath("evidence.csv").read_text(encoding="utf-8")
    return tuple(
        (
            row["claim"],
            Evidence(
                label=row["label"],
                low=float(row["low"]),
                high=float(row["high"]),
                unit=row["unit"],
                publisher=row["publisher"],
                reference=row["reference"],
                observed_on=row["observed_on"],
            ),
        )
        for row in csv.DictReader(text.splitlines())
    )
