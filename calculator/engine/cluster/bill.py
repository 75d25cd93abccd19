"""From a node design and a sized fabric to the quantities of every component."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from calculator.engine import units
from calculator.engine.cluster import cabling, racks
from calculator.engine.cluster.inputs import (
    Bill,
    BillLine,
    BillRequest,
    FabricRequest,
    FabricSize,
)
from calculator.engine.cluster.ports import ceil_ratio
from calculator.engine.cluster.topology import size_fabric
from calculator.engine.errors import DomainError
from calculator.engine.numeric import Numeric


@dataclass(frozen=True, slots=True)
class _Counts:
    """What several lines need to know."""

    n_spare_nodes: int
    tiers: tuple[cabling.TierCabling, ...]
    n_fabric_switches: int
    storage_network: FabricSize | None
    n_management_ports: int
    n_management_switches: int
    rack_plan: racks.RackPlan
    links_per_copper_cable: int

    @property
    def n_transceivers(self) -> int:
        return sum(tier.n_transceivers for tier in self.tiers)

    @property
    def n_copper(self) -> int:
        return sum(
            ceil_ratio(tier.n_links, self.links_per_copper_cable)
            for tier in self.tiers
            if tier.is_copper
        )

    @property
    def n_fibre(self) -> int:
        return sum(tier.n_links for tier in self.tiers if not tier.is_copper)


def make_bill(request: BillRequest) -> Bill:
    """Count every component of the cluster.

    Parameters
    ----------
    request : BillRequest
        Node design, sized fabric (``None`` for one node without a fabric), limits.

    Returns
    -------
    Bill
        Lines in reading order; a line with an empty component key or a quantity of
        zero is left out. ``n_transceivers``, ``n_copper_cables`` and ``n_switches``
        count what is installed in the fabric, spares apart.

    Raises
    ------
    InfeasiblePlan
        A node does not fit a rack, or the storage network does not fit its switch.
    DomainError
        A count out of bounds.
    """
    _check(request)
    counts = _count(request)
    lines = [
        line
        for part in (_compute, _fabric, _management, _storage, _facility, _spares)
        for line in part(request, counts)
        if line.component and line.quantity > 0
    ]
    return Bill(
        lines=tuple(lines),
        n_racks=counts.rack_plan.n_racks,
        nodes_per_rack=counts.rack_plan.nodes_per_rack,
        n_spare_nodes=counts.n_spare_nodes,
        n_switches=counts.n_fabric_switches,
        n_transceivers=counts.n_transceivers,
        n_copper_cables=counts.n_copper,
        notes=tuple(_notes(request, counts)),
    )


def network_power_kw(
    n_switches: int,
    switch_power_w: Numeric,
    n_transceivers: int = 0,
    transceiver_power_w: Numeric = 0.0,
) -> Numeric:
    """Power of a network [kW]: switches and, where the switch figure omits them, optics."""
    watts = n_switches * switch_power_w + n_transceivers * transceiver_power_w
    return watts / units.KILO


def _check(request: BillRequest) -> None:
    for field in (
        "n_nodes",
        "transceiver_ports",
        "links_per_copper_cable",
        "switch_transceiver_ports",
        "management_switch_ports",
        "storage_switch_ports",
    ):
        if getattr(request, field) < 1:
            raise DomainError(
                f"{field} is {getattr(request, field)}; at least 1 needed.", field=field
            )


def spare_nodes(n_nodes: int, fraction: float) -> int:
    """Spare nodes bought beside the nodes that train, rounded up."""
    return ceil_ratio(n_nodes * fraction, 1.0)


def _count(request: BillRequest) -> _Counts:
    fabric = request.fabric
    storage_network = _storage_network(request)
    n_fabric_switches = fabric.n_switches if fabric else 0
    n_switches = n_fabric_switches
    n_switches += storage_network.n_switches if storage_network else 0
    n_spare_nodes = spare_nodes(request.n_nodes, request.node_spares_fraction)
    rack_plan = racks.plan_racks(request, request.n_nodes + n_spare_nodes, n_switches)
    n_pdus = rack_plan.n_racks * request.pdus_per_rack
    node_ports = (request.n_nodes + n_spare_nodes) * request.management_ports_per_node
    n_ports = node_ports + n_switches + n_pdus
    return _Counts(
        n_spare_nodes=n_spare_nodes,
        tiers=cabling.fabric_cabling(request, fabric) if fabric else (),
        n_fabric_switches=n_fabric_switches,
        storage_network=storage_network,
        n_management_ports=n_ports,
        n_management_switches=ceil_ratio(n_ports, request.management_switch_ports),
        rack_plan=rack_plan,
        links_per_copper_cable=request.links_per_copper_cable,
    )


def _storage_network(request: BillRequest) -> FabricSize | None:
    """Size the storage network as a plain fat tree at the rate of its own ports."""
    if not request.storage_switch or request.storage_ports_per_node < 1:
        return None
    return size_fabric(
        FabricRequest(
            topology="fat_tree",
            n_nodes=request.n_nodes,
            gpus_per_node=request.gpus_per_node,
            ports_per_node=request.storage_ports_per_node,
            port_gbps=1.0,
            switch_ports=request.storage_switch_ports,
            switch_port_gbps=1.0,
        )
    )


def _nodes(request: BillRequest, counts: _Counts) -> str:
    nodes = f"{request.n_nodes} nodes"
    if not counts.n_spare_nodes:
        return nodes
    return f"({nodes} + {counts.n_spare_nodes} spare)"


def _compute(request: BillRequest, counts: _Counts) -> Iterator[BillLine]:
    spares = counts.n_spare_nodes
    nodes = _nodes(request, counts)
    for line in request.node_lines:
        yield BillLine(
            key=f"node.{line.component}",
            group="compute",
            label="Node component",
            component=line.component,
            quantity=(request.n_nodes + spares) * line.quantity,
            unit="piece",
            basis=f"{nodes} x {line.quantity:g}",
        )
    yield BillLine(
        key="nic",
        group="compute",
        label="Network adapter",
        component=request.nic,
        quantity=(request.n_nodes + spares) * request.nics_per_node,
        unit="piece",
        basis=f"{nodes} x {request.nics_per_node} adapters",
    )


def _fabric(request: BillRequest, counts: _Counts) -> Iterator[BillLine]:
    if request.fabric is None:
        return
    fabric = request.fabric
    for tier, n_tier in (
        ("leaf", fabric.n_leaf),
        ("spine", fabric.n_spine),
        ("core", fabric.n_core),
    ):
        yield _piece(
            f"switch.{tier}",
            "fabric",
            f"{tier.capitalize()} switch",
            request.switch,
            n_tier,
            fabric.topology_title,
        )
    for links in counts.tiers:
        yield from _links(request, links)


def _links(request: BillRequest, tier: cabling.TierCabling) -> Iterator[BillLine]:
    if tier.is_copper:
        split = request.links_per_copper_cable
        place = "within" if tier.length_m <= request.copper_reach_m else "beyond"
        reach = f"{tier.length_m:g} m {place} {request.copper_reach_m:g} m of copper"
        shared = f" / {split} links a cable" if split > 1 else ""
        yield _piece(
            f"cable.{tier.key}",
            "fabric",
            f"{tier.label} copper cable",
            request.copper_cable,
            ceil_ratio(tier.n_links, split),
            f"{tier.links}{shared}; {reach}",
        )
        return
    yield _piece(
        f"cable.{tier.key}",
        "fabric",
        f"{tier.label} fibre",
        request.fibre_cable,
        tier.n_links,
        f"{tier.links}; {tier.length_m:g} m",
    )
    yield _piece(
        f"transceiver.{tier.key}",
        "fabric",
        f"{tier.label} transceiver",
        request.transceiver,
        tier.n_transceivers,
        tier.ends,
    )


def _management(request: BillRequest, counts: _Counts) -> Iterator[BillLine]:
    nodes = f"{_nodes(request, counts)} x {request.management_ports_per_node} ports"
    ports = f"{counts.n_management_ports} ports ({nodes}, switches and PDUs one each)"
    yield _piece(
        "management.switch",
        "management",
        "Management switch",
        request.management_switch,
        counts.n_management_switches,
        f"{ports} / {request.management_switch_ports}",
    )
    yield _piece(
        "management.cable",
        "management",
        "Management cable",
        request.management_cable,
        counts.n_management_ports,
        ports,
    )


def _storage(request: BillRequest, counts: _Counts) -> Iterator[BillLine]:
    network = counts.storage_network
    if network is not None:
        ports = f"{request.n_nodes} nodes x {request.storage_ports_per_node} ports"
        yield _piece(
            "storage.switch",
            "storage",
            "Storage network switch",
            request.storage_switch,
            network.n_switches,
            f"{ports}; {network.topology_title}",
        )
        n_links = network.n_node_leaf_cables + network.n_leaf_spine_cables
        yield _piece(
            "storage.cable",
            "storage",
            "Storage network cable",
            request.storage_cable,
            n_links + network.n_spine_core_cables,
            f"{ports} + links between switches",
        )
    yield BillLine(
        key="storage.capacity",
        group="storage",
        label="Shared storage",
        component=request.storage,
        quantity=request.storage_tb,
        unit="TB",
        basis=f"{request.storage_tb:g} TB usable",
    )


def _facility(request: BillRequest, counts: _Counts) -> Iterator[BillLine]:
    plan = counts.rack_plan
    nodes = _nodes(request, counts)
    basis = f"{nodes} / {plan.nodes_per_rack} a rack ({plan.binding})"
    if plan.n_switch_racks:
        basis += f" + {plan.n_switch_racks} for switches"
    yield _piece("rack", "facility", "Rack", request.rack, plan.n_racks, basis)
    yield _piece(
        "pdu",
        "facility",
        "Power distribution unit",
        request.pdu,
        plan.n_racks * request.pdus_per_rack,
        f"{plan.n_racks} racks x {request.pdus_per_rack}",
    )
    heat = f"{request.n_nodes} nodes x {request.node_rated_kw:g} kW"
    if request.switch_kw:
        heat += f" + {counts.n_fabric_switches} switches x {request.switch_kw:g} kW"
    yield BillLine(
        key="cooling",
        group="facility",
        label="Cooling",
        component=request.cooling,
        quantity=request.n_nodes * request.node_rated_kw
        + counts.n_fabric_switches * request.switch_kw,
        unit="kW",
        basis=heat,
    )


def _spares(request: BillRequest, counts: _Counts) -> Iterator[BillLine]:
    fraction = request.network_spares_fraction
    for key, label, component, installed in (
        ("switch", "switch", request.switch, counts.n_fabric_switches),
        ("copper", "copper cable", request.copper_cable, counts.n_copper),
        ("fibre", "fibre", request.fibre_cable, counts.n_fibre),
        ("transceiver", "transceiver", request.transceiver, counts.n_transceivers),
    ):
        yield _piece(
            f"spare.{key}",
            "spares",
            f"Spare {label}",
            component,
            ceil_ratio(installed * fraction, 1.0),
            f"{fraction:.1%} of {installed}, rounded up",
        )


def _piece(
    key: str, group: str, label: str, component: str, quantity: int, basis: str
) -> BillLine:
    return BillLine(key, group, label, component, quantity, "piece", basis)


def _notes(request: BillRequest, counts: _Counts) -> Iterator[str]:
    plan = counts.rack_plan
    yield f"{plan.nodes_per_rack} nodes a rack, bound by {plan.binding}."
    if request.fabric is not None:
        yield f"Fabric: {request.fabric.topology_title}."
    if counts.storage_network is not None:
        yield (
            "The storage network counts the nodes' ports only; ports of the storage "
            "system itself come with it."
        )
    if not plan.n_switch_racks and counts.n_fabric_switches:
        yield "Switches are taken to share the racks of the nodes."
