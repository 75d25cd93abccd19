"""Busy share by tokens per GPU and step, network by network. PURE."""

from __future__ import annotations

from calculator.claims import scenarios as sc
from calculator.claims.world import World
from calculator.engine.errors import EngineError
from calculator.engine.training.inputs import StrategyPins, ThroughputResult
from calculator.spec.claims import SweepPoint

N_NODES = 8
TOKENS_PER_GPU = (2048, 4096, 8192, 16384, 32768, 65536, 131072)
LONGEST_SEQUENCE = 8192
NETWORKS = (sc.IB_8X400, sc.IB_1X400, sc.ETH_1X200, sc.ETH_1X100, sc.ETH_1X25)
PINS = {
    "sharded": StrategyPins(tp=1, pp=1, cp=1, sharding="zero3", recompute="full"),
    "fastest": StrategyPins(cp=1),
}


def sweep(world: World) -> list[SweepPoint]:
    """70B on 8 nodes of 8 H100; the micro-batch is searched in both strategies."""
    return [
        _point(world, network, kind, tokens)
        for kind in ("sharded", "fastest")
        for network in NETWORKS
        for tokens in TOKENS_PER_GPU
    ]  # fmt: skip


def _point(world: World, network: sc.Network, kind: str, tokens: int) -> SweepPoint:
    result = _result(world, network, kind, tokens)
    return SweepPoint(
        network=sc.network_label(network),
        strategy="sharded" if kind == "sharded" else "fastest",
        tokens_per_gpu=tokens,
        busy_share=result.busy_share if result else None,
        mfu=result.mfu if result else None,
    )


def _result(
    world: World, network: sc.Network, kind: str, tokens: int
) -> ThroughputResult | None:
    transport, ports, gbps = network
    cluster = world.cluster(N_NODES, transport=transport, ports=ports, gbps=gbps)
    seq_len = min(tokens, LONGEST_SEQUENCE)
    try:
        return world.fastest(
            world.shape(sc.MODEL_70B),
            cluster,
            seq_len=seq_len,
            global_batch_seqs=tokens // seq_len * cluster.n_gpus,
            pins=PINS[kind],
        )
    except EngineError:
        return None
