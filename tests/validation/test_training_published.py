"""Published runs that the throughput and goodput models have to reproduce.

Every row carries its source; every tolerance says what it allows for.
"""

import dataclasses

import pytest

from calculator.engine.training.inputs import (
    FailureClass,
    ModelShape,
    ReliabilityInputs,
    Strategy,
    StrategyPins,
    Workload,
)
from calculator.engine.training.reliability import expected_ettr, goodput
from calculator.engine.training.throughput import best_strategy, evaluate_strategy
from calculator.engine.units import SECONDS_PER_DAY, SECONDS_PER_HOUR
from tests.engine.training.cases import (
    A100,
    H100,
    LLAMA_70B,
    LLAMA_405B,
    STORAGE,
    network,
)

NDR = {"ports": 8, "gbps": 400.0}
HDR = {"ports": 8, "gbps": 200.0}


def gpt(name, layers, hidden, heads, vocab=51200):
    head = hidden // heads
    return ModelShape(
        name, layers, hidden, 4 * hidden, heads, heads, head, vocab, False, True
    )


def llama3(name, layers, hidden, ffn, heads):
    return ModelShape(name, layers, hidden, ffn, heads, 8, hidden // heads, 128256)


LLAMA3_70B = llama3("Llama-3.1-70B", 80, 8192, 28672, 64)
LLAMA3_8B = llama3("Llama-3.1-8B", 32, 4096, 14336, 32)

# settings: GPU, nodes, ports, sequence, batch, number format, stack
# split: tp, pp, vp, cp, dp, sharding, micro-batch, recompute; last: tokens/s per GPU
MEGATRON_2021 = "Megatron-LM, arXiv:2104.04473 table 1: "
MEGATRON_2022 = "Megatron-LM, arXiv:2205.05198 table 5: "
FOUNDRY = "llm-foundry benchmark tables: "
DGX_CLOUD = "NVIDIA DGX Cloud benchmarking recipes: "
MEASURED = [
    (
        MEGATRON_2021 + "GPT 18B",
        gpt("GPT-18B", 40, 6144, 48),
        (A100, 32, HDR, 2048, 1024, "fp16", "megatron-2021"),
        (8, 1, 1, 1, 32, "none", 8, "full"),
        871.6,
    ),
    (
        MEGATRON_2021 + "GPT 145B",
        gpt("GPT-145B", 80, 12288, 96),
        (A100, 192, HDR, 2048, 2304, "fp16", "megatron-2021"),
        (8, 8, 2, 1, 24, "none", 2, "full"),
        123.8,
    ),
    (
        MEGATRON_2021 + "GPT 1T",
        gpt("GPT-1T", 128, 25600, 160),
        (A100, 384, HDR, 2048, 3072, "fp16", "megatron-2021"),
        (8, 64, 1, 1, 6, "none", 1, "full"),
        19.96,
    ),
    (
        MEGATRON_2022 + "GPT-3 175B, selective recompute",
        gpt("GPT-3", 96, 12288, 96),
        (A100, 8, HDR, 2048, 64, "fp16", "megatron-2022"),
        (8, 8, 3, 1, 1, "none", 1, "selective"),
        148.9,
    ),
    (
        FOUNDRY + "MPT 70B on 64 H100",
        gpt("MPT-70B", 80, 8192, 64, vocab=50368),
        (H100, 8, NDR, 2048, 2048, "bf16", "fsdp-pure-bf16"),
        (1, 1, 1, 1, 64, "zero3", 8, "full"),
        1039.0,
    ),
    (
        FOUNDRY + "MPT 70B on 64 A100, 1600 Gb/s RoCE",
        gpt("MPT-70B", 80, 8192, 64, vocab=50368),
        (A100, 8, HDR | {"transport": "roce"}, 2048, 2048, "bf16", "fsdp-pure-bf16"),
        (1, 1, 1, 1, 64, "zero3", 8, "full"),
        410.0,
    ),
    (
        DGX_CLOUD + "Llama 3.1 8B bf16",
        LLAMA3_8B,
        (H100, 8, NDR, 8192, 1024, "bf16", "nemo-2025"),
        (1, 1, 1, 2, 32, "zero1", 1, "none"),
        10021.0,
    ),
    (
        DGX_CLOUD + "Llama 3.1 70B bf16 on 64 GPUs",
        LLAMA3_70B,
        (H100, 8, NDR, 8192, 128, "bf16", "nemo-2025"),
        (4, 4, 5, 2, 2, "zero1", 1, "none"),
        1117.6,
    ),
    (
        DGX_CLOUD + "Llama 3.1 70B fp8 on 1,024 GPUs",
        LLAMA3_70B,
        (H100, 128, NDR, 8192, 2048, "fp8", "nemo-2025"),
        (4, 4, 5, 2, 32, "zero1", 1, "none"),
        1512.8,
    ),
    (
        DGX_CLOUD + "Llama 3.1 405B bf16",
        LLAMA_405B,
        (H100, 64, NDR, 8192, 256, "bf16", "nemo-2025"),
        (8, 8, 8, 2, 4, "zero1", 1, "none"),
        207.1,
    ),
]


@pytest.mark.parametrize("row", MEASURED, ids=[row[0] for row in MEASURED])
def test_a_published_run_is_reproduced(row):
    _, model, setting, split, tokens_per_s_per_gpu = row
    card, n_nodes, ports, seq_len, batch, precision, stack = setting
    tp, pp, vp, cp, dp, sharding, micro_batch, recompute = split
    n_micro = batch // dp // micro_batch
    result = evaluate_strategy(
        workload=Workload(model, seq_len, batch, precision, stack),
        gpu=card,
        network=network(n_nodes, **ports),
        storage=STORAGE,
        strategy=Strategy(
            tp, pp, vp, cp, 1, dp, sharding, micro_batch, n_micro, recompute
        ),
    )
    # about the 90th percentile of these families' errors
    assert result.tokens_per_s_per_gpu == pytest.approx(tokens_per_s_per_gpu, rel=0.15)
    # each of these runs really ran
    assert result.n_feasible == 1


# GPU-busy and MFU percentages that an independent prototype of the model computed for
# "87 % on InfiniBand against 23 % on Ethernet" (practitioner's guide, July 2026):
# 70B, 8 nodes of 8 H100, full shard, one micro-batch a step, full recompute
CLAIM = [
    (
        "8 x 400G InfiniBand",
        8,
        400.0,
        "infiniband",
        {2048: 78, 4096: 87, 8192: 94},
        0.35,
    ),
    ("1 x 400G InfiniBand", 1, 400.0, "infiniband", {8192: 61, 16384: 81}, 0.35),
    ("200G RoCE", 1, 200.0, "roce", {4096: 16, 8192: 32, 16384: 58, 32768: 80}, 0.35),
    ("100G TCP", 1, 100.0, "tcp", {8192: 15, 16384: 29, 32768: 52}, 0.6),
    ("25G TCP", 1, 25.0, "tcp", {16384: 8, 32768: 15}, 0.35),
]


def claim_result(ports, gbps, transport, tokens):
    # memory is set aside: the claim's own run needs more than 80 GB per GPU at 32k tokens
    return best_strategy(
        workload=Workload(LLAMA_70B, tokens, 64),
        gpu=dataclasses.replace(H100, hbm_bytes=2 * H100.hbm_bytes),
        network=network(8, ports=ports, gbps=gbps, transport=transport),
        storage=STORAGE,
        pins=StrategyPins(
            tp=1,
            pp=1,
            vp=1,
            cp=1,
            sharding="zero3",
            micro_batch_seqs=1,
            recompute="full",
        ),
    )


@pytest.mark.parametrize(
    ("ports", "gbps", "transport", "busy", "rel"),
    [row[1:] for row in CLAIM],
    ids=[row[0] for row in CLAIM],
)
def test_busy_share_of_the_reference_claim_is_reproduced(
    ports, gbps, transport, busy, rel
):
    for tokens, percent in busy.items():
        result = claim_result(ports, gbps, transport, tokens)
        # two independent fits, within a third or 10 points; the prototype took 64 % of
        # line rate for 100G TCP where the published all-reduce reached 32 to 48 %
        assert 100 * result.busy_share == pytest.approx(percent, rel=rel, abs=10)
        assert result.mfu < 0.6 * result.busy_share


def test_the_claim_holds_as_ports_per_node_and_busy_time_only():
    eight_ports = claim_result(8, 400.0, "infiniband", 4096)
    one_port = claim_result(1, 200.0, "roce", 8192)
    assert eight_ports.busy_share == pytest.approx(0.87, abs=0.05)
    assert one_port.busy_share == pytest.approx(0.23, abs=0.10)
    assert eight_ports.mfu < 0.5


# Llama 3 405B: 54 days on 16,384 H100 (arXiv:2407.21783, table 5), unexpected
LLAMA3_NODES, LLAMA3_DAYS = 2048, 54
LLAMA3_INTERRUPTIONS = {
    "gpu": 148 + 72 + 19 + 17 + 6 + 6,
    "software": 54 + 2,
    "network": 35 + 7,
    "host": 32 + 3 + 3 + 2 + 2 + 2 + 2,
    "nccl timeout": 7,
}


def llama3_failures(restart_s):
    node_days = LLAMA3_NODES * LLAMA3_DAYS
    return tuple(
        FailureClass(name, count / node_days, restart_s)
        for name, count in LLAMA3_INTERRUPTIONS.items()
    )


def test_llama_3_interruptions_and_effective_training_time_are_reproduced():
    assert sum(LLAMA3_INTERRUPTIONS.values()) == 419
    result = goodput(
        inputs=ReliabilityInputs(
            # detection and restart within 10 minutes (arXiv:2402.15627 reports the same)
            failures=llama3_failures(restart_s=600.0),
            checkpoint_bytes=14 * 405e9,
            checkpoint_write_bytes_per_s=2e12,  # Tectonic, sustained
            restore_bytes_per_s=2e12,
        ),
        n_nodes=LLAMA3_NODES,
    )
    per_run = result.failures_per_month * LLAMA3_DAYS * 12 / 365
    assert per_run == pytest.approx(419, rel=1e-9)
    mtbf_h = result.mean_time_between_failures_s / SECONDS_PER_HOUR
    assert mtbf_h == pytest.approx(3.09, abs=0.01)
    assert 0.90 < result.goodput < 0.97


@pytest.mark.parametrize(("n_gpus", "mttf_h"), [(16_384, 1.8), (131_072, 0.23)])
def test_projected_mean_time_to_failure_of_a_research_cluster(n_gpus, mttf_h):
    # arXiv:2410.21680: 6.5 failures per 1,000 node-days on RSC-1
    result = goodput(
        inputs=ReliabilityInputs((FailureClass("any", 6.5e-3, 300.0),), 1e12, 1e12),
        n_nodes=n_gpus // 8,
    )
    hours = result.mean_time_between_failures_s / SECONDS_PER_HOUR
    assert hours == pytest.approx(mttf_h, rel=0.03)


def test_research_cluster_ettr_formula_gives_its_published_range():
    # arXiv:2410.21680: 0.85 to 0.9 for long runs of about 2,000 GPUs and hourly checkpoints
    ettr = expected_ettr(
        failures_per_s=256 * 6.5e-3 / SECONDS_PER_DAY,
        restart_s=300.0,
        interval_s=3600.0,
        write_s=300.0,
    )
    assert 0.85 <= ettr <= 0.9


@pytest.mark.parametrize(("n_nodes", "expected"), [(64, 1.0), (128, 2.0)])
def test_gpu_failures_a_month_of_the_practitioners_guide(n_nodes, expected):
    # 1-2 a month on 512-1,024 GPUs is 2.3 % of the GPUs a year; Llama 3 saw 9 %
    gpu_class = FailureClass("gpu", 0.0235 * 8 / 365, 3600.0)
    result = goodput(
        inputs=ReliabilityInputs((gpu_class,), 1e12, 1e11), n_nodes=n_nodes
    )
    assert result.failures_by_class["gpu"] == pytest.approx(expected, rel=0.05)
