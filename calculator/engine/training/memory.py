"""Memory that the fullest GPU needs, and what a checkpoint holds."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from calculator.engine.numeric import Numeric
from calculator.engine.training.compute import BYTES_BF16, micro_batch_tokens
from calculator.engine.training.inputs import ModelShape
from calculator.engine.training.parallelism import expert_tensor_ranks, layers_per_stage
from calculator.engine.training.parameters import Parameters
from calculator.engine.training.table import CaseTable, has_experts
from calculator.engine.training.workload import n_parameters, parameter_columns

WEIGHT_BYTES = 2.0
OPTIMIZER_BYTES = 12.0
"""fp32 master weight and two Adam moments."""
CHECKPOINT_BYTES_PER_PARAMETER = 14.0
"""bf16 weight, fp32 master weight, two fp32 moments."""
UNFUSED_BYTES_PER_SCORE = 5.0
"""Softmax output, dropout mask and dropout output (Korthikanti et al., arXiv:2205.05198)."""

DEVICE_BYTES_PER_NOMINAL = 1.06
"""Memory that a driver reports over the nominal size of 10^9-byte gigabytes: vendors count
binary ones. PyTorch shows (recalled) 42.3e9 bytes on an A100 40 GB, 85.0e9 on an H100
80 GB, 150.1e9 on an H200 141 GB: 1.057 to 1.065; 206e9 on an MI300X 192 GB: 1.07."""

MEMORY_LABELS = {
    "weights": "Weights",
    "gradients": "Gradients",
    "optimizer": "Optimizer states",
    "activations": "Activations",
    "working_set": "Gathered layers and loss",
    "reserved": "Context, communication buffers and fragmentation",
}


@dataclass(frozen=True, slots=True)
class MemoryColumns:
    """Bytes on the fullest GPU by use; keys as in ``MEMORY_LABELS``."""

    parts: dict[str, Numeric]

    @property
    def total_bytes(self) -> Numeric:
        """Sum of all parts."""
        total: Numeric = 0.0
        for part in self.parts.values():
            total = total + part
        return total


def capacity_bytes(nominal_bytes: Numeric) -> Numeric:
    """Memory that a job can allocate on a device of a nominal size [bytes].

    Parameters
    ----------
    nominal_bytes : (n_rows,) or scalar
        As the vendor names the device, in gigabytes of 10^9 bytes.
    """
    return nominal_bytes * DEVICE_BYTES_PER_NOMINAL


def checkpoint_bytes(
    model: ModelShape, *, bytes_per_parameter: float = CHECKPOINT_BYTES_PER_PARAMETER
) -> float:
    """Size of a restartable checkpoint [bytes].

    Parameters
    ----------
    model : ModelShape
        The transformer.
    bytes_per_parameter : float
        14 keeps the bf16 weight, the fp32 master weight and both Adam moments.

    References
    ----------
    A 181B model's checkpoint took 2.4 TB (BigScience chronicles): 13.3 bytes each.
    """
    return n_parameters(model).total * bytes_per_parameter


def expert_shard(table: CaseTable, degree: Numeric) -> tuple[Numeric, Numeric]:
    """Return (ranks that share an expert's shards, replicas of an expert).

    Experts have fewer replicas than shared weights, so their shards are fewer too.
    A model without experts has neither.
    """
    if not has_experts(table):
        return 1.0, 1.0
    strategy = table.strategy
    ranks = strategy.tp * strategy.cp * strategy.dp
    replicas = np.maximum(ranks / (strategy.ep * expert_tensor_ranks(table)), 1.0)
    replicas = np.where(np.asarray(table.model.moe_layers) > 0.0, replicas, 1.0)
    return np.maximum(1.0, np.minimum(degree, replicas)), replicas


def stage_parameters(table: CaseTable) -> tuple[Numeric, Numeric]:
    """Shared and expert parameters on a GPU of the fullest stage, unsharded by data ranks."""
    counts = parameter_columns(table.model)
    strategy = table.strategy
    layers = layers_per_stage(table)
    outside = np.where(np.asarray(strategy.pp) > 1.0, counts.embedding, counts.outside)
    shared = (layers * counts.layer_shared + outside) / strategy.tp
    if not has_experts(table):
        return shared, 0.0
    routed = layers * counts.layer_routed / (strategy.ep * expert_tensor_ranks(table))
    return shared, routed


def _state_bytes(
    table: CaseTable, held: tuple[Numeric, Numeric], each: Numeric, degree: Numeric
) -> Numeric:
    shared, expert = held
    return each * (shared / degree + expert / expert_shard(table, degree)[0])


@dataclass(frozen=True, slots=True)
class _Kept:
    """What one layer keeps per token for its backward pass, before sharding [bytes].

    ``everything`` without recompute; ``redone`` is the part that selective recompute
    repeats in a stack with flash kernels.
    """

    everything: Numeric
    redone: Numeric


def activation_bytes_per_token(table: CaseTable) -> Numeric:
    """Bytes that one layer keeps per token without recompute, before sharding [bytes].

    Inputs of every product and of every non-linear step: two norms and their outputs,
    query, key, value, attention output, up (and gate) and activation; experts keep their
    dispatched tokens. Products in fp8 keep their inputs in one byte (the attention
    output then twice: for the attention kernel in bf16, for the projection in fp8).
    """
    return _kept_per_token(table).everything


def _kept_per_token(table: CaseTable) -> _Kept:
    model = table.model
    moe = model.moe_layers / model.layers
    routed = model.experts_per_token * model.moe_ffn
    activated = (
        model.dense_layers / model.layers * model.ffn
        + (routed + model.n_shared_experts * model.moe_ffn) * moe
    )
    dispatched = model.experts_per_token * model.hidden * moe
    attention = 4.0 * model.hidden + 2.0 * model.q_dim + model.kv_width
    values = attention + model.ffn_matrices * activated + dispatched
    is_fp8 = table.gpu.is_fp8
    norm_outputs = model.hidden * (2.0 - moe)
    saved = norm_outputs + activated + dispatched - model.q_dim
    input_bytes = BYTES_BF16 - is_fp8
    is_latent = np.where(np.asarray(model.score_dim) > model.q_dim, 1.0, 0.0)
    rebuilt = is_latent * (model.q_dim + model.kv_width)
    return _Kept(
        everything=BYTES_BF16 * values - is_fp8 * saved,
        redone=input_bytes * (norm_outputs + activated) + BYTES_BF16 * rebuilt,
    )


def _layer_activation_bytes(
    table: CaseTable, tokens: Numeric
) -> tuple[Numeric, Numeric]:
    """Return (kept per layer, full working set of one layer) for one micro-batch.

    Selective recompute repeats norms, activations and the up-projections of latent
    attention; without a flash kernel it repeats the attention core instead.
    """
    model, strategy = table.model, table.strategy
    code = np.asarray(strategy.recompute)
    flash = table.stack.has_flash_attention
    split = np.where(
        np.asarray(table.stack.has_sequence_parallel) > 0.0, strategy.tp, 1.0
    )
    norms = 4.0 * BYTES_BF16 * model.hidden
    per_token = _kept_per_token(table)
    everything = norms / split + (per_token.everything - norms) / strategy.tp
    scores = UNFUSED_BYTES_PER_SCORE * model.heads * table.seq_len / strategy.tp
    scores = scores * (1.0 - flash)
    whole = everything + scores
    some = everything - flash * per_token.redone / strategy.tp
    partly = np.where(code == 1.0, some, BYTES_BF16 * model.hidden / split)
    share = np.where(code == 0.0, 0.0, strategy.recompute_share)
    return tokens * (share * partly + (1.0 - share) * whole), tokens * whole


def in_flight_micro_batches(table: CaseTable) -> Numeric:
    """Micro-batches whose activations the first stage holds at once (1F1B, interleaved)."""
    strategy = table.strategy
    extra = np.where(
        np.asarray(strategy.vp) > 1.0,
        1.0 + (strategy.pp - 1.0) / (strategy.pp * strategy.vp),
        1.0,
    )
    return np.minimum(strategy.n_micro, strategy.pp * extra)


def _activation_parts(table: CaseTable, p: Parameters) -> tuple[Numeric, Numeric]:
    """Return (activations, loss working set) of the fullest stage."""
    tokens = micro_batch_tokens(table)
    kept, working = _layer_activation_bytes(table, tokens)
    layers = layers_per_stage(table)
    is_full = np.where(np.asarray(table.strategy.recompute) == 2.0, 1.0, 0.0)
    first = kept * layers * in_flight_micro_batches(table) + is_full * working
    logits = tokens * table.model.vocab / table.strategy.tp * p.logit_memory_bytes
    is_one_stage = np.asarray(table.strategy.pp) == 1.0
    last = kept * layers + logits
    loss = np.where(is_one_stage, logits, np.maximum(last - first, 0.0))
    return first, loss


def _gathered_bytes(table: CaseTable) -> Numeric:
    """Two layers gathered at once and one layer's whole gradient, where weights are sharded."""
    counts = parameter_columns(table.model)
    strategy = table.strategy
    experts = counts.layer_routed / (strategy.ep * expert_tensor_ranks(table))
    layer = counts.layer_shared / strategy.tp + experts
    bytes_each = 2.0 * WEIGHT_BYTES + table.stack.gradient_reduce_bytes
    is_sharded = np.asarray(strategy.param_shard) > 1.0
    largest = np.maximum(layer, counts.embedding / strategy.tp)
    return np.where(is_sharded, bytes_each * largest, 0.0)


def memory_columns(table: CaseTable, p: Parameters) -> MemoryColumns:
    """Return memory by use on the fullest GPU of every row [bytes].

    Parameters
    ----------
    table : CaseTable
        Any number of rows.
    p : Parameters
        For reserved memory, fragmentation and the loss working set.
    """
    strategy = table.strategy
    activations, loss = _activation_parts(table, p)
    working = _gathered_bytes(table) + loss
    held = stage_parameters(table)
    gradient_bytes = table.stack.gradient_reduce_bytes
    fragmentation = p.memory_fragmentation_fraction * (activations + working)
    return MemoryColumns(
        parts={
            "weights": _state_bytes(table, held, WEIGHT_BYTES, strategy.param_shard),
            "gradients": _state_bytes(table, held, gradient_bytes, strategy.grad_shard),
            "optimizer": _state_bytes(
                table, held, OPTIMIZER_BYTES, strategy.optimizer_shard
            )
            * (1.0 - table.stack.has_optimizer_offload),
            "activations": activations,
            "working_set": working,
            "reserved": p.memory_reserved_bytes + fragmentation,
        }
    )
