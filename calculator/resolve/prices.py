"""Price rows to engine prices: the sample axis is (mid, low, high), missing stays missing."""

from __future__ import annotations

import numpy as np

from calculator.engine.numeric import FloatArray
from catalog.documents import PriceRow

N_SAMPLES = 3
POINT, FAVOURABLE, ADVERSE = range(N_SAMPLES)
"""Samples of every array: the estimate, the cheap end of all ranges, the dear end."""


def samples(
    mid: float, low: float | None = None, high: float | None = None
) -> FloatArray:
    """Column (mid, low, high) with an absent bound at mid; shape (3, 1)."""
    values = [mid, mid if low is None else low, mid if high is None else high]
    return np.array(values, dtype=np.float64)[:, np.newaxis]


def price_samples(row: PriceRow | None, *, factor: float = 1.0) -> FloatArray | None:
    """Price column of a row, ``None`` where no price is known."""
    if row is None or row.mid is None:
        return None
    return samples(row.mid, row.low, row.high) * factor


def speed_samples(p90_error_fraction: float) -> FloatArray:
    """Multiples of predicted throughput: exact, faster, slower by the 90 % error."""
    return samples(1.0, 1.0 + p90_error_fraction, 1.0 / (1.0 + p90_error_fraction))
