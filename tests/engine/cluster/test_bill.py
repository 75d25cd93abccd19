"""Bill of materials: worked case, conservation of quantities, refusals."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from calculator.engine.cluster.bill import make_bill, network_power_kw
from calculator.engine.cluster.cabling import modules_at_switches
from calculator.engine.cluster.inputs import BillRequest, DesignLine
from calculator.engine.cluster.topology import size_fabric
from calculator.engine.errors import DomainError, InfeasiblePlan
from tests.engine.cluster.strategies import fabric_requests
from tests.engine.cluster.test_topology import QM9700, SN5600

FABRIC_32 = size_fabric(QM9700)
REQUEST = BillRequest(
    n_nodes=32,
    gpus_per_node=8,
    node_lines=(DesignLine("gpu", 8), DesignLine("cpu", 2)),
    node_rated_kw=10.2,
    node_rack_units=8,
    fabric=FABRIC_32,
    nic="nic",
    nics_per_node=8,
    switch="switch",
    copper_cable="copper",
    transceiver="optic",
    fibre_cable="fibre",
    transceiver_ports=2,
    switch_transceiver_ports=2,
    node_leaf_length_m=10.0,
    leaf_spine_length_m=20.0,
    spine_core_length_m=50.0,
    copper_reach_m=3.0,
    management_switch="mgmt",
    management_switch_ports=48,
    management_ports_per_node=1,
    storage_switch="storage-switch",
    storage_switch_ports=64,
    storage_ports_per_node=2,
    storage="storage",
    storage_tb=500.0,
    rack="rack",
    rack_kw_limit=41.0,
    rack_units=48,
    pdu="pdu",
    pdus_per_rack=3,
    cooling="cooling",
    node_spares_fraction=0.02,
    network_spares_fraction=0.05,
    management_cable="patch",
)


def lines(bill):
    return {line.key: line for line in bill.lines}


def quantity(bill, key):
    return lines(bill)[key].quantity


def test_32_node_bill_counts_every_component():
    bill = make_bill(REQUEST)

    assert {line.key: line.quantity for line in bill.lines} == {
        "node.gpu": 33 * 8,
        "node.cpu": 33 * 2,
        "nic": 33 * 8,
        "switch.leaf": 8,
        "switch.spine": 4,
        "cable.node_leaf": 256,
        "transceiver.node_leaf": 128 + 128,
        "cable.leaf_spine": 256,
        "transceiver.leaf_spine": 128 + 128,
        "management.switch": 2,
        "management.cable": 33 + 12 + 1 + 27,
        "storage.switch": 1,
        "storage.capacity": 500.0,
        "rack": 9,
        "pdu": 27,
        "cooling": pytest.approx(326.4),
        "spare.switch": 1,
        "spare.fibre": 26,
        "spare.transceiver": 26,
    }
    assert (bill.nodes_per_rack, bill.n_racks, bill.n_spare_nodes) == (4, 9, 1)
    assert (bill.n_switches, bill.n_transceivers, bill.n_copper_cables) == (12, 512, 0)


def test_every_line_says_how_it_was_counted():
    bill = make_bill(REQUEST)

    assert all(line.basis for line in bill.lines)
    assert lines(bill)["cable.node_leaf"].basis == "32 nodes x 8 ports; 10 m"
    assert lines(bill)["node.gpu"].basis == "(32 nodes + 1 spare) x 8"
    assert lines(bill)["switch.leaf"].basis == FABRIC_32.topology_title


def test_a_splitting_copper_cable_serves_several_links():
    bill = make_bill(replace(REQUEST, node_leaf_length_m=2.0, links_per_copper_cable=2))
    whole = make_bill(replace(REQUEST, node_leaf_length_m=2.0))
    assert 2 * quantity(bill, "cable.node_leaf") == quantity(whole, "cable.node_leaf")
    assert 2 * bill.n_copper_cables == whole.n_copper_cables


def test_copper_within_reach_needs_no_optics():
    bill = make_bill(replace(REQUEST, node_leaf_length_m=3.0))

    assert lines(bill)["cable.node_leaf"].component == "copper"
    assert "transceiver.node_leaf" not in lines(bill)
    assert bill.n_copper_cables == 256
    assert quantity(bill, "spare.copper") == 13


def test_links_beyond_reach_are_optical_even_by_a_little():
    bill = make_bill(replace(REQUEST, node_leaf_length_m=3.1))

    assert lines(bill)["cable.node_leaf"].component == "fibre"


def test_fabric_manager_ports_are_cabled_too():
    fabric = size_fabric(replace(QM9700, n_nodes=31, fabric_manager_ports=4))
    bill = make_bill(replace(REQUEST, n_nodes=31, fabric=fabric))

    assert quantity(bill, "cable.node_leaf") == 252
    assert "4 fabric-manager ports" in lines(bill)["cable.node_leaf"].basis


def test_fast_links_take_a_module_each_where_slow_ports_share_one():
    fabric = size_fabric(replace(SN5600, n_nodes=64))
    bill = make_bill(replace(REQUEST, n_nodes=64, fabric=fabric))

    assert quantity(bill, "cable.leaf_spine") == 256
    assert quantity(bill, "transceiver.leaf_spine") == 512
    assert quantity(bill, "transceiver.node_leaf") == 64 * 4 + 8 * 32


def test_a_single_node_needs_no_fabric():
    bill = make_bill(replace(REQUEST, n_nodes=1, fabric=None, storage_switch=""))

    assert not any(line.group == "fabric" for line in bill.lines)
    assert bill.n_switches == 0
    assert quantity(bill, "node.gpu") == 16


def test_an_empty_component_leaves_its_line_out():
    bill = make_bill(replace(REQUEST, nic="", cooling="", pdu="", transceiver=""))

    assert not {"nic", "cooling", "pdu", "spare.transceiver"} & set(lines(bill))
    assert all(line.component for line in bill.lines)


def test_power_distribution_within_the_rack_price_still_takes_management_ports():
    bill = make_bill(replace(REQUEST, pdu=""))

    assert "pdu" not in lines(bill)
    assert quantity(bill, "management.cable") == 33 + 12 + 1 + 27


def test_spare_nodes_stand_in_racks():
    full = make_bill(replace(REQUEST, node_spares_fraction=0.0))
    spared = make_bill(REQUEST)

    assert (full.n_racks, spared.n_racks) == (8, 9)
    assert lines(spared)["rack"].basis.startswith("(32 nodes + 1 spare) / 4 a rack")


def test_rack_height_binds_where_power_does_not():
    bill = make_bill(replace(REQUEST, rack_kw_limit=200.0))

    assert bill.nodes_per_rack == 6
    assert "units" in lines(bill)["rack"].basis


def test_switches_with_a_height_get_racks_of_their_own():
    bill = make_bill(replace(REQUEST, switch_rack_units=1.0, switch_kw=1.5))

    assert bill.n_racks == 10
    assert quantity(bill, "cooling") == pytest.approx(32 * 10.2 + 12 * 1.5)


@pytest.mark.parametrize(
    ("changes", "message", "field"),
    [
        ({"rack_kw_limit": 10.0}, r"10\.2 kW, above.*10 kW", "rack_kw_limit"),
        ({"rack_units": 7}, r"8 rack units, a rack has 7", "rack_units"),
    ],
)
def test_a_node_that_fits_no_rack_is_refused_with_the_numbers(changes, message, field):
    with pytest.raises(InfeasiblePlan, match=message) as info:
        make_bill(replace(REQUEST, **changes))
    assert info.value.field == field


def test_a_transceiver_without_ports_is_refused():
    with pytest.raises(DomainError, match="transceiver_ports is 0"):
        make_bill(replace(REQUEST, transceiver_ports=0))


def test_network_power_adds_switches_and_optics():
    assert network_power_kw(12, 1700.0) == pytest.approx(20.4)
    assert network_power_kw(12, 1700.0, 512, 17.0) == pytest.approx(29.104)
    drawn = network_power_kw(2, np.array([1000.0, 1500.0]))
    assert drawn == pytest.approx([2.0, 3.0])


@st.composite
def bill_requests(draw):
    fabric_request = draw(fabric_requests(max_nodes=150))
    try:
        fabric = size_fabric(fabric_request)
    except InfeasiblePlan:
        assume(False)
    return replace(
        REQUEST,
        n_nodes=fabric_request.n_nodes,
        fabric=fabric,
        nics_per_node=fabric_request.ports_per_node,
        transceiver_ports=draw(st.integers(1, 4)),
        switch_transceiver_ports=draw(st.integers(1, 4)),
        node_leaf_length_m=draw(st.sampled_from([1.0, 30.0])),
        leaf_spine_length_m=draw(st.sampled_from([1.0, 30.0])),
        node_spares_fraction=draw(st.floats(0.0, 0.2)),
        network_spares_fraction=draw(st.floats(0.0, 0.2)),
    )


@given(bill_requests())
def test_every_link_of_the_fabric_is_cabled_once(request):
    bill = make_bill(request)
    fabric = request.fabric
    cables = sum(q.quantity for q in bill.lines if q.key.startswith("cable."))

    assert cables == (
        fabric.n_node_leaf_cables
        + fabric.n_fabric_manager_cables
        + fabric.n_leaf_spine_cables
        + fabric.n_spine_core_cables
    )


@given(bill_requests())
def test_switch_lines_sum_to_the_switches_of_the_fabric(request):
    bill = make_bill(request)
    switches = sum(q.quantity for q in bill.lines if q.key.startswith("switch."))

    assert switches == request.fabric.n_switches == bill.n_switches


@given(bill_requests())
def test_optics_end_both_ends_of_every_optical_link(request):
    bill = make_bill(replace(request, transceiver_ports=1, switch_transceiver_ports=1))
    fibres = sum(
        q.quantity
        for q in bill.lines
        if q.key.startswith("cable.") and q.component == "fibre"
    )
    split = request.fabric.node_ports_per_switch_port

    assert bill.n_transceivers <= 2 * fibres
    if split == 1:
        assert bill.n_transceivers >= 2 * fibres / request.fabric.links_per_switch_port


@given(bill_requests())
def test_spares_and_racks_are_rounded_up_to_whole_pieces(request):
    bill = make_bill(request)

    assert bill.n_spare_nodes >= request.n_nodes * request.node_spares_fraction - 1e-6
    assert bill.n_spare_nodes < request.n_nodes * request.node_spares_fraction + 1
    n_racked = request.n_nodes + bill.n_spare_nodes
    assert bill.n_racks * bill.nodes_per_rack >= n_racked
    assert (bill.n_racks - 1) * bill.nodes_per_rack < n_racked
    for line in bill.lines:
        if line.unit == "piece":
            assert float(line.quantity).is_integer()


@given(st.integers(0, 5000), st.integers(1, 200), st.integers(1, 4))
def test_modules_hold_all_links_and_are_never_shared_by_switches(links, switches, each):
    modules = modules_at_switches(links, switches, each)

    assert modules * each >= links
    assert modules <= links
    assert modules >= math.ceil(links / each)
    if links >= switches:
        assert modules >= switches
