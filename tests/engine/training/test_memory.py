"""Memory: what shards what, and the textbook numbers."""

import dataclasses

import pytest

from calculator.engine.training.inputs import ModelShape, Strategy, Workload
from calculator.engine.training.memory import (
    activation_bytes_per_token,
    capacity_bytes,
    memory_columns,
)
from calculator.engine.training.parameters import default_parameters
from calculator.engine.training.table import case_table, strategy_columns
from calculator.engine.training.throughput import evaluate_strategy
from calculator.engine.training.workload import n_parameters

from .cases import DEEPSEEK_V3, H100, LLAMA_7B, LLAMA_70B, STORAGE, network

PLAIN = Strategy(1, 1, 1, 1, 1, 64, "none", 1, 2, "none")


def memory_of(model=LLAMA_7B, *, stack="default", n_nodes=8, **changes):
    strategy = dataclasses.replace(PLAIN, **changes)
    batch = strategy.dp * strategy.micro_batch_seqs * strategy.n_micro_batches
    result = evaluate_strategy(
        workload=Workload(model, 4096, batch, stack=stack),
        gpu=H100,
        network=network(n_nodes),
        storage=STORAGE,
        strategy=strategy,
    )
    return {part.key: part.bytes for part in result.memory}


def states(memory):
    return memory["weights"] + memory["gradients"] + memory["optimizer"]


def test_mixed_precision_adam_takes_eighteen_bytes_a_parameter_with_fp32_gradients():
    # 2 weight + 4 gradient + 12 optimizer; 16 with 2-byte gradients (arXiv:1910.02054)
    assert states(memory_of()) == pytest.approx(18 * n_parameters(LLAMA_7B).total)
    short = states(memory_of(stack="nemo-2025"))
    assert short == pytest.approx(16 * n_parameters(LLAMA_7B).total)


@pytest.mark.parametrize(
    ("sharding", "bytes_each"),
    [
        ("none", 18),
        ("zero1", 6 + 12 / 64),
        ("zero2", 2 + 16 / 64),
        ("zero3", 18 / 64),
        ("hsdp", 18 / 8),
    ],
)
def test_each_sharding_stage_divides_what_it_names(sharding, bytes_each):
    expected = bytes_each * n_parameters(LLAMA_7B).total
    assert states(memory_of(sharding=sharding)) == pytest.approx(expected)


def test_tensor_and_pipeline_ranks_divide_the_states():
    whole = states(memory_of(LLAMA_70B))
    split = states(memory_of(LLAMA_70B, tp=8, dp=8))
    assert split == pytest.approx(whole / 8)
    staged = states(memory_of(LLAMA_70B, pp=8, dp=8))
    assert staged == pytest.approx(whole / 8, rel=0.03)  # one vocabulary matrix a stage


def test_expert_ranks_divide_experts_only():
    together = memory_of(DEEPSEEK_V3, n_nodes=8)["weights"]
    spread = memory_of(DEEPSEEK_V3, n_nodes=8, ep=64)["weights"]
    experts = 2 * 58 * 256 * 3 * 7168 * 2048
    assert together - spread == pytest.approx(experts * 63 / 64)


def test_activations_of_a_gpt_layer_are_near_the_published_34_bytes():
    # arXiv:2205.05198: 34 s b h bytes with dropout masks; flash kernels keep no scores
    shape = ModelShape("gpt", 2, 1024, 4096, 16, 16, 64, 50257, is_gated_mlp=False)
    table = case_table(
        workload=Workload(shape, 1024, 64),
        gpu=H100,
        network=network(8),
        storage=STORAGE,
        strategy=strategy_columns(PLAIN, 8),
        parameters=default_parameters(),
    )
    assert activation_bytes_per_token(table) / 1024 == pytest.approx(34, rel=0.1)


def test_recompute_trades_activations():
    kept, some, none = (
        memory_of(recompute=recompute)["activations"]
        for recompute in ("none", "selective", "full")
    )
    assert kept > some > none > 0


def test_first_stage_holds_a_micro_batch_per_stage():
    few = memory_of(pp=4, dp=16, n_micro_batches=2)["activations"]
    many = memory_of(pp=4, dp=16, n_micro_batches=16)["activations"]
    assert many == pytest.approx(2 * few)


def test_context_ranks_divide_activations():
    whole = memory_of()["activations"]
    halves = memory_of(cp=2, dp=32)["activations"]
    assert halves == pytest.approx(whole / 2)


def test_scores_are_kept_only_without_a_flash_kernel():
    flash = memory_of()["activations"]
    plain = memory_of(stack="deepspeed-zero3")["activations"]
    scores = 5 * 32 * 4096 * 4096 * 32  # bytes a score, heads, square, layers
    assert plain - flash == pytest.approx(scores)


def test_devices_hold_more_than_their_nominal_gigabytes():
    # PyTorch's total_memory of an H100 80 GB: 79.1 GiB
    assert capacity_bytes(80e9) == pytest.approx(79.1 * 2**30, rel=0.01)


def activations(model, *, precision="bf16", recompute="none", share=1.0):
    strategy = dataclasses.replace(PLAIN, recompute=recompute)
    table = case_table(
        workload=Workload(model, 4096, 128, precision),
        gpu=H100,
        network=network(8),
        storage=STORAGE,
        strategy=dataclasses.replace(
            strategy_columns(strategy, 8), recompute_share=share
        ),
        parameters=default_parameters(),
    )
    parts = memory_columns(table, default_parameters()).parts
    return float(parts["activations"])


def test_fp8_products_keep_their_inputs_in_one_byte():
    saved = activations(LLAMA_7B) - activations(LLAMA_7B, precision="fp8")
    # two norm outputs and the activation, less the second copy of the attention output
    each = 2 * LLAMA_7B.hidden + LLAMA_7B.ffn - LLAMA_7B.heads * LLAMA_7B.head_dim
    assert saved == pytest.approx(each * 4096 * LLAMA_7B.layers)


@pytest.mark.parametrize("model", [LLAMA_7B, DEEPSEEK_V3], ids=lambda m: m.name)
@pytest.mark.parametrize("recompute", ["selective", "full"])
def test_recompute_of_a_share_of_the_layers_lies_between(model, recompute):
    none = activations(model, recompute=recompute, share=0.0)
    half = activations(model, recompute=recompute, share=0.5)
    whole = activations(model, recompute=recompute)
    assert half == pytest.approx((none + whole) / 2)
    assert none > whole


def test_selective_recompute_rebuilds_latent_attention_and_expert_activations():
    saved = activations(DEEPSEEK_V3) - activations(DEEPSEEK_V3, recompute="selective")
    latent = 2 * 128 * (128 + 128 + 128 + 64)  # query, key, value with rotary part
    assert saved > latent * 4096 * DEEPSEEK_V3.layers


def test_seventy_billion_parameters_do_not_fit_one_node_without_recompute():
    common = {
        "workload": Workload(LLAMA_70B, 4096, 16),
        "gpu": H100,
        "storage": STORAGE,
    }
    sharded = Strategy(1, 1, 1, 1, 1, 8, "zero3", 2, 1, "none")
    result = evaluate_strategy(**common, network=network(1), strategy=sharded)
    assert result.memory_bytes > 2 * capacity_bytes(H100.hbm_bytes)
    assert "Does not fit" in " ".join(result.notes)


@pytest.mark.parametrize(
    ("sharding", "n_nodes", "fits"),
    [("zero2", 1, False), ("zero3", 1, False), ("zero2", 2, False), ("zero3", 8, True)],
)
def test_what_seventy_billion_parameters_fit(sharding, n_nodes, fits):
    n = 8 * n_nodes
    strategy = Strategy(1, 1, 1, 1, 1, n, sharding, 1, 1, "full")
    result = evaluate_strategy(
        workload=Workload(LLAMA_70B, 4096, n, stack="fsdp-2024"),
        gpu=H100,
        network=network(n_nodes),
        storage=STORAGE,
        strategy=strategy,
    )
    assert (result.memory_bytes <= capacity_bytes(H100.hbm_bytes)) is fits
