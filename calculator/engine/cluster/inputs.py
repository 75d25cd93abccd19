"""Inputs and results of fabric sizing and of the bill of materials."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

TopologyName = Literal["single_switch", "fat_tree", "rail_optimised", "rail_planes"]


@dataclass(frozen=True, slots=True)
class FabricRequest:
    """What the fabric must join; every count is computed from this.

    Switch ports are counted at ``port_gbps`` after breakout: a switch with 64 ports of
    800 Gb/s serves 128 node ports of 400 Gb/s. Links between switches run at the
    switch's own rate unless ``uplink_gbps`` says otherwise; where that needs a further
    tier they are split too, as far as ``max_breakout`` allows.

    ``n_planes`` splits the ports of every node evenly over that many networks with no
    link between them; absent means one plane per rail for ``rail_planes`` and one plane
    for everything else. ``endpoints_per_node`` is the number of separate hosts that one
    node is made of (18 compute trays in a rack of 72 GPUs): rails are counted per host.
    """

    topology: TopologyName
    n_nodes: int
    gpus_per_node: int
    ports_per_node: int
    port_gbps: float
    switch_ports: int
    switch_port_gbps: float
    max_breakout: int = 1
    n_tiers: int | None = None
    leaf_oversubscription: float = 1.0
    pod_oversubscription: float = 1.0
    redundant_spines: int = 0
    fabric_manager_ports: int = 0
    reserved_node_positions: int = 0
    uplink_gbps: float | None = None
    n_planes: int | None = None
    endpoints_per_node: int = 1


@dataclass(frozen=True, slots=True)
class FabricSize:
    """A sized fabric. ``topology_title`` is the name that must stand beside every count.

    Switch and cable counts cover all planes. ``node_ports_per_leaf`` to
    ``core_downlinks`` describe one switch; links between switches run at
    ``link_gbps``, and one native switch port holds ``node_ports_per_switch_port`` node
    ports or ``links_per_switch_port`` links.
    """

    topology: TopologyName
    topology_title: str
    n_tiers: int
    n_leaf: int
    n_spine: int
    n_core: int
    n_node_leaf_cables: int
    n_leaf_spine_cables: int
    n_spine_core_cables: int
    n_fabric_manager_cables: int
    node_ports_per_leaf: int
    nodes_per_leaf_group: int
    n_pods: int
    leaf_oversubscription: float
    pod_oversubscription: float
    is_any_to_any: bool
    max_nodes: int
    notes: tuple[str, ...] = ()
    n_planes: int = 1
    rails_per_leaf: int = 1
    leaf_uplinks: int = 0
    spine_downlinks: int = 0
    spine_uplinks: int = 0
    core_downlinks: int = 0
    link_gbps: float = 0.0
    links_per_switch_port: int = 1
    node_ports_per_switch_port: int = 1

    @property
    def n_switches(self) -> int:
        """Leaf, spine and core switches together."""
        return self.n_leaf + self.n_spine + self.n_core


@dataclass(frozen=True, slots=True)
class DesignLine:
    """A component of one node and how many of it one node holds."""

    component: str
    quantity: float


@dataclass(frozen=True, slots=True)
class BillRequest:
    """Everything that turns a node design and a sized fabric into quantities.

    Component names are opaque keys; an empty key leaves the line out.
    ``copper_reach_m`` and the three lengths decide copper or optics per tier.
    ``switch_transceiver_ports`` counts links at the node port's rate. With
    ``switch_rack_units`` or ``switch_kw`` the switches get racks of their own and their
    heat counts towards cooling. A copper cable may split into several links
    (``links_per_copper_cable``), all from one switch. ``is_all_copper`` puts copper also
    where it does not reach.
    """

    n_nodes: int
    gpus_per_node: int
    node_lines: tuple[DesignLine, ...]
    node_rated_kw: float
    node_rack_units: float
    fabric: FabricSize | None
    nic: str
    nics_per_node: int
    switch: str
    copper_cable: str
    transceiver: str
    fibre_cable: str
    transceiver_ports: int
    switch_transceiver_ports: int
    node_leaf_length_m: float
    leaf_spine_length_m: float
    spine_core_length_m: float
    copper_reach_m: float
    management_switch: str
    management_switch_ports: int
    management_ports_per_node: int
    storage_switch: str
    storage_switch_ports: int
    storage_ports_per_node: int
    storage: str
    storage_tb: float
    rack: str
    rack_kw_limit: float
    rack_units: int
    pdu: str
    pdus_per_rack: int
    cooling: str
    node_spares_fraction: float
    network_spares_fraction: float
    management_cable: str = ""
    storage_cable: str = ""
    switch_kw: float = 0.0
    switch_rack_units: float = 0.0
    links_per_copper_cable: int = 1
    is_all_copper: bool = False


@dataclass(frozen=True, slots=True)
class BillLine:
    """Quantity of one component in the cluster and where the count comes from."""

    key: str
    group: str
    label: str
    component: str
    quantity: float
    unit: str
    basis: str


@dataclass(frozen=True, slots=True)
class Bill:
    """All lines of the cluster, in reading order, with the counts behind them."""

    lines: tuple[BillLine, ...]
    n_racks: int
    nodes_per_rack: int
    n_spare_nodes: int
    n_switches: int
    n_transceivers: int
    n_copper_cables: int
    notes: tuple[str, ...] = ()
