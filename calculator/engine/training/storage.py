"""Input pipeline and checkpoints against shared storage."""

from __future__ import annotations

import numpy as np

from calculator.engine.errors import DomainError
from calculator.engine.numeric import Numeric


def data_stall_s(
    *,
    step_tokens: Numeric,
    bytes_read_per_token: Numeric,
    read_bytes_per_s: Numeric,
    step_s: Numeric,
) -> Numeric:
    """Time that a step waits for its input [s].

    Read-ahead hides the reading behind the previous step: only what takes longer than
    the step itself is waited for.

    Parameters
    ----------
    step_tokens : (n,) or scalar
        Tokens of one global batch.
    bytes_read_per_token : (n,) or scalar
        Bytes fetched from shared storage per token. [bytes]
    read_bytes_per_s : (n,) or scalar
        Read bandwidth that the job gets, positive. [bytes/s]
    step_s : (n,) or scalar
        Step time with data at hand. [s]
    """
    read_s = step_tokens * bytes_read_per_token / read_bytes_per_s
    return np.maximum(read_s - step_s, 0.0)


def transfer_s(*, size_bytes: float, bytes_per_s: float, field: str) -> float:
    """Time to write or read a checkpoint [s].

    Raises
    ------
    DomainError
        Where the bandwidth is not positive and there is something to move.
    """
    if size_bytes <= 0.0:
        return 0.0
    if bytes_per_s <= 0.0:
        raise DomainError(
            f"{field} is {bytes_per_s:g} bytes/s, must be above 0", field=field
        )
    return size_bytes / bytes_per_s
