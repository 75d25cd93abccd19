"""What a source leaves unsaid about its split: the fastest choice that fits.

Who publishes a speed has tuned it. Everything that the row states is pinned; micro-batch,
interleaving, recomputation and blank ranks are searched by the engine itself.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from calculator.engine.errors import EngineError
from calculator.engine.training.inputs import (
    ClusterNetwork,
    GpuSpec,
    ModelShape,
    Precision,
    Strategy,
    StrategyPins,
    ThroughputResult,
    TrainingStorage,
    Workload,
)
from calculator.engine.training.parameters import Parameters
from calculator.engine.training.throughput import best_strategy
from calculator.engine.units import TERA
from calculator.measured.strategies import Split

AMPLE_STORAGE = TrainingStorage(1000.0 * TERA, 1000.0 * TERA)
"""Input never stalls: no source states its storage."""
RECOMPUTE_NAMES = ("none", "selective", "full")
_LOOSENED: tuple[tuple[str, ...], ...] = (
    (),
    ("sharding",),
    ("sharding", "recompute"),
    ("sharding", "recompute", "vp"),
    ("sharding", "recompute", "vp", "micro_batch_seqs"),
)
"""Pins to give up, in turn, where the engine's enumeration does not hold the stated run."""


@dataclass(frozen=True, slots=True)
class Unsaid:
    """A job whose split is stated in part."""

    model: ModelShape
    seq_len: int
    precision: Precision
    gpu: GpuSpec
    network: ClusterNetwork
    split: Split
    recompute: float | None
    sharding: str
    can_interleave: bool


def has_blanks(job: Unsaid) -> bool:
    """Whether a rank, the micro-batch or the interleaving is left to be chosen."""
    split = job.split
    if split.global_batch is None:
        return False
    is_open = None in (split.tp, split.pp, split.micro_batch)
    is_open = is_open and not (split.tp and split.pp and split.micro_batches)
    has_stages = split.pp is None or split.pp > 1
    is_open = is_open or (job.can_interleave and split.vp is None and has_stages)
    return is_open or (job.model.n_experts > 0 and split.ep is None)


def tuned(job: Unsaid, p: Parameters) -> Strategy | None:
    """Return the fastest strategy with everything stated pinned, None where none exists."""
    found = [r for r in (_found(job, pins, p) for pins in _pin_sets(job)) if r]
    if found:
        return min(found, key=lambda result: result.step_time_s).strategy
    pins = _pins(job)
    for loosened in _LOOSENED:
        kept = {k: None if k in loosened else v for k, v in pins.items()}
        result = _found(job, kept, p)
        if result is not None:
            return result.strategy
    return None


def _found(job: Unsaid, pins: dict[str, Any], p: Parameters) -> ThroughputResult | None:
    try:
        return _search(job, StrategyPins(**pins), p)
    except EngineError:
        return None


def _pin_sets(job: Unsaid) -> list[dict[str, Any]]:
    """Tensor ranks alone, or the whole node and pipeline stages (arXiv:2104.04473)."""
    pins = _pins(job)
    if not job.can_interleave or pins["tp"] or pins["pp"]:
        return [pins]
    return [{**pins, "pp": 1}, {**pins, "tp": job.network.gpus_per_node}]


def filled(split: Split, chosen: Strategy) -> Split:
    """Return a split with its blanks taken from the chosen strategy."""
    return replace(
        split,
        tp=chosen.tp,
        pp=chosen.pp,
        vp=chosen.vp,
        ep=chosen.ep,
        micro_batch=chosen.micro_batch_seqs,
    )


def _pins(job: Unsaid) -> dict[str, Any]:
    split = job.split
    tp, pp = _ranks(job)
    code = job.recompute
    return {
        "tp": tp,
        "pp": pp,
        "vp": split.vp or (None if job.can_interleave else 1),
        "cp": split.cp,
        "ep": split.ep or (None if job.model.n_experts else 1),
        "sharding": job.sharding if split.n_gpus > 1 else None,
        "micro_batch_seqs": _micro_batch(split),
        "recompute": None if code is None else RECOMPUTE_NAMES[int(code)],
    }


def _ranks(job: Unsaid) -> tuple[int | None, int | None]:
    """Stated data ranks leave model ranks: tensor ranks fill the node first."""
    split = job.split
    if (split.tp and split.pp) or split.dp is None:
        return split.tp, split.pp
    model_ranks = max(1, split.n_gpus // (split.dp * split.cp))
    tp = split.tp or min(model_ranks, job.network.gpus_per_node)
    return tp, split.pp or max(1, model_ranks // tp)


def _micro_batch(split: Split) -> int | None:
    if split.micro_batch or not (split.micro_batches and split.tp and split.pp):
        return split.micro_batch
    ranks = max(1, split.n_gpus // (split.tp * split.pp * split.cp))
    each = (split.global_batch or 0) / ranks / split.micro_batches
    return int(each) if each >= 1.0 and each == int(each) else None


def _search(job: Unsaid, pins: StrategyPins, p: Parameters) -> ThroughputResult:
    workload = Workload(
        job.model, job.seq_len, job.split.global_batch or 1, job.precision
    )
    return best_strategy(
        workload=workload,
        gpu=job.gpu,
        network=job.network,
        storage=AMPLE_STORAGE,
        pins=pins,
        parameters=p,
    )
