"""Claims about memory, power, fabrics, storage and failures. PURE."""

from __future__ import annotations

from statistics import NormalDist

from calculator.claims import scenarios as sc
from calculator.claims.model import (
    Answer,
    Document,
    Number,
    Reading,
)
from calculator.claims.utilisation import ran
from calculator.claims.world import World
from calculator.engine.training.parameters import default_parameters
from calculator.engine.units import (
    DAYS_PER_MONTH,
    GIGA,
    HOURS_PER_DAY,
    KILO,
    SECONDS_PER_HOUR,
)
from calculator.resolve import fabrics
from calculator.resolve.training import failure_classes
from calculator.spec.fabric import FabricSizeV1, FabricSizingV1
from calculator.spec.problems import validate_comparison

MEMORY, POWER, FABRIC = "Memory", "Power and node", "Fabric"
STORAGE, FAILURES = "Storage and input", "Failures and losses"
NODE_GPUS = 8
H100_POWER_ITEM = "h100-sxm"
CLAIMED_DEMAND_GBYTES = 128.0
ARTICLE_RATIO = 72 / 14
"""Three days over fourteen hours."""


def largest(n_gpus: int, label: str, *without: str, is_plain: bool = False) -> Reading:
    """Largest model that fits, some parts of its memory kept elsewhere."""
    return Reading(
        label,
        lambda world: Answer(
            {"largest": world.largest_model_billions(n_gpus, without=without)}
        ),
        is_plain=is_plain,
    )


def offloaded(n_gpus: int) -> Reading:
    """The largest model whose optimizer works in host memory."""
    return largest(
        n_gpus,
        "Adam's states in host memory (CPU offload), full recompute",
        "optimizer",
    )


def two_sequences(label: str, *without: str, is_plain: bool = False) -> Reading:
    """Memory of 70B on one node with two sequences per GPU."""

    def compute(world: World) -> Answer:
        model = world.shape(sc.MODEL_70B)
        need = world.memory_gb(model, NODE_GPUS, seqs=2, without=without)
        return Answer({"gb": need})

    return Reading(label, compute, is_plain=is_plain)


def shard_pair(label: str, *without: str, is_plain: bool = False) -> Reading:
    """Memory of 70B on 16 and on 8 GPUs, parameters replicated and sharded."""

    def compute(world: World) -> Answer:
        model = world.shape(sc.MODEL_70B)
        return Answer(
            {
                "grad_op": world.memory_gb(
                    model, 16, sharding="zero2", without=without
                ),
                "full": world.memory_gb(model, 8, without=without),
            }
        )

    return Reading(label, compute, is_plain=is_plain)


def power(world: World) -> Answer:
    """Draw of the node beside its rating and that of its GPUs."""
    design = world.snapshot.designs[sc.DEALER_NODE]
    gpus_kw = NODE_GPUS * world.attribute(H100_POWER_ITEM, "tdp_w") / KILO
    return Answer(
        {"kw": design.mean_training_kw},
        details=(
            Number("Eight GPUs at their rating", gpus_kw, "kW"),
            Number("Rated maximum of a node", design.rated_kw, "kW"),
        ),
    )


def power_64(world: World) -> Answer:
    """Draw of 64 nodes with their network."""
    document = sc.comparison("power of 64 nodes", {"cluster": sc.own(sc.IB_8X400, 64)})
    cluster = world.alternative(document, "cluster").cluster
    if cluster is None or cluster.mean_it_kw is None or cluster.rated_it_kw is None:
        raise LookupError("no power is known")
    return Answer(
        {"kw": cluster.mean_it_kw},
        details=(Number("To be provided for", cluster.rated_it_kw, "kW"),),
        comparison=document,
    )


def air_cooled(world: World) -> Answer:
    """The hottest node design that air cools."""
    cooled = [d for d in world.snapshot.designs.values() if not d.is_liquid_cooled]
    return Answer(
        {"kw": max(design.rated_kw for design in cooled)},
        details=tuple(
            Number(f"{d.name}, air cooled", d.rated_kw, "kW")
            for d in cooled
            if d.slug in {"dgx-h100", "dgx-b200"}
        ),
    )


def node_ports(per_gpu: bool) -> Reading:
    """Bandwidth out of a node, or per GPU."""

    def compute(world: World) -> Answer:
        design = world.snapshot.designs[sc.DEALER_NODE]
        total = design.default_ports_per_node * design.default_port_gbps
        return Answer({"gbps": total / (design.gpus_per_node if per_gpu else 1)})

    label = "Per GPU: eight ports a node" if per_gpu else "Per node, as written"
    return Reading(label, compute, is_plain=not per_gpu)


def nvlink(both: bool) -> Reading:
    """NVLink rate of a GPU."""

    def compute(world: World) -> Answer:
        rate = world.attribute(H100_POWER_ITEM, "scaleup_gbytes_per_s")
        return Answer({"rate": rate * (2 if both else 1)})

    label = "Both directions added" if both else "One direction, as links are counted"
    return Reading(label, compute, is_plain=not both)


def sized(n_nodes: int, **more: object) -> FabricSizeV1:
    """A fabric of QM9700 switches for nodes of eight 400G ports."""
    asked = {
        "schema_version": "1",
        "n_nodes": n_nodes,
        "gpus_per_node": NODE_GPUS,
        "ports_per_node": NODE_GPUS,
        "port_gbps": 400.0,
        "switch_ports": 64,
        "switch_port_gbps": 400.0,
        **more,
    }
    return fabrics.size(FabricSizingV1.model_validate(asked))


def leaf(label: str, n_nodes: int, topology: str, *, is_plain: bool = False) -> Reading:
    """How many nodes hang on a leaf, and over how many leaves one node spreads."""

    def compute(world: World) -> Answer:
        size = sized(n_nodes, topology=topology)
        nodes = float(size.nodes_per_leaf_group)
        uplinks = size.n_leaf_spine_cables / size.n_leaf
        return Answer(
            {"nodes": nodes, "uplinks": uplinks},
            details=(
                Number("Leaves", size.n_leaf, "count"),
                Number("Spines", size.n_spine, "count"),
            ),
        )

    return Reading(label, compute, is_plain=is_plain)


def tiers(world: World) -> Answer:
    """Switch tiers of 128 nodes."""
    small, large = sized(64), sized(128)
    return Answer(
        {"tiers": float(large.n_tiers)},
        details=(
            Number("Tiers for 64 nodes", small.n_tiers, "count"),
            Number(
                "Nodes that two tiers can join",
                sized(128, n_tiers=2).max_nodes,
                "nodes",
            ),
        ),
    )


def one_switch(world: World) -> Answer:
    """Switches that join eight nodes."""
    size = sized(8)
    return Answer({"switches": float(size.n_switches)})


def copper(world: World) -> Answer:
    """Which link rate would explain the gain: shown, not judged."""
    return Answer({"gain": _gain(world, 0.5)}, details=(
        Number("Gain if copper ran at 75 % of its rate", _gain(world, 0.75), "share"),
        Number("Gain if copper ran at 25 % of its rate", _gain(world, 0.25), "share"),
    ))  # fmt: skip


def _gain(world: World, fraction: float) -> float:
    healthy, degraded = _degraded(world, 8, fraction)
    return healthy / degraded - 1.0


def _link_document(n_nodes: int, fraction: float, *, is_sharded: bool) -> Document:
    options = {
        "healthy": sc.own(sc.IB_8X400, n_nodes, label="healthy"),
        "degraded": sc.own(
            sc.IB_8X400,
            n_nodes,
            label="one slow link",
            fabric={"link_degradation_fraction": fraction},
        ),
    }
    if is_sharded:
        return sc.sharded_70b("one slow link", options, n_gpus=NODE_GPUS * n_nodes)
    return sc.comparison("one slow link", options)


def _degraded(
    world: World, n_nodes: int, fraction: float, *, is_sharded: bool = True
) -> tuple[float, float]:
    document = _link_document(n_nodes, fraction, is_sharded=is_sharded)
    healthy, degraded = (
        ran(world.alternative(document, key)).tokens_per_s
        for key in ("healthy", "degraded")
    )
    return healthy, degraded


def slow_link(
    label: str, n_nodes: int, *, is_sharded: bool, is_plain: bool = False
) -> Reading:
    """The whole job runs at the pace of its slowest link."""

    def compute(world: World) -> Answer:
        fraction = 50 / 400
        healthy, slow = _degraded(world, n_nodes, fraction, is_sharded=is_sharded)
        lost = 1.0 - slow / healthy
        day_usd = NODE_GPUS * n_nodes * HOURS_PER_DAY * world.price("market-h100-list")
        return Answer(
            {"usd": lost * day_usd},
            details=(
                Number("Speed lost", lost, "share"),
                Number("Price of the cluster's day", day_usd, "USD"),
            ),
            comparison=_link_document(n_nodes, fraction, is_sharded=is_sharded),
        )

    return Reading(label, compute, is_plain=is_plain)


def demand(
    label: str, model: str, bytes_per_token: float, *, is_plain: bool = False
) -> Reading:
    """What 128 GPUs read in a second where storage never limits them."""
    document = sc.comparison(
        "data that 128 GPUs read",
        {"cluster": sc.own(sc.IB_8X400, 16, storage={"read_gbytes_per_s": 1000.0})},
        model=model,
        bytes_read_per_token=bytes_per_token,
    )

    def compute(world: World) -> Answer:
        tokens = ran(world.alternative(document, "cluster")).tokens_per_s
        needed = CLAIMED_DEMAND_GBYTES * GIGA / tokens
        return Answer(
            {"gbytes": tokens * bytes_per_token / GIGA},
            details=(
                Number("Speed", tokens, "tokens/s"),
                Number("Bytes per token that need 128 GB/s", needed, "bytes"),
            ),
            comparison=document,
        )

    return Reading(label, compute, is_plain=is_plain)


def filer(
    label: str, demand_gbytes: float | None, *, is_plain: bool = False
) -> Reading:
    """Speed behind 50 GB/s over the speed behind 3, at a stated demand of 128 GPUs."""

    def compute(world: World) -> Answer:
        fast = _with_storage(50.0, 50.0, 4.0)
        tokens = ran(world.alternative(fast, "faster")).tokens_per_s
        each = 4.0 if demand_gbytes is None else demand_gbytes * GIGA / tokens
        document = _with_storage(3.0, 50.0, each)
        speed = {
            key: ran(world.alternative(document, key)).tokens_per_s
            for key in ("filer", "faster")
        }
        return Answer(
            {"ratio": speed["faster"] / speed["filer"]},
            details=(Number("Read per token", each, "bytes"),),
            comparison=document,
        )

    return Reading(label, compute, is_plain=is_plain)


def _with_storage(slow: float, fast: float, bytes_per_token: float) -> Document:
    def option(label: str, rate: float) -> Document:
        storage = {"read_gbytes_per_s": rate, "write_gbytes_per_s": 3.0}
        return sc.own(sc.IB_8X400, 16, label=label, storage=storage)

    return sc.comparison(
        "one filer against a parallel file system",
        {
            "filer": option(f"{slow:g} GB/s", slow),
            "faster": option(f"{fast:g} GB/s", fast),
        },
        bytes_read_per_token=bytes_per_token,
    )


def failures(label: str, n_nodes: int, only: str, *, is_plain: bool = False) -> Reading:
    """Interruptions of a month at the default rate, by class."""
    document = sc.comparison(
        f"failures on {n_nodes} nodes", {"cluster": sc.own(sc.IB_8X400, n_nodes)}
    )

    def compute(world: World) -> Answer:
        classes = failure_classes(validate_comparison(document), NODE_GPUS, 0.0)
        rate = sum(c.per_node_day for c in classes if c.name.startswith(only))
        return Answer(
            {"failures": rate * n_nodes * DAYS_PER_MONTH}, comparison=document
        )

    return Reading(label, compute, is_plain=is_plain)


def nic(
    label: str, n_nodes: int, *, has_checkpoint: bool, is_plain: bool = False
) -> Reading:
    """What one interruption at hour 47 throws away, at the median rental price."""
    document = sc.comparison("one failure", {"cluster": sc.own(sc.IB_8X400, n_nodes)})

    def compute(world: World) -> Answer:
        hours = 47.0
        if has_checkpoint:
            speed = ran(world.alternative(document, "cluster"))
            spec = validate_comparison(document)
            restart_s = failure_classes(spec, NODE_GPUS, 0.0)[0].restart_s
            hours = (speed.checkpoint_interval_s / 2 + restart_s) / SECONDS_PER_HOUR
        usd = NODE_GPUS * n_nodes * hours * world.price("market-h100-list")
        return Answer(
            {"usd": usd},
            details=(Number("Hours lost", hours, "h"),),
            comparison=document,
        )

    return Reading(label, compute, is_plain=is_plain)


def spread(world: World) -> Answer:
    """Share of GPUs beyond 5 % in a normal spread as wide as the fitted one."""
    spread = default_parameters().straggler_spread
    share = NormalDist(0.0, spread).cdf(-0.05)
    return Answer(
        {"share": share},
        details=(Number("Fitted spread of GPU speed", spread, "share"),),
    )
