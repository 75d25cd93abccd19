"""Valid ways to split a job, enumerated as arrays: one row per strategy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from calculator.engine.errors import DomainError, InfeasiblePlan
from calculator.engine.numeric import Numeric
from calculator.engine.training.inputs import (
    ClusterNetwork,
    ModelShape,
    Strategy,
    StrategyPins,
    Workload,
)
from calculator.engine.training.parameters import RECOMPUTES, SHARDINGS, code_of
from calculator.engine.training.table import (
    CaseTable,
    StrategyColumns,
    has_experts,
    shard_degrees,
)

IntArray: TypeAlias = NDArray[np.int64]

MAX_MICRO_BATCH_SEQS = 64
MIN_TOKENS_PER_CONTEXT_RANK = 512


@dataclass(frozen=True, slots=True)
class StrategyGrid:
    """All valid strategies of a job as integer columns of equal length."""

    tp: IntArray
    pp: IntArray
    vp: IntArray
    dp: IntArray
    cp: IntArray
    ep: IntArray
    micro_batch: IntArray
    n_micro: IntArray
    sharding: IntArray
    recompute: IntArray

    @property
    def n_rows(self) -> int:
        """Number of strategies."""
        return int(self.tp.size)

    def columns(self, gpus_per_node: int) -> StrategyColumns:
        """Return the grid as float columns with its shard degrees."""
        tp, dp_cp = self.tp.astype(float), (self.dp * self.cp).astype(float)
        param, grad, optimizer = shard_degrees(
            sharding=self.sharding,
            dp_cp=dp_cp,
            tp=tp,
            gpus_per_node=float(gpus_per_node),
        )
        return StrategyColumns(
            tp=tp,
            pp=self.pp.astype(float),
            vp=self.vp.astype(float),
            dp=self.dp.astype(float),
            cp=self.cp.astype(float),
            ep=self.ep.astype(float),
            micro_batch=self.micro_batch.astype(float),
            n_micro=self.n_micro.astype(float),
            param_shard=param,
            grad_shard=grad,
            optimizer_shard=optimizer,
            recompute=self.recompute.astype(float),
        )

    def strategy(self, row: int) -> Strategy:
        """Return one row as a strategy."""
        return Strategy(
            tp=int(self.tp[row]),
            pp=int(self.pp[row]),
            vp=int(self.vp[row]),
            cp=int(self.cp[row]),
            ep=int(self.ep[row]),
            dp=int(self.dp[row]),
            sharding=SHARDINGS[int(self.sharding[row])],  # type: ignore[arg-type]
            micro_batch_seqs=int(self.micro_batch[row]),
            n_micro_batches=int(self.n_micro[row]),
            recompute=RECOMPUTES[int(self.recompute[row])],  # type: ignore[arg-type]
        )


def layers_per_stage(table: CaseTable) -> Numeric:
    """Layers of the fullest pipeline stage."""
    chunks = table.strategy.pp * table.strategy.vp
    return np.ceil(table.model.layers / chunks) * table.strategy.vp


def expert_tensor_ranks(table: CaseTable) -> Numeric:
    """Ranks that split one expert: wide experts like dense blocks, narrow ones not at all.

    An expert narrower than the hidden size has shards too small for the matrix units,
    and frameworks then give the tensor ranks experts of their own.
    """
    if not has_experts(table):
        return 1.0
    model, strategy = table.model, table.strategy
    is_wide = np.asarray(model.moe_ffn) >= model.hidden
    has_room = np.asarray(strategy.ep) <= strategy.dp * strategy.cp
    return np.where(is_wide & has_room, strategy.tp, 1.0)


def divisors(number: int) -> IntArray:
    """All divisors of a positive integer, ascending."""
    small = np.arange(1, int(number**0.5) + 1)
    small = small[number % small == 0]
    return np.unique(np.concatenate([small, number // small]))


def _can_stage(layers: int, chunks: Any) -> Any:
    """Whether layers fill all chunks.

    Evenly, evenly with embedding and head counted as layers, or each chunk full but a
    shorter last one.
    """
    per_chunk = -(-layers // chunks)
    in_order = (chunks - 1) * per_chunk < layers
    return (chunks <= layers) & (in_order | ((layers + 2) % chunks == 0))


def _can_interleave(layers: int, chunks: Any) -> Any:
    return (chunks <= layers) & ((layers % chunks == 0) | ((layers + 2) % chunks == 0))


def _can_shard_heads(model: ModelShape, tp: Any) -> Any:
    kv = np.maximum(model.kv_heads, 1)
    return (model.heads % tp == 0) & ((kv % tp == 0) | (tp % kv == 0))


def _tp_candidates(model: ModelShape, network: ClusterNetwork) -> Any:
    tp = divisors(network.gpus_per_node)
    return tp[_can_shard_heads(model, tp)]


def _pp_candidates(model: ModelShape, network: ClusterNetwork) -> Any:
    pp = divisors(network.n_gpus)
    return pp[_can_stage(model.layers, pp)]


def _cp_candidates(workload: Workload, network: ClusterNetwork) -> Any:
    cp = divisors(network.n_gpus)
    splits = workload.seq_len % (2 * cp) == 0
    return cp[
        (cp == 1) | (splits & (workload.seq_len // cp >= MIN_TOKENS_PER_CONTEXT_RANK))
    ]


def _ep_candidates(model: ModelShape) -> Any:
    return divisors(model.n_experts) if model.n_experts else np.array([1])


def _vp_candidates(model: ModelShape) -> Any:
    vp = np.arange(1, model.layers + 1)
    return vp[
        (vp == 1) | _can_interleave(model.layers, vp) | ((model.layers + 2) % vp == 0)
    ]


def _micro_batch_candidates(workload: Workload) -> Any:
    sizes = divisors(workload.global_batch_seqs)
    return sizes[sizes <= MAX_MICRO_BATCH_SEQS]


def _pinned(pin: int | None, candidates: IntArray, field: str, rule: str) -> IntArray:
    if pin is None:
        return candidates
    if pin < 1:
        raise DomainError(
            f"{field} is pinned to {pin}, must be at least 1", field=field
        )
    if pin not in candidates:
        raise InfeasiblePlan(f"{field} = {pin} is not possible: {rule}", field=field)
    return np.array([pin])


def _layouts(
    workload: Workload, network: ClusterNetwork, pins: StrategyPins
) -> list[IntArray]:
    """Valid (tp, pp, cp, ep, dp) columns, before the batch is looked at."""
    model, n_gpus = workload.model, network.n_gpus
    tp = _pinned(
        pins.tp,
        _tp_candidates(model, network),
        "tp",
        f"it must divide the {network.gpus_per_node} GPUs of a node and {model.heads} heads, "
        f"and divide or be divided by {model.kv_heads} key-value heads",
    )
    pp = _pinned(
        pins.pp,
        _pp_candidates(model, network),
        "pp",
        f"it must divide {n_gpus} GPUs and leave layers for each stage of {model.layers}",
    )
    cp = _pinned(
        pins.cp,
        _cp_candidates(workload, network),
        "cp",
        f"it must divide {n_gpus} GPUs and half of the {workload.seq_len} tokens, "
        f"and leave {MIN_TOKENS_PER_CONTEXT_RANK} tokens a rank",
    )
    ep = _pinned(
        pins.ep,
        _ep_candidates(model),
        "ep",
        f"it must divide {max(model.n_experts, 1)} experts",
    )
    columns = [axis.ravel() for axis in np.meshgrid(tp, pp, cp, ep, indexing="ij")]
    used = columns[0] * columns[1] * columns[2]
    dp = n_gpus // used
    valid = (n_gpus % used == 0) & (columns[0] * columns[2] * dp % columns[3] == 0)
    if not valid.any():
        raise InfeasiblePlan(
            f"tp x pp x cp does not divide {n_gpus} GPUs, or ep not the ranks of a stage, "
            f"for tp in {tp.tolist()}, pp in {pp.tolist()}, cp in {cp.tolist()}, "
            f"ep in {ep.tolist()}",
            field="tp",
        )
    return [column[valid] for column in (*columns, dp)]


def _batch_layouts(
    workload: Workload, network: ClusterNetwork, pins: StrategyPins
) -> list[IntArray]:
    """Layouts whose data-parallel ranks divide the global batch."""
    layouts = _layouts(workload, network, pins)
    batch, dp = workload.global_batch_seqs, layouts[4]
    fits = batch % dp == 0
    if not fits.any():
        raise InfeasiblePlan(
            f"a global batch of {batch} sequences does not divide over the data-parallel "
            f"ranks that {network.n_gpus} GPUs leave ({', '.join(map(str, np.unique(dp)[:8]))})",
            field="global_batch_seqs",
        )
    return [column[fits] for column in layouts]


def _codes(pin: str | None, names: tuple[str, ...], field: str) -> IntArray:
    """All codes of a named choice, or the pinned one."""
    if pin is None:
        return np.arange(len(names))
    return np.array([code_of(pin, names, field)])


def _can_shard(
    codes: IntArray, tp: IntArray, dp_cp: IntArray, gpus_per_node: int
) -> Any:
    """Mask (layouts, codes): sharding needs ranks; HSDP needs shards and replicas of them."""
    inside = np.minimum(dp_cp, np.maximum(1, gpus_per_node // tp))[:, None]
    ranks = dp_cp[:, None]
    hybrid = (inside > 1) & (ranks > inside) & (ranks % inside == 0)
    plain = (codes == 0) | (ranks > 1)
    return np.where(codes == 4, hybrid, plain)


def _can_schedule(layers: int, pp: IntArray, vp: IntArray, n_micro: IntArray) -> Any:
    """Mask (layouts, vp, micro-batches): interleaving needs rounds of pp micro-batches."""
    chunks = pp[:, None, None] * vp[None, :, None]
    rounds = n_micro[:, None, :] % pp[:, None, None] == 0
    interleaved = (pp[:, None, None] > 1) & rounds & _can_interleave(layers, chunks)
    return np.where(vp[None, :, None] == 1, True, interleaved)


def enumerate_strategies(
    *, workload: Workload, network: ClusterNetwork, pins: StrategyPins
) -> StrategyGrid:
    """List every valid strategy of a job.

    Parameters
    ----------
    workload, network : Workload, ClusterNetwork
        What has to divide: heads, layers, experts, sequence, batch, GPUs, nodes.
    pins : StrategyPins
        Parts that the user fixed.

    Raises
    ------
    InfeasiblePlan, DomainError
        Where nothing is left, with the field and the numbers that do not divide.
    """
    tp, pp, cp, ep, dp = _batch_layouts(workload, network, pins)
    model = workload.model
    vp = _pinned(
        pins.vp,
        _vp_candidates(model),
        "vp",
        f"pp x vp must divide {model.layers} layers",
    )
    sizes = _pinned(
        pins.micro_batch_seqs,
        _micro_batch_candidates(workload),
        "micro_batch_seqs",
        f"it must divide the global batch of {workload.global_batch_seqs} sequences "
        f"and be at most {MAX_MICRO_BATCH_SEQS}",
    )
    per_rank = workload.global_batch_seqs // dp
    n_micro = per_rank[:, None] // sizes
    batches = per_rank[:, None] % sizes == 0
    codes = _codes(pins.sharding, SHARDINGS, "sharding")
    schedule = _can_schedule(model.layers, pp, vp, n_micro) & batches[:, None, :]
    shard = _can_shard(codes, tp, dp * cp, network.gpus_per_node)
    row, vp_row, size_row, code_row = np.nonzero(
        schedule[..., None] & shard[:, None, None, :]
    )
    if not row.size:
        raise _nothing_left(workload, pins, per_rank, schedule)
    recompute = _codes(pins.recompute, RECOMPUTES, "recompute")
    fold = recompute.size
    picks = [tp[row], pp[row], vp[vp_row], dp[row], cp[row], ep[row]]
    picks += [sizes[size_row], n_micro[row, size_row], codes[code_row]]
    columns = [
        *(np.repeat(column, fold) for column in picks),
        np.tile(recompute, row.size),
    ]
    return StrategyGrid(*columns)


def _nothing_left(
    workload: Workload, pins: StrategyPins, per_rank: IntArray, schedule: Any
) -> InfeasiblePlan:
    shares = ", ".join(map(str, np.unique(per_rank)[:8]))
    if (
        pins.micro_batch_seqs is not None
        and not (per_rank % pins.micro_batch_seqs == 0).any()
    ):
        return InfeasiblePlan(
            f"a micro-batch of {pins.micro_batch_seqs} sequences does not divide the "
            f"sequences per data-parallel rank ({shares})",
            field="micro_batch_seqs",
        )
    if not schedule.any():
        return InfeasiblePlan(
            f"vp = {pins.vp} needs pp above 1, pp x vp dividing {workload.model.layers} layers "
            f"and micro-batches in rounds of pp",
            field="vp",
        )
    return InfeasiblePlan(
        f"sharding {pins.sharding} needs more than one data-parallel rank"
        " (hsdp also replicas of a node's shards)",
        field="sharding",
    )
