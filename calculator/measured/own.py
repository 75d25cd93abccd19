"""A buyer's own measured steps: predicted, and three physical factors fitted to them.

Few rows must not bend the model: each factor has a prior, so that one row moves it only as
far as its residual is unlikely to be noise.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import least_squares

from calculator.engine.numeric import FloatArray
from calculator.engine.training.own_stack import (
    COMMUNICATION_BOUNDS,
    EFFICIENCY_BOUNDS,
    OwnStack,
    own_parameters,
)
from calculator.engine.training.table import CaseTable, take_rows
from calculator.engine.training.throughput import evaluate_cases
from calculator.measured.columns import Unreadable, count, needed_count, positive
from calculator.measured.reader import CaseBatch, read_cases

MEASURED_COLUMNS = ("tokens_per_s_per_gpu", "step_time_s")
ROW_SPREAD = 0.07
"""Relative standard deviation of one row around a fitted model: what stays of the
published runs' errors within one cluster (median about 5 %)."""
OUTLIER_SPREADS = 1.5
"""Residuals beyond this many spreads pull in proportion, not with their square."""
EFFICIENCY_SPREAD = 0.12
"""Prior standard deviation of the logarithm of the kernel efficiency, around 1: the
spread of the mean errors of published clusters."""
COMMUNICATION_SPREAD = 0.4
"""Prior standard deviation of the logarithm of the communication time, around 1."""
OVERHEAD_SHARE = 0.03
"""Prior scale of the added overhead, in median measured steps."""
MOST_OVERHEAD_SHARE = 0.9
"""Most of the shortest step that overhead may be."""
MAX_FOLDS = 10
MAX_VALUE = 1e12
DISAGREEMENT = 0.1
"""Speed and step time of one row that differ by more contradict each other."""


@dataclass(frozen=True, slots=True)
class OwnRow:
    """One measured row [tokens/s per GPU]; figures are ``None`` where it was refused.

    ``left_out`` is predicted with factors fitted to the other rows.
    """

    id: str
    measured: float | None
    before: float | None
    after: float | None
    left_out: float | None
    note: str


@dataclass(frozen=True, slots=True)
class Errors:
    """Median and largest relative error of a set of predictions [1]."""

    median: float
    largest: float


@dataclass(frozen=True, slots=True)
class OwnCalibration:
    """Factors, rows and errors; ``left_out`` needs two rows or more."""

    stack: OwnStack
    rows: tuple[OwnRow, ...]
    n_fitted: int
    before: Errors
    after: Errors
    left_out: Errors | None


class NothingMeasured(ValueError):
    """No row could be used; ``reasons`` has one (row number from 0, reason) for each."""

    def __init__(self, reasons: Sequence[tuple[int, str]]) -> None:
        self.reasons = tuple(reasons)
        super().__init__("no row could be used")


def calibrate_own(rows: Sequence[Mapping[str, object]]) -> OwnCalibration:
    """Fit the three factors of :class:`OwnStack` to measured rows.

    Rows are read as one generic software stack, the one that a comparison predicts with,
    so that the factors carry over.

    Parameters
    ----------
    rows : sequence of mappings
        Configuration columns of a case file and one of ``MEASURED_COLUMNS``.

    Raises
    ------
    NothingMeasured
        Where no row can be read.
    """
    batch = read_cases(rows, has_framework_defaults=False)
    measured, reasons = _measured(rows, batch)
    if batch.table is None or not measured:
        raise NothingMeasured(sorted(reasons.items()))
    numbers = sorted(measured)
    position = {number: place for place, number in enumerate(batch.index)}
    table = take_rows(batch.table, np.array([position[n] for n in numbers]))
    target = np.array([measured[n] for n in numbers])
    stack = fit_own_stack(table, target)
    before, after = _predicted(table, OwnStack()), _predicted(table, stack)
    left_out = _left_out(table, target)
    figures = {
        number: (
            target[i],
            before[i],
            after[i],
            None if left_out is None else left_out[i],
        )
        for i, number in enumerate(numbers)
    }
    return OwnCalibration(
        stack=stack,
        rows=tuple(
            _row(batch, number, figures.get(number), reasons.get(number, ""))
            for number in range(len(batch.ids))
        ),
        n_fitted=len(numbers),
        before=_errors(before, target),
        after=_errors(after, target),
        left_out=None if left_out is None else _errors(left_out, target),
    )


def fit_own_stack(table: CaseTable, measured: FloatArray) -> OwnStack:
    """Most probable factors under the priors, given measured speeds.

    Parameters
    ----------
    table : CaseTable
        One row a measurement.
    measured : (n,)
        Measured speed. [tokens/s per GPU]
    """
    start = evaluate_cases(table, own_parameters(OwnStack()))
    step_s = start.step_time_s * start.tokens_per_s_per_gpu / measured
    scale_s = OVERHEAD_SHARE * float(np.median(step_s))
    most_s = MOST_OVERHEAD_SHARE * float(np.min(step_s))

    def stack(x: FloatArray) -> OwnStack:
        return OwnStack(math.exp(x[0]), math.exp(x[1]), float(x[2]) * scale_s)

    def residuals(x: FloatArray) -> FloatArray:
        found = _predicted(table, stack(x))
        misfit = _soft(np.log(found / measured) / ROW_SPREAD)
        priors = [x[0] / EFFICIENCY_SPREAD, x[1] / COMMUNICATION_SPREAD, x[2]]
        return np.concatenate([misfit, priors])

    logs = [
        (math.log(low), math.log(high))
        for low, high in (EFFICIENCY_BOUNDS, COMMUNICATION_BOUNDS)
    ]
    low = [logs[0][0] * 0.999, logs[1][0] * 0.999, 0.0]
    high = [logs[0][1] * 0.999, logs[1][1] * 0.999, most_s / scale_s]
    solved = least_squares(residuals, [0.0, 0.0, 1e-3], bounds=(low, high), max_nfev=60)
    return stack(solved.x)


def _soft(z: FloatArray) -> FloatArray:
    """Residuals whose squares grow linearly beyond ``OUTLIER_SPREADS``."""
    ratio = z / OUTLIER_SPREADS
    size = OUTLIER_SPREADS * np.sqrt(2.0 * (np.sqrt(1.0 + ratio**2) - 1.0))
    return np.asarray(np.sign(z) * size)


def _predicted(table: CaseTable, stack: OwnStack) -> FloatArray:
    return evaluate_cases(table, own_parameters(stack)).tokens_per_s_per_gpu


def _left_out(table: CaseTable, measured: FloatArray) -> FloatArray | None:
    """Speed of every row by factors fitted without its fold."""
    n_rows = measured.size
    if n_rows < 2:
        return None
    folds = np.arange(n_rows) % min(n_rows, MAX_FOLDS)
    found = np.zeros(n_rows)
    for fold in np.unique(folds):
        kept, out = np.flatnonzero(folds != fold), np.flatnonzero(folds == fold)
        stack = fit_own_stack(take_rows(table, kept), measured[kept])
        found[out] = _predicted(take_rows(table, out), stack)
    return found


def _errors(predicted: FloatArray, measured: FloatArray) -> Errors:
    errors = np.abs(predicted / measured - 1.0)
    return Errors(median=float(np.median(errors)), largest=float(np.max(errors)))


def _measured(
    rows: Sequence[Mapping[str, object]], batch: CaseBatch
) -> tuple[dict[int, float], dict[int, str]]:
    """Measured speed of every readable row, and why the others are not used."""
    measured: dict[int, float] = {}
    reasons = dict(batch.reasons)
    for number in batch.index:
        try:
            measured[number] = measured_speed(rows[number])
        except Unreadable as error:
            reasons[number] = str(error)
    return measured, reasons


def measured_speed(row: Mapping[str, object]) -> float:
    """Speed that a row states, directly or by its step time [tokens/s per GPU].

    Raises
    ------
    Unreadable
        Where it states neither, or both and they contradict each other.
    """
    speed = positive(row, "tokens_per_s_per_gpu", MAX_VALUE)
    step_s = positive(row, "step_time_s", MAX_VALUE)
    if step_s is None:
        if speed is None:
            raise Unreadable("neither tokens_per_s_per_gpu nor step_time_s is given")
        return speed
    batch = count(row, "global_batch_seqs")
    if batch is None:
        if speed is None:
            raise Unreadable("step_time_s needs global_batch_seqs beside it")
        return speed
    tokens = batch * needed_count(row, "seq_len")
    by_step = tokens / step_s / needed_count(row, "num_gpus")
    if speed is not None and abs(by_step / speed - 1.0) > DISAGREEMENT:
        raise Unreadable(
            f"tokens_per_s_per_gpu is {speed:g}, but step_time_s and the batch give "
            f"{by_step:.4g}"
        )
    return by_step if speed is None else speed


def _row(
    batch: CaseBatch,
    number: int,
    figures: tuple[float, float, float, float | None] | None,
    reason: str,
) -> OwnRow:
    if figures is None:
        return OwnRow(batch.ids[number], None, None, None, None, reason)
    measured, before, after, left_out = figures
    return OwnRow(
        id=batch.ids[number],
        measured=float(measured),
        before=float(before),
        after=float(after),
        left_out=None if left_out is None else float(left_out),
        note=batch.notes[number],
    )
