"""Schedules against the IRS table and hand-worked cases."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calculator.engine.cost.depreciation import (
    MACRS_5_YEAR_FRACTIONS,
    macrs,
    residual_fraction,
    straight_line,
)
from calculator.engine.errors import DomainError


def by_year(flows):
    return flows[1:].reshape(-1, 12).sum(axis=1)


def test_the_macrs_table_writes_everything_off():
    assert sum(MACRS_5_YEAR_FRACTIONS) == pytest.approx(1.0, rel=1e-15)


def test_macrs_follows_publication_946():
    # The half-year convention's 5-year column for a basis of 10,000.
    yearly = by_year(macrs(10_000.0, horizon_months=84))
    assert yearly == pytest.approx([2_000, 3_200, 1_920, 1_152, 1_152, 576, 0])


def test_macrs_is_even_within_a_year():
    flows = macrs(12_000.0, horizon_months=24)
    assert flows[0] == 0.0
    assert flows[1] == flows[12] == pytest.approx(200.0)
    assert flows[13] == pytest.approx(320.0)


def test_a_bonus_comes_first_and_the_schedule_takes_the_rest():
    yearly = by_year(macrs(10_000.0, horizon_months=72, bonus_fraction=0.4))
    assert yearly == pytest.approx([4_000 + 1_200, 1_920, 1_152, 691.2, 691.2, 345.6])


def test_straight_line_is_level_for_its_life():
    flows = straight_line(3_600.0, life_months=36, horizon_months=48)
    assert flows[0] == 0.0
    assert flows[1:37] == pytest.approx(np.full(36, 100.0))
    assert not flows[37:].any()


def test_bonus_samples_make_one_schedule_each():
    flows = straight_line(
        1_200.0,
        life_months=24,
        horizon_months=24,
        bonus_fraction=np.array([[0.0], [1.0]]),
    )
    assert flows.shape == (2, 25)
    assert flows[0, 1] == pytest.approx(50.0)
    assert flows[1, 1] == pytest.approx(100.0)
    assert flows[1, 13] == 0.0


@given(st.floats(0.0, 1e9), st.integers(1, 90), st.floats(0.0, 1.0))
def test_no_schedule_writes_off_more_or_less_than_the_basis(basis, life, bonus):
    for flows in (
        straight_line(basis, life_months=life, horizon_months=90, bonus_fraction=bonus),
        macrs(basis, horizon_months=90, bonus_fraction=bonus),
    ):
        assert flows.min() >= 0.0
        assert flows.sum() == pytest.approx(basis)


@pytest.mark.parametrize(("years", "left"), [(0, 1.0), (1, 0.72), (3, 0.38), (5, 0.20)])
def test_the_residual_curve_matches_its_source(years, left):
    assert residual_fraction(float(years)) == pytest.approx(left, abs=0.005)


def test_the_residual_curve_takes_arrays():
    assert residual_fraction(np.array([0.0, 1 / 0.14])) == pytest.approx([1.0, 0.1])


def test_a_negative_age_and_an_empty_life_are_refused():
    with pytest.raises(DomainError, match="years is -1"):
        residual_fraction(-1.0)
    with pytest.raises(DomainError, match="life_months"):
        straight_line(1.0, life_months=0, horizon_months=12)
    with pytest.raises(DomainError, match="bonus_fraction"):
        macrs(1.0, horizon_months=12, bonus_fraction=1.5)
