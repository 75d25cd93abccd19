"""Enumeration: every row adds up, nothing valid is missing."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calculator.engine.errors import InfeasiblePlan
from calculator.engine.training.inputs import StrategyPins, Workload
from calculator.engine.training.parallelism import divisors, enumerate_strategies
from calculator.engine.training.parameters import SHARDINGS
from calculator.engine.training.table import shard_degrees

from .cases import DEEPSEEK_V3, LLAMA_7B, LLAMA_70B, MIXTRAL_8X7B, network


def grid_of(model, n_nodes, batch, **pins):
    return enumerate_strategies(
        workload=Workload(model, 4096, batch),
        network=network(n_nodes),
        pins=StrategyPins(**pins),
    )


@settings(max_examples=40, deadline=None)
@given(
    model=st.sampled_from([LLAMA_7B, LLAMA_70B, MIXTRAL_8X7B, DEEPSEEK_V3]),
    n_nodes=st.integers(1, 40),
    batch=st.integers(1, 600),
)
def test_every_row_uses_all_gpus_and_the_whole_batch(model, n_nodes, batch):
    try:
        grid = grid_of(model, n_nodes, batch)
    except InfeasiblePlan:
        return
    assert np.all(grid.tp * grid.pp * grid.cp * grid.dp == 8 * n_nodes)
    assert np.all(grid.dp * grid.micro_batch * grid.n_micro == batch)
    assert np.all(model.heads % grid.tp == 0)
    assert np.all(grid.pp * grid.vp <= model.layers)
    assert np.all((grid.vp == 1) | ((grid.pp > 1) & (grid.n_micro % grid.pp == 0)))
    assert np.all(grid.tp * grid.cp * grid.dp % grid.ep == 0)
    assert np.all((grid.sharding == 0) | (grid.dp * grid.cp > 1))


def test_no_strategy_is_listed_twice():
    grid = grid_of(LLAMA_70B, 8, 512)
    rows = np.stack([getattr(grid, name) for name in grid.__slots__])
    assert np.unique(rows, axis=1).shape[1] == grid.n_rows


def test_search_of_a_70b_model_on_512_gpus_has_over_ten_thousand_rows():
    assert grid_of(LLAMA_70B, 64, 2048).n_rows >= 10_000


def test_brute_force_finds_the_same_layouts_of_a_small_job():
    grid = grid_of(LLAMA_7B, 1, 8, sharding="zero1", recompute="full", vp=1)
    found = set(
        zip(
            *(
                c.tolist()
                for c in (grid.tp, grid.pp, grid.cp, grid.dp, grid.micro_batch)
            ),
            strict=True,
        )
    )
    sizes = (1, 2, 4, 8)
    expected = {
        (tp, pp, cp, 8 // (tp * pp * cp), mbs)
        for tp in sizes
        for pp in sizes
        for cp in sizes
        for mbs in sizes
        if tp * pp * cp <= 8 and cp * 8 // (tp * pp * cp) > 1
        if 8 // (8 // (tp * pp * cp)) % mbs == 0
    }
    assert found == expected


def test_an_odd_layer_count_can_still_be_pipelined():
    grid = grid_of(DEEPSEEK_V3, 16, 512)
    assert 16 in grid.pp


def test_divisors_are_complete_and_ascending():
    assert divisors(360).tolist() == [n for n in range(1, 361) if 360 % n == 0]


@pytest.mark.parametrize(
    ("sharding", "degrees"),
    [
        ("none", (1, 1, 1)),
        ("zero1", (1, 1, 32)),
        ("zero2", (1, 32, 32)),
        ("zero3", (32, 32, 32)),
        ("hsdp", (4, 4, 4)),
    ],
)
def test_sharding_names_mean_what_the_frameworks_mean(sharding, degrees):
    found = shard_degrees(
        sharding=SHARDINGS.index(sharding), dp_cp=32.0, tp=2.0, gpus_per_node=8.0
    )
    assert tuple(float(degree) for degree in found) == degrees
