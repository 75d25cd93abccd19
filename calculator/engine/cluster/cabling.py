"""Cables and optical modules of a fabric, tier by tier."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from calculator.engine.cluster.inputs import BillRequest, FabricSize
from calculator.engine.cluster.ports import ceil_ratio


@dataclass(frozen=True, slots=True)
class TierCabling:
    """Links of one tier and what carries them.

    ``n_transceivers`` is zero where copper reaches; ``ends`` says how the modules at
    both ends were counted.
    """

    key: str
    label: str
    n_links: int
    length_m: float
    is_copper: bool
    n_transceivers: int
    links: str
    ends: str


def fabric_cabling(request: BillRequest, fabric: FabricSize) -> tuple[TierCabling, ...]:
    """Cables and optics of every tier that has links, from the nodes upwards."""
    return tuple(tier for tier in _tiers(request, fabric) if tier.n_links)


def _tiers(request: BillRequest, fabric: FabricSize) -> Iterator[TierCabling]:
    yield _node_tier(request, fabric)
    lower, upper = ("leaf", fabric.n_leaf), ("spine", fabric.n_spine)
    length_m = request.leaf_spine_length_m
    yield _switch_tier(
        request, fabric, lower, upper, fabric.n_leaf_spine_cables, length_m
    )
    lower, upper = upper, ("core", fabric.n_core)
    length_m = request.spine_core_length_m
    yield _switch_tier(
        request, fabric, lower, upper, fabric.n_spine_core_cables, length_m
    )


def _is_copper(request: BillRequest, length_m: float) -> bool:
    is_within = request.is_all_copper or length_m <= request.copper_reach_m
    return bool(request.copper_cable) and is_within


def modules_at_switches(n_links: int, n_switches: int, links_per_module: int) -> int:
    """Modules that ``n_links`` spread evenly over ``n_switches`` need.

    A module is never shared by two switches, so the count is rounded up per switch.
    """
    if n_links == 0:
        return 0
    links, n_fuller = divmod(n_links, n_switches)
    fuller = ceil_ratio(links + 1, links_per_module)
    return n_fuller * fuller + (n_switches - n_fuller) * ceil_ratio(
        links, links_per_module
    )


def _links_per_module(request: BillRequest, fabric: FabricSize) -> int:
    """Links between switches on one switch module, which may run at another rate."""
    cages = request.switch_transceiver_ports / fabric.node_ports_per_switch_port
    return max(1, int(cages * fabric.links_per_switch_port))


def _node_tier(request: BillRequest, fabric: FabricSize) -> TierCabling:
    managers = fabric.n_fabric_manager_cables
    n_links = fabric.n_node_leaf_cables + managers
    ports = fabric.n_node_leaf_cables // request.n_nodes
    links = f"{request.n_nodes} nodes x {ports} ports"
    if managers:
        links += f" + {managers} fabric-manager ports"
    is_copper = _is_copper(request, request.node_leaf_length_m)
    at_node = ceil_ratio(ports, request.transceiver_ports)
    at_nodes = request.n_nodes * at_node + managers
    at_leaves = modules_at_switches(
        n_links, fabric.n_leaf, request.switch_transceiver_ports
    )
    return TierCabling(
        key="node_leaf",
        label="Node to leaf",
        n_links=n_links,
        length_m=request.node_leaf_length_m,
        is_copper=is_copper,
        n_transceivers=0 if is_copper else at_nodes + at_leaves,
        links=links,
        ends=f"{at_nodes} at nodes ({at_node} a node) + {at_leaves} at leaves",
    )


def _switch_tier(
    request: BillRequest,
    fabric: FabricSize,
    lower: tuple[str, int],
    upper: tuple[str, int],
    n_links: int,
    length_m: float,
) -> TierCabling:
    per_module = _links_per_module(request, fabric)
    is_copper = _is_copper(request, length_m)
    below = modules_at_switches(n_links, lower[1], per_module)
    above = modules_at_switches(n_links, upper[1], per_module)
    each = n_links // max(1, lower[1])
    return TierCabling(
        key=f"{lower[0]}_{upper[0]}",
        label=f"{lower[0].capitalize()} to {upper[0]}",
        n_links=n_links,
        length_m=length_m,
        is_copper=is_copper,
        n_transceivers=0 if is_copper else below + above,
        links=f"{lower[1]} {lower[0]} switches x {each} uplinks",
        ends=f"{below} at {lower[0]} + {above} at {upper[0]} switches",
    )
