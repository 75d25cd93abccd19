"""Power and energy, with the units checked by pint."""

import pint
import pytest

from calculator.engine.cost.power import (
    PowerDraw,
    check_node_power,
    cluster_it_kw,
    facility_kwh_per_month,
    occupied_it_kw,
)


def test_a_cluster_draws_its_nodes_and_its_network():
    node = PowerDraw(mean_kw=7.75, idle_kw=2.0, rated_kw=10.2)
    cluster = cluster_it_kw(node, 8, constant_kw=4.0)
    assert cluster.mean_kw == pytest.approx(66.0)
    assert cluster.idle_kw == pytest.approx(20.0)
    assert cluster.rated_kw == pytest.approx(85.6)


@pytest.mark.parametrize(("occupancy", "kw"), [(0.0, 2.0), (0.5, 6.0), (1.0, 10.0)])
def test_occupancy_moves_the_draw_from_idle_to_mean(occupancy, kw):
    assert occupied_it_kw(mean_it_kw=10.0, idle_it_kw=2.0, occupancy=occupancy) == kw


def test_a_month_has_730_hours_of_facility_power():
    assert facility_kwh_per_month(it_kw=10.0, pue=1.3) == pytest.approx(9_490.0)


def test_a_month_of_power_is_energy():
    unit = pint.UnitRegistry()
    energy = facility_kwh_per_month(it_kw=10.0 * unit.kW, pue=1.0) * unit.hour
    assert energy.to("MJ").magnitude == pytest.approx(10.0 * 730 * 3.6)


def test_a_node_of_4_5_kw_is_below_its_own_gpus():
    warning = check_node_power(4.5, 700.0, 8)
    assert warning is not None
    assert "4.5 kW" in warning
    assert "8 x 700 W = 5.6 kW" in warning


@pytest.mark.parametrize("node_kw", [5.6, 10.2])
def test_a_plausible_node_raises_no_warning(node_kw):
    assert check_node_power(node_kw, 700.0, 8) is None
