"""The type of every broadcastable number and a few helpers for it."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

FloatArray: TypeAlias = NDArray[np.float64]
Numeric: TypeAlias = float | FloatArray
"""A float or an array with samples on axis 0 and months on the last axis."""


def as_array(value: Numeric) -> FloatArray:
    """Return ``value`` as a float64 array (0-d for a scalar)."""
    return np.asarray(value, dtype=np.float64)
