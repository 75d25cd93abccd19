"""Interval classes: honest errors by kind of configuration."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calculator.engine.training import intervals as engine
from calculator.engine.training import parameters
from calculator.engine.training.inputs import ClusterNetwork, ModelShape
from calculator.measured.intervals import classes

DENSE = ModelShape("dense", 32, 4096, 11008, 32, 32, 128, 32000)
MOE = ModelShape("moe", 32, 4096, 11008, 32, 32, 128, 32000, n_experts=8)


def network(n_nodes=8, ports=8, gbps=400, transport="infiniband"):
    return ClusterNetwork(n_nodes, 8, ports, gbps * 1e9 / 8, transport)


@pytest.mark.parametrize(
    ("model", "net", "expected"),
    [
        (DENSE, network(), "infiniband"),
        (DENSE, network(n_nodes=1), "single_node"),
        (DENSE, network(transport="roce", ports=1, gbps=100), "ethernet"),
        (DENSE, network(transport="efa"), "ethernet"),
        (DENSE, network(transport="tcp", ports=1, gbps=25), "low_bandwidth"),
        (DENSE, network(ports=1, gbps=56), "low_bandwidth"),
        (MOE, network(), "moe"),
        (MOE, network(n_nodes=1), "moe"),
    ],
)
def test_a_job_has_the_class_of_its_kind(model, net, expected):
    assert engine.job_class(model, net) == expected


@pytest.fixture
def stored(monkeypatch):
    """Pretend that a calibration wrote these classes."""

    def store(**entries):
        table = {
            key: {"p90_error_fraction": error, "n_runs": n}
            for key, (error, n) in entries.items()
        }
        monkeypatch.setattr(engine, "interval_class_table", lambda: table)
        engine.stored_classes.cache_clear()

    yield store
    monkeypatch.undo()
    engine.stored_classes.cache_clear()


def test_a_result_carries_the_error_of_its_class_and_says_so(stored):
    stored(infiniband=(0.2, 300), overall=(0.3, 900))
    error, note = engine.job_interval(DENSE, network())
    assert error == 0.2
    assert "20 %" in note
    assert "300 runs" in note
    assert "InfiniBand" in note


def test_a_class_without_runs_falls_back_to_all(stored):
    stored(infiniband=(0.2, 300), overall=(0.3, 900))
    error, note = engine.job_interval(MOE, network())
    assert error == 0.3
    assert "all configurations" in note


def test_without_classes_the_error_of_the_fit_stands(stored):
    stored()
    assert engine.job_interval(DENSE, network()) == (
        parameters.p90_error_fraction(),
        "",
    )


def runs(n, error, family, kind):
    return [(kind, family, 100.0 * (1 + error), 100.0) for _ in range(n)]


def table(*parts):
    rows = [row for part in parts for row in part]
    return classes(*zip(*rows, strict=True))


def test_each_source_counts_the_same():
    found = table(
        runs(200, 0.05, "many", "infiniband"),
        runs(20, 0.50, "few", "infiniband"),
    )
    assert found["infiniband"]["p90_error_fraction"] == pytest.approx(0.50)
    assert found["infiniband"]["n_runs"] == 220


def test_too_few_runs_or_sources_are_no_class_of_their_own():
    found = table(
        runs(19, 0.1, "a", "moe"),
        runs(40, 0.1, "a", "ethernet"),
        runs(20, 0.1, "a", "infiniband"),
        runs(20, 0.1, "b", "infiniband"),
    )
    assert set(found) == {"infiniband", "overall"}


def test_runs_without_a_pair_of_numbers_are_left_out():
    found = classes(
        ["moe"] * 3, ["a", "b", "c"], [110.0, float("nan"), 0.0], [100.0, 100.0, 100.0]
    )
    assert found["overall"]["n_runs"] == 1


def test_too_slow_and_too_fast_by_one_factor_are_equally_wrong():
    fast = classes(["moe"], ["a"], [125.0], [100.0])
    slow = classes(["moe"], ["a"], [100.0], [125.0])
    assert fast["overall"]["p90_error_fraction"] == pytest.approx(0.25)
    assert slow["overall"] == pytest.approx(fast["overall"])


@given(
    st.lists(
        st.tuples(st.sampled_from("abc"), st.floats(0.2, 5.0)), min_size=1, max_size=60
    )
)
def test_nine_tenths_of_the_weight_lie_within(pairs):
    families = [family for family, _ in pairs]
    found = classes(
        ["moe"] * len(pairs), families, [r for _, r in pairs], [1.0] * len(pairs)
    )
    bound = found["overall"]["p90_error_fraction"]
    weight = {name: 1 / families.count(name) for name in set(families)}
    within = sum(weight[f] for f, r in pairs if max(r, 1 / r) - 1 <= bound + 1e-9)
    assert within >= 0.9 * len(weight) - 1e-9
