"""What holds for every owned cluster."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calculator.engine.cost.cashflow import owning_ledger
from calculator.engine.cost.inputs import OwningInputs
from tests.engine.cost.examples import OWNED, fraction, owning_inputs, small_price

PRICES = (
    "energy_price_usd_per_kwh",
    "demand_charge_usd_per_kw_month",
    "space_usd_per_kw_month",
    "software_usd_per_gpu_year",
    "staff_usd_per_fte_year",
)
SAMPLED = tuple(
    name
    for name in OwningInputs.__dataclass_fields__
    if name
    not in (
        "horizon_months",
        "n_gpus",
        "hardware",
        "depreciation",
        "depreciation_months",
    )
)


def times(inputs, factor):
    hardware = tuple(
        replace(line, amount_usd=line.amount_usd * factor) for line in inputs.hardware
    )
    prices = {name: getattr(inputs, name) * factor for name in PRICES}
    return replace(inputs, hardware=hardware, **prices)


def scale_of(ledger):
    """The size of what is summed, so that cancelling rows leave no false alarm."""
    return sum(float(np.abs(row.usd).sum()) for row in ledger.rows) + 1e-9


def near(ledger):
    return {"rel": 1e-9, "abs": 1e-12 * scale_of(ledger)}


@given(owning_inputs())
def test_rows_foot_to_the_total_in_every_month(inputs):
    ledger = owning_ledger(inputs)
    total = np.zeros(inputs.horizon_months + 1)
    for row in ledger.rows:
        total = total + row.usd
    assert np.array_equal(total, ledger.total_usd)
    assert ledger.tco_usd == pytest.approx(total.sum(), **near(ledger))


@given(owning_inputs())
def test_no_nan_or_infinity_leaves_the_ledger(inputs):
    ledger = owning_ledger(inputs)
    assert np.isfinite(ledger.total_usd).all()
    assert all(np.isfinite(value) for value in ledger.levelised_by_row.values())
    assert np.isfinite(ledger.equivalent_annual_cost_usd)


@given(owning_inputs())
def test_doubling_all_prices_doubles_the_cost(inputs):
    once, twice = owning_ledger(inputs), owning_ledger(times(inputs, 2.0))
    assert twice.tco_usd == pytest.approx(2 * once.tco_usd, **near(once))
    assert twice.npv_usd == pytest.approx(
        2 * once.npv_usd, rel=1e-9, abs=1e-9 * abs(once.npv_usd)
    )
    assert twice.levelised_usd_per_million_tokens == pytest.approx(
        2 * once.levelised_usd_per_million_tokens, rel=1e-9, abs=1e-9
    )


@given(owning_inputs(), small_price)
def test_dearer_energy_never_lowers_tco(inputs, more):
    dearer = replace(
        inputs, energy_price_usd_per_kwh=inputs.energy_price_usd_per_kwh + more
    )
    before = owning_ledger(inputs)
    assert owning_ledger(dearer).tco_usd >= before.tco_usd - 1e-12 * scale_of(before)


@given(owning_inputs(discount_rate_fraction=0.0))
def test_a_zero_discount_rate_levelises_to_the_undiscounted_cost(inputs):
    ledger = owning_ledger(inputs)
    assert ledger.npv_usd == ledger.tco_usd
    assert (
        ledger.levelised_usd_per_million_tokens
        == ledger.undiscounted_usd_per_million_tokens
    )


@given(owning_inputs(tax_rate_fraction=0.0, residual_fraction=0.0), fraction)
def test_cost_per_token_never_rises_with_occupancy(inputs, share):
    busy = replace(
        inputs, occupancy=inputs.occupancy + (1.0 - inputs.occupancy) * share
    )
    idle_cost = owning_ledger(inputs).levelised_usd_per_million_tokens
    busy_cost = owning_ledger(busy).levelised_usd_per_million_tokens
    assert busy_cost <= idle_cost * (1 + 1e-9)


@given(owning_inputs())
def test_levelised_rows_sum_to_the_levelised_cost(inputs):
    ledger = owning_ledger(inputs)
    parts = list(ledger.levelised_by_row.values())
    assert set(ledger.levelised_by_row) == {row.key for row in ledger.rows}
    scale = sum(abs(part) for part in parts)
    assert sum(parts) == pytest.approx(
        ledger.levelised_usd_per_million_tokens, rel=1e-9, abs=1e-12 * scale
    )


@given(owning_inputs(tax_rate_fraction=0.3))
def test_what_is_deducted_over_the_life_is_what_was_spent(inputs):
    taxed = owning_ledger(inputs)
    untaxed = owning_ledger(replace(inputs, tax_rate_fraction=0.0))
    assert taxed.tco_usd == pytest.approx(0.7 * untaxed.tco_usd, **near(untaxed))


@settings(max_examples=30)
@given(owning_inputs(), st.integers(1, 4))
def test_a_scalar_ledger_equals_sample_zero_of_an_array(inputs, n_samples):
    spread = np.linspace(1.0, 0.9, n_samples)[:, np.newaxis]
    arrays = {
        name: getattr(inputs, name)
        * (spread if name != "pue" else np.ones_like(spread))
        for name in SAMPLED
    }
    hardware = tuple(
        replace(line, amount_usd=line.amount_usd * spread) for line in inputs.hardware
    )
    many = owning_ledger(replace(inputs, hardware=hardware, **arrays))
    one = owning_ledger(inputs)
    assert many.total_usd.shape == (n_samples, inputs.horizon_months + 1)
    for name in (
        "tco_usd",
        "npv_usd",
        "npv_tokens",
        "sum_tokens",
        "capex_usd",
        "equivalent_annual_cost_usd",
        "usd_per_gpu_hour",
        "levelised_usd_per_million_tokens",
    ):
        value = getattr(many, name)
        assert value.shape == (n_samples,)
        slack = 1e-11 * max(scale_of(one), abs(getattr(one, name)))
        assert value[0] == pytest.approx(getattr(one, name), rel=1e-9, abs=slack)
    for row, twin in zip(many.rows, one.rows, strict=True):
        assert row.key == twin.key
        assert row.usd[0] == pytest.approx(twin.usd, rel=1e-9, abs=1e-9)


def test_one_sampled_input_gives_every_total_the_shape_of_the_samples():
    ledger = owning_ledger(replace(OWNED, pue=np.array([[1.1], [1.5], [2.0]])))
    assert ledger.capex_usd.shape == (3,)
    assert ledger.sum_tokens.shape == (3,)
    assert ledger.tokens.shape == (3, 25)
    assert all(row.usd.shape == (3, 25) for row in ledger.rows)
    assert ledger.tco_usd[1] == pytest.approx(owning_ledger(OWNED).tco_usd, rel=1e-12)
    assert ledger.tco_usd[0] < ledger.tco_usd[1] < ledger.tco_usd[2]
    assert ledger.levelised_by_row["space"].shape == (3,)


def test_scalar_inputs_give_plain_floats():
    ledger = owning_ledger(OWNED)
    assert type(ledger.tco_usd) is float
    assert type(ledger.levelised_usd_per_million_tokens) is float
    assert type(ledger.capex_usd) is float
    assert all(type(value) is float for value in ledger.levelised_by_row.values())
