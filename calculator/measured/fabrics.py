"""Nodes and what joins them, from a run's fabric cells."""

from __future__ import annotations

import re
from collections.abc import Mapping

from calculator.engine.training.inputs import ClusterNetwork, Transport
from calculator.engine.units import gbps_to_bytes_per_s
from calculator.measured.columns import MAX_GBPS, Unreadable, cell, count, positive
from calculator.measured.gpus import Accelerator

LEAF_GPUS = 256
"""GPUs up to which a rail-optimised fabric of 64-port switches has one tier (32 nodes)."""
OMNI_PATH_FRACTION = 0.15
"""Omni-Path against InfiniBand at the same line rate: all-reduce of 4 GB on 2 to 16 nodes
reached 4-34 % of nominal (BigScience chronicles, Jean Zay), geometric mean 13 %."""
ETHERNET_GBPS = 100.0
"""Without a fabric's name, a node up to this rate is taken for TCP Ethernet [Gb/s]."""

_INSTANCES = (
    # vendors' instance pages: scale-out rate of one node [Gb/s]
    (r"p3dn", 100.0),
    (r"p3\.?16|p3\.16xlarge", 25.0),
    (r"p3\.?8", 10.0),
    (r"p3\.?2", 10.0),
    (r"p4de?\b", 400.0),
    (r"p5en|p5e|p5\b", 3200.0),
    (r"nd.?a100|ndm.?a100", 1600.0),
    (r"nd.?h100|nd.?h200", 3200.0),
    (r"a2-(ultra|mega)?", 100.0),
    (r"a3-mega", 1600.0),
    (r"a3-", 800.0),
)
_RDMA = re.compile(
    r"infini|\bib\b|\bndr|\bhdr|\bxdr|\bedr\b|connectx-?7 ib|omni-?path|\bopa\b|rdma",
    re.I,
)
_PORTS = re.compile(r"(?<![\d.])(\d{1,2}) ?x ?(?:\w+ )?(?:\w+ )?(\d{2,3}) ?G", re.I)


def transport(description: str, gbps_per_node: float) -> Transport:
    """Name the transport that a fabric's description states, by rate where it does not."""
    if re.search(r"\befa\b", description, re.I):
        return "efa"
    if re.search(r"roce", description, re.I):
        return "roce"
    if _RDMA.search(description):
        return "infiniband"
    if re.search(r"ethernet|gbe\b|\btcp\b|socket", description, re.I):
        return "tcp"
    return "infiniband" if gbps_per_node > ETHERNET_GBPS else "tcp"


def cluster_network(
    row: Mapping[str, object], gpu: Accelerator, n_gpus: int, notes: list[str]
) -> ClusterNetwork:
    """Return the network of a row's job; assumptions go to the notes.

    Raises
    ------
    Unreadable
        Where a cell is not a number in its bounds.
    """
    stated_size = count(row, "gpus_per_node")
    per_host = stated_size or (4 if gpu.rack_gpus else 8)
    domain = _scaleup_domain(row, gpu, per_host)
    size = _largest_divisor(n_gpus, domain)
    if size != min(domain, n_gpus):
        notes.append(f"{n_gpus} GPUs read as {n_gpus // size} equal nodes of {size}")
    description = cell(row, "fabric_desc")
    gbps = _gbps_per_host(row, gpu, per_host, n_gpus > size, notes)
    kind = transport(description, gbps)
    if n_gpus > size and not description:
        notes.append(f"{kind} assumed")
    is_omni_path = re.search(r"omni-?path|\bopa\b", description, re.I)
    n_nics = _n_nics(description, gbps, per_host, kind) * size / per_host
    nics = max(1, round(n_nics))
    return ClusterNetwork(
        n_nodes=n_gpus // size,
        gpus_per_node=size,
        nics_per_node=nics,
        nic_bytes_per_s=gbps_to_bytes_per_s(gbps) * size / per_host / nics,
        transport=kind,
        n_tiers=1 if n_gpus <= LEAF_GPUS else 2,
        link_degradation_fraction=OMNI_PATH_FRACTION if is_omni_path else 1.0,
    )


def _scaleup_domain(row: Mapping[str, object], gpu: Accelerator, per_host: int) -> int:
    """GPUs that share NVLink: a rack where the device comes in racks, else a host."""
    if not gpu.rack_gpus:
        return per_host
    text = f"{cell(row, 'gpu')} {cell(row, 'intra_node')} {cell(row, 'fabric_desc')}"
    named = re.search(r"NVL ?(\d{1,3})\b", text)
    return max(1, int(named[1])) if named else gpu.rack_gpus


def _largest_divisor(number: int, bound: int) -> int:
    return next(d for d in range(min(number, bound), 0, -1) if number % d == 0)


def _gbps_per_host(
    row: Mapping[str, object],
    gpu: Accelerator,
    per_host: int,
    is_multi_node: bool,
    notes: list[str],
) -> float:
    stated = positive(row, "internode_gbps_per_node", MAX_GBPS)
    if stated is not None:
        return stated
    text = f"{cell(row, 'fabric_desc')} {cell(row, 'gpu')}".lower()
    named = next((rate for name, rate in _INSTANCES if re.search(name, text)), None)
    ports = _PORTS.search(cell(row, "fabric_desc"))
    if named is None and ports:
        named = float(ports[1]) * float(ports[2])
    rate = named or gpu.platform_gbps_per_gpu * per_host
    if is_multi_node:
        if rate <= 0.0:
            raise Unreadable("internode_gbps_per_node is blank")
        origin = "of the stated fabric" if named else f"of {gpu.slug} reference systems"
        notes.append(f"{rate:g} Gb/s per node assumed ({origin})")
    return rate


def _n_nics(description: str, gbps: float, per_host: int, kind: Transport) -> int:
    ports = _PORTS.search(description)
    if ports and abs(float(ports[1]) * float(ports[2]) / gbps - 1.0) < 0.05:
        return int(ports[1])
    return 1 if kind == "tcp" else per_host
