"""Alpha-beta times of collectives over NVLink inside nodes and NICs between them."""

from __future__ import annotations

import numpy as np

from calculator.engine.numeric import Numeric
from calculator.engine.training.network import Group, Links


def _inside_s_per_byte(group: Group, fabric: Links) -> Numeric:
    is_used = np.where(np.asarray(group.ranks_per_node) > 1.0, 1.0, 0.0)
    return is_used / np.maximum(fabric.scaleup_bytes_per_s, 1.0)


def _across_s_per_byte(group: Group) -> Numeric:
    is_used = np.where(np.asarray(group.n_nodes) > 1.0, 1.0, 0.0)
    return is_used / np.maximum(group.nic_bytes_per_s, 1.0)


def _ring_latency_s(group: Group, fabric: Links) -> Numeric:
    hops = fabric.rank_latency_s * (group.ranks_per_node - 1.0)
    nodes = fabric.node_latency_s * (group.n_nodes - 1.0)
    return np.where(
        np.asarray(group.n_ranks) > 1.0, fabric.base_latency_s + hops + nodes, 0.0
    )


def ring_pass_s(
    *, payload_bytes: Numeric, group: Group, fabric: Links, n_calls: Numeric = 1.0
) -> Numeric:
    r"""Time of one all-gather or one reduce-scatter.

    .. math:: T = c\,\alpha(n, k) + \frac{n-1}{n}\,S\,\max(1/B_{up}, 1/B_{nic})

    Parameters
    ----------
    payload_bytes : (n,) or scalar
        The full buffer (gathered result, or what is reduced) over all calls. [bytes]
    group : Group
        Ranks, nodes and NIC share; one rank gives 0 s.
    fabric : Links
        Scale-up bandwidth and latencies.
    n_calls : (n,) or scalar
        Collectives that the payload is cut into; each pays the latency.
    """
    share = (group.n_ranks - 1.0) / group.n_ranks
    per_byte = np.maximum(_inside_s_per_byte(group, fabric), _across_s_per_byte(group))
    bandwidth_s = payload_bytes * share * per_byte
    return bandwidth_s + n_calls * _ring_latency_s(group, fabric)


def all_reduce_s(*, payload_bytes: Numeric, group: Group, fabric: Links) -> Numeric:
    """Time of one all-reduce: twice the ring's traffic, latency of the better of ring or tree.

    Two nodes exchange their sums once (a tree of depth one), so the buffer crosses only
    once each way: measured bus bandwidth then exceeds the line rate.

    Parameters
    ----------
    payload_bytes : (n,) or scalar
        Buffer on each rank. [bytes]
    group, fabric : Group, Links
        As for :func:`ring_pass_s`.
    """
    share = 2.0 * (group.n_ranks - 1.0) / group.n_ranks
    crossing = np.where(np.asarray(group.n_nodes) == 2.0, 1.0, share)
    bandwidth_s = payload_bytes * np.maximum(
        share * _inside_s_per_byte(group, fabric), crossing * _across_s_per_byte(group)
    )
    depth = np.log2(np.maximum(group.n_nodes, 1.0))
    tree = (
        fabric.base_latency_s
        + fabric.rank_latency_s * (group.ranks_per_node - 1.0)
        + 2.0 * fabric.node_latency_s * depth
    )
    ring = 2.0 * _ring_latency_s(group, fabric)
    return bandwidth_s + np.where(
        np.asarray(group.n_ranks) > 1.0, np.minimum(ring, tree), 0.0
    )


def all_to_all_s(
    *,
    payload_bytes: Numeric,
    group: Group,
    fabric: Links,
    copies_per_item: Numeric = 1.0,
) -> Numeric:
    """Time of one all-to-all in which every rank sends ``payload_bytes`` in equal parts.

    The part for ranks of other nodes leaves by the rank's own NIC share, the part for
    neighbours by the scale-up links, both at once.

    Parameters
    ----------
    payload_bytes : (n,) or scalar
        What one rank sends, to all ranks together. [bytes]
    group, fabric : Group, Links
        As for :func:`ring_pass_s`.
    copies_per_item : (n,) or scalar
        Destinations of one item (a token goes to several experts). Copies for one node
        cross the network once and are spread inside it: of k copies over N nodes
        N (1 - (1 - 1/N)^k) cross on average.
    """
    n, nodes = group.n_ranks, group.n_nodes
    inside = payload_bytes * (group.ranks_per_node - 1.0) / n
    distinct = nodes * (1.0 - (1.0 - 1.0 / nodes) ** copies_per_item) / copies_per_item
    across = payload_bytes * distinct * (n - group.ranks_per_node) / n
    own_nic = np.maximum(group.nic_bytes_per_s / group.ranks_per_node, 1.0)
    bandwidth_s = np.maximum(
        inside / np.maximum(fabric.scaleup_bytes_per_s, 1.0), across / own_nic
    )
    latency = fabric.base_latency_s + fabric.node_latency_s * np.minimum(
        nodes - 1.0, 1.0
    )
    return bandwidth_s + np.where(np.asarray(n) > 1.0, latency, 0.0)


def point_to_point_s(
    *, payload_bytes: Numeric, stage_gpus: Numeric, n_gpus: Numeric, fabric: Links
) -> Numeric:
    """Time to hand one activation to the next pipeline stage, all its GPUs at once.

    Parameters
    ----------
    payload_bytes : (n,) or scalar
        What one GPU sends. [bytes]
    stage_gpus, n_gpus : (n,) or scalar
        GPUs of one stage; GPUs of the job. A job inside one node uses NVLink only.
    fabric : Links
        Node bandwidth, scale-up bandwidth and latencies.
    """
    senders = np.minimum(stage_gpus, fabric.gpus_per_node)
    across = fabric.node_latency_s + payload_bytes * senders / np.maximum(
        fabric.node_bytes_per_s, 1.0
    )
    inside = fabric.base_latency_s + payload_bytes / np.maximum(
        fabric.scaleup_bytes_per_s, 1.0
    )
    crosses = np.asarray(n_gpus) > fabric.gpus_per_node
    return np.where(crosses, across, inside)
