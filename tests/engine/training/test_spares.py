"""Nodes away for repair: spares, waiting, shrinking, against simulation and known values."""

import heapq
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calculator.engine.errors import DomainError
from calculator.engine.training.inputs import FailureClass, ReliabilityInputs
from calculator.engine.training.reliability import goodput
from calculator.engine.training.spares import (
    erlang_b,
    nodes_away,
    shrunk_share,
    spare_is_missing,
    wait_without_spare_s,
)
from calculator.engine.units import SECONDS_PER_DAY, SECONDS_PER_HOUR

HARDWARE = FailureClass("hardware", 3e-3, restart_s=1500.0, takes_node=True)
SOFTWARE = FailureClass("software", 1e-3, restart_s=900.0)


def share(n_nodes=128, **changes):
    values = {
        "failures": (HARDWARE, SOFTWARE),
        "checkpoint_bytes": 1e12,
        "checkpoint_write_bytes_per_s": 25e9,
        "restore_bytes_per_s": 50e9,
        "repair_s": 48 * SECONDS_PER_HOUR,
    }
    return goodput(inputs=ReliabilityInputs(**(values | changes)), n_nodes=n_nodes)


def fraction(result, key):
    return next(part.fraction for part in result.parts if part.key == key)


@pytest.mark.parametrize(
    ("servers", "load", "blocked"),
    [(0, 3.0, 1.0), (1, 1.0, 0.5), (2, 1.0, 0.2), (10, 5.0, 0.018385), (5, 0.0, 0.0)],
)
def test_erlang_b_gives_the_tabulated_values(servers, load, blocked):
    assert erlang_b(servers, load) == pytest.approx(blocked, rel=1e-4)


def simulated_pool(rate, repair_s, n_spares, n_failures, draw):
    """Share of failures without a spare, and the mean wait of those."""
    clock, repairs, missing, waited = 0.0, [], 0, 0.0
    random = np.random.default_rng(11)
    for _ in range(n_failures):
        clock += random.exponential(1.0 / rate)
        while repairs and repairs[0] <= clock:
            heapq.heappop(repairs)
        heapq.heappush(repairs, clock + draw(random, repair_s))
        if len(repairs) > n_spares:
            missing += 1
            back = heapq.heappop(repairs)
            waited += back - clock
            clock = back
    return missing / n_failures, waited / max(missing, 1)


def test_waiting_for_spares_matches_a_simulated_pool():
    rate, repair_s, n_spares = 1 / 20.0, 30.0, 2
    missing, wait_s = simulated_pool(
        rate, repair_s, n_spares, 60_000, lambda random, mean: random.exponential(mean)
    )
    load = rate * repair_s
    assert spare_is_missing(n_spare_nodes=n_spares, load=load) == pytest.approx(
        missing, rel=0.03
    )
    assert wait_without_spare_s(
        n_spare_nodes=n_spares, repair_s=repair_s
    ) == pytest.approx(wait_s, rel=0.03)


def test_fixed_repair_times_wait_about_as_long_in_sum():
    rate, repair_s, n_spares = 1 / 20.0, 30.0, 2
    missing, wait_s = simulated_pool(
        rate, repair_s, n_spares, 60_000, lambda random, mean: mean
    )
    load = rate * repair_s
    predicted = spare_is_missing(n_spare_nodes=n_spares, load=load)
    predicted *= wait_without_spare_s(n_spare_nodes=n_spares, repair_s=repair_s)
    assert predicted == pytest.approx(missing * wait_s, rel=0.05)


@given(st.floats(0.0, 5000.0), st.integers(1, 20_000))
def test_probabilities_of_nodes_away_sum_to_one(load, n_nodes):
    away, probability = nodes_away(load, n_nodes)
    assert probability.sum() == pytest.approx(1.0)
    assert np.all(np.isfinite(probability))
    if load < n_nodes / 4:
        assert float(away @ probability) == pytest.approx(load, rel=1e-3, abs=1e-9)


@given(st.integers(0, 40), st.floats(0.0, 60.0))
def test_another_spare_never_lowers_goodput(n_spares, repair_days):
    repair_s = repair_days * SECONDS_PER_DAY
    for policy in ("spares", "elastic"):
        few = share(spare_policy=policy, n_spare_nodes=n_spares, repair_s=repair_s)
        more = share(spare_policy=policy, n_spare_nodes=n_spares + 1, repair_s=repair_s)
        assert more.goodput >= few.goodput - 1e-12
        assert more.spare_available_fraction >= few.spare_available_fraction - 1e-12


@given(
    st.sampled_from(["spares", "elastic", "wait"]),
    st.floats(0.0, 60.0),
    st.floats(1.0, 5.0),
)
def test_slower_repair_never_raises_goodput(policy, repair_days, factor):
    repair_s = repair_days * SECONDS_PER_DAY
    quick = share(spare_policy=policy, n_spare_nodes=2, repair_s=repair_s)
    slow = share(spare_policy=policy, n_spare_nodes=2, repair_s=repair_s * factor)
    assert slow.goodput <= quick.goodput + 1e-12


@given(
    st.sampled_from(["spares", "elastic", "wait"]),
    st.integers(0, 50),
    st.floats(0.0, 1e8),
    st.integers(1, 64),
    st.integers(1, 5000),
    st.floats(0.0, 1e3),
)
def test_parts_sum_to_one_under_every_policy(
    policy, spares, repair_s, replica, n_nodes, rate
):
    result = share(
        n_nodes,
        failures=(FailureClass("any", rate, 600.0, takes_node=True),),
        spare_policy=policy,
        n_spare_nodes=spares,
        repair_s=repair_s,
        replica_nodes=replica,
    )
    fractions = [part.fraction for part in result.parts]
    assert sum(fractions) == pytest.approx(1.0, abs=1e-12)
    assert all(0.0 <= value <= 1.0 for value in fractions)


def test_waiting_is_having_no_spares():
    waiting = share(spare_policy="wait", n_spare_nodes=7)
    none = share(spare_policy="spares", n_spare_nodes=0)
    assert waiting.goodput == none.goodput
    assert waiting.spare_available_fraction == 0.0
    assert waiting.spare_wait_s == pytest.approx(48 * SECONDS_PER_HOUR)


def test_enough_spares_leave_only_the_restart():
    spared = share(n_spare_nodes=30)
    instant = share(n_spare_nodes=0, repair_s=0.0)
    assert spared.goodput == pytest.approx(instant.goodput, abs=1e-9)
    assert spared.spare_available_fraction == pytest.approx(1.0, abs=1e-9)


def test_shrinking_beats_waiting_where_there_are_no_spares():
    waiting = share(spare_policy="wait")
    shrinking = share(spare_policy="elastic", replica_nodes=4)
    assert shrinking.goodput > waiting.goodput + 0.2
    # some node is away 1 - e^-0.768 of the time, then 4 of 128 nodes stand still
    idle = 4 / 128 * (1 - math.exp(-0.768))
    shrunk = fraction(shrinking, "shrunk")
    assert shrunk / (shrunk + shrinking.goodput) == pytest.approx(idle, rel=0.01)
    assert fraction(waiting, "shrunk") == 0.0


def test_one_node_away_idles_its_whole_replica():
    small, _ = shrunk_share(n_nodes=128, n_spare_nodes=0, load=0.01, replica_nodes=1)
    large, _ = shrunk_share(n_nodes=128, n_spare_nodes=0, load=0.01, replica_nodes=16)
    assert large == pytest.approx(16 * small, rel=0.01)
    assert small == pytest.approx(0.01 / 128, rel=1e-3)


def test_a_job_of_one_replica_cannot_shrink():
    stopped, missing = shrunk_share(
        n_nodes=8, n_spare_nodes=0, load=0.5, replica_nodes=8
    )
    assert stopped == pytest.approx(missing) == pytest.approx(1 - math.exp(-0.5))


def test_failures_that_take_no_node_need_no_spare():
    result = share(failures=(SOFTWARE,), spare_policy="wait")
    assert fraction(result, "spare_wait") == 0.0
    assert result.spare_available_fraction == 1.0


def test_restarts_are_weighed_by_class():
    result = share(n_spare_nodes=50)
    assert result.restart_s == pytest.approx(0.75 * 1500 + 0.25 * 900 + 20)


def test_lost_work_is_about_half_an_interval():
    result = share(n_nodes=8, n_spare_nodes=9, checkpoint_interval_s=3600.0)
    assert result.lost_work_s == pytest.approx((3600.0 + 40.0) / 2, rel=0.01)


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"repair_s": -1.0}, "repair_hours"),
        ({"repair_s": math.inf}, "repair_hours"),
        ({"n_spare_nodes": -1}, "n_spare_nodes"),
        ({"replica_nodes": 0}, "n_spare_nodes"),
    ],
)
def test_impossible_spares_are_refused_by_name(changes, field):
    with pytest.raises(DomainError) as refusal:
        share(**changes)
    assert refusal.value.field == field
