"""What a failed node costs until another takes its place: spares, waiting, shrinking.

Failed nodes come back after a repair; failures are Poisson and repairs independent, so
the number of nodes away is that of a queue with as many servers as nodes.
"""

from __future__ import annotations

import math

import numpy as np

TAIL = 12.0
"""Standard deviations of the number of nodes away beyond which nothing is summed."""


def erlang_b(servers: int, load: float) -> float:
    r"""Probability that all servers are busy, arrivals then being turned away [1].

    .. math:: B(0) = 1, \quad B(n) = \frac{a B(n-1)}{n + a B(n-1)}

    Parameters
    ----------
    servers : int
        At least 0.
    load : float
        Arrivals in one service time, at least 0.

    References
    ----------
    A. K. Erlang, Post Office Electrical Engineers' Journal 10 (1917) 189. It holds for
    any distribution of the service time with the same mean.
    """
    blocked = 1.0
    for n in range(1, servers + 1):
        blocked = load * blocked / (n + load * blocked)
    return blocked


def spare_is_missing(*, n_spare_nodes: int, load: float) -> float:
    """Probability that a failing node finds no spare, the job halting without one [1].

    Parameters
    ----------
    n_spare_nodes : int
        Spare nodes, healthy or in repair.
    load : float
        Node failures in one repair time: rate x mean time to repair.
    """
    return erlang_b(n_spare_nodes, load)


def wait_without_spare_s(*, n_spare_nodes: int, repair_s: float) -> float:
    """Mean wait of a job that found no spare: the first of n + 1 repairs ends it [s].

    Repairs are taken as memoryless for this one number.
    """
    return repair_s / (n_spare_nodes + 1)


def nodes_away(load: float, n_nodes: int) -> tuple[np.ndarray, np.ndarray]:
    """Numbers of nodes in repair and their Poisson probabilities, cut where negligible.

    Parameters
    ----------
    load : float
        Node failures in one repair time.
    n_nodes : int
        Most nodes that can be away.
    """
    width = TAIL * math.sqrt(load + 1.0)
    low = min(max(int(load - width), 0), n_nodes)
    high = min(int(load + width) + 1, n_nodes)
    away = np.arange(low, high + 1, dtype=np.float64)
    if load <= 0.0:
        return away, np.where(away == 0.0, 1.0, 0.0)
    steps = np.log(load) - np.log(np.maximum(away[1:], 1.0))
    logs = np.concatenate(([0.0], np.cumsum(steps)))
    weights = np.exp(logs - logs.max())
    return away, weights / weights.sum()


def shrunk_share(
    *, n_nodes: int, n_spare_nodes: int, load: float, replica_nodes: int
) -> tuple[float, float]:
    """Mean share of the job's nodes that stand still, and probability that any does [1].

    A job shrinks by whole data-parallel replicas; the nodes of broken replicas regroup,
    so that as few as possible stand still. Batch per replica grows so that the global
    batch stays; speed is taken as proportional to the nodes that train.

    Parameters
    ----------
    n_nodes : int
        Nodes that the job is made for.
    n_spare_nodes : int
        Nodes that take over before the job shrinks.
    load : float
        Node failures in one repair time.
    replica_nodes : int
        Nodes that hold one copy of the model, at least 1.
    """
    away, probability = nodes_away(load, n_nodes + n_spare_nodes)
    short = np.maximum(away - n_spare_nodes, 0.0)
    idle = np.minimum(np.ceil(short / replica_nodes) * replica_nodes, n_nodes)
    share = float(np.sum(probability * idle)) / n_nodes
    return share, float(np.sum(probability[short > 0.0]))
