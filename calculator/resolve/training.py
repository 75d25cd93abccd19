"""A comparison's workload and reliability as engine inputs."""

from __future__ import annotations

from dataclasses import replace

from calculator.engine.evaluate import TrainingInputs
from calculator.engine.training.inputs import (
    ClusterNetwork,
    FailureClass,
    GpuSpec,
    StrategyPins,
    TrainingStorage,
    Workload,
)
from calculator.engine.training.own_stack import OwnStack
from calculator.engine.units import SECONDS_PER_HOUR, SECONDS_PER_MINUTE
from calculator.resolve.hardware import model_shape
from calculator.spec.scenario import ComparisonV1
from catalog.documents import PriceSnapshot

LLAMA3_INTERRUPTIONS = {
    "GPU and its memory": 148 + 72 + 19 + 17,
    "network": 35 + 7 + 7,
    "software": 54,
    "host and other": 419 - 256 - 49 - 54,
}
"""Unexpected interruptions of 54 days on 16,384 GPUs by class (arXiv:2407.21783, table 5).

GPU: faulty GPU, HBM3, SRAM, system processor. Network: switch or cable, NIC, NCCL
watchdog. They split the total rate into classes; the total is the comparison's own.
"""
NODE_CLASSES = frozenset({"GPU and its memory", "host and other"})
"""Failures after which the node is taken out for repair."""
NODE_GPUS_OF_THE_RATE = 8
PER_KILO = 1000.0


def training_inputs(
    spec: ComparisonV1,
    snapshot: PriceSnapshot,
    *,
    gpu: GpuSpec,
    network: ClusterNetwork,
    storage: TrainingStorage,
    interruptions_per_node_day: float = 0.0,
    n_spare_nodes: int | None = None,
) -> TrainingInputs:
    """Join the shared workload with one alternative's cluster.

    ``n_spare_nodes`` is ``None`` where a provider replaces failed nodes.
    """
    reliability = spec.assumptions.reliability
    interval = reliability.checkpoint_interval_minutes
    return TrainingInputs(
        workload=workload(spec, snapshot),
        gpu=gpu,
        network=replace(
            network,
            slowest_gpu_slowdown_fraction=spec.workload.slowest_gpu_slowdown_fraction,
        ),
        storage=storage,
        pins=StrategyPins(**spec.workload.strategy.model_dump()),
        failures=failure_classes(
            spec, network.gpus_per_node, interruptions_per_node_day
        ),
        checkpoint_interval_s=None
        if interval is None
        else interval * SECONDS_PER_MINUTE,
        checkpoint_blocking_fraction=reliability.checkpoint_blocking_fraction,
        planned_downtime_fraction=reliability.planned_downtime_fraction,
        spare_policy=reliability.spare_policy,
        n_spare_nodes=n_spare_nodes or 0,
        repair_s=reliability.repair_hours * SECONDS_PER_HOUR
        if n_spare_nodes is not None
        else reliability.provider_replacement_minutes * SECONDS_PER_MINUTE,
        own_stack=own_stack(spec, snapshot),
    )


def own_stack(spec: ComparisonV1, snapshot: PriceSnapshot) -> OwnStack | None:
    """Factors fitted to the buyer's own measurements, where the comparison names some."""
    if spec.workload.stack_profile is None:
        return None
    row = snapshot.stack_profiles[spec.workload.stack_profile]
    return OwnStack(
        kernel_efficiency=row.kernel_efficiency,
        communication_time=row.communication_time,
        step_overhead_s=row.step_overhead_s,
    )


def workload(spec: ComparisonV1, snapshot: PriceSnapshot) -> Workload:
    """What one optimizer step has to do."""
    return Workload(
        model=model_shape(spec.workload, snapshot),
        seq_len=spec.workload.seq_len,
        global_batch_seqs=spec.workload.global_batch_seqs,
        precision=spec.workload.precision,
        bytes_read_per_token=spec.workload.bytes_read_per_token,
    )


def failure_classes(
    spec: ComparisonV1, gpus_per_node: int, interruptions_per_node_day: float
) -> tuple[FailureClass, ...]:
    """Failure rates of one node by class, scaled by its GPUs; spot reclaims on top."""
    reliability = spec.assumptions.reliability
    restart_s = reliability.restart_minutes * SECONDS_PER_MINUTE
    swap_s = reliability.node_swap_minutes * SECONDS_PER_MINUTE
    per_node_day = reliability.failures_per_kilo_node_day / PER_KILO
    per_node_day *= gpus_per_node / NODE_GPUS_OF_THE_RATE
    total = sum(LLAMA3_INTERRUPTIONS.values())
    classes = [
        FailureClass(
            name=name,
            per_node_day=per_node_day * count / total,
            restart_s=restart_s + (swap_s if name in NODE_CLASSES else 0.0),
            takes_node=name in NODE_CLASSES,
        )
        for name, count in LLAMA3_INTERRUPTIONS.items()
    ]
    if interruptions_per_node_day > 0:
        classes.append(
            FailureClass(
                "instance reclaimed",
                interruptions_per_node_day,
                restart_s,
                takes_node=True,
            )
        )
    return tuple(classes)
