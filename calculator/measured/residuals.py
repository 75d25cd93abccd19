"""Errors of predictions against measurements, by source and over all."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from calculator.engine.numeric import FloatArray
from calculator.engine.training.table import CaseTable
from calculator.engine.training.workload import model_flop_per_token

SIGNIFICANT_DIGITS = 6


@dataclass(frozen=True, slots=True)
class Comparison:
    """Measured runs and what was predicted for them, one entry per run [tokens/s/GPU].

    ``left_out`` is predicted by parameters fitted without the run's family;
    ``constant_mfu`` by one MFU per GPU type, the median of these very runs. ``kinds``
    are the interval classes of the configurations.
    """

    rows: tuple[Mapping[str, object], ...]
    families: tuple[str, ...]
    measured: FloatArray
    predicted: FloatArray
    left_out: FloatArray
    constant_mfu: FloatArray
    kinds: tuple[str, ...] = ()


def constant_mfu_tokens(
    table: CaseTable, gpus: Sequence[str], measured: FloatArray
) -> FloatArray:
    """Predict by the median MFU of the GPU type and number format [tokens/s/GPU].

    The plain baseline that a model has to beat; it has seen every run.
    """
    flop = np.asarray(model_flop_per_token(table.model, table.seq_len))
    per_peak = flop / np.asarray(table.gpu.peak_flop_per_s)
    keys = [f"{gpu}/{peak:g}" for gpu, peak in zip(gpus, _peaks(table), strict=True)]
    groups = np.asarray(keys)
    out = np.empty_like(measured)
    for key in np.unique(groups):
        same = groups == key
        out[same] = np.median(measured[same] * per_peak[same]) / per_peak[same]
    return out


def _peaks(table: CaseTable) -> list[float]:
    return [float(peak) for peak in np.asarray(table.gpu.peak_flop_per_s)]


def absolute_errors(predicted: FloatArray, measured: FloatArray) -> FloatArray:
    """Absolute relative error of every run [1]."""
    return np.abs(predicted / measured - 1.0)


def _pair(name: str, predicted: FloatArray, measured: FloatArray) -> dict[str, float]:
    errors = absolute_errors(predicted, measured)
    return {
        f"{name}_median": _short(np.median(errors)),
        f"{name}_p90": _short(np.quantile(errors, 0.9)),
    }


def _short(value: Any) -> float:
    return float(f"{float(value):.{SIGNIFICANT_DIGITS}g}")


def family_errors(
    comparison: Comparison, refused: Mapping[str, int]
) -> dict[str, dict[str, Any]]:
    """Return errors by family, with its source and how many of its runs were refused."""
    families = np.asarray(comparison.families)
    found: dict[str, dict[str, Any]] = {}
    for family in sorted({*comparison.families, *refused}):
        same = families == family
        entry = {
            "source_title": _first(comparison, family, "source_title"),
            "source_ref": _first(comparison, family, "source_ref"),
            "n": int(same.sum()),
            "refused": int(refused.get(family, 0)),
        }
        found[family] = {**entry, **_errors(comparison, same)} if same.any() else entry
    return found


def _errors(comparison: Comparison, same: Any) -> dict[str, float]:
    measured = comparison.measured[same]
    return {
        **_pair("in_sample", comparison.predicted[same], measured),
        **_pair("left_out", comparison.left_out[same], measured),
        **_pair("constant_mfu", comparison.constant_mfu[same], measured),
    }


def _first(comparison: Comparison, family: str, column: str) -> str:
    rows = zip(comparison.rows, comparison.families, strict=True)
    return next((str(row.get(column) or "") for row, f in rows if f == family), "")


def overall_errors(
    families: Mapping[str, Mapping[str, Any]], comparison: Comparison
) -> dict[str, Any]:
    """Return the means over families (each counts once) and the errors of ratios."""
    scored = [entry for entry in families.values() if entry["n"]]
    keys = [
        f"{kind}_{which}"
        for kind in ("in_sample", "left_out", "constant_mfu")
        for which in ("median", "p90")
    ]
    means = {key: _short(np.mean([entry[key] for entry in scored])) for key in keys}
    return {
        "n": sum(entry["n"] for entry in scored),
        "refused": sum(entry["refused"] for entry in families.values()),
        **means,
        **ratio_errors(comparison),
    }


def ratio_errors(comparison: Comparison) -> dict[str, Any]:
    """Return errors of ratios between scales and networks of the same job.

    Pairs of runs of one source that train the same model on the same GPU with the same
    sequence and number format, on another number of GPUs or another network.
    """
    errors, changes = [], []
    columns = ("model", "gpu", "seq_len", "precision")
    fabric = ("num_gpus", "internode_gbps_per_node", "fabric_desc")
    order = sorted(
        range(len(comparison.rows)), key=lambda i: _key(comparison, i, columns)
    )
    logs = np.log(comparison.predicted / comparison.measured)
    truths = np.log(comparison.measured)
    for _, group in itertools.groupby(order, lambda i: _key(comparison, i, columns)):
        for a, b in itertools.combinations(group, 2):
            one, other = comparison.rows[a], comparison.rows[b]
            if any(one.get(column) != other.get(column) for column in fabric):
                errors.append(abs(np.expm1(logs[a] - logs[b])))
                changes.append(abs(np.expm1(truths[b] - truths[a])))
    if not errors:
        return {"n_ratio_pairs": 0}
    return {
        "ratio_median": _short(np.median(errors)),
        "ratio_p90": _short(np.quantile(errors, 0.9)),
        "ratio_no_change_median": _short(np.median(changes)),
        "n_ratio_pairs": len(errors),
    }


def _key(comparison: Comparison, i: int, columns: Sequence[str]) -> tuple[str, ...]:
    row = comparison.rows[i]
    return (comparison.families[i], *(str(row.get(c) or "") for c in columns))


def run_rows(comparison: Comparison) -> list[list[Any]]:
    """Return one list per run: id, family, model, gpu, GPUs, measured, predicted, left out."""
    return [
        [
            str(row.get("id") or ""),
            family,
            str(row.get("model") or ""),
            str(row.get("gpu") or ""),
            int(float(str(row.get("num_gpus")))),
            _short(comparison.measured[i]),
            _short(comparison.predicted[i]),
            _short(comparison.left_out[i]),
        ]
        for i, (row, family) in enumerate(
            zip(comparison.rows, comparison.families, strict=True)
        )
    ]
