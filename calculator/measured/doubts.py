"""Runs that are predicted and scored, but left out of the fit, and why."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from calculator.engine.training.table import CaseTable
from calculator.engine.training.workload import parameter_columns
from calculator.measured.columns import cell

MAX_FITTED_GPUS = 8192
WEIGHT_BYTES = 2.0


def doubt(
    row: Mapping[str, object], table: CaseTable, position: int, measured: float
) -> str:
    """Return why a run says nothing about the parameters, "" where it does.

    Parameters
    ----------
    row : mapping
        The run's cells.
    table, position
        The run as an engine case.
    measured : float
        Its speed [tokens/s/GPU].
    """
    sharding, precision = cell(row, "sharding").lower(), cell(row, "precision").lower()
    checks = {
        "optimizer states in host memory": "offload" in sharding,
        "quantised or second copies of weights": "hpz" in sharding or "++" in sharding,
        "number format not stated": not precision or " or " in precision,
        "fp4": "fp4" in precision,
        "fp8 scaled by rows: kernels unlike the others": "rowwise" in precision,
        "tensor or pipeline ranks not stated": not (
            cell(row, "tp") and cell(row, "pp")
        ),
        "fine-tuning: sequences of uneven length": "SFT" in cell(row, "model"),
        f"more than {MAX_FITTED_GPUS} GPUs": float(cell(row, "num_gpus"))
        > MAX_FITTED_GPUS,
        "faster than its own traffic at line rate": (
            wire_seconds_per_token(table, position) * measured > 1.0
        ),
    }
    return next((reason for reason, holds in checks.items() if holds), "")


def wire_seconds_per_token(table: CaseTable, position: int) -> float:
    """Least network time per token and GPU at nominal line rate [s].

    Sharded weights enter each node twice and their gradients leave once a micro-batch;
    replicas exchange gradients and weights once a step. One node needs none.
    """
    strategy, network = table.strategy, table.network
    counts = parameter_columns(table.model)
    held = _at(counts.total, position) / (
        _at(strategy.tp, position) * _at(strategy.pp, position)
    )
    n_nodes = _at(network.n_gpus, position) / _at(network.gpus_per_node, position)
    if n_nodes <= 1.0 or _at(table.model.n_experts, position) > 1.0:
        return 0.0
    tokens = (
        _at(strategy.dp, position)
        * _at(strategy.n_micro, position)
        * _at(strategy.micro_batch, position)
        * _at(table.seq_len, position)
    )
    groups = min(_at(network.gpus_per_node, position), _at(strategy.tp, position))
    is_sharded = _at(strategy.param_shard, position) > _at(
        network.gpus_per_node, position
    )
    passes = 3.0 * _at(strategy.n_micro, position) if is_sharded else 0.0
    moved = passes * WEIGHT_BYTES * held * groups * (n_nodes - 1.0) / n_nodes
    rate = _at(network.nics_per_node, position) * _at(network.nic_bytes_per_s, position)
    return moved / rate / tokens * _at(network.n_gpus, position)


def _at(column: Any, position: int) -> float:
    values = np.asarray(column)
    return float(values[position]) if values.ndim else float(values)
