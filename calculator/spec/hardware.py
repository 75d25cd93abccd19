"""What an owned cluster is made of: fabric and storage."""

from __future__ import annotations

from typing import Literal

from calculator.spec import fields as f
from calculator.spec.base import Asked, Cited, Pinned, SpecModel

Topology = Literal["auto", "single_switch", "fat_tree", "rail_optimised", "rail_planes"]


class FabricChoice(SpecModel):
    """The network between nodes; its size is computed from this, never typed in."""

    transport: Literal["infiniband", "roce", "tcp"] = Asked(
        "What the links speak: InfiniBand, Ethernet with RDMA (roce) or plain TCP."
    )
    ports_per_node: f.PortsPerNode = Asked("Fabric ports of one node (not of one GPU).")
    port_gbps: f.Gbps = Asked("Rate of one port, one direction.")
    switch: f.Slug = Asked("Switch model.", choices="switches")
    nic: f.Slug = Asked("Network adapter.", choices="nics")
    copper_cable: f.Slug = Asked("Copper cable, used within reach.", choices="cables")
    transceiver: f.Slug = Asked("Optical module, used beyond.", choices="transceivers")
    topology: Topology = Cited(
        "auto",
        "auto: one switch while it fits, rail-optimised any-to-any beyond. fat_tree: "
        "plain top of rack. rail_planes: isolated planes that cannot reach each other.",
        source="nvidia-superpod-h100",
    )
    n_tiers: f.Tiers | None = Pinned("Switch tiers; the fewest that fit when absent.")
    leaf_oversubscription: f.Ratio = Cited(
        1.0,
        "Node bandwidth over uplink bandwidth at a leaf.",
        source="nvidia-superpod-h100",
        advanced=True,
    )
    pod_oversubscription: f.Ratio = Cited(
        1.0,
        "Bandwidth into a pod's spines over bandwidth to the core (three tiers).",
        source="nvidia-superpod-h100",
        advanced=True,
    )
    redundant_spines: f.Switches = Cited(
        0,
        "Spines beyond what bandwidth needs.",
        source="planning-assumption",
        advanced=True,
    )
    fabric_manager_ports: f.Ports = Cited(
        0,
        "Leaf ports given to fabric managers, counted as single ports.",
        source="planning-assumption",
        advanced=True,
    )
    reserved_node_positions: f.Positions = Cited(
        0,
        "Whole node positions given up for fabric managers.",
        source="planning-assumption",
        advanced=True,
    )
    n_planes: f.Planes | None = Pinned(
        "Networks without a link between them that the ports of a node are split over; "
        "one, or one per rail for rail_planes, when absent."
    )
    hosts_per_node: f.Hosts = Cited(
        1,
        "Separate hosts that one node is made of; a rack of 72 GPUs has 18 trays. Rails "
        "are counted per host.",
        source="planning-assumption",
        advanced=True,
    )
    switch_ports: f.SwitchPorts | None = Pinned(
        "Ports of the switch at its native rate; the catalog's when absent."
    )
    switch_port_gbps: f.Gbps | None = Pinned(
        "Native port rate of the switch; the catalog's when absent."
    )
    max_breakout: f.Breakout | None = Pinned(
        "Parts one switch port may be split into; the catalog's when absent."
    )
    uplink_gbps: f.Gbps | None = Pinned(
        "Rate of a link between switches; the switch's native rate when absent."
    )
    link_degradation_fraction: f.LinkFraction = Cited(
        1.0,
        "Worst link's rate over nominal; 0.125 is 50 instead of 400 Gb/s.",
        source="planning-assumption",
        advanced=True,
    )
    media: Literal["auto", "copper"] = Cited(
        "auto",
        "auto: copper within reach, optics beyond. copper: no optics at all; links "
        "beyond copper's reach run slower.",
        source="nvidia-superpod-h100",
        advanced=True,
    )
    copper_beyond_reach_fraction: f.LinkFraction = Cited(
        0.91,
        "Rate of a copper link beyond its reach over nominal. The guide reports that "
        "optics instead of copper over 5 m gave 10 % more; read here as link rate.",
        source="sivaro-2026-07",
        advanced=True,
    )


class StorageChoice(SpecModel):
    """Shared storage for data sets and checkpoints."""

    product: f.Slug = Cited(
        "parallel-file-system",
        "Storage product, priced per usable TB.",
        source="planning-assumption",
        choices="storage",
    )
    capacity_tb: f.Terabytes = Cited(
        100.0, "Usable capacity.", source="planning-assumption"
    )
    read_gbytes_per_s: f.GbytesPerS = Cited(
        40.0, "Read rate, whole cluster.", source="nvidia-superpod-h100"
    )
    write_gbytes_per_s: f.GbytesPerS = Cited(
        20.0, "Write rate, whole cluster.", source="nvidia-superpod-h100"
    )
    ports_per_node: f.Ports = Cited(
        2,
        "Ports of one node into the storage network; 0 shares the fabric.",
        source="nvidia-superpod-h100",
        advanced=True,
    )
    switch: f.Slug = Cited(
        "sn3700",
        "Switch of the storage network.",
        source="planning-assumption",
        advanced=True,
        choices="switches",
    )
    cable: f.Slug = Cited(
        "dac-200g",
        "Cable of the storage network.",
        source="planning-assumption",
        advanced=True,
        choices="cables",
    )
