"""Fabric sizing: from nodes, ports and a switch to leaves, spines, cores and cables.

References
----------
NVIDIA DGX SuperPOD reference architecture, DGX H100, RA-11333-001 V11 (2023): scalable
units built in full, positions for fabric managers, spine groups per rail.
C. E. Leiserson, "Fat-trees", IEEE Trans. Computers C-34 (1985).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from calculator.engine.cluster import checks, clos, wording
from calculator.engine.cluster.inputs import FabricRequest, FabricSize, TopologyName
from calculator.engine.cluster.ports import PortPlan, ceil_ratio, node_split, port_plans
from calculator.engine.errors import InfeasiblePlan

MAX_TIERS = 3
_NODES_CEILING = 1 << 22


@dataclass(frozen=True, slots=True)
class Plane:
    """One of the equal, unconnected networks that a fabric consists of.

    ``n_positions`` counts hosts, with those given up for fabric managers, and
    ``n_rails`` the ports that each host has in this plane.
    """

    n_positions: int
    n_rails: int

    @property
    def n_ports(self) -> int:
        """Node ports of all positions."""
        return self.n_positions * self.n_rails


@dataclass(frozen=True, slots=True)
class _Leaves:
    """How the hosts of one plane hang on leaves."""

    n_rails: int
    n_per_rail: int
    rails_per_leaf: int
    hosts_per_group: int
    node_ports: int


@lru_cache(maxsize=1024)
def size_fabric(request: FabricRequest) -> FabricSize:
    """Count switches and cables of a fabric.

    Parameters
    ----------
    request : FabricRequest
        Nodes, ports, switch and topology.

    Returns
    -------
    FabricSize
        With the fewest tiers that fit where ``n_tiers`` is absent.

    Raises
    ------
    UnsupportedTopology
        A topology or a number of tiers that is not modelled.
    InfeasiblePlan
        The switch has too few ports; the message gives the numbers.
    DomainError
        A single input out of its bounds.
    """
    checks.check_request(request)
    size = _fewest_tiers(request)
    if size is None:
        raise _refusal(request)
    size = replace(size, max_nodes=_max_nodes(request, size.n_tiers, request.n_nodes))
    return replace(size, notes=wording.notes(request, size))


def auto_topology(request: FabricRequest) -> TopologyName:
    """Return ``single_switch`` while one switch holds all ports, else ``rail_optimised``.

    Who asks for tiers or planes that one switch cannot have gets ``rail_optimised``.
    """
    if max(request.n_tiers or 1, request.n_planes or 1) > 1:
        return "rail_optimised"
    single = replace(request, topology="single_switch", n_tiers=None, n_planes=None)
    checks.check_request(single)
    return "rail_optimised" if _one_tier(single) is None else "single_switch"


def plane_of(request: FabricRequest) -> Plane:
    """Split hosts and ports over planes and give up positions for fabric managers."""
    n_planes = checks.n_planes(request)
    n_rails = request.ports_per_node // (request.endpoints_per_node * n_planes)
    manager_ports = math.ceil(request.fabric_manager_ports / n_planes)
    given_up = max(
        request.reserved_node_positions * request.endpoints_per_node,
        math.ceil(manager_ports / n_rails),
    )
    return Plane(request.n_nodes * request.endpoints_per_node + given_up, n_rails)


def _fewest_tiers(request: FabricRequest) -> FabricSize | None:
    tiers = range(1, MAX_TIERS + 1)
    for n_tiers in tiers if request.n_tiers is None else (request.n_tiers,):
        size = _size_with_tiers(request, n_tiers)
        if size is not None:
            return size
    return None


def _size_with_tiers(request: FabricRequest, n_tiers: int) -> FabricSize | None:
    """Fewest switches for this number of tiers; coarse links and full leaves on a tie."""
    if n_tiers == 1:
        return _one_tier(request)
    if request.topology == "single_switch":
        return None
    size = _fewest_switches(request, n_tiers, least_spines=1)
    if size is None or request.redundant_spines == 0:
        return size
    least_spines = size.n_spine // size.n_pods + request.redundant_spines
    return _fewest_switches(request, n_tiers, least_spines)


def _fewest_switches(
    request: FabricRequest, n_tiers: int, least_spines: int
) -> FabricSize | None:
    found = (
        size
        for plan in port_plans(request)
        for size in _with_plan(request, plan, n_tiers, least_spines)
    )
    return min(found, key=lambda size: size.n_switches, default=None)


def _with_plan(
    request: FabricRequest, plan: PortPlan, n_tiers: int, least_spines: int
) -> Iterator[FabricSize]:
    """Sizes with full leaves and, where those strew links over spines, with fuller ones."""
    most = plan.node_ports_per_leaf(request.leaf_oversubscription)
    size = _many_tiers(request, plan, most, n_tiers, least_spines)
    if size is not None:
        yield size
    if _is_strewn(request, plan, size, least_spines):
        for node_ports in plan.fewer_node_ports(most):
            size = _many_tiers(request, plan, node_ports, n_tiers, least_spines)
            if size is not None:
                yield size


def _is_strewn(
    request: FabricRequest, plan: PortPlan, size: FabricSize | None, least_spines: int
) -> bool:
    """Whether even spreading leaves more than half of the spines' downlinks unused."""
    if size is None:
        return least_spines > 1
    if size.n_spine // size.n_pods <= least_spines:
        return False
    share = 1.0
    if size.n_tiers > 2:
        ratio = request.pod_oversubscription
        share = ratio / (1.0 + ratio)
    return 2 * size.spine_downlinks < plan.link_capacity * share


def _one_tier(request: FabricRequest) -> FabricSize | None:
    plane = plane_of(request)
    capacity = request.switch_ports * node_split(request)
    if plane.n_ports > capacity:
        return None
    n_planes = checks.n_planes(request)
    return FabricSize(
        topology=request.topology,
        topology_title=wording.title(request, n_tiers=1),
        n_tiers=1,
        n_leaf=n_planes,
        n_spine=0,
        n_core=0,
        n_node_leaf_cables=request.n_nodes * request.ports_per_node,
        n_leaf_spine_cables=0,
        n_spine_core_cables=0,
        n_fabric_manager_cables=request.fabric_manager_ports,
        node_ports_per_leaf=capacity,
        nodes_per_leaf_group=capacity // (plane.n_rails * request.endpoints_per_node),
        n_pods=n_planes,
        leaf_oversubscription=1.0,
        pod_oversubscription=1.0,
        is_any_to_any=checks.is_any_to_any(request),
        max_nodes=0,
        n_planes=n_planes,
        rails_per_leaf=plane.n_rails,
        node_ports_per_switch_port=node_split(request),
    )


def _many_tiers(
    request: FabricRequest,
    plan: PortPlan,
    node_ports: int,
    n_tiers: int,
    least_spines: int,
) -> FabricSize | None:
    leaves = _leaves(request, node_ports)
    layer = _leaf_layer(request, plan, leaves)
    if n_tiers == 2:
        upper = clos.two_tiers(layer, plan, least_spines)
    else:
        upper = clos.three_tiers(
            layer, plan, request.pod_oversubscription, least_spines
        )
    if upper is None:
        return None
    return _fabric_size(request, plan, leaves, upper, n_tiers)


def _leaf_layer(
    request: FabricRequest, plan: PortPlan, leaves: _Leaves
) -> clos.LeafLayer:
    """Uplinks of a leaf: never fewer than a leaf with all its node ports in use needs."""
    ratio = request.leaf_oversubscription
    full = _leaves(request, plan.node_ports_per_leaf(ratio))
    return clos.LeafLayer(
        n_rails=leaves.n_rails,
        n_per_rail=leaves.n_per_rail,
        min_uplinks=plan.uplinks_needed(full.node_ports, ratio),
        max_uplinks=plan.uplinks_possible(leaves.node_ports),
    )


def _leaves(request: FabricRequest, ports: int) -> _Leaves:
    plane = plane_of(request)
    if request.topology == "rail_optimised":
        return _rail_leaves(plane, ports)
    hosts = ports // plane.n_rails
    if hosts == 0:
        raise InfeasiblePlan(
            f"One leaf offers {ports} node ports, a node needs {plane.n_rails} on the "
            "same leaf: ask for rail_optimised or fewer ports_per_node.",
            field="ports_per_node",
        )
    n_leaf = ceil_ratio(plane.n_positions, hosts)
    return _Leaves(1, n_leaf, plane.n_rails, hosts, hosts * plane.n_rails)


def _rail_leaves(plane: Plane, ports: int) -> _Leaves:
    """One leaf a rail and group; rails share leaves while one group holds all hosts."""
    rails_that_fit = min(plane.n_rails, max(1, ports // plane.n_positions))
    n_rails = ceil_ratio(plane.n_rails, rails_that_fit)
    rails_per_leaf = ceil_ratio(plane.n_rails, n_rails)
    return _Leaves(
        n_rails=n_rails,
        n_per_rail=ceil_ratio(plane.n_positions, ports),
        rails_per_leaf=rails_per_leaf,
        hosts_per_group=ports // rails_per_leaf,
        node_ports=ports,
    )


def _fabric_size(
    request: FabricRequest,
    plan: PortPlan,
    leaves: _Leaves,
    upper: clos.UpperLayers,
    n_tiers: int,
) -> FabricSize:
    n_planes = checks.n_planes(request)
    n_leaf = leaves.n_rails * leaves.n_per_rail
    uplink_gbps = upper.leaf_uplinks * plan.link_gbps
    return FabricSize(
        topology=request.topology,
        topology_title=wording.title(request, n_tiers),
        n_tiers=n_tiers,
        n_leaf=n_planes * n_leaf,
        n_spine=n_planes * upper.n_spine,
        n_core=n_planes * upper.n_core,
        n_node_leaf_cables=request.n_nodes * request.ports_per_node,
        n_leaf_spine_cables=n_planes * n_leaf * upper.leaf_uplinks,
        n_spine_core_cables=n_planes * upper.n_spine * upper.spine_uplinks,
        n_fabric_manager_cables=request.fabric_manager_ports,
        node_ports_per_leaf=leaves.node_ports,
        nodes_per_leaf_group=leaves.hosts_per_group // request.endpoints_per_node,
        n_pods=n_planes * upper.n_pods,
        leaf_oversubscription=leaves.node_ports * plan.node_gbps / uplink_gbps,
        pod_oversubscription=upper.spine_downlinks
        / (upper.spine_uplinks or upper.spine_downlinks),
        is_any_to_any=checks.is_any_to_any(request),
        max_nodes=0,
        n_planes=n_planes,
        rails_per_leaf=leaves.rails_per_leaf,
        leaf_uplinks=upper.leaf_uplinks,
        spine_downlinks=upper.spine_downlinks,
        spine_uplinks=upper.spine_uplinks,
        core_downlinks=upper.core_downlinks,
        link_gbps=plan.link_gbps,
        links_per_switch_port=plan.link_split,
        node_ports_per_switch_port=plan.node_split,
    )


def _fits(request: FabricRequest, n_nodes: int, n_tiers: int) -> bool:
    return _size_with_tiers(replace(request, n_nodes=n_nodes), n_tiers) is not None


def _max_nodes(request: FabricRequest, n_tiers: int, start: int) -> int:
    """Most nodes that the same switch and topology hold, from ``start`` that fit."""
    low = start
    while low <= _NODES_CEILING and _fits(request, 2 * low, n_tiers):
        low *= 2
    high = 2 * low
    while high - low > 1:
        middle = (low + high) // 2
        if _fits(request, middle, n_tiers):
            low = middle
        else:
            high = middle
    return low


def _reach(request: FabricRequest, n_tiers: int) -> int:
    """Most nodes that can be held at all, 0 where none can."""
    n_nodes = 1
    while n_nodes <= _NODES_CEILING:
        if _fits(request, n_nodes, n_tiers):
            return _max_nodes(request, n_tiers, n_nodes)
        n_nodes *= 2
    return 0


def _refusal(request: FabricRequest) -> InfeasiblePlan:
    """Say why nothing fits: redundancy, too few nodes for the tiers, or too many."""
    without = replace(request, redundant_spines=0)
    if request.redundant_spines and _fewest_tiers(without) is not None:
        return InfeasiblePlan(
            wording.redundancy_refused(request), field="redundant_spines"
        )
    n_tiers = request.n_tiers or (1 if request.topology == "single_switch" else 3)
    reach = _reach(without, n_tiers)
    if reach >= request.n_nodes:
        return InfeasiblePlan(wording.tiers_refused(request, n_tiers), field="n_tiers")
    asked = wording.ports_asked(request, plane_of(request).n_positions)
    return InfeasiblePlan(
        f"{asked}; {wording.reach(request, n_tiers, reach)}", field="n_nodes"
    )
