"""Eight H100 nodes at dealer prices: does the cost of a GPU-hour stand where it should?"""

from dataclasses import replace

import pytest

from calculator.engine.cost.cashflow import owning_ledger
from calculator.engine.cost.depreciation import residual_fraction
from calculator.engine.cost.inputs import CapexLine
from calculator.engine.cost.power import PowerDraw, cluster_it_kw
from tests.engine.cost.examples import OWNED

N_NODES = 8
# Dealer mid for an HGX H100 server (Epoch AI hardware prices, 2025-01-31), one 64-port
# Quantum-2 switch, a twin-port transceiver for two node ports and as many in the switch.
HARDWARE = (
    CapexLine("nodes", "compute", "Nodes", N_NODES * 255_237.0),
    CapexLine("switch", "network", "Switch", 30_000.0),
    CapexLine("optics", "network", "Transceivers", (64 + 32) * 900.0),
)
# Rating of a DGX H100; mean of training 76 % of it (arXiv:2506.14551).
NODE = PowerDraw(mean_kw=7.75, idle_kw=2.0, rated_kw=10.2)


def full_use_case():
    """Full use before tax, staff and capital; the assumptions are the product's own."""
    power = cluster_it_kw(NODE, N_NODES, constant_kw=2.0)
    return replace(
        OWNED,
        horizon_months=60,
        n_gpus=64,
        hardware=HARDWARE,
        duty_fraction=0.0,
        sales_tax_fraction=0.0,
        mean_it_kw=power.mean_kw,
        idle_it_kw=power.idle_kw,
        rated_it_kw=power.rated_kw,
        pue=1.3,
        energy_price_usd_per_kwh=0.0826,
        demand_charge_usd_per_kw_month=0.0,
        space_usd_per_kw_month=184.0,
        software_usd_per_gpu_year=0.0,
        n_staff_fte=0.0,
        insurance_rate_fraction=0.005,
        energy_escalation_rate_fraction=0.0,
        space_escalation_rate_fraction=0.0,
        service_escalation_rate_fraction=0.0,
        discount_rate_fraction=0.0,
        residual_fraction=residual_fraction(5.0),
        occupancy=1.0,
    )


def test_a_gpu_hour_at_dealer_mids_is_about_1_40_usd():
    ledger = owning_ledger(full_use_case())
    assert ledger.usd_per_gpu_hour == pytest.approx(1.4, abs=0.1)


def test_half_the_use_makes_a_gpu_hour_almost_twice_as_dear():
    full = owning_ledger(full_use_case()).usd_per_gpu_hour
    half = owning_ledger(replace(full_use_case(), occupancy=0.5)).usd_per_gpu_hour
    assert 1.85 * full < half < 2.0 * full
