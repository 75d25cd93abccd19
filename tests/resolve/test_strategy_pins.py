"""Any part of the strategy can be fixed; what cannot be says why, at its field."""

import pytest

from calculator.services import previews
from calculator.spec.examples_index import load
from calculator.spec.problems import SpecError, validate_comparison

pytestmark = pytest.mark.django_db
KEY = "own-infiniband"


def evaluate(**pins):
    document = load("reference")
    document["workload"]["strategy"] = pins
    return previews.preview(validate_comparison(document)).alternatives[KEY]


@pytest.mark.parametrize(
    "pins",
    [
        {"tp": 1},
        {"tp": 8},
        {"pp": 2},
        {"pp": 8},
        {"vp": 2},
        {"cp": 2},
        {"sharding": "none"},
        {"sharding": "zero1"},
        {"sharding": "zero2"},
        {"sharding": "zero3"},
        {"sharding": "hsdp"},
        {"micro_batch_seqs": 1},
        {"recompute": "none"},
        {"recompute": "selective"},
        {"recompute": "full"},
        {"tp": 8, "pp": 4, "vp": 5, "sharding": "zero1", "recompute": "none"},
    ],
    ids=str,
)
def test_each_part_can_be_fixed_and_never_beats_the_free_search(pins):
    free, fixed = evaluate(), evaluate(**pins)
    strategy = fixed.throughput.strategy
    assert {name: getattr(strategy, name) for name in pins} == pins
    assert fixed.headline.step_time_s >= free.headline.step_time_s - 1e-12
    assert fixed.throughput.search.n_strategies < free.throughput.search.n_strategies


@pytest.mark.parametrize(
    ("pins", "field", "number"),
    [
        ({"tp": 3}, "tp", "64 heads"),
        ({"tp": 16}, "tp", "8 GPUs of a node"),
        ({"pp": 7}, "pp", "64 GPUs"),
        ({"pp": 81}, "pp", "80"),
        ({"vp": 64}, "vp", "80 layers"),
        ({"pp": 8, "vp": 4}, "vp", "80 layers"),
        ({"cp": 3}, "cp", "4096 tokens"),
        ({"ep": 2}, "ep", "1 experts"),
        ({"micro_batch_seqs": 3}, "micro_batch_seqs", "1024 sequences"),
        ({"tp": 8, "pp": 16}, "tp", "64 GPUs"),
    ],
    ids=str,
)
def test_a_part_that_cannot_be_is_refused_with_the_limiting_number(pins, field, number):
    with pytest.raises(SpecError) as refusal:
        evaluate(**pins)
    problem = refusal.value.problems[0]
    assert problem.pointer == f"/workload/strategy/{field}"
    assert number in problem.message


def test_a_strategy_that_does_not_fit_is_refused_with_both_sizes():
    with pytest.raises(SpecError) as refusal:
        evaluate(tp=1, pp=1, sharding="none", recompute="none")
    message = refusal.value.problems[0].message
    assert "needs at least" in message
    assert "80.0 GB" in message


def test_the_runner_up_lost_by_a_named_part():
    search = evaluate().throughput.search
    assert search.runner_up.label
    assert search.runner_up_step_time_s >= evaluate().headline.step_time_s
    assert "slower: " in search.runner_up_reason
    assert "s a step against" in search.runner_up_reason
