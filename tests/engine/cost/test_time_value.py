"""Discounting, price steps and annuities against an independent oracle."""

import numpy as np
import numpy_financial as npf
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calculator.engine.cost.cashflow import (
    annuity_factor,
    equivalent_annual_cost,
    npv,
    present_value,
)
from calculator.engine.cost.timeline import (
    at_month,
    discount_factor,
    elapsed_price_years,
    operating_factor,
)
from calculator.engine.errors import DomainError

rates = st.floats(-0.5, 2.0, allow_subnormal=False)


@pytest.mark.parametrize(
    ("month", "factor"),
    [(0, 1.0), (1, 1.10 ** (-1 / 12)), (12, 1 / 1.10), (24, 1 / 1.21)],
)
def test_a_month_is_discounted_by_a_twelfth_of_a_year(month, factor):
    assert discount_factor(0.10, 24)[month] == pytest.approx(factor, rel=1e-14)
    value = present_value(1_000.0, rate_fraction=0.10, months=month)
    assert value == pytest.approx(1_000.0 * factor, rel=1e-14)


@pytest.mark.parametrize(
    ("month", "years"), [(0, 0), (1, 0), (12, 0), (13, 1), (24, 1), (25, 2)]
)
def test_prices_step_after_every_twelfth_month(month, years):
    assert elapsed_price_years(30)[month] == years


def test_nothing_runs_in_month_0_and_the_first_year_runs_at_the_quote():
    factor = operating_factor(0.03, 24)
    assert factor[0] == 0.0
    assert factor[1] == factor[12] == 1.0
    assert factor[13] == pytest.approx(1.03)


def test_a_payment_stands_in_its_month_alone():
    assert at_month(5.0, 2, 3).tolist() == [0.0, 0.0, 5.0, 0.0]
    assert at_month(np.array([[5.0], [7.0]]), 0, 1).tolist() == [[5.0, 0.0], [7.0, 0.0]]


@given(
    st.lists(st.floats(-1e6, 1e6, allow_subnormal=False), min_size=1, max_size=40),
    rates,
)
def test_npv_agrees_with_numpy_financial(flows, rate):
    flows = np.array(flows)
    monthly_rate = (1.0 + rate) ** (1 / 12) - 1.0
    expected = npf.npv(monthly_rate, flows)
    scale = np.abs(flows).sum() * max(1.0, (1.0 + rate) ** (-flows.size / 12))
    assert npv(flows, rate_fraction=rate) == pytest.approx(
        expected, rel=1e-9, abs=1e-9 * scale
    )


def test_npv_takes_one_rate_per_sample():
    flows = np.array([0.0] * 12 + [110.0])
    values = npv(flows, rate_fraction=np.array([[0.0], [0.10]]))
    assert values == pytest.approx([110.0, 100.0])


@given(
    st.floats(-0.5, 2.0).filter(lambda rate: abs(rate) > 1e-6),
    st.floats(0.1, 30.0),
)
def test_the_annuity_agrees_with_numpy_financial(rate, years):
    assert annuity_factor(rate_fraction=rate, years=years) == pytest.approx(
        -npf.pmt(rate, years, 1.0), rel=1e-7
    )


def test_the_annuity_is_continuous_at_a_zero_rate():
    assert annuity_factor(rate_fraction=0.0, years=5.0) == 0.2
    assert annuity_factor(rate_fraction=1e-13, years=5.0) == pytest.approx(0.2)
    both = annuity_factor(rate_fraction=np.array([0.0, 0.1]), years=5.0)
    assert both == pytest.approx([0.2, 0.2637974808])


def test_equivalent_annual_cost_compares_unequal_lives():
    # Brealey, Myers, Allen, machines A and B: 3 years against 2 years at 6 %.
    long = equivalent_annual_cost(28.37, rate_fraction=0.06, years=3)
    short = equivalent_annual_cost(21.00, rate_fraction=0.06, years=2)
    assert long == pytest.approx(10.61, abs=0.005)
    assert short == pytest.approx(11.45, abs=0.005)


@pytest.mark.parametrize("rate", [-1.0, -2.0, float("nan")])
def test_rates_at_or_under_minus_100_percent_are_refused(rate):
    for act in (
        lambda: npv(np.ones(3), rate_fraction=rate),
        lambda: present_value(1.0, rate_fraction=rate, months=1),
        lambda: annuity_factor(rate_fraction=rate, years=1.0),
    ):
        with pytest.raises(DomainError, match="above -1"):
            act()


def test_an_annuity_over_no_years_is_refused():
    with pytest.raises(DomainError) as refusal:
        equivalent_annual_cost(1.0, rate_fraction=0.1, years=0.0)
    assert refusal.value.field == "years"
