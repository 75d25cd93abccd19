"""Verdicts follow from computed numbers by rule."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calculator.claims.judge import finding
from calculator.claims.model import Answer, Claim, Quantity, Reading, point
from calculator.engine.errors import InfeasiblePlan

positive = st.floats(min_value=1e-3, max_value=1e9)


def reading(label, value, *, is_plain=False):
    return Reading(label, lambda _world: Answer({"x": value}), is_plain=is_plain)


def claim(*readings, quantity=None, untested=""):
    return Claim(
        id="c",
        topic="t",
        title="T",
        statement="S",
        quantities=(quantity or point("x", "X", "kW", 100.0),),
        readings=readings,
        untested=untested,
    )


def test_words_that_hold_are_reproduced():
    found = finding(claim(reading("a", 104.0, is_plain=True)), None)
    assert found.verdict == "reproduced"
    assert found.deciding_reading == 0


def test_another_reading_that_holds_is_named():
    made = claim(reading("a", 300.0, is_plain=True), reading("per GPU", 99.0))
    found = finding(made, None)
    assert found.verdict == "under_reading"
    assert "per GPU" in found.verdict_text
    assert found.deciding_reading == 1


def test_no_reading_that_holds_contradicts_and_names_the_closest():
    made = claim(reading("far", 900.0, is_plain=True), reading("near", 130.0))
    found = finding(made, None)
    assert found.verdict == "contradicted"
    assert found.deciding_reading == 1
    assert "near" in found.verdict_text
    assert "130 kW" in found.verdict_text


def test_readings_on_both_sides_are_told():
    made = claim(reading("low", 10.0, is_plain=True), reading("high", 900.0))
    assert "both sides" in finding(made, None).verdict_text
    one_side = claim(reading("b", 500.0, is_plain=True), reading("c", 900.0))
    assert "both sides" not in finding(one_side, None).verdict_text


def test_a_claim_that_nothing_computes_is_not_tested():
    found = finding(claim(untested="no model of it"), None)
    assert (found.verdict, found.verdict_text) == ("not_tested", "no model of it")


def test_numbers_of_an_untested_claim_are_shown_but_judge_nothing():
    found = finding(claim(reading("a", 100.0, is_plain=True), untested="why"), None)
    assert found.verdict == "not_tested"
    assert found.readings[0].checks[0].value == 100.0


def test_what_does_not_run_says_why_and_does_not_hold():
    def refuse(_world):
        raise InfeasiblePlan("needs 178.0 GB per GPU", field="hbm_bytes")

    made = claim(Reading("a", refuse, is_plain=True), reading("b", 500.0))
    found = finding(made, None)
    assert found.readings[0].reason == "needs 178.0 GB per GPU"
    assert found.readings[0].checks[0].value is None
    assert found.verdict == "contradicted"
    assert found.deciding_reading == 1


def test_a_missing_price_leaves_a_claim_untested():
    def no_price(_world):
        raise LookupError("no price of x is known")

    found = finding(claim(Reading("a", no_price, is_plain=True)), None)
    assert (found.verdict, found.verdict_text) == (
        "not_tested",
        "no price of x is known",
    )


@given(value=positive, tolerance=st.floats(0, 0.5))
def test_a_point_holds_at_itself(value, tolerance):
    assert point("x", "X", "kW", value, tolerance).holds(value)


@given(low=positive, width=positive, outside=st.floats(1.01, 100))
def test_a_range_without_tolerance_ends_at_its_bounds(low, width, outside):
    quantity = Quantity("x", "X", "kW", low, low + width, 0.0)
    assert quantity.holds(low)
    assert quantity.holds(low + width)
    assert not quantity.holds((low + width) * outside)
    assert not quantity.holds(low / outside)


@pytest.mark.parametrize(
    ("low", "high", "inside"), [(None, 5.0, 0.0), (5.0, None, 1e12)]
)
def test_an_absent_bound_is_open(low, high, inside):
    assert Quantity("x", "X", "kW", low, high).holds(inside)
