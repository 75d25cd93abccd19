"""The claims about memory, power, fabrics, storage and failures, as data. PURE."""

from __future__ import annotations

from calculator.claims import operations as op
from calculator.claims.evidence import rows
from calculator.claims.model import Answer, Claim, Quantity, Reading, point

H100_MEMORY_GB = 80.0
ADAPTERS_ONLY = ("optimizer", "gradients")
"""Memory parts that a run without full fine-tuning does not have."""

MEMORY_CLAIMS = (
    Claim(
        id="one-node-60b",
        topic=op.MEMORY,
        title="One node trains up to 60B with FSDP",
        statement="Eight H100 of 80 GB train models up to about 60B with full sharding.",
        quantities=(Quantity("largest", "Largest model", "B parameters", 60, None),),
        readings=(
            op.largest(
                8,
                "Adam with fp32 states, full recompute, one sequence of 4,096 per GPU",
                is_plain=True,
            ),
            op.offloaded(8),
        ),
    ),
    Claim(
        id="one-node-70b",
        topic=op.MEMORY,
        title="70B fits one node at two sequences per GPU",
        statement="A fully sharded 70B fits eight H100 with about two sequences per GPU.",
        quantities=(Quantity("gb", "Memory per GPU", "GB", None, H100_MEMORY_GB, 0.0),),
        readings=(
            op.two_sequences(
                "Adam with fp32 states, full recompute, sequences of 4,096",
                is_plain=True,
            ),
            op.two_sequences("Adam's states in host memory (CPU offload)", "optimizer"),
        ),
    ),
    Claim(
        id="shard-grad-op",
        topic=op.MEMORY,
        title="70B: 16 H100 with SHARD_GRAD_OP, 8 with FULL_SHARD",
        statement="70B needed 16 H100 while parameters were replicated (SHARD_GRAD_OP) "
        "and fits 8 when they are sharded too (FULL_SHARD).",
        quantities=(
            Quantity(
                "grad_op", "16 GPUs, SHARD_GRAD_OP", "GB", None, H100_MEMORY_GB, 0.0
            ),
            Quantity("full", "8 GPUs, FULL_SHARD", "GB", None, H100_MEMORY_GB, 0.0),
        ),
        readings=(
            op.shard_pair("Adam with fp32 states, bf16 weights", is_plain=True),
            op.shard_pair("Adam's states in host memory", "optimizer"),
            op.shard_pair("Adapters only: no states, no gradients", *ADAPTERS_ONLY),
        ),
    ),
    Claim(
        id="scale-4-8",
        topic=op.MEMORY,
        title="Four to eight nodes train 70B to 300B",
        statement="Four nodes fit 70B, eight nodes fit 300B.",
        quantities=(
            Quantity("four", "Largest model on 4 nodes", "B parameters", 70, None),
            Quantity("eight", "Largest model on 8 nodes", "B parameters", 300, None),
        ),
        readings=(
            Reading(
                "Full sharding, Adam with fp32 states, full recompute",
                lambda world: Answer(
                    {
                        "four": world.largest_model_billions(32),
                        "eight": world.largest_model_billions(64),
                    }
                ),
                is_plain=True,
            ),
            Reading(
                "Full sharding, Adam's states in host memory",
                lambda world: Answer(
                    {
                        "four": world.largest_model_billions(
                            32, without=("optimizer",)
                        ),
                        "eight": world.largest_model_billions(
                            64, without=("optimizer",)
                        ),
                    }
                ),
            ),
        ),
    ),
    Claim(
        id="limit-all-gathers",
        topic=op.MEMORY,
        title="Without limit_all_gathers memory peaks 30 % higher",
        statement="Peak memory grows by 30 % when limit_all_gathers is off.",
        untested="The memory model holds two gathered layers, as the limiter does; how "
        "far an unlimited run gathers ahead depends on timing that no source states.",
    ),
)

POWER_CLAIMS = (
    Claim(
        id="node-power",
        topic=op.POWER,
        title="A node draws 4.5 kW",
        statement="An 8 x H100 node draws 4.5 kW.",
        quantities=(point("kw", "Mean draw in training", "kW", 4.5),),
        readings=(Reading("Node of the catalog, in training", op.power, True),),
        evidence=lambda _world: rows("node-power"),
    ),
    Claim(
        id="power-64",
        topic=op.POWER,
        title="64 nodes draw 300 kW and more",
        statement="64 nodes need 300 kW or a little more (4.7 kW a node).",
        quantities=(point("kw", "Mean draw of nodes and network", "kW", 300),),
        readings=(Reading("64 nodes with their fabric", op.power_64, True),),
    ),
    Claim(
        id="liquid-cooling",
        topic=op.POWER,
        title="Above 4 kW a node needs liquid cooling",
        statement="Nodes above 4 kW have to be cooled by liquid.",
        quantities=(
            Quantity("kw", "Largest rating of an air-cooled node", "kW", None, 4.0),
        ),
        readings=(Reading("Node designs of the catalog", op.air_cooled, True),),
        evidence=lambda _world: rows("node-power")[1:],
    ),
    Claim(
        id="node-400g",
        topic=op.POWER,
        title="400 Gb/s InfiniBand between nodes",
        statement="Nodes are joined at 400 Gb/s.",
        quantities=(point("gbps", "Rate", "Gb/s", 400),),
        readings=(op.node_ports(per_gpu=False), op.node_ports(per_gpu=True)),
    ),
    Claim(
        id="nvlink-900",
        topic=op.POWER,
        title="900 GB/s of NVLink per GPU",
        statement="NVSwitch joins the GPUs of a node at 900 GB/s each.",
        quantities=(point("rate", "Rate per GPU", "GB/s", 900),),
        readings=(op.nvlink(both=False), op.nvlink(both=True)),
    ),
)

FABRIC_CLAIMS = (
    Claim(
        id="single-switch",
        topic=op.FABRIC,
        title="Four to eight nodes: one non-blocking QM9700",
        statement="Up to eight nodes are joined without blocking by a QM9700 at the top "
        "of the rack.",
        quantities=(point("switches", "Switches for 8 nodes", "count", 1, 0.0),),
        readings=(Reading("Eight ports of 400G per node", op.one_switch, True),),
        evidence=lambda _world: rows("single-switch"),
    ),
    Claim(
        id="leaf-eight-nodes",
        topic=op.FABRIC,
        title="Each leaf connects eight nodes",
        statement="In a two-level tree of 16-32 nodes each leaf connects eight nodes, "
        "non-blocking.",
        quantities=(
            point("nodes", "Nodes of a leaf", "nodes", 8, 0.0),
            Quantity("uplinks", "Uplinks of a leaf", "count", 1, None, 0.0),
        ),
        readings=(
            op.leaf(
                "Top of rack, every port of a node on one leaf, non-blocking, 32 nodes",
                32,
                "fat_tree",
                is_plain=True,
            ),
            op.leaf(
                "Rail-optimised, one leaf per port of a node", 32, "rail_optimised"
            ),
            op.leaf("Eight nodes fill one switch: no uplinks", 8, "single_switch"),
        ),
        evidence=lambda _world: rows("leaf-eight-nodes"),
    ),
    Claim(
        id="three-tiers",
        topic=op.FABRIC,
        title="64-128 nodes need three tiers",
        statement="Clusters of 64 to 128 nodes need a three-level tree.",
        quantities=(point("tiers", "Switch tiers for 128 nodes", "count", 3, 0.0),),
        readings=(
            Reading(
                "Non-blocking, eight ports of 400G per node, QM9700", op.tiers, True
            ),
        ),
        evidence=lambda _world: rows("three-tiers"),
    ),
    Claim(
        id="copper-optics",
        topic=op.FABRIC,
        title="Optics gave 10 % over long copper",
        statement="Copper beyond 5 m was degraded; optics brought 10 %.",
        quantities=(
            point("gain", "Gain if copper ran at half its rate", "share", 0.10),
        ),
        readings=(Reading("70B fully sharded on 8 nodes, 8 x 400G", op.copper, True),),
        untested="The rate of the degraded copper is not stated; any gain can be had by "
        "choosing one.",
    ),
)

STORAGE_CLAIMS = (
    Claim(
        id="nfs-demand",
        topic=op.STORAGE,
        title="128 GPUs read 128 GB/s",
        statement="128 GPUs read 1 GB/s each, against a filer that gives 3 GB/s.",
        quantities=(point("gbytes", "Read by 128 GPUs", "GB/s", 128),),
        readings=(
            op.demand(
                "Pre-tokenised text, 4 bytes per token, 70B",
                "llama-2-70b",
                4.0,
                is_plain=True,
            ),
            op.demand(
                "Raw image patches, 768 bytes per token, 7B", "llama-2-7b", 768.0
            ),
        ),
        evidence=lambda _world: rows("nfs-demand"),
    ),
    Claim(
        id="three-days",
        topic=op.STORAGE,
        title="Three days became 14 hours",
        statement="Moving from one filer of 3 GB/s to storage of 50 GB/s took a run on "
        "128 GPUs from three days to 14 hours.",
        quantities=(point("ratio", "Speed-up", "x", op.ARTICLE_RATIO),),
        readings=(
            op.filer("Demand of 1 GB/s per GPU, as written", 128.0, is_plain=True),
            op.filer("Demand of 1 GB/s per node", 16.0),
            op.filer("Pre-tokenised text, 4 bytes per token", None),
        ),
    ),
    Claim(
        id="data-loader",
        topic=op.STORAGE,
        title="num_workers 8, prefetch_factor 4",
        statement="Too few loader processes starve the GPUs.",
        untested="Decoding on the host is not modelled, storage bandwidth is.",
    ),
)

FAILURE_CLAIMS = (
    Claim(
        id="failures-per-month",
        topic=op.FAILURES,
        title="One or two GPU failures a month on 64-128 nodes",
        statement="A cluster of 64 to 128 nodes loses one or two GPUs a month.",
        quantities=(Quantity("failures", "Failures a month", "count", 1, 2, 0.0),),
        readings=(
            op.failures(
                "GPU failures that stop a job, 64 nodes", 64, "GPU", is_plain=True
            ),
            op.failures("GPU failures that stop a job, 128 nodes", 128, "GPU"),
            op.failures("Interruptions of all causes, 64 nodes", 64, ""),
        ),
        evidence=lambda _world: rows("failures-per-month"),
    ),
    Claim(
        id="nic-failure",
        topic=op.FAILURES,
        title="One adapter at hour 47 cost 12,000 USD",
        statement="The failure of one adapter at hour 47 lost 12,000 USD of compute.",
        quantities=(point("usd", "Compute lost", "USD", 12_000, 0.25),),
        readings=(
            op.nic(
                "64 GPUs, checkpoints at the best interval, median rental price",
                8,
                has_checkpoint=True,
                is_plain=True,
            ),
            op.nic(
                "64 GPUs without any checkpoint: all 47 hours are lost",
                8,
                has_checkpoint=False,
            ),
            op.nic("512 GPUs with checkpoints", 64, has_checkpoint=True),
        ),
        evidence=lambda _world: rows("nic-failure"),
    ),
    Claim(
        id="slow-link",
        topic=op.FAILURES,
        title="One link at 50 Gb/s costs 8,000 USD a day",
        statement="A link that runs at 50 instead of 400 Gb/s wastes about 8,000 USD of "
        "compute a day.",
        quantities=(point("usd", "Compute wasted a day", "USD", 8_000, 0.25),),
        readings=(
            op.slow_link(
                "8 nodes, 70B, 4 million tokens per step, fastest strategy",
                8,
                is_sharded=False,
                is_plain=True,
            ),
            op.slow_link(
                "8 nodes, fully sharded, 8,192 tokens per GPU", 8, is_sharded=True
            ),
            op.slow_link(
                "16 nodes, fully sharded, 8,192 tokens per GPU", 16, is_sharded=True
            ),
            op.slow_link(
                "24 nodes, fully sharded, 8,192 tokens per GPU", 24, is_sharded=True
            ),
            op.slow_link(
                "64 nodes, 4 million tokens per step, fastest strategy",
                64,
                is_sharded=False,
            ),
        ),
    ),
    Claim(
        id="gpu-spread",
        topic=op.FAILURES,
        title="7 of 256 GPUs were too slow",
        statement="In a stress test of 30 minutes 7 of 256 GPUs (2.7 %) ran more than 5 % "
        "under the median and went back.",
        quantities=(point("share", "GPUs more than 5 % slow", "share", 7 / 256, 0.5),),
        readings=(
            Reading(
                "Normal spread of GPU speed, fitted on training runs", op.spread, True
            ),
        ),
        evidence=lambda _world: rows("gpu-spread"),
        untested="The fitted spread describes clusters after their burn-in; what a "
        "delivery holds before it is a matter of quality control.",
    ),
    Claim(
        id="straggler-15",
        topic=op.FAILURES,
        title="A node 15 % behind gets a smaller batch",
        statement="Synchronous training runs at the pace of its slowest node, so a node "
        "15 % behind is given a smaller batch.",
        untested="Uneven batches are not modelled; the pace of the slowest GPU is, "
        "through the spread of GPU speed.",
        evidence=lambda _world: rows("straggler-15"),
    ),
)

CLAIMS = (
    *MEMORY_CLAIMS,
    *POWER_CLAIMS,
    *FABRIC_CLAIMS,
    *STORAGE_CLAIMS,
    *FAILURE_CLAIMS,
)
