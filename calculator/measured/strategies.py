"""How a run was split: stated ranks, documented meaning of blank ones."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from calculator.engine.training.table import StrategyColumns
from calculator.measured.columns import Unreadable, cell, count, shown
from calculator.measured.frameworks import FrameworkDefaults

RECOMPUTES = {"none": 0.0, "selective": 1.0, "full": 2.0}


@dataclass(frozen=True, slots=True)
class Split:
    """Ranks and batch of a run; ``None`` where the row does not say."""

    n_gpus: int
    tp: int | None
    pp: int | None
    vp: int
    cp: int
    ep: int
    global_batch: int | None
    micro_batch: int | None
    micro_batches: int | None


def stated_split(
    row: Mapping[str, object], n_gpus: int, micro_batches: int | None
) -> Split:
    """Read the ranks and batch cells of a row.

    Raises
    ------
    Unreadable
        Where a cell is no whole number, ranks exceed the GPUs, or no batch is stated.
    """
    split = Split(
        n_gpus=n_gpus,
        tp=count(row, "tp"),
        pp=count(row, "pp"),
        vp=count(row, "vp") or 1,
        cp=count(row, "cp") or 1,
        ep=count(row, "ep") or 1,
        global_batch=count(row, "global_batch_seqs"),
        micro_batch=count(row, "micro_batch"),
        micro_batches=micro_batches,
    )
    ranks = (split.tp or 1) * (split.pp or 1) * split.cp
    if ranks > n_gpus:
        raise Unreadable(f"tp x pp x cp = {ranks} ranks, but the job has {n_gpus} GPUs")
    if split.global_batch is None and split.micro_batch is None:
        raise Unreadable("neither global_batch_seqs nor micro_batch is stated")
    return split


def check_layers(split: Split, layers: int) -> None:
    """Refuse more pipeline stages than layers.

    Raises
    ------
    Unreadable
        With both numbers.
    """
    if split.pp and split.pp > layers:
        raise Unreadable(f"pp = {split.pp} stages, but the model has {layers} layers")


def strategy_columns_of(
    split: Split,
    row: Mapping[str, object],
    defaults: FrameworkDefaults,
    *,
    tp: int,
    pp: int,
    gpus_per_node: int,
    recompute: float,
) -> StrategyColumns:
    """Return the engine's columns of a split with its tensor and pipeline ranks known."""
    dp = max(1, split.n_gpus // (tp * pp * split.cp))
    micro, n_micro = _micro_batches(split, defaults, dp, pp)
    parameters, gradients, optimizer = shard_degrees_of(
        row, defaults, tp=tp, pp=pp, dp_cp=dp * split.cp, gpus_per_node=gpus_per_node
    )
    return StrategyColumns(
        tp=float(tp),
        pp=float(pp),
        vp=float(split.vp if pp > 1 else 1),
        dp=float(dp),
        cp=float(split.cp),
        ep=float(min(split.ep, tp * split.cp * dp)),
        micro_batch=micro,
        n_micro=float(n_micro),
        param_shard=float(parameters),
        grad_shard=float(gradients),
        optimizer_shard=float(optimizer),
        recompute=recompute,
    )


def _micro_batches(
    split: Split, defaults: FrameworkDefaults, dp: int, pp: int
) -> tuple[float, int]:
    """Sequences of a micro-batch (their mean, where they do not divide) and their number."""
    if split.global_batch is None:
        return float(split.micro_batch or 1), split.micro_batches or pp
    each = split.global_batch / dp
    if split.micro_batch:
        n_micro = max(1, round(each / split.micro_batch))
    elif split.micro_batches:
        n_micro = split.micro_batches
    else:
        is_whole = defaults.micro_batch == "no gradient accumulation" and pp == 1
        n_micro = 1 if is_whole else max(1, round(each))
    return each / n_micro, n_micro


_DEGREES = (
    # (words of the sharding cell, how many groups: weights, gradients, optimizer)
    (re.compile(r"p/g (\d+), ?os (\d+)"), "pair"),
    (re.compile(r"sharded over (\d+)[^,]*, optimizer over (\d+)"), "pair"),
    (re.compile(r"replicated, optimizer sharded over (\d+)"), "optimizer"),
    (re.compile(r"mics (\d+)"), "all"),
    (re.compile(r"fsdp (\d+) x replicate"), "all"),
    (re.compile(r"over (\d+) gpus x"), "all"),
)
_STAGES = (
    (re.compile(r"^(zero-?3|fsdp|full.?shard)"), "zero3"),
    (re.compile(r"^(zero-?2|shard.?grad.?op)"), "zero2"),
    (re.compile(r"^(zero-?1|distributed.optimizer)"), "zero1"),
    (re.compile(r"^(zero-?0|none|ddp|no.?shard)"), "none"),
    (re.compile(r"^(hsdp|hybrid)"), "hsdp"),
)


def shard_degrees_of(
    row: Mapping[str, object],
    defaults: FrameworkDefaults,
    *,
    tp: int,
    pp: int,
    dp_cp: int,
    gpus_per_node: int,
) -> tuple[int, int, int]:
    """Ranks over which weights, gradients and optimizer states are split.

    Raises
    ------
    Unreadable
        Where the sharding cell names nothing known.
    """
    text = cell(row, "sharding").lower()
    degrees = _stated_degrees(text)
    if degrees is None:
        inside = max(1, min(dp_cp, gpus_per_node // tp))
        whole = inside if "in node" in text else dp_cp
        degrees = _by_stage(_stage(text, defaults), whole, inside)
    parameters, gradients, optimizer = (min(degree, dp_cp) for degree in degrees)
    if parameters > 1 and pp > 1 and not defaults.reshards:
        # weights stay gathered from the first micro-batch to the last
        parameters = gradients = 1
    return parameters, gradients, optimizer


def _stated_degrees(text: str) -> tuple[int, int, int] | None:
    for pattern, kind in _DEGREES:
        match = pattern.search(text)
        if match is None:
            continue
        first, last = max(1, int(match[1])), max(1, int(match[match.lastindex or 1]))
        return (1, 1, last) if kind == "optimizer" else (first, first, last)
    return None


def _stage(text: str, defaults: FrameworkDefaults) -> str:
    if not text:
        return defaults.sharding
    for pattern, stage in _STAGES:
        if pattern.search(text):
            return stage
    raise Unreadable(f"sharding is {shown(text)}, which is not known")


def _by_stage(stage: str, whole: int, inside: int) -> tuple[int, int, int]:
    return {
        "zero3": (whole, whole, whole),
        "zero2": (1, whole, whole),
        "zero1": (1, 1, whole),
        "none": (1, 1, 1),
        "hsdp": (inside, inside, inside),
    }[stage]


def recompute_of(row: Mapping[str, object]) -> float | None:
    """Code of the stated recompute, None where blank.

    Raises
    ------
    Unreadable
        Where the cell names nothing known.
    """
    text = cell(row, "recompute").lower()
    if not text:
        return None
    for name, code in RECOMPUTES.items():
        if text.startswith(name):
            return code
    raise Unreadable(
        f"recompute is {shown(text)}, must be one of {', '.join(RECOMPUTES)}"
    )
