"""A buyer's own rows: known factors come back, few rows do not bend the model."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calculator.engine.errors import DomainError
from calculator.engine.training.own_stack import (
    KERNEL_RATES,
    LATENCIES,
    LINK_EFFICIENCIES,
    OwnStack,
    own_parameters,
)
from calculator.engine.training.parameters import Parameters, default_parameters
from calculator.engine.training.throughput import best_strategy
from calculator.measured.columns import Unreadable
from calculator.measured.own import NothingMeasured, calibrate_own, measured_speed
from tests.engine.training.cases import job
from tests.measured.own_rows import COLUMNS, rows

DIFFERENT = OwnStack(
    kernel_efficiency=0.85, communication_time=2.0, step_overhead_s=0.2
)


def test_every_corrected_parameter_is_one_of_the_model():
    known = {field.name for field in dataclasses.fields(Parameters)}
    assert {*KERNEL_RATES, *LINK_EFFICIENCIES, *LATENCIES, "step_overhead_s"} <= known


def test_no_correction_changes_nothing():
    assert own_parameters(OwnStack()) == default_parameters()


@given(
    k=st.floats(0.3, 1.9),
    c=st.floats(0.3, 4.9),
    o=st.floats(0.0, 5.0),
    worse=st.floats(1.01, 1.5),
)
@settings(max_examples=40, deadline=None)
def test_slower_kernels_slower_links_and_overhead_never_speed_up(k, c, o, worse):
    def speed(stack):
        return best_strategy(**job(), parameters=own_parameters(stack)).tokens_per_s

    here = speed(OwnStack(k, c, o))
    for stack in (
        OwnStack(max(k / worse, 0.2), c, o),
        OwnStack(k, min(c * worse, 5.0), o),
        OwnStack(k, c, o + worse),
    ):
        assert speed(stack) <= here * (1 + 1e-9)


@pytest.mark.parametrize(
    ("stack", "field"),
    [
        (OwnStack(kernel_efficiency=0.0), "kernel_efficiency"),
        (OwnStack(communication_time=9.0), "communication_time"),
        (OwnStack(step_overhead_s=-1.0), "step_overhead_s"),
        (OwnStack(kernel_efficiency=float("nan")), "kernel_efficiency"),
    ],
)
def test_a_factor_out_of_bounds_is_refused_by_name(stack, field):
    with pytest.raises(DomainError) as refusal:
        own_parameters(stack)
    assert refusal.value.field == field


def test_a_cluster_like_the_model_is_left_alone():
    found = calibrate_own(rows(OwnStack()))
    assert found.stack.kernel_efficiency == pytest.approx(1.0, abs=0.01)
    assert found.stack.communication_time == pytest.approx(1.0, abs=0.05)
    assert found.after.largest < 0.01


def test_a_different_cluster_is_described_at_all_its_sizes():
    found = calibrate_own(rows(DIFFERENT))
    assert found.before.median > 0.5
    assert found.after.median < 0.05
    assert found.after.largest < 0.15
    assert found.left_out.median < 0.06
    assert found.stack.kernel_efficiency == pytest.approx(0.85, abs=0.15)
    assert found.stack.communication_time == pytest.approx(2.0, rel=0.25)


def test_one_row_moves_the_model_only_part_of_the_way():
    found = calibrate_own(rows(DIFFERENT, sizes=(64,)))
    assert found.n_fitted == 1
    assert found.left_out is None
    assert 0.1 * found.before.median < found.after.median < 0.6 * found.before.median
    assert 0.7 < found.stack.kernel_efficiency < 1.0
    assert 1.0 < found.stack.communication_time < 2.0


def test_noise_on_three_rows_is_not_taken_for_physics():
    found = calibrate_own(
        rows(OwnStack(), sizes=(32, 64, 128), noise=(1.04, 0.96, 1.03))
    )
    assert found.stack.kernel_efficiency == pytest.approx(1.0, abs=0.03)
    assert found.stack.communication_time == pytest.approx(1.0, abs=0.2)


def test_a_mistyped_row_does_not_bend_the_others():
    found = calibrate_own(rows(OwnStack(), noise=(1.0, 1.0, 1.0, 10.0, 1.0, 1.0, 1.0)))
    kept = [row for row in found.rows if row.id != "run 64"]
    errors = [abs(row.after / row.measured - 1.0) for row in kept]
    assert np.median(errors) < 0.06
    assert found.left_out.largest > 0.8


def test_order_of_rows_changes_nothing():
    measured = rows(DIFFERENT)
    forward, back = calibrate_own(measured), calibrate_own(measured[::-1])
    assert back.stack.kernel_efficiency == pytest.approx(
        forward.stack.kernel_efficiency, rel=1e-3
    )


def test_framework_names_do_not_influence_the_fit():
    measured = rows(DIFFERENT)
    named = [row | {"framework": "Megatron-LM"} for row in measured]
    assert calibrate_own(named).stack == calibrate_own(measured).stack


def test_unreadable_rows_are_told_and_the_rest_is_used():
    measured = rows(DIFFERENT)
    found = calibrate_own([*measured, COLUMNS | {"id": "bad", "num_gpus": "x"}])
    assert found.n_fitted == len(measured)
    assert "num_gpus is 'x'" in found.rows[-1].note
    assert found.rows[-1].measured is None


def test_rows_without_any_measurement_are_refused_one_by_one():
    with pytest.raises(NothingMeasured) as refusal:
        calibrate_own([COLUMNS | {"id": "a", "num_gpus": "8"}])
    assert refusal.value.reasons == (
        (0, "neither tokens_per_s_per_gpu nor step_time_s is given"),
    )


STEP = {"global_batch_seqs": "64", "seq_len": "1024", "num_gpus": "8"}


@pytest.mark.parametrize(
    ("row", "speed"),
    [
        ({"tokens_per_s_per_gpu": "100"}, 100.0),
        (STEP | {"step_time_s": "4"}, 2048.0),
        (STEP | {"step_time_s": "4", "tokens_per_s_per_gpu": "2000"}, 2000.0),
    ],
)
def test_speed_is_read_directly_or_from_the_step(row, speed):
    assert measured_speed(row) == pytest.approx(speed)


@pytest.mark.parametrize(
    "row",
    [
        {},
        {"step_time_s": "4"},
        {"tokens_per_s_per_gpu": "0"},
        {"tokens_per_s_per_gpu": "nan"},
        {"tokens_per_s_per_gpu": "-3"},
        STEP | {"step_time_s": "4", "tokens_per_s_per_gpu": "1000"},
    ],
)
def test_speed_that_cannot_be_is_refused(row):
    with pytest.raises(Unreadable):
        measured_speed(row)
