"""Communication of one strategy: what each kind costs and how much of it shows."""

from __future__ import annotations

import numpy as np

from calculator.engine.numeric import Numeric
from calculator.engine.training.collectives import (
    all_to_all_s,
    point_to_point_s,
    ring_pass_s,
)
from calculator.engine.training.compute import BYTES_BF16
from calculator.engine.training.memory import expert_shard, stage_parameters
from calculator.engine.training.network import Links, group
from calculator.engine.training.parallelism import expert_tensor_ranks
from calculator.engine.training.parameters import Parameters
from calculator.engine.training.table import CaseTable, has_experts
from calculator.engine.training.workload import parameter_columns

DP_BUCKET_PARAMETERS = 4e7
DP_BUCKET_PER_RANK = 1e6
"""Parameters per gradient bucket, at least, and per rank: buckets grow with the group so
that latency stays hidden (Megatron-Core documentation). Each bucket is one collective."""


def exposed_s(compute_s: Numeric, comm_s: Numeric, interference: float) -> Numeric:
    """Time that communication adds to the computation it runs beside [s].

    What exceeds the computation shows in full; what hides slows the kernels by a
    measured share, because both use memory bandwidth and multiprocessors.
    """
    return np.maximum(comm_s - compute_s, 0.0) + interference * np.minimum(
        comm_s, compute_s
    )


def repeats_forward(table: CaseTable) -> Numeric:
    """Share of layers whose backward pass repeats the whole forward, with communication."""
    strategy = table.strategy
    return np.where(
        np.asarray(strategy.recompute) == 2.0, strategy.recompute_share, 0.0
    )


def tp_forward_s(table: CaseTable, tokens: Numeric, fabric: Links) -> Numeric:
    """All-gather and reduce-scatter (or the all-reduce they make up) around each block.

    Where experts are not tensor-sharded only their attention block communicates.
    """
    model, tp = table.model, table.strategy.tp
    ranks = group(n_ranks=tp, stride=1.0, fabric=fabric)
    one = ring_pass_s(
        payload_bytes=BYTES_BF16 * tokens * model.hidden, group=ranks, fabric=fabric
    )
    wide = np.where(np.asarray(expert_tensor_ranks(table)) > 1.0, model.moe_layers, 0.0)
    return 2.0 * (1.0 + (model.dense_layers + wide) / model.layers) * one


def cp_forward_s(table: CaseTable, tokens: Numeric, fabric: Links) -> Numeric:
    """Keys and values travel once around the context-parallel ring."""
    strategy = table.strategy
    ranks = group(n_ranks=strategy.cp, stride=strategy.tp, fabric=fabric)
    payload = BYTES_BF16 * tokens * strategy.cp * table.model.kv_width / strategy.tp
    return ring_pass_s(payload_bytes=payload, group=ranks, fabric=fabric)


def ep_forward_s(table: CaseTable, tokens: Numeric, fabric: Links) -> Numeric:
    """Dispatch and combine of routed tokens."""
    model, strategy = table.model, table.strategy
    if not np.any(np.asarray(strategy.ep) > 1.0):
        return 0.0
    ranks = group(n_ranks=strategy.ep, stride=expert_tensor_ranks(table), fabric=fabric)
    payload = BYTES_BF16 * tokens / strategy.tp * model.experts_per_token * model.hidden
    one = all_to_all_s(
        payload_bytes=payload,
        group=ranks,
        fabric=fabric,
        copies_per_item=np.maximum(model.experts_per_token, 1.0),
    )
    return 2.0 * one * model.moe_layers / model.layers


def _shard_pass_s(
    table: CaseTable,
    fabric: Links,
    degree: Numeric,
    bytes_each: Numeric,
    n_calls: Numeric,
) -> Numeric:
    """Gather or scatter one layer's weights or gradients over ``degree`` ranks."""
    counts = parameter_columns(table.model)
    strategy = table.strategy
    shared = counts.layer_shared + counts.outside / table.model.layers
    ranks = group(n_ranks=degree, stride=strategy.tp, fabric=fabric)
    time = ring_pass_s(
        payload_bytes=bytes_each * shared / strategy.tp,
        group=ranks,
        fabric=fabric,
        n_calls=n_calls,
    )
    if not has_experts(table):
        return time
    expert_degree, _ = expert_shard(table, degree)
    width = strategy.ep * expert_tensor_ranks(table)
    experts = group(n_ranks=expert_degree, stride=width, fabric=fabric)
    return time + ring_pass_s(
        payload_bytes=bytes_each * counts.layer_routed / width,
        group=experts,
        fabric=fabric,
        n_calls=n_calls,
    )


def fsdp_s(
    table: CaseTable,
    fabric: Links,
    p: Parameters,
    forward_s: Numeric,
    backward_s: Numeric,
) -> Numeric:
    """Exposed gathers (forward and again backward) and gradient scatters of one layer."""
    strategy, stack = table.strategy, table.stack
    if not np.any(np.asarray(strategy.grad_shard) > 1.0):
        return 0.0
    gather = _shard_pass_s(
        table, fabric, strategy.param_shard, BYTES_BF16, stack.gathers_per_layer
    )
    scatter = _shard_pass_s(
        table, fabric, strategy.grad_shard, stack.gradient_reduce_bytes, 1.0
    )
    forward = exposed_s(forward_s, gather, p.fsdp_interference)
    return forward + exposed_s(backward_s, gather + scatter, p.fsdp_interference)


def _replica_pass_s(table: CaseTable, fabric: Links, bytes_each: Numeric) -> Numeric:
    """One scatter or gather of all that a GPU holds over its replicas."""
    strategy = table.strategy
    shared, expert = stage_parameters(table)
    shard = strategy.param_shard
    replicas = np.maximum(strategy.dp * strategy.cp / shard, 1.0)
    ranks = group(n_ranks=replicas, stride=strategy.tp * shard, fabric=fabric)
    bucket = np.maximum(DP_BUCKET_PARAMETERS, DP_BUCKET_PER_RANK * replicas)
    time = ring_pass_s(
        payload_bytes=bytes_each * shared / shard,
        group=ranks,
        fabric=fabric,
        n_calls=1.0 + shared / shard / bucket,
    )
    if not has_experts(table):
        return time
    degree, all_replicas = expert_shard(table, shard)
    stride = strategy.ep * expert_tensor_ranks(table) * degree
    experts = group(n_ranks=all_replicas / degree, stride=stride, fabric=fabric)
    return time + ring_pass_s(
        payload_bytes=bytes_each * expert / degree, group=experts, fabric=fabric
    )


def _synchronisation_s(table: CaseTable, fabric: Links) -> tuple[Numeric, Numeric]:
    """Once-a-step times over replicas: (reduction of gradients, gathering of weights).

    Without sharded optimizer states an all-reduce (scatter and gather of gradients);
    with them a scatter of gradients and a gather of weights. Gradients that are sharded
    further than weights were already scattered in every micro-batch.
    """
    strategy, gradient = table.strategy, table.stack.gradient_reduce_bytes
    is_reduced = np.asarray(strategy.optimizer_shard) <= strategy.param_shard
    has_scatter = np.asarray(strategy.grad_shard) <= strategy.param_shard
    scatter = np.where(has_scatter, _replica_pass_s(table, fabric, gradient), 0.0)
    weights = _replica_pass_s(table, fabric, BYTES_BF16)
    reduction = np.where(is_reduced, 2.0 * scatter, scatter)
    return reduction, np.where(is_reduced, 0.0, weights)


def exposed_dp_s(
    table: CaseTable, fabric: Links, p: Parameters, micro_s: Numeric
) -> Numeric:
    """Synchronisation that the backward and forward passes beside it cannot hide.

    Gradients are reduced behind the last backward passes, weights gathered behind the
    next forward passes: two thirds and one third of a micro-batch.
    """
    strategy = table.strategy
    late = (strategy.pp - 1.0) * (strategy.vp - 1.0) / strategy.vp
    rounds = 1.0 + np.minimum(late, strategy.n_micro - 1.0)
    window = p.dp_window_fraction * micro_s * rounds * table.stack.has_dp_overlap
    reduction, weights = _synchronisation_s(table, fabric)
    backward = exposed_s(window * 2.0 / 3.0, reduction, p.dp_interference)
    return backward + exposed_s(window / 3.0, weights, p.dp_interference)


def exposed_p2p_s(
    table: CaseTable, fabric: Links, p: Parameters, tokens: Numeric
) -> Numeric:
    """Hand-overs between stages.

    Stages that take turns wait for each hand-over; interleaved ones have other chunks to
    work on, and only a share of the hand-overs shows. Fill and drain show in full.
    """
    strategy = table.strategy
    if not np.any(np.asarray(strategy.pp) > 1.0):
        return 0.0
    one = point_to_point_s(
        payload_bytes=BYTES_BF16 * tokens * table.model.hidden / strategy.tp,
        stage_gpus=strategy.tp * strategy.cp * strategy.dp,
        n_gpus=table.network.n_gpus,
        fabric=fabric,
    )
    shown = np.where(np.asarray(strategy.vp) > 1.0, p.p2p_exposed_fraction, 1.0)
    steady = 2.0 * strategy.n_micro * strategy.vp * shown
    transfers = steady + 2.0 * (strategy.pp - 1.0)
    return np.where(np.asarray(strategy.pp) > 1.0, transfers * one, 0.0)
