"""Fabric sizing: worked cases, refusals and invariants of port arithmetic."""

import math
from dataclasses import replace

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from calculator.engine.cluster.inputs import FabricRequest
from calculator.engine.cluster.ports import node_split
from calculator.engine.cluster.topology import auto_topology, plane_of, size_fabric
from calculator.engine.errors import (
    DomainError,
    InfeasiblePlan,
    UnsupportedTopology,
)
from tests.engine.cluster.strategies import fabric_requests

QM9700 = FabricRequest(
    topology="rail_optimised",
    n_nodes=32,
    gpus_per_node=8,
    ports_per_node=8,
    port_gbps=400.0,
    switch_ports=64,
    switch_port_gbps=400.0,
)
SN5600 = replace(QM9700, switch_port_gbps=800.0, max_breakout=2)


def switches(size):
    return size.n_leaf, size.n_spine, size.n_core


def sized(request):
    try:
        return size_fabric(request)
    except InfeasiblePlan:
        assume(False)


def test_eight_nodes_of_eight_ports_fill_one_switch_and_leave_no_uplink():
    size = size_fabric(replace(QM9700, topology="single_switch", n_nodes=8))

    assert switches(size) == (1, 0, 0)
    assert size.max_nodes == 8
    assert "fill all 64 ports" in size.notes[0]


def test_ninth_node_on_a_single_switch_is_refused_with_the_numbers():
    with pytest.raises(
        InfeasiblePlan, match=r"9 with 8 ports.*at most 8 nodes"
    ) as info:
        size_fabric(replace(QM9700, topology="single_switch", n_nodes=9))
    assert info.value.field == "n_nodes"


def test_plain_leaf_of_64_ports_joins_four_nodes_of_eight_ports():
    size = size_fabric(replace(QM9700, topology="fat_tree"))

    assert size.nodes_per_leaf_group == 4
    assert switches(size) == (8, 4, 0)


def test_breakout_doubles_the_nodes_of_a_leaf():
    size = size_fabric(replace(SN5600, n_nodes=64))

    assert size.nodes_per_leaf_group == 64
    assert size.node_ports_per_leaf == 64
    assert switches(size) == (8, 4, 0)
    assert size.link_gbps == 800.0


def test_switch_without_breakout_serves_one_slow_port_on_each_fast_one():
    size = size_fabric(replace(SN5600, max_breakout=1, n_nodes=40))

    assert size.node_ports_per_leaf == 42
    assert size.leaf_uplinks == 21


def test_rails_share_a_leaf_while_one_group_holds_every_node():
    size = size_fabric(replace(SN5600, n_nodes=32))

    assert size.rails_per_leaf == 2
    assert switches(size) == (4, 2, 0)


def test_links_are_split_before_a_third_tier_is_built():
    size = size_fabric(replace(SN5600, n_nodes=1024))

    assert switches(size) == (128, 64, 0)
    assert size.link_gbps == 400.0
    assert any("split to 400" in note for note in size.notes)


def test_stated_uplink_rate_is_kept_even_if_it_takes_a_third_tier():
    size = size_fabric(replace(SN5600, n_nodes=1024, uplink_gbps=800.0))

    assert size.n_tiers == 3
    assert size.link_gbps == 800.0


def test_fabric_manager_ports_take_a_node_position_of_the_last_group():
    full = size_fabric(replace(QM9700, n_nodes=32))
    with_managers = size_fabric(replace(QM9700, n_nodes=32, fabric_manager_ports=4))
    one_less = size_fabric(replace(QM9700, n_nodes=31, fabric_manager_ports=4))

    assert switches(full) == switches(one_less) == (8, 4, 0)
    assert with_managers.n_leaf == 16
    assert one_less.n_fabric_manager_cables == 4
    assert one_less.max_nodes == 255


def test_reserved_positions_hold_the_fabric_manager_ports():
    reserved = replace(QM9700, n_nodes=31, reserved_node_positions=1)

    assert size_fabric(reserved).n_leaf == 8
    assert size_fabric(replace(reserved, fabric_manager_ports=8)).n_leaf == 8
    assert size_fabric(replace(reserved, n_nodes=32)).n_leaf == 16


def test_leaf_oversubscription_gives_ports_to_nodes():
    size = size_fabric(replace(QM9700, n_nodes=48, leaf_oversubscription=3.0))

    assert size.node_ports_per_leaf == 48
    assert size.leaf_uplinks == 16
    assert switches(size) == (8, 2, 0)
    assert size.leaf_oversubscription == pytest.approx(3.0)


def test_pod_oversubscription_halves_the_cores():
    size = size_fabric(replace(QM9700, n_nodes=512, pod_oversubscription=2.0))

    assert size.n_core == 32
    assert size.n_spine_core_cables == 2048
    assert size.pod_oversubscription == pytest.approx(2.0)


def test_redundant_spines_are_added_and_spread_evenly():
    without = size_fabric(replace(QM9700, n_nodes=32))
    with_one = size_fabric(replace(QM9700, n_nodes=32, redundant_spines=1))

    assert without.n_spine == 4
    assert with_one.n_spine == 8
    assert any("28 of 32 uplinks" in note for note in with_one.notes)


def test_more_redundant_spines_than_uplinks_are_refused_by_name():
    with pytest.raises(InfeasiblePlan, match="redundant_spines is 40") as info:
        size_fabric(replace(QM9700, redundant_spines=40))
    assert info.value.field == "redundant_spines"


def test_forced_third_tier_is_built_for_256_nodes():
    size = size_fabric(replace(QM9700, n_nodes=256, n_tiers=3))

    assert switches(size) == (64, 64, 32)


def test_third_tier_over_a_single_leaf_is_refused():
    with pytest.raises(InfeasiblePlan, match="n_tiers is 3") as info:
        size_fabric(replace(QM9700, n_nodes=1, n_tiers=3))
    assert info.value.field == "n_tiers"


def test_isolated_planes_of_64_nodes_need_one_switch_a_rail():
    size = size_fabric(replace(QM9700, topology="rail_planes", n_nodes=64))

    assert switches(size) == (8, 0, 0)
    assert size.n_planes == 8
    assert any("pass the links inside a node" in note for note in size.notes)


def test_one_isolated_plane_is_any_to_any():
    request = replace(QM9700, topology="rail_planes", ports_per_node=1)

    assert size_fabric(request).is_any_to_any


def test_rack_of_72_gpus_is_wired_by_its_compute_trays():
    rack = replace(
        QM9700, n_nodes=8, gpus_per_node=72, ports_per_node=72, endpoints_per_node=18
    )
    xdr = replace(rack, port_gbps=800.0, switch_ports=144, switch_port_gbps=800.0)

    assert switches(size_fabric(xdr)) == (8, 4, 0)
    assert plane_of(rack).n_rails == 4
    assert size_fabric(rack).n_leaf == 20


def test_node_with_more_ports_than_a_leaf_is_refused_as_top_of_rack():
    with pytest.raises(InfeasiblePlan, match="72 on the same leaf") as info:
        size_fabric(replace(QM9700, topology="fat_tree", n_nodes=8, ports_per_node=72))
    assert info.value.field == "ports_per_node"


@pytest.mark.parametrize(
    ("changes", "field", "error"),
    [
        ({"topology": "dragonfly"}, "topology", UnsupportedTopology),
        ({"n_tiers": 4}, "n_tiers", UnsupportedTopology),
        ({"topology": "single_switch", "n_tiers": 2}, "n_tiers", UnsupportedTopology),
        ({"topology": "single_switch", "n_planes": 2}, "n_planes", UnsupportedTopology),
        ({"n_nodes": 0}, "n_nodes", DomainError),
        ({"n_nodes": 10**12}, "n_nodes", InfeasiblePlan),
        ({"ports_per_node": 0}, "ports_per_node", DomainError),
        ({"port_gbps": 800.0}, "port_gbps", DomainError),
        ({"port_gbps": math.nan}, "port_gbps", DomainError),
        ({"uplink_gbps": 800.0}, "uplink_gbps", DomainError),
        ({"leaf_oversubscription": 0.5}, "leaf_oversubscription", DomainError),
        ({"n_planes": 3}, "ports_per_node", DomainError),
        ({"switch_ports": 1}, "switch_ports", DomainError),
    ],
)
def test_impossible_requests_name_their_field(changes, field, error):
    with pytest.raises(error) as info:
        size_fabric(replace(QM9700, **changes))
    assert info.value.field == field


def test_auto_is_one_switch_while_it_fits_and_rail_optimised_beyond():
    assert auto_topology(replace(QM9700, n_nodes=8)) == "single_switch"
    assert auto_topology(replace(QM9700, n_nodes=9)) == "rail_optimised"
    managed = replace(QM9700, n_nodes=8, fabric_manager_ports=1)
    assert auto_topology(managed) == "rail_optimised"


@pytest.mark.parametrize("asked", [{"n_tiers": 2}, {"n_planes": 2}])
def test_auto_gives_the_tiers_or_planes_that_are_asked_for(asked):
    request = replace(QM9700, n_nodes=8, **asked)
    assert auto_topology(request) == "rail_optimised"
    size = size_fabric(replace(request, topology=auto_topology(request)))
    assert all(getattr(size, name) == value for name, value in asked.items())


@given(fabric_requests())
def test_no_switch_uses_more_ports_than_it_has(request):
    size = sized(request)
    node_native = math.ceil(size.node_ports_per_leaf / size.node_ports_per_switch_port)
    per_port = size.links_per_switch_port

    assert node_native + math.ceil(size.leaf_uplinks / per_port) <= request.switch_ports
    spine_links = size.spine_downlinks + size.spine_uplinks
    assert spine_links <= request.switch_ports * per_port
    assert size.core_downlinks <= request.switch_ports * per_port


@given(fabric_requests())
def test_all_node_ports_find_a_leaf_port(request):
    size = sized(request)

    assert size.n_node_leaf_cables == request.n_nodes * request.ports_per_node
    ports = size.n_node_leaf_cables + size.n_fabric_manager_cables
    assert ports <= size.n_leaf * size.node_ports_per_leaf


@given(fabric_requests())
def test_links_of_a_tier_are_the_same_seen_from_below_and_from_above(request):
    size = sized(request)
    assume(size.n_tiers > 1)

    assert size.n_leaf_spine_cables == size.n_leaf * size.leaf_uplinks
    assert size.n_leaf_spine_cables <= size.n_spine * size.spine_downlinks
    assert size.n_spine_core_cables == size.n_spine * size.spine_uplinks
    assert size.n_spine_core_cables == size.n_core * size.core_downlinks


@given(fabric_requests())
def test_uplinks_keep_to_the_oversubscription_asked_for(request):
    size = sized(request)

    assert size.leaf_oversubscription <= request.leaf_oversubscription + 1e-9
    assert size.pod_oversubscription <= request.pod_oversubscription + 1e-9


@given(fabric_requests())
def test_every_leaf_reaches_every_spine_of_its_group_evenly(request):
    size = sized(request)
    assume(size.n_tiers > 1)
    assert size.leaf_uplinks % (size.n_spine // size.n_pods) == 0


@given(fabric_requests(max_nodes=300))
def test_doubling_the_nodes_never_lowers_the_switch_count(request):
    size = sized(request)
    double = sized(replace(request, n_nodes=2 * request.n_nodes))

    assert double.n_switches >= size.n_switches
    assert double.n_leaf >= size.n_leaf


@given(fabric_requests(topologies=["rail_optimised"]), st.integers(1, 3))
def test_a_redundant_spine_never_lowers_the_spine_count(request, n_more):
    size = sized(replace(request, redundant_spines=0))
    assume(size.n_tiers > 1)
    more = sized(replace(request, redundant_spines=n_more, n_tiers=size.n_tiers))

    assert more.n_spine >= size.n_spine + n_more


@given(fabric_requests())
@settings(max_examples=40)
def test_max_nodes_is_the_last_count_that_fits(request):
    size = sized(request)
    tiers = replace(request, n_tiers=size.n_tiers)

    assert size.max_nodes >= request.n_nodes
    assert size_fabric(replace(tiers, n_nodes=size.max_nodes)).n_tiers == size.n_tiers
    with pytest.raises(InfeasiblePlan):
        size_fabric(replace(tiers, n_nodes=2 * size.max_nodes + 1))


@given(fabric_requests(max_nodes=200))
def test_a_fat_tree_of_single_port_nodes_equals_a_rail_optimised_one(request):
    single = replace(request, ports_per_node=1)
    plain = sized(replace(single, topology="fat_tree"))
    rails = sized(replace(single, topology="rail_optimised"))

    assert switches(plain) == switches(rails)


@given(fabric_requests())
def test_node_ports_of_a_switch_port_never_exceed_its_rate(request):
    split = node_split(request)
    assert split * request.port_gbps <= request.switch_port_gbps
    assert split <= request.max_breakout
