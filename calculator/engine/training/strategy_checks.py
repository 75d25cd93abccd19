"""Refusals before any arithmetic: sizes out of the domain, ranks that do not add up."""

from __future__ import annotations

import numpy as np

from calculator.engine.errors import DomainError, InfeasiblePlan
from calculator.engine.training.inputs import (
    ClusterNetwork,
    GpuSpec,
    Strategy,
    TrainingStorage,
    Workload,
)

MAX_GPUS = 1_000_000


def check_job(workload: Workload, network: ClusterNetwork) -> None:
    """Refuse sizes outside the model's domain.

    Raises
    ------
    DomainError
        With the field, its value and the bound.
    """
    if not 1 <= network.n_gpus <= MAX_GPUS:
        raise DomainError(
            f"{network.n_gpus} GPUs in the job, must be 1 to {MAX_GPUS}",
            field="n_nodes",
        )
    for name in ("seq_len", "global_batch_seqs"):
        value = getattr(workload, name)
        if value < 1:
            raise DomainError(f"{name} is {value}, must be at least 1", field=name)
    if network.n_nodes > 1 and network.nics_per_node * network.nic_bytes_per_s <= 0:
        raise DomainError(
            f"{network.n_nodes} nodes need a network: {network.nics_per_node} ports of "
            f"{network.nic_bytes_per_s:g} bytes/s per node join nothing",
            field="nics_per_node",
        )


def check_strategy(
    workload: Workload, network: ClusterNetwork, strategy: Strategy
) -> None:
    """Refuse a strategy whose ranks or batch do not add up.

    Raises
    ------
    InfeasiblePlan, DomainError
        With the field and both numbers.
    """
    check_job(workload, network)
    for name in (
        "tp",
        "pp",
        "vp",
        "cp",
        "ep",
        "dp",
        "micro_batch_seqs",
        "n_micro_batches",
    ):
        value = getattr(strategy, name)
        if value < 1:
            raise DomainError(f"{name} is {value}, must be at least 1", field=name)
    ranks = strategy.tp * strategy.pp * strategy.cp * strategy.dp
    if ranks != network.n_gpus:
        raise InfeasiblePlan(
            f"tp x pp x cp x dp = {ranks} ranks, the job has {network.n_gpus} GPUs",
            field="dp",
        )
    batch = strategy.dp * strategy.micro_batch_seqs * strategy.n_micro_batches
    if batch != workload.global_batch_seqs:
        raise InfeasiblePlan(
            f"dp x micro-batch x micro-batches = {batch} sequences, the global batch is "
            f"{workload.global_batch_seqs}",
            field="global_batch_seqs",
        )
    if strategy.pp * strategy.vp > workload.model.layers:
        raise InfeasiblePlan(
            f"pp x vp = {strategy.pp * strategy.vp} exceeds {workload.model.layers} layers",
            field="pp",
        )
    _check_shape(workload, strategy)


def _check_shape(workload: Workload, strategy: Strategy) -> None:
    model = workload.model
    if model.heads % strategy.tp:
        raise InfeasiblePlan(
            f"tp = {strategy.tp} does not divide {model.heads} heads", field="tp"
        )
    stage_ranks = strategy.tp * strategy.cp * strategy.dp
    if max(model.n_experts, 1) % strategy.ep or stage_ranks % strategy.ep:
        raise InfeasiblePlan(
            f"ep = {strategy.ep} does not divide {max(model.n_experts, 1)} experts and "
            f"the {stage_ranks} ranks of a stage",
            field="ep",
        )


def check_hardware(
    gpu: GpuSpec, network: ClusterNetwork, storage: TrainingStorage
) -> None:
    """Refuse rates and sizes that are not positive and finite.

    Raises
    ------
    DomainError
        With the field, its value and the bound.
    """
    checks = {
        "peak_bf16_flop_per_s": gpu.peak_bf16_flop_per_s,
        "hbm_bytes": gpu.hbm_bytes,
        "hbm_bytes_per_s": gpu.hbm_bytes_per_s,
        "n_sm": gpu.n_sm,
        "read_bytes_per_s": storage.read_bytes_per_s,
        "oversubscription": network.oversubscription,
        "link_degradation_fraction": network.link_degradation_fraction,
    }
    for field, value in checks.items():
        if not (np.isfinite(value) and value > 0.0):
            raise DomainError(
                f"{field} is {value:g}, must be above 0 and finite", field=field
            )
    slowdown = network.slowest_gpu_slowdown_fraction
    if not 0.0 <= slowdown < 1.0:
        raise DomainError(
            f"slowest_gpu_slowdown_fraction is {slowdown:g}, must be at least 0 and "
            "below 1",
            field="slowest_gpu_slowdown_fraction",
        )
