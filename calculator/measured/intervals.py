"""Interval classes: how far left-out predictions were off, by kind of configuration. PURE."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from calculator.engine.numeric import FloatArray
from calculator.engine.training.intervals import OVERALL, class_of
from calculator.engine.training.parameters import TRANSPORTS
from calculator.engine.training.table import CaseTable
from calculator.engine.units import BITS_PER_BYTE, GIGA

SHARE = 0.90
MIN_RUNS = 20
MIN_FAMILIES = 2
"""Below these a class says more about one source than about its kind."""
INFINIBAND = TRANSPORTS.index("infiniband")


def kinds(table: CaseTable) -> list[str]:
    """Class of every row of a table, keys of ``engine.training.intervals.LABELS``."""
    network = table.network
    nodes = np.asarray(network.n_gpus) / np.asarray(network.gpus_per_node)
    node_gbps = (
        np.asarray(network.nics_per_node)
        * np.asarray(network.nic_bytes_per_s)
        * (BITS_PER_BYTE / GIGA)
    )
    columns = np.broadcast_arrays(
        np.asarray(table.model.moe_layers) > 0,
        nodes,
        node_gbps,
        np.asarray(network.transport) == INFINIBAND,
    )
    return [
        class_of(
            is_moe=bool(moe),
            n_nodes=round(float(n_nodes)),
            gbps_per_node=float(gbps),
            is_infiniband=bool(infiniband),
        )
        for moe, n_nodes, gbps, infiniband in zip(*columns, strict=True)
    ]


def classes(
    kinds: Sequence[str],
    families: Sequence[str],
    predicted: Sequence[float] | FloatArray,
    measured: Sequence[float] | FloatArray,
) -> dict[str, dict[str, float]]:
    """Error that nine of ten runs of a class keep within, each source counting the same.

    Parameters
    ----------
    kinds : (n,) sequence
        Class of each run, see :func:`kinds`.
    families : (n,) sequence
        Source of each run.
    predicted : (n,) sequence
        Prediction with the run's own family left out of the fit. [tokens/s/GPU]
    measured : (n,) sequence
        Same unit; runs without a positive pair of numbers are left out.

    Returns
    -------
    dict
        ``p90_error_fraction`` and ``n_runs`` by class, for classes of at least
        ``MIN_RUNS`` runs from ``MIN_FAMILIES`` sources, and for ``overall``. The error is
        the larger ratio of the two numbers minus 1, as results spread it both ways.
    """
    pair = np.array([predicted, measured], dtype=np.float64).reshape(2, -1)
    is_known = np.isfinite(pair).all(axis=0) & (pair > 0).all(axis=0)
    error = np.full(is_known.shape, np.nan)
    error[is_known] = (
        np.exp(np.abs(np.log(pair[0, is_known] / pair[1, is_known]))) - 1.0
    )
    found: dict[str, dict[str, float]] = {}
    for name in (OVERALL, *sorted(set(kinds))):
        chosen = np.flatnonzero(
            is_known & np.array([name in (OVERALL, kind) for kind in kinds], dtype=bool)
        )
        sources = [families[int(row)] for row in chosen]
        is_enough = len(sources) >= MIN_RUNS and len(set(sources)) >= MIN_FAMILIES
        if chosen.size and (is_enough or name == OVERALL):
            found[name] = {
                "p90_error_fraction": _quantile(error[chosen], sources),
                "n_runs": int(chosen.size),
            }
    return found


def _quantile(errors: FloatArray, families: Sequence[str]) -> float:
    """Smallest error that holds ``SHARE`` of the weight, each family weighing the same."""
    sizes = Counter(families)
    weights = np.array([1.0 / sizes[family] for family in families])
    order = np.argsort(errors)
    held = np.cumsum(weights[order]) / weights.sum()
    place = int(np.searchsorted(held, SHARE - 1e-12))
    return float(errors[order][min(place, errors.size - 1)])
