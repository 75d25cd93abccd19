"""Fit of the model's global parameters to measured runs.

Robust least squares on the logarithm of tokens/s, every family of runs with the same
weight, priors and bounds from the parameter file. Which parameters are fitted stands
there too: those with a ``prior_sigma``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.optimize import least_squares

from calculator.engine.numeric import FloatArray
from calculator.engine.training.parameters import (
    Parameters,
    default_parameters,
    parameter_table,
)
from calculator.engine.training.table import CaseTable, take_rows
from calculator.engine.training.throughput import evaluate_cases
from calculator.measured.doubts import doubt
from calculator.measured.intervals import kinds
from calculator.measured.predict import MAX_MEMORY_EXCESS
from calculator.measured.reader import CaseBatch, memory_shares, read_cases
from calculator.measured.residuals import Comparison, constant_mfu_tokens
from calculator.measured.truth import is_comparable, measured_tokens_per_s_per_gpu

ERROR_SCALE = 0.08
"""Error at which the loss turns from squared to absolute [log units]."""
FAMILY_WEIGHT = 6.0
"""Standard deviations of a prior that one family's typical error is worth."""
FULL_FAMILY = 8
"""Runs from which a family counts in full."""
MAX_SIGMAS = 6.0
MAX_ROUNDS = 25


@dataclass(frozen=True, slots=True)
class FitSpace:
    """The fitted parameters: names, priors, spread (log units) and upper bounds [sigma]."""

    names: tuple[str, ...]
    prior: FloatArray
    sigma: FloatArray
    upper: FloatArray
    base: Parameters

    def position(self) -> FloatArray:
        """Where the base values lie [prior standard deviations]."""
        values = np.array([float(getattr(self.base, name)) for name in self.names])
        return np.asarray(np.log(values / self.prior) / self.sigma)

    def parameters(self, z: FloatArray) -> Parameters:
        """Return all parameters at a point given in prior standard deviations."""
        values = self.prior * np.exp(z * self.sigma)
        return replace(
            self.base,
            **{
                name: float(value)
                for name, value in zip(self.names, values, strict=True)
            },
        )


@dataclass(frozen=True, slots=True)
class Sample:
    """Runs that can be held against predictions."""

    rows: tuple[Mapping[str, object], ...]
    families: FloatArray
    table: CaseTable
    measured: FloatArray
    is_fitted: Any
    doubts: dict[str, int]
    refused: dict[str, int]


@dataclass(frozen=True, slots=True)
class Calibration:
    """Outcome of a fit; ``sigmas`` tells how far each parameter moved from its prior."""

    parameters: Parameters
    values: dict[str, float]
    sigmas: dict[str, float]
    n_fitted: int
    n_families: int
    doubts: dict[str, int]
    refused: dict[str, int]
    comparison: Comparison


def fit_space(
    names: Sequence[str] | None = None, base: Parameters | None = None
) -> FitSpace:
    """Return the space of fitted parameters as the parameter file describes it.

    Parameters
    ----------
    names : sequence of str, optional
        Parameters to fit; those with a ``prior_sigma`` if left out.
    base : Parameters, optional
        Values of all others.
    """
    entries = parameter_table()
    chosen = tuple(names or (n for n, e in entries.items() if e.get("prior_sigma")))
    prior = np.array([float(entries[n]["prior"]) for n in chosen])
    sigma = np.array([float(entries[n]["prior_sigma"]) for n in chosen])
    highest = np.array([float(entries[n].get("upper", np.inf)) for n in chosen])
    upper = np.clip(np.log(highest / prior) / sigma, 1e-3, MAX_SIGMAS)
    return FitSpace(chosen, prior, sigma, upper, base or default_parameters())


def sample_of(rows: Sequence[Mapping[str, object]], p: Parameters) -> Sample:
    """Read the comparable runs, set aside the doubtful ones, count the refused.

    Raises
    ------
    ValueError
        Where no row can be compared.
    """
    comparable = [row for row in rows if is_comparable(row)]
    batch = read_cases(comparable, parameters=p)
    if batch.table is None:
        raise ValueError("no row has a readable configuration and a measured speed")
    kept = np.flatnonzero(memory_shares(batch, p) <= 1.0 + MAX_MEMORY_EXCESS)
    index = [batch.index[position] for position in kept]
    found = tuple(comparable[number] for number in index)
    measured = np.array(
        [measured_tokens_per_s_per_gpu(row) for row in found], dtype=float
    )
    table = take_rows(batch.table, kept)
    doubts = [doubt(row, table, i, float(measured[i])) for i, row in enumerate(found)]
    return Sample(
        rows=found,
        families=np.array([batch.families[number] for number in index]),
        table=table,
        measured=measured,
        is_fitted=np.array([not reason for reason in doubts]),
        doubts=dict(Counter(reason for reason in doubts if reason)),
        refused=_refused(batch, set(index)),
    )


def _refused(batch: CaseBatch, kept: set[int]) -> dict[str, int]:
    numbers = range(len(batch.ids))
    return dict(Counter(batch.families[n] for n in numbers if n not in kept))


def fit(
    space: FitSpace, sample: Sample, mask: Any, start: FloatArray | None = None
) -> FloatArray:
    """Return the parameters, in prior standard deviations, that fit the masked runs best.

    ``start`` is a point near the answer, the prior if left out.
    """
    chosen = np.flatnonzero(mask)
    table, measured = take_rows(sample.table, chosen), sample.measured[chosen]
    weights = _weights(sample.families[chosen])

    def residuals(z: FloatArray) -> FloatArray:
        predicted = evaluate_cases(table, space.parameters(z)).tokens_per_s_per_gpu
        e = np.log(predicted / measured) / ERROR_SCALE
        bent = np.sqrt(2.0 * (np.sqrt(1.0 + np.square(e)) - 1.0)) * np.sign(e)
        return np.concatenate([weights * bent, z])

    begin = np.zeros(len(space.names)) if start is None else start
    margin = 1e-6
    solution = least_squares(
        residuals,
        np.clip(begin, -MAX_SIGMAS + margin, space.upper - margin),
        bounds=(-MAX_SIGMAS, space.upper),
        max_nfev=MAX_ROUNDS,
    )
    return np.asarray(solution.x)


def _weights(families: Any) -> FloatArray:
    """Every family weighs the same, one of few runs less."""
    _, inverse, counts = np.unique(families, return_inverse=True, return_counts=True)
    each = (
        FAMILY_WEIGHT / np.sqrt(counts) * np.sqrt(np.minimum(1.0, counts / FULL_FAMILY))
    )
    return np.asarray(each[inverse])


def calibrate(
    rows: Sequence[Mapping[str, object]],
    *,
    names: Sequence[str] | None = None,
    base: Parameters | None = None,
    has_fit: bool = True,
    has_left_out: bool = True,
    progress: Callable[[str], None] = lambda line: None,
) -> Calibration:
    """Fit the global parameters to measured runs, and again without each family in turn.

    Parameters
    ----------
    rows : sequence of mappings
        Configuration and measured columns by name.
    names, base
        As :func:`fit_space` takes them.
    has_fit : bool
        False keeps the parameters and only compares.
    has_left_out : bool
        False skips the fits without a family; left-out predictions then repeat the fit.
    progress : callable
        Is told one line per fit.

    Returns
    -------
    Calibration
        New parameters and the comparison of every comparable run.

    Raises
    ------
    ValueError
        Where no run can be fitted.
    """
    space = fit_space(names, base)
    sample = sample_of(rows, space.base)
    if not sample.is_fitted.any():
        raise ValueError("no run is left to fit: every comparable run is in doubt")
    progress(
        f"fit of {len(space.names)} parameters to {int(sample.is_fitted.sum())} runs"
    )
    z = fit(space, sample, sample.is_fitted) if has_fit else space.position()
    parameters = space.parameters(z) if has_fit else space.base
    predicted = evaluate_cases(sample.table, parameters).tokens_per_s_per_gpu
    left_out = (
        _left_out(space, sample, predicted, z, progress) if has_left_out else predicted
    )
    return Calibration(
        parameters=parameters,
        values={name: float(getattr(parameters, name)) for name in space.names},
        sigmas={name: float(value) for name, value in zip(space.names, z, strict=True)},
        n_fitted=int(sample.is_fitted.sum()),
        n_families=len(np.unique(sample.families[sample.is_fitted])),
        doubts=sample.doubts,
        refused=sample.refused,
        comparison=_comparison(sample, predicted, left_out),
    )


def _left_out(
    space: FitSpace,
    sample: Sample,
    predicted: FloatArray,
    start: FloatArray,
    progress: Callable[[str], None],
) -> FloatArray:
    out = predicted.copy()
    families = np.unique(sample.families[sample.is_fitted])
    for number, family in enumerate(families if len(families) > 1 else (), start=1):
        progress(f"without {family} ({number} of {len(families)})")
        same = sample.families == family
        z = fit(space, sample, sample.is_fitted & ~same, start)
        table = take_rows(sample.table, np.flatnonzero(same))
        out[same] = evaluate_cases(table, space.parameters(z)).tokens_per_s_per_gpu
    return out


def _comparison(
    sample: Sample, predicted: FloatArray, left_out: FloatArray
) -> Comparison:
    gpus = [str(row.get("gpu") or "") for row in sample.rows]
    return Comparison(
        rows=sample.rows,
        families=tuple(str(family) for family in sample.families),
        measured=sample.measured,
        predicted=predicted,
        left_out=left_out,
        constant_mfu=constant_mfu_tokens(sample.table, gpus, sample.measured),
        kinds=tuple(kinds(sample.table)),
    )
