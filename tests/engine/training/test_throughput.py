"""Search and single evaluation: conservation, limits, monotonicity, refusals."""

import dataclasses
import math

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from calculator.engine.errors import DomainError, EngineError, InfeasiblePlan
from calculator.engine.training.inputs import (
    Strategy,
    StrategyPins,
    TrainingStorage,
    Workload,
)
from calculator.engine.training.memory import capacity_bytes
from calculator.engine.training.parallelism import enumerate_strategies
from calculator.engine.training.parameters import default_parameters
from calculator.engine.training.table import case_table, stack_tables, strategy_columns
from calculator.engine.training.throughput import (
    best_strategy,
    evaluate_cases,
    evaluate_strategy,
)

from .cases import (
    A100,
    H100,
    LLAMA_7B,
    LLAMA_70B,
    LLAMA_405B,
    MIXTRAL_8X7B,
    STORAGE,
    gpu,
    job,
    network,
)

SLOW = settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
MODELS = st.sampled_from([LLAMA_7B, LLAMA_70B, MIXTRAL_8X7B])


@st.composite
def jobs(draw):
    """Jobs of every kind that the search has to survive."""
    return job(
        draw(MODELS),
        workload=Workload(
            draw(MODELS),
            seq_len=draw(st.sampled_from([512, 2048, 8192, 32768])),
            global_batch_seqs=draw(st.sampled_from([1, 8, 60, 256, 1024])),
            precision=draw(st.sampled_from(["bf16", "fp16", "fp8"])),
        ),
        gpu=gpu(hbm_gb=draw(st.sampled_from([40.0, 80.0, 192.0]))),
        network=network(
            draw(st.sampled_from([1, 2, 3, 8, 32])),
            ports=draw(st.sampled_from([1, 4, 8])),
            gbps=draw(st.floats(1.0, 800.0)),
            transport=draw(st.sampled_from(["infiniband", "roce", "efa", "tcp"])),
            gpus_per_node=draw(st.sampled_from([4, 8, 72])),
            n_tiers=draw(st.integers(1, 3)),
            oversubscription=draw(st.sampled_from([1.0, 2.0, 4.0])),
            link_degradation_fraction=draw(st.sampled_from([1.0, 0.125])),
        ),
    )


def search(arguments):
    """Best strategy, or a rejected example where nothing is feasible."""
    try:
        return best_strategy(**arguments)
    except InfeasiblePlan:
        assume(False)


def changed(arguments, part, **changes):
    """The same job with some fields of one part replaced."""
    return arguments | {part: dataclasses.replace(arguments[part], **changes)}


def no_slower(fast, slow):
    return fast.tokens_per_s >= slow.tokens_per_s * (1 - 1e-9)


@SLOW
@given(jobs())
def test_waterfall_and_memory_sum_exactly_and_nothing_is_infinite(arguments):
    result = search(arguments)
    assert sum(part.seconds for part in result.parts) == result.step_time_s
    assert sum(part.bytes for part in result.memory) == result.memory_bytes
    numbers = [part.seconds for part in result.parts]
    numbers += [part.bytes for part in result.memory]
    numbers += [result.tokens_per_s, result.mfu, result.hfu, result.busy_share]
    assert all(math.isfinite(number) and number >= 0 for number in numbers)


@SLOW
@given(jobs())
def test_shares_stay_in_their_bounds(arguments):
    result = search(arguments)
    assert 0 < result.busy_share <= 1
    assert 0 < result.mfu <= result.hfu < 1
    assert result.memory_bytes <= capacity_bytes(arguments["gpu"].hbm_bytes)
    assert 1 <= result.n_feasible <= result.n_strategies


@SLOW
@given(jobs(), st.floats(1.1, 10.0))
def test_more_bandwidth_never_slows(arguments, factor):
    slow = search(arguments)
    for part, field in (("network", "nic_bytes_per_s"), ("gpu", "scaleup_bytes_per_s")):
        more = getattr(arguments[part], field) * factor
        assert no_slower(search(changed(arguments, part, **{field: more})), slow)


@SLOW
@given(jobs(), st.floats(1.1, 4.0))
def test_more_memory_never_slows(arguments, factor):
    slow = search(arguments)
    more = arguments["gpu"].hbm_bytes * factor
    assert no_slower(search(changed(arguments, "gpu", hbm_bytes=more)), slow)


@SLOW
@given(jobs(), st.floats(1.1, 4.0))
def test_higher_peak_never_slows(arguments, factor):
    slow = search(arguments)
    card = arguments["gpu"]
    faster = changed(
        arguments,
        "gpu",
        peak_bf16_flop_per_s=card.peak_bf16_flop_per_s * factor,
        peak_fp8_flop_per_s=card.peak_fp8_flop_per_s * factor,
        mamf_bf16_flop_per_s=card.mamf_bf16_flop_per_s * factor,
        mamf_fp8_flop_per_s=card.mamf_fp8_flop_per_s * factor,
    )
    assert no_slower(search(faster), slow)


@SLOW
@given(jobs())
def test_a_slower_link_or_oversubscription_never_speeds_up(arguments):
    fast = search(arguments)
    degraded = changed(arguments, "network", link_degradation_fraction=0.1)
    crowded = changed(arguments, "network", oversubscription=8.0)
    assert no_slower(fast, search(degraded))
    assert no_slower(fast, search(crowded))


def test_one_gpu_communicates_nothing():
    small = dataclasses.replace(LLAMA_7B, layers=4)
    result = best_strategy(**job(small, network=network(1, gpus_per_node=1)))
    silent = ("exposed_", "bubble", "straggler")
    waits = [p.seconds for p in result.parts if p.key.startswith(silent)]
    assert len(waits) == 8
    assert set(waits) == {0.0}


def test_one_node_is_deaf_to_its_network():
    times = {
        best_strategy(**job(network=network(1, gbps=rate))).step_time_s
        for rate in (1.0, 400.0)
    }
    assert len(times) == 1


def test_scalar_evaluation_equals_the_array_row():
    arguments = job(LLAMA_70B, network=network(4))
    pins = arguments.pop("pins")
    workload, wires = arguments["workload"], arguments["network"]
    grid = enumerate_strategies(workload=workload, network=wires, pins=pins)
    parameters = default_parameters()
    table = case_table(
        **arguments,
        strategy=grid.columns(wires.gpus_per_node),
        parameters=parameters,
    )
    together = evaluate_cases(table)
    for row in np.linspace(0, grid.n_rows - 1, 40).astype(int):
        alone = evaluate_strategy(**arguments, strategy=grid.strategy(int(row)))
        assert alone.step_time_s == pytest.approx(together.step_time_s[row], rel=1e-12)
        assert alone.memory_bytes == pytest.approx(
            together.memory_bytes[row], rel=1e-12
        )
        assert alone.busy_share == pytest.approx(together.busy_share[row], rel=1e-12)


def test_unlike_cases_stack_into_one_table():
    parameters = default_parameters()
    kinds = [
        job(LLAMA_7B),
        job(LLAMA_70B, gpu=H100, network=network(8, transport="roce")),
        job(MIXTRAL_8X7B, network=network(4, ports=1, gbps=100.0, transport="tcp")),
        job(LLAMA_7B, gpu=A100, network=network(1)),
    ]
    alone = [best_strategy(**kind) for kind in kinds]
    tables = [
        case_table(
            workload=kind["workload"],
            gpu=kind["gpu"],
            network=kind["network"],
            storage=kind["storage"],
            strategy=strategy_columns(result.strategy, 8),
            parameters=parameters,
        )
        for kind, result in zip(kinds, alone, strict=True)
    ]
    together = evaluate_cases(stack_tables(tables))
    expected = [result.tokens_per_s_per_gpu for result in alone]
    np.testing.assert_allclose(together.tokens_per_s_per_gpu, expected, rtol=1e-12)
    assert together.fits.all()


def test_search_returns_the_fastest_that_fits():
    arguments = job(LLAMA_7B)
    pins = arguments.pop("pins")
    best = best_strategy(**arguments, pins=pins)
    grid = enumerate_strategies(
        workload=arguments["workload"], network=arguments["network"], pins=pins
    )
    table = case_table(
        **arguments, strategy=grid.columns(8), parameters=default_parameters()
    )
    every = evaluate_cases(table)
    assert best.step_time_s == pytest.approx(
        every.step_time_s[every.fits].min(), rel=1e-12
    )
    assert (best.n_strategies, best.n_feasible) == (grid.n_rows, every.fits.sum())


def test_runner_up_is_of_another_kind_and_says_why_it_lost():
    result = best_strategy(**job(LLAMA_70B, network=network(8)))
    other, best = result.runner_up.strategy, result.strategy
    kind = ("tp", "pp", "cp", "ep", "sharding")
    assert any(getattr(other, name) != getattr(best, name) for name in kind)
    assert result.runner_up.step_time_s >= result.step_time_s
    assert "slower" in result.runner_up.reason
    assert " s a step against " in result.runner_up.reason


def test_pins_are_kept():
    pins = StrategyPins(tp=2, pp=4, cp=1, sharding="zero1", recompute="full")
    result = best_strategy(**job(LLAMA_70B, network=network(8), pins=pins))
    chosen = result.strategy
    assert (chosen.tp, chosen.pp, chosen.cp) == (2, 4, 1)
    assert (chosen.sharding, chosen.recompute) == ("zero1", "full")


@pytest.mark.parametrize(
    ("pins", "field", "numbers"),
    [
        ({"tp": 3}, "tp", ("8 GPUs", "32 heads")),
        ({"pp": 5}, "pp", ("16 GPUs",)),
        ({"cp": 32}, "cp", ("16 GPUs",)),
        ({"ep": 2}, "ep", ("1 experts",)),
        ({"vp": 7}, "vp", ("32 layers",)),
        ({"tp": 8, "pp": 4}, "tp", ("16 GPUs",)),
        ({"micro_batch_seqs": 3}, "micro_batch_seqs", ("128",)),
        (
            {"tp": 1, "pp": 1, "cp": 1, "micro_batch_seqs": 16},
            "micro_batch_seqs",
            ("16 sequences", "(8)"),
        ),
        ({"pp": 1, "vp": 4}, "vp", ("pp above 1", "32 layers")),
        ({"tp": 8, "pp": 2, "sharding": "zero3"}, "sharding", ("zero3",)),
        ({"tp": 0}, "tp", ("at least 1",)),
    ],
)
def test_pins_that_do_not_divide_are_refused_with_the_numbers(pins, field, numbers):
    with pytest.raises(EngineError) as refusal:
        best_strategy(**job(LLAMA_7B, pins=StrategyPins(**pins)))
    assert refusal.value.field == field
    assert all(number in refusal.value.message for number in numbers)


def test_a_model_that_fits_nowhere_is_refused_with_the_limiting_number():
    with pytest.raises(InfeasiblePlan) as refusal:
        best_strategy(**job(LLAMA_405B, network=network(1)))
    assert refusal.value.field == "hbm_bytes"
    assert "needs at least" in refusal.value.message
    assert "has 80.0 GB" in refusal.value.message


def test_a_batch_that_does_not_divide_is_refused():
    workload = Workload(LLAMA_7B, seq_len=512, global_batch_seqs=7)
    with pytest.raises(InfeasiblePlan, match="7 sequences does not divide"):
        best_strategy(**job(workload=workload, pins=StrategyPins(tp=1, pp=1, cp=1)))


@pytest.mark.parametrize(
    ("part", "field", "value"),
    [
        ("network", "n_nodes", 0),
        ("network", "n_nodes", 10**12),
        ("network", "nics_per_node", 0),
        ("network", "oversubscription", 0.0),
        ("network", "link_degradation_fraction", 0.0),
        ("gpu", "hbm_bytes", math.nan),
        ("gpu", "hbm_bytes_per_s", -1.0),
        ("storage", "read_bytes_per_s", 0.0),
        ("workload", "seq_len", 0),
        ("workload", "global_batch_seqs", 0),
        ("workload", "stack", "unheard-of"),
        ("workload", "precision", "int4"),
        ("network", "transport", "pigeon"),
        ("pins", "sharding", "zero9"),
        ("pins", "recompute", "some"),
    ],
)
def test_values_outside_the_domain_are_refused_by_name(part, field, value):
    with pytest.raises(DomainError) as refusal:
        best_strategy(**changed(job(), part, **{field: value}))
    assert refusal.value.field == field


def test_fp8_on_a_gpu_without_it_is_refused():
    workload = Workload(LLAMA_7B, 4096, 128, precision="fp8")
    with pytest.raises(DomainError, match="no fp8"):
        best_strategy(**job(gpu=A100, workload=workload))


def test_a_gpu_without_a_measured_matmul_rate_is_derated_and_says_so():
    unmeasured = dataclasses.replace(H100, mamf_bf16_flop_per_s=0.0)
    result = best_strategy(**job(gpu=unmeasured))
    assert any("No published matmul rate" in note for note in result.notes)
    peak = dataclasses.replace(H100, mamf_bf16_flop_per_s=H100.peak_bf16_flop_per_s)
    assert best_strategy(**job(gpu=peak)).tokens_per_s > result.tokens_per_s


STRATEGY = Strategy(1, 1, 1, 1, 1, 16, "zero3", 1, 8, "full")


def test_a_given_strategy_is_evaluated_as_given():
    arguments = job(LLAMA_7B)
    del arguments["pins"]
    result = evaluate_strategy(**arguments, strategy=STRATEGY)
    assert result.strategy == STRATEGY
    assert result.hfu > result.mfu
    assert result.n_strategies == 1


def test_a_given_strategy_that_does_not_fit_says_so():
    arguments = job(LLAMA_70B)
    del arguments["pins"]
    plain = dataclasses.replace(STRATEGY, sharding="none")
    result = evaluate_strategy(**arguments, strategy=plain)
    assert result.n_feasible == 0
    assert result.notes[0].startswith("Does not fit: needs")


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"dp": 8}, "dp"),
        ({"n_micro_batches": 4}, "global_batch_seqs"),
        ({"vp": 40}, "pp"),
        ({"ep": 2}, "ep"),
        ({"sharding": "zero9"}, "sharding"),
        ({"recompute": "some"}, "recompute"),
        ({"tp": 0}, "tp"),
    ],
)
def test_a_strategy_that_does_not_add_up_is_refused(changes, field):
    arguments = job(LLAMA_7B)
    del arguments["pins"]
    strategy = dataclasses.replace(STRATEGY, **changes)
    with pytest.raises(EngineError) as refusal:
        evaluate_strategy(**arguments, strategy=strategy)
    assert refusal.value.field == field


def test_a_strategy_that_splits_heads_unevenly_is_refused():
    arguments = job(LLAMA_7B, network=network(3))
    del arguments["pins"]
    strategy = dataclasses.replace(STRATEGY, tp=3, dp=8, n_micro_batches=16)
    with pytest.raises(InfeasiblePlan, match="tp = 3 does not divide 32 heads"):
        evaluate_strategy(**arguments, strategy=strategy)


def test_slow_storage_shows_as_data_stall_and_stretches_the_step_to_reading_time():
    workload = Workload(LLAMA_7B, 4096, 128, bytes_read_per_token=1e6)
    slow = TrainingStorage(read_bytes_per_s=3e9, write_bytes_per_s=3e9)
    result = best_strategy(**job(workload=workload, storage=slow))
    assert result.step_time_s == pytest.approx(128 * 4096 * 1e6 / 3e9)
    assert {p.key: p.seconds for p in result.parts}["data_stall"] > 0
    fast = best_strategy(**job(workload=workload, storage=STORAGE))
    assert fast.step_time_s < result.step_time_s


def test_zero_latency_and_endless_bandwidth_leave_the_compute_bound():
    arguments = job(LLAMA_70B, network=network(8, gbps=1e12))
    del arguments["pins"]
    strategy = Strategy(1, 1, 1, 1, 1, 64, "zero3", 1, 2, "full")
    quiet = dataclasses.replace(
        default_parameters(),
        scaleup_latency_s=0.0,
        collective_base_latency_s=0.0,
        infiniband_node_latency_s=0.0,
        straggler_spread=0.0,
    )
    card = dataclasses.replace(H100, scaleup_bytes_per_s=1e30)
    result = evaluate_strategy(
        **(arguments | {"gpu": card}), strategy=strategy, parameters=quiet
    )
    parts = {p.key: p.seconds for p in result.parts}
    exposed = sum(value for key, value in parts.items() if key.startswith("exposed_"))
    assert exposed < 1e-6 * result.step_time_s
    assert result.busy_share > 0.97


def test_full_recompute_costs_about_a_third_and_saves_memory():
    arguments = job(LLAMA_7B, network=network(1))
    del arguments["pins"]
    keep = Strategy(1, 1, 1, 1, 1, 8, "zero3", 1, 16, "none")
    redo = dataclasses.replace(keep, recompute="full")
    kept = evaluate_strategy(**arguments, strategy=keep)
    redone = evaluate_strategy(**arguments, strategy=redo)
    assert 1.2 < redone.step_time_s / kept.step_time_s < 1.35
    assert redone.memory_bytes < kept.memory_bytes
    assert redone.mfu < kept.mfu


def test_expert_traffic_shows_only_where_experts_are_spread():
    arguments = job(MIXTRAL_8X7B, network=network(2))
    together = best_strategy(
        **(arguments | {"pins": StrategyPins(ep=1, sharding="zero3")})
    )
    spread = best_strategy(**(arguments | {"pins": StrategyPins(ep=8)}))
    seconds = [
        {p.key: p.seconds for p in result.parts}["exposed_ep"]
        for result in (together, spread)
    ]
    assert seconds[0] == 0.0
    assert seconds[1] > 0.0
