"""Goodput: exact sums, limits, optimal intervals, published first-order formula."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calculator.engine.errors import DomainError
from calculator.engine.training.inputs import FailureClass, ReliabilityInputs
from calculator.engine.training.reliability import (
    exact_goodput,
    expected_ettr,
    goodput,
    optimal_interval_s,
    young_daly_interval_s,
)
from calculator.engine.units import SECONDS_PER_DAY, SECONDS_PER_HOUR

HARDWARE = FailureClass("hardware", per_node_day=3e-3, restart_s=1800.0)
SOFTWARE = FailureClass("software", per_node_day=1e-3, restart_s=600.0)


def reliability(**changes):
    values = {
        "failures": (HARDWARE, SOFTWARE),
        "checkpoint_bytes": 1e12,
        "checkpoint_write_bytes_per_s": 25e9,
        "restore_bytes_per_s": 50e9,
    }
    return ReliabilityInputs(**(values | changes))


@given(
    rate=st.floats(0.0, 1e4),
    restart_s=st.floats(0.0, 1e6),
    size=st.floats(0.0, 1e16),
    blocking=st.floats(0.0, 1.0),
    interval=st.one_of(st.none(), st.floats(1.0, 1e7)),
    planned=st.floats(0.0, 0.99),
    n_nodes=st.integers(1, 100_000),
)
def test_parts_sum_to_one_and_goodput_stays_between_zero_and_one(
    rate, restart_s, size, blocking, interval, planned, n_nodes
):
    result = goodput(
        inputs=reliability(
            failures=(FailureClass("any", rate, restart_s),),
            checkpoint_bytes=size,
            checkpoint_blocking_fraction=blocking,
            checkpoint_interval_s=interval,
            planned_downtime_fraction=planned,
        ),
        n_nodes=n_nodes,
    )
    fractions = [part.fraction for part in result.parts]
    assert sum(fractions) == pytest.approx(1.0, abs=1e-12)
    assert all(0.0 <= fraction <= 1.0 for fraction in fractions)
    assert 0.0 <= result.goodput <= 1.0
    assert result.goodput == fractions[0]
    assert not math.isnan(result.checkpoint_interval_s)


@given(st.integers(1, 5000), st.floats(1.1, 5.0))
def test_more_failures_never_raise_goodput(n_nodes, factor):
    worse = FailureClass("hardware", HARDWARE.per_node_day * factor, 1800.0)
    few = goodput(inputs=reliability(failures=(HARDWARE,)), n_nodes=n_nodes)
    many = goodput(inputs=reliability(failures=(worse,)), n_nodes=n_nodes)
    assert many.goodput <= few.goodput + 1e-12


@given(st.floats(1e-8, 1e-3), st.floats(0.1, 3600.0), st.floats(0.0, 7200.0))
def test_no_interval_beats_the_optimum(rate, write_s, restart_s):
    best = optimal_interval_s(rate=rate, restart_s=restart_s, write_s=write_s)
    top = exact_goodput(
        rate=rate, restart_s=restart_s, interval_s=best, write_s=write_s
    )
    for factor in (0.3, 0.8, 0.97, 1.03, 1.25, 4.0):
        other = exact_goodput(
            rate=rate, restart_s=restart_s, interval_s=best * factor, write_s=write_s
        )
        assert other <= top + 1e-9


def test_optimum_approaches_young_and_daly_for_short_writes():
    best = optimal_interval_s(rate=1e-5, restart_s=600.0, write_s=1.0)
    daly = young_daly_interval_s(mtbf_s=1e5, write_s=1.0)
    assert best == pytest.approx(daly, rel=0.01)


def test_exact_goodput_approaches_the_published_formula_for_rare_failures():
    # arXiv:2410.21680: expected ETTR, first order in the failure rate
    values = {"restart_s": 600.0, "interval_s": 3600.0, "write_s": 60.0}
    exact = exact_goodput(rate=1e-6, **values)
    assert exact == pytest.approx(
        expected_ettr(failures_per_s=1e-6, **values), abs=2e-4
    )


def test_exact_goodput_matches_simulated_failures():
    rate, restart_s, interval_s, write_s = 1 / 7200.0, 900.0, 1800.0, 120.0
    random = np.random.default_rng(7)
    segments, wall_s = 40_000, 0.0
    for _ in range(segments):
        while True:
            strikes = random.exponential(1 / rate)
            if strikes >= interval_s + write_s:
                wall_s += interval_s + write_s
                break
            wall_s += strikes
            while (again := random.exponential(1 / rate)) < restart_s:
                wall_s += again
            wall_s += restart_s
    exact = exact_goodput(
        rate=rate, restart_s=restart_s, interval_s=interval_s, write_s=write_s
    )
    assert exact == pytest.approx(segments * interval_s / wall_s, rel=0.01)


def test_without_failures_only_writes_cost():
    result = goodput(
        inputs=reliability(failures=(), checkpoint_interval_s=3600.0), n_nodes=8
    )
    assert result.goodput == pytest.approx(3600.0 / 3640.0)
    assert result.failures_per_month == 0.0
    assert math.isinf(result.mean_time_between_failures_s)


@pytest.mark.parametrize("per_node_day", [0.0, 5e-324, 1e-12])
def test_checkpoints_are_written_once_a_month_where_nothing_fails(per_node_day):
    rare = FailureClass("rare", per_node_day, 60.0)
    result = goodput(inputs=reliability(failures=(rare,)), n_nodes=1)
    assert result.checkpoint_interval_s == pytest.approx(365 / 12 * SECONDS_PER_DAY)
    assert 0.9999 < result.goodput < 1.0


def test_asynchronous_checkpoints_block_less():
    blocking = goodput(inputs=reliability(), n_nodes=512)
    background = goodput(
        inputs=reliability(checkpoint_blocking_fraction=0.05), n_nodes=512
    )
    assert background.goodput > blocking.goodput
    assert background.checkpoint_interval_s < blocking.checkpoint_interval_s
    # the next write cannot start before the last one has ended
    assert background.checkpoint_interval_s >= 0.95 * background.checkpoint_write_s


def test_a_job_that_cannot_outrun_its_failures_has_no_goodput():
    doomed = FailureClass("hopeless", per_node_day=1e4, restart_s=SECONDS_PER_HOUR)
    result = goodput(inputs=reliability(failures=(doomed,)), n_nodes=100)
    assert result.goodput < 1e-6


def test_failures_are_counted_by_class():
    result = goodput(inputs=reliability(), n_nodes=100)
    days = 365.0 / 12
    assert result.failures_by_class["hardware"] == pytest.approx(3e-3 * 100 * days)
    assert sum(result.failures_by_class.values()) == pytest.approx(
        result.failures_per_month
    )
    assert result.mean_time_between_failures_s == pytest.approx(
        SECONDS_PER_DAY / (4e-3 * 100)
    )


@pytest.mark.parametrize(
    ("changes", "n_nodes", "field"),
    [
        ({}, 0, "n_nodes"),
        ({"checkpoint_write_bytes_per_s": 0.0}, 8, "checkpoint_write_bytes_per_s"),
        ({"checkpoint_interval_s": 0.0}, 8, "checkpoint_interval_s"),
        ({"planned_downtime_fraction": 1.0}, 8, "planned_downtime_fraction"),
        ({"checkpoint_blocking_fraction": 1.5}, 8, "checkpoint_blocking_fraction"),
        ({"failures": (FailureClass("x", -1.0, 1.0),)}, 8, "failures"),
        ({"failures": (FailureClass("x", math.nan, 1.0),)}, 8, "failures"),
    ],
)
def test_values_outside_the_domain_are_refused_by_name(changes, n_nodes, field):
    with pytest.raises(DomainError) as refusal:
        goodput(inputs=reliability(**changes), n_nodes=n_nodes)
    assert refusal.value.field == field


@pytest.mark.parametrize("rate", [5e-324, 1e-300, 1e-40])
def test_a_rate_too_small_for_a_float_counts_as_none(rate):
    inputs = reliability(
        failures=(FailureClass("any", rate, 60.0),), checkpoint_blocking_fraction=0.0
    )
    result = goodput(inputs=inputs, n_nodes=1)
    assert sum(part.fraction for part in result.parts) == pytest.approx(1.0)
