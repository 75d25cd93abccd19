"""The model's few global physical parameters, loaded from ``parameters.json``."""

from __future__ import annotations

import json
from dataclasses import dataclass, fields
from functools import lru_cache
from importlib.resources import files
from typing import Any

import numpy as np

from calculator.engine.errors import DomainError
from calculator.engine.numeric import FloatArray, Numeric

TRANSPORTS = ("infiniband", "roce", "efa", "tcp")
SHARDINGS = ("none", "zero1", "zero2", "zero3", "hsdp")
RECOMPUTES = ("none", "selective", "full")
PRECISIONS = ("bf16", "fp16", "fp8")


def code_of(value: str, names: tuple[str, ...], field: str) -> int:
    """Return the column code of a named choice.

    Raises
    ------
    DomainError
        With the field and the names that exist.
    """
    if value not in names:
        known = ", ".join(names)
        raise DomainError(f"{field} is {value!r}, must be one of {known}", field=field)
    return names.index(value)


@dataclass(frozen=True, slots=True)
class Parameters:
    """Physical parameters of the throughput model; one value each for all runs.

    Meaning, unit, source and fit date of every field stand in ``parameters.json``.
    """

    mamf_ratio_bf16: float
    mamf_ratio_fp8: float
    mamf_ratio_fp4: float
    gemm_efficiency_bf16: float
    gemm_efficiency_fp8: float
    gemm_portable_fraction: float
    gemm_wave_overhead: float
    gemm_k_overhead: float
    gemm_misaligned_fraction: float
    gemm_grouped_fraction: float
    fp8_cast_bytes: float
    attention_efficiency: float
    attention_portable_fraction: float
    attention_exp_clock_hz: float
    attention_backward_ratio: float
    attention_tile_tokens: float
    unfused_attention_bytes_per_score: float
    hbm_efficiency: float
    elementwise_bytes_per_hidden: float
    elementwise_bytes_eager: float
    elementwise_backward_ratio: float
    logit_bytes: float
    launch_floor_s: float
    expert_launch_floor_s: float
    expert_launch_each_s: float
    expert_imbalance: float
    optimizer_bytes_per_parameter: float
    gradient_accumulation_bytes: float
    step_overhead_s: float
    straggler_spread: float
    host_bridge_bytes_per_s: float
    host_memory_bytes_per_s: float
    scaleup_efficiency: float
    scaleup_latency_s: float
    collective_base_latency_s: float
    infiniband_efficiency: float
    roce_efficiency: float
    efa_efficiency: float
    tcp_efficiency: float
    tcp_knee_bytes_per_s: float
    tcp_tail_efficiency: float
    infiniband_node_latency_s: float
    roce_node_latency_s: float
    efa_node_latency_s: float
    tcp_node_latency_s: float
    congestion_per_doubling: float
    tier_latency_fraction: float
    fsdp_interference: float
    dp_window_fraction: float
    dp_interference: float
    tp_exposed_fraction: float
    ep_exposed_fraction: float
    memory_reserved_bytes: float
    memory_fragmentation_fraction: float
    logit_memory_bytes: float

    def transport_efficiencies(self) -> FloatArray:
        """Share of line rate by transport code; TCP's holds up to its knee [1]."""
        return np.array([getattr(self, f"{name}_efficiency") for name in TRANSPORTS])

    def transport_latencies_s(self) -> FloatArray:
        """Latency that each further node adds to a ring, by transport code [s]."""
        return np.array(
            [getattr(self, f"{name}_node_latency_s") for name in TRANSPORTS]
        )


@dataclass(frozen=True, slots=True)
class StackProfile:
    """What a software stack does, as documented; no fitted number.

    Flags are 0 or 1 so that they can be columns. ``has_native_kernels`` tells
    libraries tuned for the GPU's own matrix instructions from portable ones.
    ``gradient_reduce_bytes`` is the size of one gradient on the wire,
    ``gathers_per_layer`` the all-gathers that sharded parameters of one layer need;
    ``has_optimizer_offload`` keeps the states in host memory. ``has_shard_overlap`` is the
    share of a layer's kernels behind which gathers of sharded weights can run (prefetch
    limits hold it below 1), ``has_graphed_launches`` the share of layers replayed as one
    graph, ``weight_gather_bytes`` the size of one gathered weight on the wire,
    ``selective_product_fraction`` the share of matrix products that selective
    recomputation repeats.
    """

    has_flash_attention: Numeric
    has_native_kernels: Numeric
    has_sequence_parallel: Numeric
    has_fused_elementwise: Numeric
    has_dp_overlap: Numeric
    has_tp_overlap: Numeric
    gradient_reduce_bytes: Numeric
    gathers_per_layer: Numeric
    has_optimizer_offload: Numeric
    has_shard_overlap: Numeric = 1.0
    has_graphed_launches: Numeric = 0.0
    selective_product_fraction: Numeric = 0.0
    weight_gather_bytes: Numeric = 2.0


@lru_cache(maxsize=1)
def _document() -> dict[str, Any]:
    text = files(__package__).joinpath("parameters.json").read_text(encoding="utf-8")
    document: dict[str, Any] = json.loads(text)
    return document


@lru_cache(maxsize=1)
def default_parameters() -> Parameters:
    """Return the fitted parameters that ship with the engine."""
    entries = _document()["parameters"]
    return Parameters(
        **{f.name: float(entries[f.name]["value"]) for f in fields(Parameters)}
    )


@lru_cache(maxsize=1)
def stack_profiles() -> dict[str, StackProfile]:
    """Return the named software stacks; ``default`` is always there."""
    return {
        name: StackProfile(
            **{
                f.name: float(entry[f.name])
                for f in fields(StackProfile)
                if f.name in entry
            }
        )
        for name, entry in _document()["stacks"].items()
    }


def p90_error_fraction() -> float:
    """90th percentile of the relative error of predicted tokens/s, see the file [1]."""
    return float(_document()["residuals"]["p90_error_fraction"])


def interval_class_table() -> dict[str, dict[str, Any]]:
    """Return error and number of runs by kind of configuration, where the fit has them."""
    entries: dict[str, dict[str, Any]] = (
        _document().get("fit", {}).get("interval_classes", {})
    )
    return entries


def parameter_table() -> dict[str, dict[str, Any]]:
    """Return value, unit, meaning and source of every parameter, by name."""
    entries: dict[str, dict[str, Any]] = _document()["parameters"]
    return entries


def fit_summary() -> dict[str, Any]:
    """Return fit date, what was fitted on what, and the residuals reached."""
    document = _document()
    return {key: document[key] for key in ("fit_date", "fitted_on", "residuals")}
