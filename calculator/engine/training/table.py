"""Cases as columns: every field is one number for all rows or an array with one per row.

The same functions evaluate 10^5 strategies of one job (strategy columns are arrays, the
rest are scalars) and 1,500 unlike measured runs (every column is an array).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, TypeVar

import numpy as np

from calculator.engine.errors import DomainError
from calculator.engine.numeric import Numeric
from calculator.engine.training.inputs import (
    ClusterNetwork,
    GpuSpec,
    ModelShape,
    Strategy,
    TrainingStorage,
    Workload,
)
from calculator.engine.training.parameters import (
    PRECISIONS,
    RECOMPUTES,
    SHARDINGS,
    TRANSPORTS,
    Parameters,
    StackProfile,
    code_of,
    stack_profiles,
)


@dataclass(frozen=True, slots=True)
class ModelColumns:
    """Shape of the transformer, reduced to what costs time or memory.

    ``qkv_out`` is the output width of the attention input projections (their parameters
    over ``hidden``), ``q_dim`` the input width of the output projection, ``score_dim``
    the summed head size that one score costs, ``kv_width`` keys plus values of a token.
    """

    layers: Numeric
    hidden: Numeric
    heads: Numeric
    q_dim: Numeric
    qkv_out: Numeric
    score_dim: Numeric
    kv_width: Numeric
    ffn: Numeric
    ffn_matrices: Numeric
    dense_layers: Numeric
    moe_layers: Numeric
    n_experts: Numeric
    experts_per_token: Numeric
    n_shared_experts: Numeric
    moe_ffn: Numeric
    vocab: Numeric
    is_tied: Numeric


@dataclass(frozen=True, slots=True)
class GpuColumns:
    """One accelerator at the training precision [FLOP/s, bytes, bytes/s].

    ``has_async_matrix_units`` marks the generation (with fp8 units) whose full rate
    portable kernels do not reach.
    """

    peak_flop_per_s: Numeric
    gemm_flop_per_s: Numeric
    bf16_gemm_flop_per_s: Numeric
    bf16_peak_flop_per_s: Numeric
    is_fp8: Numeric
    has_async_matrix_units: Numeric
    hbm_bytes: Numeric
    hbm_bytes_per_s: Numeric
    scaleup_bytes_per_s: Numeric
    n_sm: Numeric
    exp_per_clock_per_sm: Numeric
    launch_slowdown: Numeric


@dataclass(frozen=True, slots=True)
class NetworkColumns:
    """The job's nodes and links, nominal, one direction [bytes/s]."""

    n_gpus: Numeric
    gpus_per_node: Numeric
    nics_per_node: Numeric
    nic_bytes_per_s: Numeric
    transport: Any
    n_tiers: Numeric
    oversubscription: Numeric
    degradation: Numeric
    slowdown: Numeric = 0.0


@dataclass(frozen=True, slots=True)
class StrategyColumns:
    """How the job is split. Shard degrees count ranks of the data-parallel group.

    ``recompute_share`` is the share of layers to which recompute applies.
    """

    tp: Numeric
    pp: Numeric
    vp: Numeric
    dp: Numeric
    cp: Numeric
    ep: Numeric
    micro_batch: Numeric
    n_micro: Numeric
    param_shard: Numeric
    grad_shard: Numeric
    optimizer_shard: Numeric
    recompute: Numeric
    recompute_share: Numeric = 1.0


@dataclass(frozen=True, slots=True)
class CaseTable:
    """All that a step needs to know, by columns."""

    model: ModelColumns
    gpu: GpuColumns
    network: NetworkColumns
    strategy: StrategyColumns
    stack: StackProfile
    seq_len: Numeric
    bytes_read_per_token: Numeric
    storage_read_bytes_per_s: Numeric


def has_experts(table: CaseTable) -> bool:
    """Whether any row is a mixture of experts (dense tables skip that arithmetic)."""
    return bool(np.any(np.asarray(table.model.moe_layers) > 0.0))


def model_columns(model: ModelShape) -> ModelColumns:
    """Return the one-row columns of a model shape."""
    q_dim = model.heads * model.head_dim
    kv_dim = model.kv_heads * model.head_dim
    qkv_out, kv_width = float(q_dim + 2 * kv_dim), 2.0 * kv_dim
    if model.mla_kv_rank:
        qkv_out = _mla_projection_parameters(model) / model.hidden
        kv_width = float(model.heads * (2 * model.head_dim + model.mla_rope_dim))
    has_experts = model.n_experts > 0
    dense = model.dense_ffn_layers if has_experts else model.layers
    return ModelColumns(
        layers=float(model.layers),
        hidden=float(model.hidden),
        heads=float(model.heads),
        q_dim=float(q_dim),
        qkv_out=qkv_out,
        score_dim=model.heads * (model.head_dim + model.mla_rope_dim / 2),
        kv_width=kv_width,
        ffn=float(model.ffn),
        ffn_matrices=3.0 if model.is_gated_mlp else 2.0,
        dense_layers=float(dense),
        moe_layers=float(model.layers - dense),
        n_experts=float(max(model.n_experts, 1)),
        experts_per_token=float(model.experts_per_token),
        n_shared_experts=float(model.n_shared_experts),
        moe_ffn=float(model.moe_ffn),
        vocab=float(model.vocab),
        is_tied=float(model.is_tied_embedding),
    )


def _mla_projection_parameters(model: ModelShape) -> float:
    qk_dim = model.head_dim + model.mla_rope_dim
    q_out = model.heads * qk_dim
    query = model.hidden * q_out
    if model.mla_query_rank:
        query = model.mla_query_rank * (model.hidden + q_out)
    down = model.hidden * (model.mla_kv_rank + model.mla_rope_dim)
    up = model.mla_kv_rank * model.heads * 2 * model.head_dim
    return float(query + down + up)


def gpu_columns(gpu: GpuSpec, precision: str, p: Parameters) -> GpuColumns:
    """Return the one-row columns of a GPU at a training precision."""
    code_of(precision, PRECISIONS, "precision")
    is_fp8 = precision == "fp8"
    if is_fp8 and not gpu.peak_fp8_flop_per_s:
        raise DomainError(f"{gpu.name} has no fp8 matrix units", field="precision")
    bf16_gemm = gpu.mamf_bf16_flop_per_s or gpu.peak_bf16_flop_per_s * p.mamf_ratio_bf16
    fp8_gemm = gpu.mamf_fp8_flop_per_s or gpu.peak_fp8_flop_per_s * p.mamf_ratio_fp8
    return GpuColumns(
        peak_flop_per_s=gpu.peak_fp8_flop_per_s if is_fp8 else gpu.peak_bf16_flop_per_s,
        gemm_flop_per_s=fp8_gemm if is_fp8 else bf16_gemm,
        bf16_gemm_flop_per_s=bf16_gemm,
        bf16_peak_flop_per_s=gpu.peak_bf16_flop_per_s,
        is_fp8=float(is_fp8),
        has_async_matrix_units=float(gpu.peak_fp8_flop_per_s > 0.0),
        hbm_bytes=gpu.hbm_bytes,
        hbm_bytes_per_s=gpu.hbm_bytes_per_s,
        scaleup_bytes_per_s=gpu.scaleup_bytes_per_s or p.host_bridge_bytes_per_s,
        n_sm=float(gpu.n_sm),
        exp_per_clock_per_sm=gpu.exp_per_clock_per_sm,
        launch_slowdown=gpu.launch_slowdown,
    )


def network_columns(network: ClusterNetwork) -> NetworkColumns:
    """Return the one-row columns of a cluster network."""
    return NetworkColumns(
        n_gpus=float(network.n_gpus),
        gpus_per_node=float(network.gpus_per_node),
        nics_per_node=float(network.nics_per_node),
        nic_bytes_per_s=network.nic_bytes_per_s,
        transport=code_of(network.transport, TRANSPORTS, "transport"),
        n_tiers=float(network.n_tiers),
        oversubscription=network.oversubscription,
        degradation=network.link_degradation_fraction,
        slowdown=network.slowest_gpu_slowdown_fraction,
    )


def shard_degrees(
    *, sharding: Any, dp_cp: Numeric, tp: Numeric, gpus_per_node: Numeric
) -> tuple[Numeric, Numeric, Numeric]:
    """Ranks over which parameters, gradients and optimizer states are split.

    Parameters
    ----------
    sharding : (n,) int array or int
        Index into ``SHARDINGS``.
    dp_cp, tp, gpus_per_node : (n,) or scalar
        Data-parallel times context-parallel ranks; tensor-parallel ranks; GPUs of a
        scale-up domain, inside which HSDP keeps its shards.

    Returns
    -------
    tuple
        Degrees for parameters, gradients, optimizer states, each at least 1.
    """
    inside = np.minimum(dp_cp, np.maximum(1.0, gpus_per_node // tp))
    hybrid = np.where(sharding == 4, inside, 1.0)
    param = np.where(sharding == 3, dp_cp, hybrid)
    grad = np.where(sharding == 2, dp_cp, param)
    return param, grad, np.where(sharding == 1, dp_cp, grad)


def strategy_columns(strategy: Strategy, gpus_per_node: int) -> StrategyColumns:
    """Return the one-row columns of a complete strategy."""
    param, grad, optimizer = shard_degrees(
        sharding=code_of(strategy.sharding, SHARDINGS, "sharding"),
        dp_cp=float(strategy.dp * strategy.cp),
        tp=float(strategy.tp),
        gpus_per_node=float(gpus_per_node),
    )
    return StrategyColumns(
        tp=float(strategy.tp),
        pp=float(strategy.pp),
        vp=float(strategy.vp),
        dp=float(strategy.dp),
        cp=float(strategy.cp),
        ep=float(strategy.ep),
        micro_batch=float(strategy.micro_batch_seqs),
        n_micro=float(strategy.n_micro_batches),
        param_shard=float(param),
        grad_shard=float(grad),
        optimizer_shard=float(optimizer),
        recompute=float(code_of(strategy.recompute, RECOMPUTES, "recompute")),
    )


def stack_profile(name: str) -> StackProfile:
    """Return a named software stack, or refuse with the names that exist."""
    profiles = stack_profiles()
    if name not in profiles:
        known = ", ".join(sorted(profiles))
        raise DomainError(
            f"unknown software stack {name!r}; known: {known}", field="stack"
        )
    return profiles[name]


def case_table(
    *,
    workload: Workload,
    gpu: GpuSpec,
    network: ClusterNetwork,
    storage: TrainingStorage,
    strategy: StrategyColumns,
    parameters: Parameters,
) -> CaseTable:
    """Put one job and one or many strategies into a table."""
    return CaseTable(
        model=model_columns(workload.model),
        gpu=gpu_columns(gpu, workload.precision, parameters),
        network=network_columns(network),
        strategy=strategy,
        stack=stack_profile(workload.stack),
        seq_len=float(workload.seq_len),
        bytes_read_per_token=workload.bytes_read_per_token,
        storage_read_bytes_per_s=storage.read_bytes_per_s,
    )


_Columns = TypeVar("_Columns")


def _stack_columns(parts: Sequence[_Columns]) -> _Columns:
    first: Any = parts[0]
    columns = {
        f.name: np.array([getattr(part, f.name) for part in parts])
        for f in fields(first)
    }
    stacked: _Columns = type(first)(**columns)
    return stacked


_GROUPS = ("model", "gpu", "network", "strategy", "stack")


def stack_tables(tables: Sequence[CaseTable]) -> CaseTable:
    """Join one-row tables into one table with a row each.

    The loop runs once, when the table is built; evaluation is array work.
    """
    groups: dict[str, Any] = {
        name: _stack_columns([getattr(t, name) for t in tables]) for name in _GROUPS
    }
    rest: dict[str, Any] = {
        f.name: np.array([getattr(t, f.name) for t in tables])
        for f in fields(CaseTable)
        if f.name not in _GROUPS
    }
    return CaseTable(**groups, **rest)


def take_rows(table: CaseTable, rows: Any) -> CaseTable:
    """Return the given rows; columns that are one number for all rows stay so."""
    groups = {name: _take(getattr(table, name), rows) for name in _GROUPS}
    rest = {
        f.name: _take_column(getattr(table, f.name), rows)
        for f in fields(CaseTable)
        if f.name not in _GROUPS
    }
    return CaseTable(**groups, **rest)


def _take_column(column: Any, rows: Any) -> Any:
    return column[rows] if np.ndim(column) else column


def _take(group: _Columns, rows: Any) -> _Columns:
    any_group: Any = group
    columns = {
        f.name: _take_column(getattr(any_group, f.name), rows)
        for f in fields(any_group)
    }
    taken: _Columns = type(any_group)(**columns)
    return taken
