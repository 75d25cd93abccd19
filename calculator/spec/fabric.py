"""FabricSizingV1: size one fabric without pricing it, for any switch."""

from __future__ import annotations

from typing import Literal

from calculator.spec import fields as f
from calculator.spec.base import Asked, Cited, Pinned, SpecModel


class FabricSizingV1(SpecModel):
    """What the fabric must join, and the switch it is built from."""

    schema_version: Literal["1"]
    topology: Literal[
        "auto", "single_switch", "fat_tree", "rail_optimised", "rail_planes"
    ] = Cited(
        "auto",
        "auto: one switch while it fits, rail-optimised any-to-any beyond.",
        source="nvidia-superpod-h100",
    )
    n_nodes: f.Nodes = Asked("Nodes to join.")
    gpus_per_node: f.GpusPerNode = Asked("GPUs of one node: 4, 8 or 72.")
    ports_per_node: f.PortsPerNode = Asked("Fabric ports of one node.")
    port_gbps: f.Gbps = Asked("Rate of one port, one direction.")
    switch_ports: f.SwitchPorts = Asked("Ports of the switch at its native rate.")
    switch_port_gbps: f.Gbps = Asked("Native port rate of the switch.")
    max_breakout: f.Breakout = Cited(
        1, "Parts one switch port may be split into.", source="planning-assumption"
    )
    n_tiers: f.Tiers | None = Pinned("Switch tiers; the fewest that fit when absent.")
    leaf_oversubscription: f.Ratio = Cited(
        1.0,
        "Node bandwidth over uplink bandwidth at a leaf.",
        source="nvidia-superpod-h100",
    )
    pod_oversubscription: f.Ratio = Cited(
        1.0,
        "Bandwidth into a pod's spines over bandwidth to the core.",
        source="nvidia-superpod-h100",
    )
    redundant_spines: f.Switches = Cited(
        0, "Spines beyond what bandwidth needs.", source="planning-assumption"
    )
    fabric_manager_ports: f.Ports = Cited(
        0,
        "Leaf ports given to fabric managers, counted as single ports.",
        source="planning-assumption",
    )
    reserved_node_positions: f.Positions = Cited(
        0,
        "Whole node positions given up for fabric managers.",
        source="planning-assumption",
    )
    uplink_gbps: f.Gbps | None = Pinned(
        "Rate of a link between switches; the switch's native rate when absent."
    )
    n_planes: f.Planes | None = Pinned("Networks without a link between them.")
    hosts_per_node: f.Hosts = Cited(
        1,
        "Separate hosts that one node is made of; rails are counted per host.",
        source="planning-assumption",
    )


class FabricSizeV1(SpecModel):
    """A sized fabric; ``topology_title`` is the name that stands beside every count."""

    topology: str
    topology_title: str
    n_tiers: int
    n_leaf: int
    n_spine: int
    n_core: int
    n_switches: int
    n_node_leaf_cables: int
    n_leaf_spine_cables: int
    n_spine_core_cables: int
    n_fabric_manager_cables: int
    node_ports_per_leaf: int
    nodes_per_leaf_group: int
    n_pods: int
    n_planes: int
    leaf_oversubscription: float
    pod_oversubscription: float
    is_any_to_any: bool
    max_nodes: int
    notes: list[str]
