"""Memory: what shards what, and the textbook numbers."""

import dataclasses

import pytest

from calculator.engine.training.inputs import ModelShape, Strategy, Workload
from calculator.engine.training.memory import activation_bytes_per_token
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
