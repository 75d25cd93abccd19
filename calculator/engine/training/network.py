"""Who talks to whom over what: effective bandwidth and latency of a group of ranks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from calculator.engine.numeric import Numeric
from calculator.engine.training.parameters import TRANSPORTS, Parameters
from calculator.engine.training.table import CaseTable, NetworkColumns

_TCP = TRANSPORTS.index("tcp")


@dataclass(frozen=True, slots=True)
class Links:
    """What the fabric delivers to a collective, before it is shared [bytes/s, s]."""

    node_bytes_per_s: Numeric
    scaleup_bytes_per_s: Numeric
    gpus_per_node: Numeric
    node_latency_s: Numeric
    rank_latency_s: Numeric
    base_latency_s: Numeric
    congestion_per_doubling: Numeric


@dataclass(frozen=True, slots=True)
class Group:
    """Equal groups of ranks that run the same collective at the same time.

    ``nic_bytes_per_s`` is what the group's members in one node own of its NICs.
    """

    n_ranks: Numeric
    ranks_per_node: Numeric
    n_nodes: Numeric
    nic_bytes_per_s: Numeric


def links(table: CaseTable, p: Parameters) -> Links:
    """Return effective link rates and latencies of every row."""
    network = table.network
    latency = p.transport_latencies_s()[network.transport]
    tiers = 1.0 + p.tier_latency_fraction * np.maximum(network.n_tiers - 1.0, 0.0)
    return Links(
        node_bytes_per_s=effective_node_bytes_per_s(network, p),
        scaleup_bytes_per_s=table.gpu.scaleup_bytes_per_s * p.scaleup_efficiency,
        gpus_per_node=network.gpus_per_node,
        node_latency_s=latency * tiers,
        rank_latency_s=p.scaleup_latency_s,
        base_latency_s=p.collective_base_latency_s,
        congestion_per_doubling=p.congestion_per_doubling,
    )


def effective_node_bytes_per_s(network: NetworkColumns, p: Parameters) -> Numeric:
    """Bandwidth of one node into the fabric that large messages see [bytes/s].

    One degraded link slows the whole collective: every channel carries an equal share
    of the message, and the slowest channel ends last. Oversubscription acts above the
    first switch tier. TCP sockets keep line rate up to a knee and a fraction above it.
    """
    rate = network.nic_bytes_per_s * network.degradation
    line = rate * p.transport_efficiencies()[network.transport]
    knee = p.tcp_knee_bytes_per_s
    tcp = p.tcp_efficiency * np.minimum(rate, knee)
    tcp = tcp + p.tcp_tail_efficiency * np.maximum(rate - knee, 0.0)
    per_nic = np.where(np.asarray(network.transport) == _TCP, tcp, line)
    uplink = np.where(np.asarray(network.n_tiers) > 1.0, network.oversubscription, 1.0)
    return network.nics_per_node * per_nic / uplink


def group(*, n_ranks: Numeric, stride: Numeric, fabric: Links) -> Group:
    """Place groups of ``n_ranks`` ranks that are ``stride`` apart on the nodes.

    Ranks are numbered tensor first, then context, data, pipeline. Where several groups
    share a node, each owns the NICs of its own members.
    """
    per_node = np.maximum(1.0, fabric.gpus_per_node // stride)
    ranks_per_node = np.minimum(n_ranks, per_node)
    n_nodes = np.ceil(n_ranks / ranks_per_node)
    share = ranks_per_node / fabric.gpus_per_node
    crowding = 1.0 + fabric.congestion_per_doubling * np.log2(
        np.maximum(n_nodes / 2.0, 1.0)
    )
    return Group(
        n_ranks=n_ranks,
        ranks_per_node=ranks_per_node,
        n_nodes=n_nodes,
        nic_bytes_per_s=fabric.node_bytes_per_s * share / crowding,
    )
