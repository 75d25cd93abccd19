"""Assemble one optimizer step: kernels, exposed communication, bubble, stall."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from calculator.engine.numeric import Numeric
from calculator.engine.training.communication import (
    cp_forward_s,
    ep_forward_s,
    exposed_dp_s,
    exposed_p2p_s,
    exposed_s,
    fsdp_s,
    repeats_forward,
    tp_forward_s,
)
from calculator.engine.training.compute import (
    BYTES_BF16,
    BYTES_FP32,
    Kernels,
    LayerWork,
    layer_work,
    recompute_kernels,
    soft_maximum,
)
from calculator.engine.training.memory import expert_shard, stage_parameters
from calculator.engine.training.network import Links, links
from calculator.engine.training.parallelism import layers_per_stage
from calculator.engine.training.parameters import Parameters
from calculator.engine.training.storage import data_stall_s
from calculator.engine.training.table import CaseTable

PART_LABELS = {
    "compute_gemm": "Matrix products",
    "attention": "Attention core",
    "memory_bound": "Memory-bound kernels",
    "recompute": "Recomputed forward work",
    "optimizer": "Optimizer step",
    "host_overhead": "Kernel launches and host",
    "exposed_tp": "Exposed tensor-parallel communication",
    "exposed_cp": "Exposed context-parallel communication",
    "exposed_ep": "Exposed expert-parallel communication",
    "exposed_fsdp": "Exposed shard gathers and scatters",
    "exposed_dp": "Exposed gradient and weight synchronisation",
    "exposed_pp_p2p": "Exposed pipeline transfers",
    "bubble": "Pipeline bubble and imbalance",
    "straggler": "Waiting for the slowest GPU",
    "data_stall": "Waiting for input data",
}
BUSY_PARTS = frozenset(
    {"compute_gemm", "attention", "memory_bound", "recompute", "optimizer"}
)


@dataclass(frozen=True, slots=True)
class StepColumns:
    """Seconds of one step by part, in the order of ``PART_LABELS``; they sum to the step."""

    parts: dict[str, Numeric]

    @property
    def step_time_s(self) -> Numeric:
        """Whole step [s]."""
        total: Numeric = 0.0
        for part in self.parts.values():
            total = total + part
        return total

    @property
    def busy_share(self) -> Numeric:
        """Share of the step in which kernels compute [1]."""
        busy: Numeric = 0.0
        for key in BUSY_PARTS:
            busy = busy + self.parts[key]
        return np.minimum(busy / self.step_time_s, 1.0)


@dataclass(frozen=True, slots=True)
class _Layer:
    """One mean layer, forward and backward together, for one micro-batch."""

    work: LayerWork
    repeated: Kernels
    host_s: Numeric
    tp_s: Numeric
    cp_s: Numeric
    ep_s: Numeric
    fsdp_s: Numeric

    @property
    def total_s(self) -> Numeric:
        """Time of the layer in a micro-batch."""
        kernels = (
            self.work.forward.total_s
            + self.work.backward.total_s
            + self.repeated.total_s
        )
        return kernels + self.host_s + self.tp_s + self.cp_s + self.ep_s + self.fsdp_s


def _cp_exposed_s(
    table: CaseTable, fabric: Links, p: Parameters, work: LayerWork
) -> tuple[Numeric, Numeric]:
    """Ring traffic that attention does not hide: (forward, backward) of one layer."""
    redo = repeats_forward(table)
    ring = cp_forward_s(table, work.tokens, fabric)
    attention = work.forward.attention_s
    backward_attention = work.backward.attention_s + redo * attention
    return (
        exposed_s(attention, ring, p.fsdp_interference),
        exposed_s(backward_attention, (2.0 + redo) * ring, p.fsdp_interference),
    )


def _launch_floor_s(table: CaseTable, p: Parameters) -> Numeric:
    """Host time of one layer forward: its kernels, routing, and a few per local expert."""
    model = table.model
    local = np.maximum(model.n_experts / table.strategy.ep, 1.0)
    expert_s = p.expert_launch_floor_s + p.expert_launch_each_s * local
    floor = p.launch_floor_s + expert_s * model.moe_layers / model.layers
    slowdown = table.gpu.launch_slowdown
    return slowdown * floor * (1.0 - table.stack.has_graphed_launches)


def _layer(table: CaseTable, fabric: Links, p: Parameters) -> _Layer:
    """One layer: the host's launches run beside kernels and the traffic between them."""
    work = layer_work(table, p)
    repeated = recompute_kernels(table, work)
    redo = repeats_forward(table)
    cp_forward, cp_backward = _cp_exposed_s(table, fabric, p, work)
    forward_device = work.forward.total_s + cp_forward
    backward_device = work.backward.total_s + repeated.total_s + cp_backward
    floor = _launch_floor_s(table, p)
    forward = soft_maximum(forward_device, floor)
    backward = soft_maximum(backward_device, (2.0 + redo) * floor)
    host = np.maximum(forward + backward - forward_device - backward_device, 0.0)
    hidden = table.stack.has_tp_overlap * (1.0 - p.tp_exposed_fraction)
    tp = (1.0 - hidden) * tp_forward_s(table, work.tokens, fabric)
    ep = p.ep_exposed_fraction * ep_forward_s(table, work.tokens, fabric)
    return _Layer(
        work=work,
        repeated=repeated,
        host_s=host,
        tp_s=(2.0 + redo) * tp,
        cp_s=cp_forward + cp_backward,
        ep_s=(2.0 + redo) * ep,
        fsdp_s=fsdp_s(
            table, fabric, p, forward + tp + ep, backward + (1.0 + redo) * (tp + ep)
        ),
    )


def _bubble_s(
    table: CaseTable, layer_s: Numeric, head_s: Numeric
) -> tuple[Numeric, Numeric]:
    """Return (bubble with stage imbalance, mean time of a micro-batch on a stage)."""
    strategy, model = table.strategy, table.model
    fullest = layers_per_stage(table)
    last = np.maximum(model.layers - fullest * (strategy.pp - 1.0), 0.0)
    mean_s = (model.layers * layer_s + head_s) / strategy.pp
    slowest_s = np.maximum(fullest * layer_s, last * layer_s + head_s)
    imbalance = np.maximum(slowest_s - mean_s, 0.0)
    imbalance = np.where(np.asarray(strategy.pp) > 1.0, imbalance, 0.0)
    fill = (strategy.pp - 1.0) / strategy.vp * mean_s
    return strategy.n_micro * imbalance + fill, mean_s


def _optimizer_s(table: CaseTable, p: Parameters) -> Numeric:
    shared, expert = stage_parameters(table)
    strategy = table.strategy
    degree, _ = expert_shard(table, strategy.optimizer_shard)
    held = shared / strategy.optimizer_shard + expert / degree
    stack, hbm = table.stack, table.gpu.hbm_bytes_per_s * p.hbm_efficiency
    on_device = p.optimizer_bytes_per_parameter / hbm
    moved = (stack.gradient_reduce_bytes + BYTES_BF16) / p.host_bridge_bytes_per_s
    on_host = moved + p.optimizer_bytes_per_parameter / p.host_memory_bytes_per_s
    offload = stack.has_optimizer_offload
    return held * (on_device * (1.0 - offload) + on_host * offload)


def _accumulation_s(table: CaseTable, p: Parameters) -> Numeric:
    """Adding each further micro-batch's gradients in memory."""
    shared, expert = stage_parameters(table)
    moved = (
        (shared + expert)
        / table.strategy.grad_shard
        * p.gradient_accumulation_bytes
        * table.stack.gradient_reduce_bytes
        / BYTES_FP32
    )
    rounds = table.strategy.n_micro - 1.0
    return rounds * moved / (table.gpu.hbm_bytes_per_s * p.hbm_efficiency)


def _straggler_fraction(table: CaseTable, p: Parameters) -> Numeric:
    """Expected excess of the slowest of N GPUs with a normal spread of speed."""
    spread = p.straggler_spread * np.sqrt(
        2.0 * np.log(np.maximum(table.network.n_gpus, 1.0))
    )
    return spread + table.network.slowdown / (1.0 - table.network.slowdown)


def step_columns(table: CaseTable, p: Parameters) -> StepColumns:
    """Return the step-time waterfall of every row [s].

    Parameters
    ----------
    table : CaseTable
        Any number of rows, alike or not.
    p : Parameters
        Global physical parameters.

    Returns
    -------
    StepColumns
        Parts in the order of ``PART_LABELS``; their sum is the step time.
    """
    strategy, model = table.strategy, table.model
    fabric = links(table, p)
    layer = _layer(table, fabric, p)
    head = layer.work.head
    bubble, micro_s = _bubble_s(table, layer.total_s, head.total_s)
    per_step = strategy.n_micro * model.layers / strategy.pp
    heads = strategy.n_micro / strategy.pp
    forward, backward = layer.work.forward, layer.work.backward
    parts: dict[str, Numeric] = {
        "compute_gemm": per_step * (forward.gemm_s + backward.gemm_s)
        + heads * head.gemm_s,
        "attention": per_step * (forward.attention_s + backward.attention_s),
        "memory_bound": per_step * (forward.elementwise_s + backward.elementwise_s)
        + heads * head.elementwise_s
        + _accumulation_s(table, p),
        "recompute": per_step * layer.repeated.total_s,
        "optimizer": _optimizer_s(table, p),
        "host_overhead": per_step * layer.host_s + p.step_overhead_s,
        "exposed_tp": per_step * layer.tp_s,
        "exposed_cp": per_step * layer.cp_s,
        "exposed_ep": per_step * layer.ep_s,
        "exposed_fsdp": per_step * layer.fsdp_s,
        "exposed_dp": exposed_dp_s(table, fabric, p, micro_s),
        "exposed_pp_p2p": exposed_p2p_s(table, fabric, layer.work.tokens),
        "bubble": bubble,
    }
    return _with_waits(table, p, parts)


def _with_waits(
    table: CaseTable, p: Parameters, parts: dict[str, Numeric]
) -> StepColumns:
    """Add what the whole step waits for: the slowest GPU, then the input."""
    kernels: Numeric = 0.0
    for key in BUSY_PARTS:
        kernels = kernels + parts[key]
    parts["straggler"] = kernels * _straggler_fraction(table, p)
    strategy = table.strategy
    parts["data_stall"] = data_stall_s(
        step_tokens=strategy.dp
        * strategy.n_micro
        * strategy.micro_batch
        * table.seq_len,
        bytes_read_per_token=table.bytes_read_per_token,
        read_bytes_per_s=table.storage_read_bytes_per_s,
        step_s=StepColumns(parts=parts).step_time_s,
    )
    return StepColumns(parts=parts)
