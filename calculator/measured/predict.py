"""Predictions for rows of a case file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from calculator.engine.numeric import FloatArray
from calculator.engine.training.parameters import Parameters, default_parameters
from calculator.engine.training.table import CaseTable
from calculator.engine.training.throughput import CasePredictions, evaluate_cases
from calculator.engine.training.workload import model_flop_per_token
from calculator.engine.units import GIGA
from calculator.measured.reader import CaseBatch, read_cases

MAX_MEMORY_EXCESS = 0.25
"""Share above the GPU's memory from which a run cannot have been as described."""


@dataclass(frozen=True, slots=True)
class Prediction:
    """What the model says about one row; figures are ``None`` where it refuses."""

    id: str
    tokens_per_s_per_gpu: float | None
    step_time_s: float | None
    mfu: float | None
    busy_share: float | None
    fits: bool | None
    stack: str
    note: str


def predict(
    rows: Iterable[Mapping[str, object]],
    *,
    parameters: Parameters | None = None,
    has_framework_defaults: bool = True,
) -> list[Prediction]:
    """Predict every row as it is stated, in the order given.

    Parameters
    ----------
    rows, parameters, has_framework_defaults
        As :func:`calculator.measured.reader.read_cases` takes them.

    Returns
    -------
    list of Prediction
        One per row. A row that cannot be read, or that exceeds the GPU's memory by more
        than ``MAX_MEMORY_EXCESS``, has no figures and its reason as the note.
    """
    p = parameters or default_parameters()
    batch = read_cases(
        rows, parameters=p, has_framework_defaults=has_framework_defaults
    )
    return predict_batch(batch, p)


def predict_batch(batch: CaseBatch, p: Parameters) -> list[Prediction]:
    """Predict a batch that was read before."""
    found: dict[int, Prediction] = {}
    if batch.table is not None:
        figures = evaluate_cases(batch.table, p)
        mfu = _mfu(batch.table, figures.tokens_per_s_per_gpu)
        memory_limit = _column(batch.table.gpu.hbm_bytes, len(batch.index))
        for position, number in enumerate(batch.index):
            found[number] = _prediction(
                batch, number, position, figures, mfu, memory_limit
            )
    return [
        found.get(number) or _refused(batch, number, batch.reasons[number])
        for number in range(len(batch.ids))
    ]


def _column(values: Any, n_rows: int) -> FloatArray:
    return np.broadcast_to(np.asarray(values, dtype=float), (n_rows,))


def _mfu(table: CaseTable, tokens: FloatArray) -> FloatArray:
    flop = model_flop_per_token(table.model, table.seq_len)
    return np.asarray(tokens * flop / table.gpu.peak_flop_per_s)


def _prediction(
    batch: CaseBatch,
    number: int,
    position: int,
    figures: CasePredictions,
    mfu: FloatArray,
    memory_limit: FloatArray,
) -> Prediction:
    needs, has = float(figures.memory_bytes[position]), float(memory_limit[position])
    tokens = float(figures.tokens_per_s_per_gpu[position])
    if not (np.isfinite(tokens) and tokens > 0.0 and np.isfinite(needs)):
        return _refused(batch, number, "outside the domain of the model")
    excess = needs / has - 1.0
    fits = bool(figures.fits[position])
    size = (
        f"needs {needs / GIGA:.1f} GB per GPU, {excess:.0%} more than its "
        f"{has / GIGA:.1f} GB"
    )
    if excess > MAX_MEMORY_EXCESS:
        return _refused(batch, number, size, fits=False)
    note = batch.notes[number]
    return Prediction(
        id=batch.ids[number],
        tokens_per_s_per_gpu=tokens,
        step_time_s=float(figures.step_time_s[position]),
        mfu=float(mfu[position]),
        busy_share=float(figures.busy_share[position]),
        fits=fits,
        stack=batch.stacks[number],
        note=note if fits else "; ".join(filter(None, (size, note))),
    )


def _refused(
    batch: CaseBatch, number: int, reason: str, *, fits: bool | None = None
) -> Prediction:
    return Prediction(
        id=batch.ids[number],
        tokens_per_s_per_gpu=None,
        step_time_s=None,
        mfu=None,
        busy_share=None,
        fits=fits,
        stack=batch.stacks[number],
        note=f"refused: {reason}",
    )
