"""Refusals of fabric requests that no arithmetic can answer."""

from __future__ import annotations

import math
from typing import get_args

from calculator.engine.cluster.inputs import FabricRequest, TopologyName
from calculator.engine.errors import DomainError, UnsupportedTopology

_LEAST = {
    "n_nodes": 1,
    "gpus_per_node": 1,
    "ports_per_node": 1,
    "switch_ports": 2,
    "max_breakout": 1,
    "endpoints_per_node": 1,
    "redundant_spines": 0,
    "fabric_manager_ports": 0,
    "reserved_node_positions": 0,
}
_RATES = ("port_gbps", "switch_port_gbps")
_RATIOS = ("leaf_oversubscription", "pod_oversubscription")


def n_planes(request: FabricRequest) -> int:
    """Networks without a link between them that the ports of a node are split over."""
    if request.n_planes is not None:
        return request.n_planes
    if request.topology == "rail_planes":
        return request.ports_per_node // request.endpoints_per_node
    return 1


def is_any_to_any(request: FabricRequest) -> bool:
    """Whether every network adapter can reach every other without leaving the fabric."""
    return request.topology != "rail_planes" or n_planes(request) == 1


def check_request(request: FabricRequest) -> None:
    """Raise on the first input out of its bounds.

    Raises
    ------
    UnsupportedTopology
        Unknown topology, more than three tiers or a tiered single switch.
    DomainError
        A count or rate out of bounds; the message gives both.
    """
    _check_topology(request)
    for field, least in _LEAST.items():
        _check_at_least(field, getattr(request, field), least)
    for field in _RATES:
        _check_rate(field, getattr(request, field))
    if request.uplink_gbps is not None:
        _check_rate("uplink_gbps", request.uplink_gbps)
    for field in _RATIOS:
        _check_at_least(field, getattr(request, field), 1)
    _check_planes(request)


def _check_topology(request: FabricRequest) -> None:
    known = get_args(TopologyName)
    if request.topology not in known:
        raise UnsupportedTopology(
            f"topology {request.topology!r} is not supported: choose one of "
            f"{', '.join(known)}.",
            field="topology",
        )
    if request.n_tiers is not None and request.n_tiers not in (1, 2, 3):
        raise UnsupportedTopology(
            f"n_tiers is {request.n_tiers}; 1, 2 or 3 tiers are supported.",
            field="n_tiers",
        )
    if request.topology == "single_switch" and request.n_tiers not in (None, 1):
        raise UnsupportedTopology(
            f"n_tiers is {request.n_tiers}, but a single_switch has one tier.",
            field="n_tiers",
        )


def _check_at_least(field: str, value: float, least: float) -> None:
    if not math.isfinite(value) or value < least:
        raise DomainError(
            f"{field} is {value:g}; at least {least:g} needed.", field=field
        )


def _check_rate(field: str, gbps: float) -> None:
    if not math.isfinite(gbps) or gbps <= 0:
        raise DomainError(f"{field} is {gbps:g} Gb/s; more than 0 needed.", field=field)


def _check_planes(request: FabricRequest) -> None:
    if request.n_planes is not None:
        _check_at_least("n_planes", request.n_planes, 1)
        if request.topology == "single_switch" and request.n_planes > 1:
            raise UnsupportedTopology(
                f"n_planes is {request.n_planes}, but a single_switch is one plane.",
                field="n_planes",
            )
    share = request.endpoints_per_node * max(1, n_planes(request))
    if request.ports_per_node % share:
        raise DomainError(
            f"ports_per_node is {request.ports_per_node}; it must be a multiple of "
            f"{share} (hosts in a node x planes).",
            field="ports_per_node",
        )
