"""The rented cluster's ledger against numbers worked by hand, and its properties."""

from dataclasses import replace

import numpy as np
import numpy_financial as npf
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calculator.engine.cost.cashflow import renting_ledger
from calculator.engine.cost.inputs import RentingInputs
from calculator.engine.cost.rental import billed_hours_per_month, billed_session_h
from calculator.engine.errors import DomainError
from tests.engine.cost.examples import (
    ON_DEMAND,
    RESERVED,
    fraction,
    renting_inputs,
    small_price,
)

PRICES = (
    "usd_per_instance_hour",
    "storage_usd_per_tb_month",
    "egress_usd_per_tb",
    "staff_usd_per_fte_year",
)
FULL_MONTH_USD = 2 * 50.0 * 730.0


def row(ledger, key):
    return next(row for row in ledger.rows if row.key == key).usd


def keys(ledger):
    return [row.key for row in ledger.rows]


def scale_of(ledger):
    return sum(float(np.abs(row.usd).sum()) for row in ledger.rows) + 1e-9


def test_on_demand_bills_occupied_hours_only():
    flows = row(renting_ledger(ON_DEMAND), "instances")
    assert flows[0] == 0.0
    assert flows[1] == pytest.approx(0.8 * FULL_MONTH_USD)
    assert flows[12] == pytest.approx(0.8 * FULL_MONTH_USD)
    assert flows[13] == pytest.approx(0.8 * FULL_MONTH_USD * 1.10)


def test_reserved_terms_bill_idle_hours_too():
    flows = row(renting_ledger(replace(RESERVED, occupancy=0.1)), "instances")
    assert flows[1] == pytest.approx(FULL_MONTH_USD)


@pytest.mark.parametrize(
    ("session_h", "increment_h", "billed_h"),
    [
        (72.0, 1.0, 72.0),
        (2.5, 1.0, 3.0),
        (0.2, 1.0, 1.0),
        (30.0, 24.0, 48.0),
        (1.1, 0.1, 1.1),  # 11 increments, although binary division says a little more
        (2.5, 0.0, 2.5),
    ],
)
def test_a_session_is_billed_in_whole_increments(session_h, increment_h, billed_h):
    assert billed_session_h(session_h, increment_h) == pytest.approx(billed_h)


def test_rounding_up_sessions_scales_the_month():
    half_hours = replace(ON_DEMAND, mean_session_h=0.5, occupancy=0.25)
    assert billed_hours_per_month(half_hours) == pytest.approx(0.25 * 730.0 * 2.0)


def test_no_month_bills_more_hours_than_it_has():
    short = replace(ON_DEMAND, mean_session_h=0.1, occupancy=0.9)
    assert billed_hours_per_month(short) == pytest.approx(730.0)


def test_storage_egress_support_and_staff_are_worked_as_by_hand():
    ledger = renting_ledger(ON_DEMAND)
    assert row(ledger, "storage")[1] == pytest.approx(14_000.0)
    assert row(ledger, "egress")[24] == pytest.approx(180.0)
    billed_usd = 0.8 * FULL_MONTH_USD + 14_000.0 + 180.0
    assert row(ledger, "support")[1] == pytest.approx(0.03 * billed_usd)
    assert row(ledger, "staff")[13] == pytest.approx(10_000.0 * 1.04)


def test_nothing_is_owned_so_capex_is_zero():
    ledger = renting_ledger(replace(RESERVED, upfront_fraction=1.0))
    assert ledger.capex_usd == 0.0
    assert not any(row.is_capex for row in ledger.rows)


def test_totals_agree_with_numpy_financial():
    ledger = renting_ledger(ON_DEMAND)
    monthly_rate = 1.10 ** (1 / 12) - 1
    npv_usd = npf.npv(monthly_rate, ledger.total_usd)
    npv_tokens = npf.npv(monthly_rate, ledger.tokens)
    assert ledger.npv_usd == pytest.approx(npv_usd)
    assert ledger.levelised_usd_per_million_tokens == pytest.approx(
        npv_usd / npv_tokens * 1e6
    )
    assert ledger.usd_per_gpu_hour == pytest.approx(
        ledger.total_usd.sum() / (16 * 24 * 730 * 0.8)
    )


def test_a_term_keeps_its_signing_price_until_it_is_renewed():
    three_years = replace(RESERVED, horizon_months=60, minimum_months=36)
    flows = row(renting_ledger(three_years), "instances")
    assert flows[36] == pytest.approx(FULL_MONTH_USD)
    assert flows[37] == pytest.approx(FULL_MONTH_USD * 1.10**3)
    assert flows[60] == pytest.approx(FULL_MONTH_USD * 1.10**3)


def test_prepayment_falls_on_the_day_each_term_is_signed():
    ledger = renting_ledger(replace(RESERVED, upfront_fraction=0.5))
    prepaid = row(ledger, "prepaid")
    assert prepaid[0] == pytest.approx(0.5 * 12 * FULL_MONTH_USD)
    assert prepaid[12] == pytest.approx(0.5 * 12 * FULL_MONTH_USD * 1.10)
    assert np.count_nonzero(prepaid) == 2
    assert row(ledger, "instances")[1] == pytest.approx(0.5 * FULL_MONTH_USD)


def test_the_last_renewal_is_prepaid_to_the_horizon_only():
    ledger = renting_ledger(replace(RESERVED, horizon_months=18, upfront_fraction=1.0))
    assert row(ledger, "prepaid")[12] == pytest.approx(6 * FULL_MONTH_USD * 1.10)
    assert "commitment_tail" not in keys(ledger)


def test_a_commitment_longer_than_the_horizon_is_billed_to_its_end():
    long = replace(RESERVED, minimum_months=36)
    tail = row(renting_ledger(long), "commitment_tail")
    assert tail[24] == pytest.approx(12 * FULL_MONTH_USD)
    assert not tail[:24].any()


def test_an_all_upfront_commitment_is_paid_whole_at_month_0():
    ledger = renting_ledger(replace(RESERVED, minimum_months=36, upfront_fraction=1.0))
    assert row(ledger, "prepaid")[0] == pytest.approx(36 * FULL_MONTH_USD)
    assert not row(ledger, "commitment_tail").any()


@given(fraction, st.integers(1, 72), st.integers(1, 60))
def test_prepaying_changes_when_instances_are_paid_and_not_how_much(
    upfront, term, horizon
):
    plain = replace(
        RESERVED, minimum_months=term, horizon_months=horizon, support_fraction=0.0
    )
    prepaid = replace(plain, upfront_fraction=upfront)
    assert renting_ledger(prepaid).tco_usd == pytest.approx(
        renting_ledger(plain).tco_usd
    )


def test_rent_is_deducted_as_it_is_used_and_not_as_it_is_prepaid():
    bare = replace(
        RESERVED,
        tax_rate_fraction=0.25,
        support_fraction=0.0,
        storage_tb=0.0,
        egress_tb_per_month=0.0,
        n_staff_fte=0.0,
        minimum_months=36,
        upfront_fraction=1.0,
    )
    relief = row(renting_ledger(bare), "tax_relief_operating")
    assert relief[0] == 0.0
    assert relief[1] == pytest.approx(-0.25 * FULL_MONTH_USD)
    assert relief[24] == pytest.approx(-0.25 * 13 * FULL_MONTH_USD)


def test_a_missing_price_leaves_the_instances_out_and_is_named():
    ledger = renting_ledger(replace(ON_DEMAND, usd_per_instance_hour=None))
    assert not ledger.is_complete
    assert ledger.missing == ("usd_per_instance_hour",)
    assert "instances" not in keys(ledger)
    assert row(ledger, "support")[1] == pytest.approx(0.03 * 14_180.0)


def test_released_instances_of_an_idle_project_cost_nothing_but_their_extras():
    ledger = renting_ledger(replace(ON_DEMAND, occupancy=0.0))
    assert not row(ledger, "instances").any()
    assert row(ledger, "storage")[1] == pytest.approx(14_000.0)
    assert ledger.levelised_usd_per_million_tokens is None
    assert ledger.reason == "No useful token is trained: occupancy is 0."


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("price_escalation_rate_fraction", -1.0, "above -1"),
        ("mean_session_h", 0.0, "above 0"),
        ("billing_increment_h", -1.0, "at least 0"),
        ("upfront_fraction", 1.1, "at most 1"),
        ("usd_per_instance_hour", -5.0, "at least 0"),
        ("minimum_months", -1, "at least 0"),
        ("n_instances", 0, "at least 1"),
    ],
)
def test_a_value_out_of_bounds_is_refused_by_name_and_bound(field, value, words):
    with pytest.raises(DomainError) as refusal:
        renting_ledger(replace(ON_DEMAND, **{field: value}))
    assert refusal.value.field == field
    assert words in refusal.value.message


@given(renting_inputs())
def test_rows_foot_and_stay_finite(inputs):
    ledger = renting_ledger(inputs)
    total = np.zeros(inputs.horizon_months + 1)
    for line in ledger.rows:
        total = total + line.usd
    assert np.array_equal(total, ledger.total_usd)
    assert np.isfinite(total).all()
    assert sum(ledger.levelised_by_row.values()) == pytest.approx(
        ledger.levelised_usd_per_million_tokens, rel=1e-9, abs=1e-9
    )


@given(renting_inputs())
def test_doubling_all_prices_doubles_the_cost(inputs):
    doubled = replace(inputs, **{name: getattr(inputs, name) * 2 for name in PRICES})
    once = renting_ledger(inputs)
    slack = 1e-9 * scale_of(once)
    assert renting_ledger(doubled).tco_usd == pytest.approx(2 * once.tco_usd, abs=slack)


@given(renting_inputs(tax_rate_fraction=0.0), small_price)
def test_a_dearer_instance_never_lowers_tco(inputs, more):
    dearer = replace(inputs, usd_per_instance_hour=inputs.usd_per_instance_hour + more)
    before = renting_ledger(inputs)
    assert renting_ledger(dearer).tco_usd >= before.tco_usd - 1e-12 * scale_of(before)


@given(renting_inputs(tax_rate_fraction=0.3))
def test_every_cost_is_deducted_once(inputs):
    untaxed = renting_ledger(replace(inputs, tax_rate_fraction=0.0))
    slack = 1e-9 * scale_of(untaxed)
    assert renting_ledger(inputs).tco_usd == pytest.approx(
        0.7 * untaxed.tco_usd, abs=slack
    )


@given(renting_inputs(discount_rate_fraction=0.0))
def test_a_zero_discount_rate_levelises_to_the_undiscounted_cost(inputs):
    ledger = renting_ledger(inputs)
    assert (
        ledger.levelised_usd_per_million_tokens
        == ledger.undiscounted_usd_per_million_tokens
    )


@settings(max_examples=30)
@given(renting_inputs(), st.integers(1, 3))
def test_a_scalar_ledger_equals_sample_zero_of_an_array(inputs, n_samples):
    fixed = (
        "horizon_months",
        "n_gpus",
        "n_instances",
        "releases_when_idle",
        "billing_increment_h",
        "minimum_months",
    )
    spread = np.linspace(1.0, 0.9, n_samples)[:, np.newaxis]
    arrays = {
        name: getattr(inputs, name) * spread
        for name in RentingInputs.__dataclass_fields__
        if name not in fixed
    }
    many, one = renting_ledger(replace(inputs, **arrays)), renting_ledger(inputs)
    slack = 1e-9 * scale_of(one)
    assert many.tco_usd.shape == (n_samples,)
    assert many.total_usd[0] == pytest.approx(one.total_usd, abs=slack)
    assert many.npv_usd[0] == pytest.approx(
        one.npv_usd, abs=slack * (1 + abs(one.npv_usd))
    )
    assert many.capex_usd.shape == (n_samples,)
    assert [line.key for line in many.rows] == [line.key for line in one.rows]


def test_a_prepaid_block_without_commitment_is_paid_on_the_first_day_of_each_month():
    block = replace(
        RESERVED,
        minimum_months=0,
        upfront_fraction=1.0,
        price_escalation_rate_fraction=0.0,
    )
    prepaid = row(renting_ledger(block), "prepaid")
    assert prepaid[:24] == pytest.approx(np.full(24, FULL_MONTH_USD))
    assert prepaid[24] == 0.0
