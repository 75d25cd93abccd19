"""Claims about prices and generations of hardware. PURE."""

from __future__ import annotations

from dataclasses import replace

from calculator.claims import scenarios as sc
from calculator.claims.model import (
    Answer,
    Claim,
    Document,
    Evidence,
    Number,
    Quantity,
    Reading,
    point,
)
from calculator.claims.utilisation import ran
from calculator.claims.world import World
from calculator.engine.units import HOURS_PER_MONTH
from calculator.spec.result import AlternativeResult

TOPIC = "Prices and generations"
NODE_GPUS = 8
ARTICLE_BOOK = "sivaro-2026-07"
ARTICLE_ITEM = "node-sivaro-h100"


def _node_as_article(world: World) -> float:
    return world.price(ARTICLE_ITEM, ARTICLE_BOOK)


def _adapters(world: World) -> float:
    return NODE_GPUS * world.price("cx7-400g")


def _node_new(world: World) -> float:
    return world.price("hgx-h100-server") + _adapters(world)


def _node_used(world: World) -> float:
    """Eight used GPUs at the low end, the rest of the node from parts."""
    design = world.snapshot.designs["hgx-h100-parts"]
    rest = sum(
        line.quantity * world.price(line.component)
        for line in design.lines
        if line.component != "hgx-h100-baseboard"
    )
    low = world.snapshot.price("h100-sxm-used").low
    if low is None:
        raise LookupError("no low price of a used H100 is known")
    return NODE_GPUS * low + rest


def _node_readings(n_nodes: int) -> tuple[Reading, ...]:
    unit = "node" if n_nodes == 1 else f"{n_nodes} nodes"
    return (
        Reading(
            f"{unit}, new: dealer price of an HGX H100 server with eight 400G adapters",
            lambda world: Answer({"usd": n_nodes * _node_new(world)}),
            is_plain=True,
        ),
        Reading(
            f"{unit} with eight used GPUs at the low end of their price, the rest from "
            "new parts",
            lambda world: Answer({"usd": n_nodes * _node_used(world)}),
        ),
    )


def _own_price(n_nodes: int) -> Reading:
    return Reading(
        f"{n_nodes} nodes at the guide's own node price, without fabric and storage",
        lambda world: Answer({"usd": n_nodes * _node_as_article(world)}),
    )


def _whole(label: str, n_nodes: int, design: str, *, is_plain: bool = False) -> Reading:
    document = sc.comparison(
        f"{n_nodes} nodes with fabric and storage",
        {"cluster": sc.own(sc.IB_8X400, n_nodes, design=design)},
        global_batch_seqs=1024,
    )

    def compute(world: World) -> Answer:
        result = world.alternative(document, "cluster")
        capex = result.headline.capex_usd or 0.0
        details = (Number("Nodes alone", _nodes_usd(result), "USD"),)
        return Answer({"usd": capex}, details=details, comparison=document)

    return Reading(label, compute, is_plain=is_plain)


def _nodes_usd(result: AlternativeResult) -> float:
    return sum(
        line.amount_usd or 0.0 for line in result.lines if line.group == "compute"
    )


def _payback(label: str, document: Document, *, is_plain: bool = False) -> Reading:
    """Months until the tokens that InfiniBand adds are worth its extra price."""

    def compute(world: World) -> Answer:
        fast = world.alternative(document, "infiniband").headline
        slow = world.alternative(document, "ethernet").headline
        extra_usd = (fast.capex_usd or 0.0) - (slow.capex_usd or 0.0)
        gained = (fast.useful_tokens_per_month or 0.0) / (
            slow.useful_tokens_per_month or 1.0
        ) - 1.0
        worth = (
            gained
            * (slow.usd_per_gpu_hour or 0.0)
            * HOURS_PER_MONTH
            * _n_gpus(document)
        )
        if worth <= 0:
            raise LookupError("InfiniBand brings no token more, so it never pays back")
        return Answer(
            {"months": max(extra_usd, 0.0) / worth},
            details=(
                Number("Extra price", extra_usd, "USD"),
                Number("Extra tokens", gained, "share"),
            ),
            comparison=document,
        )

    return Reading(label, compute, is_plain=is_plain)


def _n_gpus(document: Document) -> int:
    option: Document = document["alternatives"]["infiniband"]
    return NODE_GPUS * int(option["n_nodes"])


def _two(fast: sc.Network, slow: sc.Network) -> dict[str, Document]:
    return {"infiniband": sc.own(fast, 8), "ethernet": sc.own(slow, 8)}


def _generation(
    label: str,
    document: Document,
    *,
    is_loss: bool,
    is_plain: bool = False,
) -> Reading:
    """Speed of other hardware over H100, or what it loses."""

    def compute(world: World) -> Answer:
        speed = {
            key: ran(world.alternative(document, key)).tokens_per_s
            for key in ("h100", "other")
        }
        ratio = speed["other"] / speed["h100"]
        return Answer({"ratio": 1.0 - ratio if is_loss else ratio}, comparison=document)

    return Reading(label, compute, is_plain=is_plain)


def _against_h100(
    design: str, label: str, network: sc.Network, n_nodes: int = 8
) -> dict[str, Document]:
    return {
        "h100": sc.own(network, n_nodes, label="H100"),
        "other": sc.own(network, n_nodes, design=design, label=label),
    }


def _fp8_ratio(world: World, attribute: str) -> float:
    return world.attribute("b200-sxm", attribute) / world.attribute(
        "h100-sxm", attribute
    )


def _b200_evidence(world: World) -> tuple[Evidence, ...]:
    newer = world.listed("aws-p6-b200-48xlarge-on-demand", "AWS price, p6-b200 over p5")
    ratio = newer.low / world.price("aws-p5-48xlarge-on-demand")
    return (
        world.published("b200-sxm", "mamf_fp8_tflops", "Measured B200, FP8", "TFLOP/s"),
        world.published("h100-sxm", "mamf_fp8_tflops", "Measured H100, FP8", "TFLOP/s"),
        replace(newer, low=ratio, high=ratio, unit="x"),
    )


def _price_path(world: World) -> Answer:
    quotes = [row for row in world.history["market-h100-list"] if row.mid is not None]
    if len(quotes) < 2:
        raise LookupError("the catalog holds no price history")
    mids = [row.mid or 0.0 for row in quotes]
    details = tuple(
        Number(f"Median list price, {row.observed_on}", row.mid or 0.0, "USD/GPU-hour")
        for row in (quotes[0], quotes[-2], quotes[-1])
    )
    return Answer({"change": mids[-1] / min(mids[:-1]) - 1.0}, details=details)


def _mi300x(world: World) -> Answer:
    peak, best = (
        world.attribute("mi300x", name) / world.attribute("h100-sxm", name)
        for name in ("peak_bf16_tflops", "mamf_bf16_tflops")
    )
    return Answer({"peak": peak, "measured": best})


CLAIMS = (
    Claim(
        id="node-price",
        topic=TOPIC,
        title="A node costs about 180,000 USD",
        statement="An 8 x H100 SXM node costs about 180,000 USD fully loaded.",
        quantities=(Quantity("usd", "Price of a node", "USD", 172_000, 200_000, 0.05),),
        readings=_node_readings(1),
        evidence=lambda world: (
            world.listed("hgx-h100-server", "New 8 x H100 server, dealer listings"),
            world.listed("hgx-h100-baseboard", "Eight-GPU baseboard alone"),
            world.listed("h100-sxm-used", "One used H100 SXM"),
            world.listed("dgx-h100", "DGX H100"),
        ),
    ),
    Claim(
        id="eight-nodes",
        topic=TOPIC,
        title="Eight nodes cost 1.44 million USD",
        statement="Eight nodes cost 1.44 million USD.",
        quantities=(point("usd", "Price of eight nodes", "USD", 1_440_000, 0.05),),
        readings=(
            _whole(
                "Eight nodes at the guide's node price with the fabric, storage, spares, "
                "racks, freight and installation they need",
                8,
                sc.ARTICLE_NODE,
                is_plain=True,
            ),
            *(Reading(r.label, r.compute) for r in _node_readings(8)),
            _own_price(8),
        ),
    ),
    Claim(
        id="sixty-four-nodes",
        topic=TOPIC,
        title="64 nodes cost 11 million USD",
        statement="64 nodes cost 11 million USD.",
        quantities=(point("usd", "Price of 64 nodes", "USD", 11_000_000, 0.05),),
        readings=(
            _whole(
                "64 nodes at the guide's node price with fabric, storage, spares, racks, "
                "freight and installation",
                64,
                sc.ARTICLE_NODE,
                is_plain=True,
            ),
            *(Reading(r.label, r.compute) for r in _node_readings(64)),
            _own_price(64),
        ),
    ),
    Claim(
        id="four-nodes",
        topic=TOPIC,
        title="Four nodes with fabric and storage cost 600-800 thousand USD",
        statement="The smallest useful cluster, four nodes with fabric and storage, "
        "costs 600,000 to 800,000 USD.",
        quantities=(
            Quantity("usd", "Price of the cluster", "USD", 600_000, 800_000, 0.05),
        ),
        readings=(
            _whole(
                "Four nodes at the guide's node price, 8 x 400G InfiniBand, 100 TB of "
                "parallel file system",
                4,
                sc.ARTICLE_NODE,
                is_plain=True,
            ),
            _whole(
                "Four nodes at dealer prices of new servers, same fabric and storage",
                4,
                sc.DEALER_NODE,
            ),
            _own_price(4),
        ),
    ),
    Claim(
        id="infiniband-pays-back",
        topic=TOPIC,
        title="InfiniBand pays for itself within months",
        statement="Above 1B parameters InfiniBand pays for itself within months (read "
        "here as at most twelve).",
        quantities=(
            Quantity("months", "Months until it has paid", "months", None, 12, 0.0),
        ),
        readings=(
            _payback(
                "70B on 8 nodes, 8 ports of 400G InfiniBand against one port of 200G "
                "Ethernet, 4 million tokens per step, fastest strategy",
                sc.comparison(
                    "InfiniBand against 200G Ethernet", _two(sc.IB_8X400, sc.ETH_1X200)
                ),
                is_plain=True,
            ),
            _payback(
                "70B fully sharded, 8,192 tokens per GPU and step, 8 ports of 400G "
                "InfiniBand against one port of 200G Ethernet",
                sc.sharded_70b(
                    "InfiniBand against 200G Ethernet, sharded",
                    _two(sc.IB_8X400, sc.ETH_1X200),
                ),
            ),
            _payback(
                "The same rate on both: 8 x 400G InfiniBand against 8 x 400G Ethernet",
                sc.comparison(
                    "InfiniBand against Ethernet of the same rate",
                    _two(sc.IB_8X400, sc.ETH_8X400),
                ),
            ),
        ),
    ),
    Claim(
        id="used-a100",
        topic=TOPIC,
        title="Used A100s lose 30-40 % of the throughput",
        statement="Used A100 or refurbished gear gives 30-40 % lower throughput.",
        quantities=(Quantity("ratio", "Throughput lost", "share", 0.30, 0.40, 0.0),),
        readings=(
            _generation(
                "70B on 8 nodes of A100 against H100, 8 x 200G InfiniBand-class Ethernet "
                "on both",
                sc.comparison(
                    "A100 against H100",
                    _against_h100("a100-used-8", "A100", sc.ETH_8X200),
                ),
                is_loss=True,
                is_plain=True,
            ),
            _generation(
                "70B fully sharded behind one port of 200G per node, where the network "
                "decides",
                sc.sharded_70b(
                    "A100 against H100 on one port",
                    _against_h100("a100-used-8", "A100", sc.ETH_1X200),
                ),
                is_loss=True,
            ),
        ),
        evidence=lambda world: (
            world.published(
                "a100-sxm-80gb",
                "mamf_bf16_tflops",
                "Measured A100 matrix products",
                "TFLOP/s",
            ),
            world.published(
                "h100-sxm",
                "mamf_bf16_tflops",
                "Measured H100 matrix products",
                "TFLOP/s",
            ),
        ),
    ),
    Claim(
        id="b200-fp8",
        topic=TOPIC,
        title="B200 trains twice as fast in FP8",
        statement="B200 gives twice the FP8 throughput of H100.",
        quantities=(point("ratio", "B200 over H100", "x", 2.0, 0.15),),
        readings=(
            _generation(
                "70B in FP8 on 8 nodes, 8 x 400G InfiniBand on both, fastest strategy",
                sc.comparison(
                    "B200 against H100 in FP8",
                    _against_h100("dgx-b200", "B200", sc.IB_8X400),
                    precision="fp8",
                ),
                is_loss=False,
                is_plain=True,
            ),
            Reading(
                "Vendors' dense FP8 peaks",
                lambda world: Answer({"ratio": _fp8_ratio(world, "peak_fp8_tflops")}),
            ),
            Reading(
                "Measured FP8 matrix products",
                lambda world: Answer({"ratio": _fp8_ratio(world, "mamf_fp8_tflops")}),
            ),
        ),
        evidence=_b200_evidence,
    ),
    Claim(
        id="mi300x",
        topic=TOPIC,
        title="MI300X: competitive on paper, behind in software",
        statement="MI300X is competitive in raw compute and behind in software.",
        quantities=(
            Quantity("peak", "bf16 peak, MI300X over H100", "x", 1.0, None, 0.0),
            Quantity(
                "measured", "Measured matrix products over H100", "x", None, 1.0, 0.0
            ),
        ),
        readings=(
            Reading(
                "Vendors' dense peaks against measured matrix products", _mi300x, True
            ),
        ),
        evidence=lambda world: (
            world.published("mi300x", "mamf_bf16_tflops", "Measured MI300X", "TFLOP/s"),
            world.published("h100-sxm", "mamf_bf16_tflops", "Measured H100", "TFLOP/s"),
        ),
    ),
    Claim(
        id="h100-prices-fall",
        topic=TOPIC,
        title="H100 time only gets cheaper",
        statement="Implied by the advice to deploy H100 now and to upgrade in 18 months: "
        "its rental price does not rise again.",
        quantities=(
            Quantity(
                "change",
                "Latest median over the lowest before",
                "share",
                None,
                0.0,
                0.0,
            ),
        ),
        readings=(
            Reading(
                "Median list price of H100 in the catalog, over time", _price_path, True
            ),
        ),
        evidence=lambda world: (
            world.listed(
                "market-h100-list", "H100 list prices now", unit="USD/GPU-hour"
            ),
            world.listed("market-h100-index", "H100 price index", unit="USD/GPU-hour"),
        ),
    ),
)
