"""The owned cluster's ledger against numbers worked by hand and an independent oracle."""

from dataclasses import replace

import numpy as np
import numpy_financial as npf
import pytest

from calculator.engine.cost.cashflow import owning_ledger
from calculator.engine.cost.inputs import CapexLine
from calculator.engine.errors import DomainError
from tests.engine.cost.examples import OWNED

TAXED = replace(OWNED, tax_rate_fraction=0.25)


def row(ledger, key):
    return next(row for row in ledger.rows if row.key == key).usd


def keys(ledger):
    return [row.key for row in ledger.rows]


def test_the_purchase_is_worked_as_by_hand():
    ledger = owning_ledger(OWNED)
    assert row(ledger, "hardware_compute")[0] == 200_000.0
    assert row(ledger, "hardware_network")[0] == 50_000.0
    assert row(ledger, "freight")[0] == pytest.approx(5_000.0)
    assert row(ledger, "duty")[0] == pytest.approx(25_500.0)  # on price plus freight
    assert row(ledger, "sales_tax")[0] == pytest.approx(12_500.0)
    assert row(ledger, "installation")[0] == pytest.approx(7_500.0)
    assert ledger.capex_usd == pytest.approx(300_500.0)
    assert ledger.total_usd[0] == pytest.approx(300_500.0)


def test_a_category_of_one_line_keeps_its_label_and_more_lines_share_a_title():
    rows = {row.key: row for row in owning_ledger(OWNED).rows}
    assert rows["hardware_compute"].label == "Nodes"
    assert rows["hardware_network"].label == "Network"
    assert rows["hardware_network"].is_capex
    assert not rows["energy"].is_capex


@pytest.mark.parametrize(
    ("key", "first_year", "second_year"),
    [
        # (10 kW x 0.8 + 2 kW x 0.2) x 1.5 x 730 h x 0.10 USD/kWh
        ("energy", 919.80, 919.80 * 1.02),
        ("demand_charge", 12.0 * 1.5 * 5.0, 90.0 * 1.02),
        ("space", 12.0 * 100.0, 1_200.0 * 1.03),
        ("support", 250_000.0 * 0.06 / 12, 1_250.0 * 1.05),
        ("software", 8 * 600.0 / 12, 400.0 * 1.05),
        ("insurance", 250_000.0 * 0.012 / 12, 250.0 * 1.05),
        ("staff", 0.5 * 240_000.0 / 12, 10_000.0 * 1.04),
    ],
)
def test_running_costs_hold_their_quote_for_a_year_and_then_step(
    key, first_year, second_year
):
    flows = row(owning_ledger(OWNED), key)
    assert flows[0] == 0.0
    assert flows[1] == pytest.approx(first_year)
    assert flows[12] == pytest.approx(first_year)
    assert flows[13] == pytest.approx(second_year)
    assert flows[24] == pytest.approx(second_year)


def test_the_residual_is_a_share_of_the_hardware_price_in_the_last_month():
    flows = row(owning_ledger(OWNED), "residual")
    assert flows[24] == pytest.approx(-100_000.0)
    assert not flows[:24].any()


def test_totals_are_worked_as_by_hand():
    ledger = owning_ledger(OWNED)
    first_year = 919.8 + 90 + 1_200 + 1_250 + 400 + 250 + 10_000
    second_year = 919.8 * 1.02 + 91.8 + 1_236 + 1_312.5 + 420 + 262.5 + 10_400
    tco_usd = 300_500 + 12 * first_year + 12 * second_year - 100_000
    assert ledger.tco_usd == pytest.approx(tco_usd)
    tokens = 10_000 * 0.8 * 730 * 3600
    assert ledger.tokens[0] == 0.0
    assert ledger.tokens[1] == pytest.approx(tokens)
    assert ledger.sum_tokens == pytest.approx(24 * tokens)
    assert ledger.usd_per_gpu_hour == pytest.approx(tco_usd / (8 * 24 * 730 * 0.8))
    undiscounted = tco_usd / (24 * tokens) * 1e6
    assert ledger.undiscounted_usd_per_million_tokens == pytest.approx(undiscounted)


def test_present_values_agree_with_numpy_financial():
    ledger = owning_ledger(OWNED)
    monthly_rate = 1.10 ** (1 / 12) - 1
    npv_usd = npf.npv(monthly_rate, ledger.total_usd)
    npv_tokens = npf.npv(monthly_rate, ledger.tokens)
    assert ledger.npv_usd == pytest.approx(npv_usd)
    assert ledger.npv_tokens == pytest.approx(npv_tokens)
    assert ledger.levelised_usd_per_million_tokens == pytest.approx(
        npv_usd / npv_tokens * 1e6
    )
    annual = -npf.pmt(0.10, 2, npv_usd)
    assert ledger.equivalent_annual_cost_usd == pytest.approx(annual)


def test_no_tax_rate_means_no_tax_rows():
    assert not [key for key in keys(owning_ledger(OWNED)) if key.startswith("tax")]


def test_straight_line_shield_and_resale_tax_are_worked_as_by_hand():
    ledger = owning_ledger(TAXED)
    shield = row(ledger, "tax_relief_depreciation")
    assert shield[0] == 0.0
    assert shield[1] == pytest.approx(-0.25 * 300_500 / 60)
    assert shield[24] == pytest.approx(-0.25 * 300_500 / 60)
    book_usd = 300_500 * (1 - 24 / 60)
    assert row(ledger, "tax_on_residual")[24] == pytest.approx(
        0.25 * (100_000 - book_usd)
    )


def test_macrs_shield_is_worked_as_by_hand():
    ledger = owning_ledger(replace(TAXED, depreciation="macrs_5"))
    shield = row(ledger, "tax_relief_depreciation")
    assert shield[1:13].sum() == pytest.approx(-0.25 * 300_500 * 0.20)
    assert shield[13:25].sum() == pytest.approx(-0.25 * 300_500 * 0.32)
    book_usd = 300_500 * 0.48
    assert row(ledger, "tax_on_residual")[24] == pytest.approx(
        0.25 * (100_000 - book_usd)
    )


def test_running_costs_are_deducted_in_their_month():
    ledger = owning_ledger(TAXED)
    running_usd = 919.8 + 90 + 1_200 + 1_250 + 400 + 250 + 10_000
    assert row(ledger, "tax_relief_operating")[1] == pytest.approx(-0.25 * running_usd)
    assert row(ledger, "tax_relief_operating")[0] == 0.0


@pytest.mark.parametrize("method", ["none", "straight_line", "macrs_5"])
@pytest.mark.parametrize("bonus", [0.0, 0.4, 1.0])
def test_a_schedule_moves_tax_in_time_and_creates_none(method, bonus):
    taxed = replace(TAXED, depreciation=method, bonus_depreciation_fraction=bonus)
    before_tax = owning_ledger(OWNED).tco_usd
    assert owning_ledger(taxed).tco_usd == pytest.approx(0.75 * before_tax)


def test_earlier_depreciation_is_worth_more():
    def npv_usd(method, bonus=0.0):
        case = replace(TAXED, depreciation=method, bonus_depreciation_fraction=bonus)
        return owning_ledger(case).npv_usd

    assert npv_usd("macrs_5", 1.0) < npv_usd("macrs_5") < npv_usd("straight_line")
    assert npv_usd("straight_line") < npv_usd("none")


def test_a_missing_price_leaves_its_row_out_and_is_named():
    hardware = (*OWNED.hardware, CapexLine("storage", "storage", "Storage", None))
    ledger = owning_ledger(replace(OWNED, hardware=hardware))
    assert not ledger.is_complete
    assert ledger.missing == ("storage",)
    assert "hardware_storage" not in keys(ledger)
    assert ledger.tco_usd == owning_ledger(OWNED).tco_usd


def test_a_category_with_one_missing_price_keeps_the_priced_lines():
    hardware = (*OWNED.hardware, CapexLine("optics", "network", "Optics", None))
    ledger = owning_ledger(replace(OWNED, hardware=hardware))
    assert ledger.missing == ("optics",)
    assert row(ledger, "hardware_network")[0] == 50_000.0


def test_without_a_missing_price_the_ledger_is_complete():
    assert owning_ledger(OWNED).is_complete
    assert owning_ledger(OWNED).missing == ()


def test_an_idle_cluster_costs_money_and_has_no_cost_per_token():
    ledger = owning_ledger(replace(OWNED, occupancy=0.0))
    assert ledger.tco_usd > 0.0
    assert ledger.levelised_usd_per_million_tokens is None
    assert ledger.undiscounted_usd_per_million_tokens is None
    assert ledger.usd_per_gpu_hour is None
    assert ledger.levelised_by_row == {}
    assert ledger.reason == "No useful token is trained: occupancy is 0."


def test_a_used_cluster_that_trains_nothing_still_has_a_cost_per_gpu_hour():
    ledger = owning_ledger(replace(OWNED, useful_tokens_per_s=0.0))
    assert ledger.levelised_usd_per_million_tokens is None
    assert ledger.usd_per_gpu_hour == owning_ledger(OWNED).usd_per_gpu_hour
    assert "useful tokens per second are 0" in ledger.reason


def test_samples_without_tokens_are_counted_in_the_reason():
    occupancy = np.array([[0.5], [0.0], [0.9]])
    ledger = owning_ledger(replace(OWNED, occupancy=occupancy))
    assert ledger.levelised_usd_per_million_tokens is None
    assert "in 1 of 3 samples" in ledger.reason


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("discount_rate_fraction", -1.0, "above -1"),
        ("energy_escalation_rate_fraction", -1.5, "above -1"),
        ("residual_fraction", 1.2, "at most 1"),
        ("occupancy", 1.01, "at most 1"),
        ("occupancy", -0.1, "at least 0"),
        ("pue", 0.9, "at least 1"),
        ("useful_tokens_per_s", -1.0, "at least 0"),
        ("energy_price_usd_per_kwh", float("nan"), "at least 0"),
        ("staff_usd_per_fte_year", float("inf"), "at least 0"),
        ("horizon_months", 0, "at least 1"),
        ("horizon_months", 1.5, "whole number"),
        ("n_gpus", 0, "at least 1"),
        ("depreciation_months", 0, "at least 1"),
    ],
)
def test_a_value_out_of_bounds_is_refused_by_name_and_bound(field, value, words):
    with pytest.raises(DomainError) as refusal:
        owning_ledger(replace(OWNED, **{field: value}))
    assert refusal.value.field == field
    assert field in refusal.value.message
    assert words in refusal.value.message


def test_one_bad_sample_is_enough_to_refuse():
    rates = np.array([[0.1], [-1.2], [0.1]])
    with pytest.raises(DomainError, match=r"is -1\.2"):
        owning_ledger(replace(OWNED, discount_rate_fraction=rates))


def test_a_negative_hardware_price_is_refused_by_its_key():
    line = CapexLine("nodes", "compute", "Nodes", -1.0)
    with pytest.raises(DomainError) as refusal:
        owning_ledger(replace(OWNED, hardware=(line,)))
    assert refusal.value.field == "hardware.nodes"


@pytest.mark.parametrize("shape", [(3,), (3, 2), (1, 3, 1)])
def test_arrays_of_another_shape_are_refused(shape):
    with pytest.raises(DomainError, match="n_samples, 1"):
        owning_ledger(replace(OWNED, pue=np.full(shape, 1.2)))


def test_unequal_sample_counts_are_refused():
    odd = replace(OWNED, pue=np.full((3, 1), 1.2), occupancy=np.full((2, 1), 0.5))
    with pytest.raises(DomainError, match="2 samples where others have 3"):
        owning_ledger(odd)


def test_an_unknown_depreciation_is_refused():
    with pytest.raises(DomainError) as refusal:
        owning_ledger(replace(TAXED, depreciation="sum_of_digits"))
    assert refusal.value.field == "depreciation"


def test_an_overflow_is_refused_and_not_returned():
    absurd = replace(OWNED, horizon_months=600, energy_escalation_rate_fraction=1e10)
    with pytest.raises(DomainError, match="overflows"):
        owning_ledger(absurd)


def test_an_array_without_samples_is_refused():
    with pytest.raises(DomainError, match="occupancy has no samples"):
        owning_ledger(replace(OWNED, occupancy=np.empty((0, 1))))


def test_flows_that_cancel_leave_no_rounding_residue():
    free = replace(
        OWNED, tax_rate_fraction=1.0, discount_rate_fraction=0.0, residual_fraction=0.1
    )
    ledger = owning_ledger(free)
    assert abs(ledger.total_usd).max() > 1_000.0
    assert ledger.tco_usd == 0.0
    assert ledger.npv_usd == 0.0
    assert ledger.levelised_usd_per_million_tokens == 0.0


@pytest.mark.parametrize("occupancy", [5e-324, 1e-300])
def test_less_than_one_token_has_no_cost_and_says_so(occupancy):
    ledger = owning_ledger(replace(OWNED, occupancy=occupancy))
    assert ledger.levelised_usd_per_million_tokens is None
    assert ledger.usd_per_gpu_hour is None
    assert "fewer than one" in ledger.reason
