"""Claims about busy GPUs and networks. Busy share is what dashboards show, not MFU. PURE."""

from __future__ import annotations

from calculator.claims import scenarios as sc
from calculator.claims.evidence import rows
from calculator.claims.model import (
    Answer,
    Claim,
    Document,
    Number,
    Quantity,
    Reading,
    point,
)
from calculator.claims.world import World
from calculator.spec.result import AlternativeResult, Throughput

TOPIC = "Utilisation and networks"
NETWORK_PARTS = ("exposed_tp", "exposed_cp", "exposed_ep", "exposed_fsdp", "exposed_dp")
SPEED_TOLERANCE_FRACTION = 0.15
"""About half the 90 % error of predicted speed: finer than this no model can judge."""
FORWARD_PASSES_OF_A_STEP = 4.0
"""Forward, its repetition, and a backward pass of twice the work."""


def ran(result: AlternativeResult) -> Throughput:
    """Throughput of an alternative.

    Raises
    ------
    LookupError
        If it does not fit; the message says what is missing.
    """
    if result.throughput is None:
        raise LookupError(result.reason)
    return result.throughput


def _pair(label: str, document: Document, *, is_plain: bool = False) -> Reading:
    """InfiniBand against Ethernet: busy shares, MFU beside them."""

    def compute(world: World) -> Answer:
        heads = {}
        for key in ("infiniband", "ethernet"):
            result = world.alternative(document, key)
            ran(result)
            heads[key] = result.headline
        fast, slow = heads["infiniband"], heads["ethernet"]
        return Answer(
            values={
                "infiniband": fast.busy_share or 0.0,
                "ethernet": slow.busy_share or 0.0,
                "time_ratio": (slow.time_to_train_days or 0.0)
                / (fast.time_to_train_days or 1.0),
            },
            details=(
                Number("MFU on InfiniBand", fast.mfu or 0.0, "share"),
                Number("MFU on Ethernet", slow.mfu or 0.0, "share"),
            ),
            comparison=document,
        )

    return Reading(label, compute, is_plain=is_plain)


def _networks(fast: sc.Network, slow: sc.Network) -> dict[str, Document]:
    return {"infiniband": sc.own(fast, 8), "ethernet": sc.own(slow, 8)}


def _pair_readings() -> tuple[Reading, ...]:
    one_port = _networks(sc.IB_1X400, sc.ETH_1X200)
    per_gpu = _networks(sc.IB_8X400, sc.ETH_8X200)
    unequal = _networks(sc.IB_8X400, sc.ETH_1X200)
    return (
        _pair(
            "As written: one port of 400G against one of 200G per node, 4 million tokens "
            "per step as in Llama 2, fastest strategy",
            sc.comparison("one port per node, fastest strategy", one_port),
            is_plain=True,
        ),
        _pair(
            "One port of 400G against one of 200G per node, 8,192 tokens per GPU and "
            "step, fully sharded",
            sc.sharded_70b("one port per node, fully sharded", one_port),
        ),
        _pair(
            "One port per GPU, 8 x 400G against 8 x 200G, 8,192 tokens per GPU and step, "
            "fully sharded",
            sc.sharded_70b("one port per GPU", per_gpu),
        ),
        _pair(
            "8 ports of 400G against 1 port of 200G per node, 8,192 tokens per GPU and "
            "step, fully sharded, busy share not MFU",
            sc.sharded_70b("8 ports against 1", unequal),
        ),
        _pair(
            "8 ports of 400G against 1 port of 200G per node, two sequences of 8,192 at "
            "once per GPU, fully sharded",
            sc.sharded_70b("8 ports against 1, two sequences", unequal, seqs=2),
        ),
        _pair(
            "8 ports of 400G against 1 port of 200G per node, 65,536 tokens per GPU and "
            "step, fastest strategy",
            sc.comparison(
                "8 ports against 1, fastest strategy", unequal, global_batch_seqs=1024
            ),
        ),
    )


def _one(label: str, document: Document, *, is_plain: bool = False) -> Reading:
    """One Ethernet cluster: busy share, and network time over a forward pass."""

    def compute(world: World) -> Answer:
        result = world.alternative(document, "ethernet")
        parts = {part.key: part.seconds for part in ran(result).step}
        network_s = sum(parts.get(key, 0.0) for key in NETWORK_PARTS)
        kernel_s = sum(
            parts.get(key, 0.0)
            for key in ("compute_gemm", "attention", "memory_bound", "recompute")
        )
        passes = FORWARD_PASSES_OF_A_STEP if parts.get("recompute") else 3.0
        return Answer(
            values={
                "busy": result.headline.busy_share or 0.0,
                "sync_ratio": network_s * passes / kernel_s,
            },
            details=(Number("Step time", result.headline.step_time_s or 0.0, "s"),),
            comparison=document,
        )

    return Reading(label, compute, is_plain=is_plain)


def _ethernet(network: sc.Network) -> dict[str, Document]:
    return {"ethernet": sc.own(network, 8)}


def _at_100g() -> tuple[Reading, ...]:
    one, eight = _ethernet(sc.ETH_1X100), _ethernet(sc.ETH_8X100)
    return (
        _one(
            "As written: one port of 100G per node, 70B, 4 million tokens per step, "
            "fastest strategy",
            sc.comparison("100G Ethernet, fastest strategy", one),
            is_plain=True,
        ),
        _one(
            "One port of 100G per node, 70B, 8,192 tokens per GPU and step, fully sharded",
            sc.sharded_70b("100G Ethernet, fully sharded", one),
        ),
        _one(
            "One port of 100G per node, 70B, 8,192 tokens per GPU and step, fastest "
            "strategy",
            sc.comparison(
                "100G Ethernet, small batch",
                one,
                seq_len=8192,
                global_batch_seqs=64,
            ),
        ),
        _one(
            "One port of 100G per GPU, 70B, 8,192 tokens per GPU and step, fully sharded",
            sc.sharded_70b("8 x 100G Ethernet, fully sharded", eight),
        ),
        _one(
            "One port of 100G per node, 13B, 4,096 tokens per GPU and step, fully sharded",
            sc.comparison(
                "13B on 100G Ethernet",
                one,
                model="llama-2-13b",
                global_batch_seqs=64,
                strategy=sc.SHARDED,
            ),
        ),
        _one(
            "One port of 100G per node, 13B, 16,384 tokens per GPU and step, fastest "
            "strategy",
            sc.comparison(
                "13B on 100G Ethernet, fastest strategy",
                one,
                model="llama-2-13b",
                global_batch_seqs=256,
            ),
        ),
    )


def _at_25g() -> tuple[Reading, ...]:
    one = _ethernet(sc.ETH_1X25)
    return (
        _one(
            "As written: one port of 25G per node, 70B, 4 million tokens per step, "
            "fastest strategy",
            sc.comparison("25G Ethernet, fastest strategy", one),
            is_plain=True,
        ),
        _one(
            "One port of 25G per node, 70B, 8,192 tokens per GPU and step, fully sharded",
            sc.sharded_70b("25G Ethernet, fully sharded", one),
        ),
        _one(
            "One port of 25G per node, 70B, 32,768 tokens per GPU and step, fastest "
            "strategy",
            sc.comparison("25G Ethernet, half batch", one, global_batch_seqs=512),
        ),
        _one(
            "One port of 25G per node, 7B, 16,384 tokens per GPU and step, fastest "
            "strategy",
            sc.comparison(
                "7B on 25G Ethernet", one, model="llama-2-7b", global_batch_seqs=256
            ),
        ),
    )


def _eight_against_four(
    label: str, *, strategy: dict[str, object] | None, is_plain: bool = False
) -> Reading:
    document = sc.comparison(
        "8 nodes on 25G against 4 on InfiniBand",
        {"eight": sc.own(sc.ETH_1X25, 8), "four": sc.own(sc.IB_8X400, 4)},
        seq_len=8192 if strategy else 4096,
        global_batch_seqs=64 if strategy else 1024,
        strategy=strategy,
    )

    def compute(world: World) -> Answer:
        speeds = {
            key: ran(world.alternative(document, key)).tokens_per_s
            for key in ("eight", "four")
        }
        return Answer(
            {"speed_ratio": speeds["eight"] / speeds["four"]},
            details=tuple(
                Number(f"{key} nodes", speed, "tokens/s")
                for key, speed in speeds.items()
            ),
            comparison=document,
        )

    return Reading(label, compute, is_plain=is_plain)


def _small_model(label: str, network: sc.Network, *, is_plain: bool = False) -> Reading:
    document = sc.comparison(
        "a model under 1B on Ethernet",
        {"infiniband": sc.own(sc.IB_8X400, 8), "ethernet": sc.own(network, 8)},
        model="mpt-1b",
        seq_len=2048,
        global_batch_seqs=512,
        train_tokens_billions=20.0,
    )

    def compute(world: World) -> Answer:
        speed = {
            key: ran(world.alternative(document, key)).tokens_per_s
            for key in ("infiniband", "ethernet")
        }
        return Answer(
            {"kept": speed["ethernet"] / speed["infiniband"]}, comparison=document
        )

    return Reading(label, compute, is_plain=is_plain)


def _two_nodes(label: str, model: str, *, is_plain: bool = False) -> Reading:
    """Speed of two nodes over one, on the same batch."""
    document = sc.comparison(
        "one, two and four nodes",
        {
            "one": sc.own(None, 1, label="1 node"),
            "two": sc.own(sc.IB_8X400, 2, label="2 nodes"),
            "four": sc.own(sc.IB_8X400, 4, label="4 nodes"),
        },
        model=model,
    )

    def compute(world: World) -> Answer:
        speed = {
            key: ran(world.alternative(document, key)).tokens_per_s
            for key in ("one", "two", "four")
        }
        return Answer(
            {"speedup": speed["two"] / speed["one"]},
            details=(Number("Four nodes over one", speed["four"] / speed["one"], "x"),),
            comparison=document,
        )

    return Reading(label, compute, is_plain=is_plain)


CLAIMS = (
    Claim(
        id="busy-87-23",
        topic=TOPIC,
        title="87 % busy on InfiniBand, 23 % on Ethernet",
        statement="A 70B model on 8 nodes of 8 H100 keeps its GPUs 87 % busy on 400 Gb/s "
        "InfiniBand and 23 % busy on 200 Gb/s Ethernet.",
        quantities=(
            point(
                "infiniband",
                "Busy on InfiniBand",
                "share",
                0.87,
                SPEED_TOLERANCE_FRACTION,
            ),
            point(
                "ethernet", "Busy on Ethernet", "share", 0.23, SPEED_TOLERANCE_FRACTION
            ),
        ),
        readings=_pair_readings(),
        evidence=lambda _world: rows("busy-87-23"),
    ),
    Claim(
        id="busy-85-25",
        topic=TOPIC,
        title="85 % against 25 %",
        statement="The guide's summary gives the same pair as 85 % and 25 %.",
        quantities=(
            point(
                "infiniband",
                "Busy on InfiniBand",
                "share",
                0.85,
                SPEED_TOLERANCE_FRACTION,
            ),
            point(
                "ethernet", "Busy on Ethernet", "share", 0.25, SPEED_TOLERANCE_FRACTION
            ),
        ),
        readings=_pair_readings(),
        evidence=lambda _world: rows("busy-87-23"),
    ),
    Claim(
        id="training-triples",
        topic=TOPIC,
        title="Training takes three times as long on Ethernet",
        statement="Time to train triples when InfiniBand is replaced by Ethernet.",
        quantities=(
            point(
                "time_ratio",
                "Time on Ethernet over InfiniBand",
                "x",
                3.0,
                SPEED_TOLERANCE_FRACTION,
            ),
        ),
        readings=_pair_readings(),
    ),
    Claim(
        id="sync-100g",
        topic=TOPIC,
        title="100 Gb/s: synchronisation of 3-5 forward passes, 20 % busy",
        statement="At 100 Gb/s Ethernet gradient synchronisation takes three to five "
        "times a forward pass, and utilisation falls to 20 %.",
        quantities=(
            Quantity(
                "sync_ratio",
                "Exposed network time over a forward pass",
                "x",
                3,
                5,
                SPEED_TOLERANCE_FRACTION,
            ),
            point("busy", "Busy share", "share", 0.20, SPEED_TOLERANCE_FRACTION),
        ),
        readings=_at_100g()[:4],
    ),
    Claim(
        id="busy-40-60",
        topic=TOPIC,
        title="40-60 % above 10B on 100 Gb/s",
        statement="Elsewhere the guide gives 40-60 % utilisation for models above 10B on "
        "100 Gb/s Ethernet.",
        quantities=(Quantity("busy", "Busy share", "share", 0.40, 0.60, 0.0),),
        readings=_at_100g(),
    ),
    Claim(
        id="idle-25g",
        topic=TOPIC,
        title="25 Gb/s leaves GPUs idle 70 % of the time",
        statement="On 25 Gb/s Ethernet GPUs wait 70 % of the time.",
        quantities=(
            point("busy", "Busy share", "share", 0.30, SPEED_TOLERANCE_FRACTION),
        ),
        readings=_at_25g(),
    ),
    Claim(
        id="eight-slower-than-four",
        topic=TOPIC,
        title="Eight nodes on 25 Gb/s are slower than four on InfiniBand",
        statement="Eight nodes behind 25 Gb/s Ethernet train slower than four nodes on "
        "InfiniBand.",
        quantities=(
            Quantity(
                "speed_ratio", "Eight nodes over four, tokens/s", "x", None, 1.0, 0.0
            ),
        ),
        readings=(
            _eight_against_four(
                "As written: one port of 25G against 8 ports of 400G per node, 70B, "
                "4 million tokens per step, fastest strategy",
                strategy=None,
                is_plain=True,
            ),
            _eight_against_four(
                "One port of 25G against 8 ports of 400G per node, 70B, fully sharded, 64 "
                "sequences of 8,192 tokens per step",
                strategy=sc.SHARDED,
            ),
        ),
    ),
    Claim(
        id="ethernet-small-models",
        topic=TOPIC,
        title="Ethernet is fine below 1B",
        statement="Models under 1B parameters lose little on Ethernet (read here as at "
        "least 90 % of the speed on InfiniBand).",
        quantities=(
            Quantity("kept", "Speed kept on Ethernet", "share", 0.90, None, 0.0),
        ),
        readings=(
            _small_model(
                "1.3B (the smallest shape of the catalog), one port of 100G per node, "
                "16,384 tokens per GPU and step",
                sc.ETH_1X100,
                is_plain=True,
            ),
            _small_model(
                "1.3B, one port of 200G per node, 16,384 tokens per GPU and step",
                sc.ETH_1X200,
            ),
            _small_model(
                "1.3B, one port of 100G per GPU, 16,384 tokens per GPU and step",
                sc.ETH_8X100,
            ),
        ),
    ),
    Claim(
        id="never-two-nodes",
        topic=TOPIC,
        title="Never two nodes",
        statement="Two nodes are not worth it, four are the minimum (read here as: two "
        "nodes bring less than half of a second node's speed).",
        quantities=(
            Quantity("speedup", "Two nodes over one, tokens/s", "x", None, 1.5, 0.0),
        ),
        readings=(
            _two_nodes(
                "13B on one, two and four nodes with 8 x 400G InfiniBand",
                "llama-2-13b",
                is_plain=True,
            ),
            _two_nodes(
                "7B on one, two and four nodes with 8 x 400G InfiniBand", "llama-2-7b"
            ),
        ),
    ),
)
