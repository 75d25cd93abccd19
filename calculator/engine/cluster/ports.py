"""Port arithmetic of one switch: breakout, and how a leaf divides its ports."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from calculator.engine.cluster.inputs import FabricRequest
from calculator.engine.errors import DomainError, InfeasiblePlan

_ROUNDING = 1e-9
_MOST_GIVEN_UP = 0.125


def ceil_ratio(numerator: float, denominator: float) -> int:
    """Smallest whole number not under ``numerator / denominator``."""
    return math.ceil(numerator / denominator - _ROUNDING)


@dataclass(frozen=True, slots=True)
class PortPlan:
    """How the ports of one switch are split between node ports and switch links.

    Parameters
    ----------
    n_ports : int
        Ports at the switch's own rate.
    node_split, link_split : int
        Node ports, and links to other switches, that one such port is broken out into.
    node_gbps, link_gbps : float
        Rate of one node port and of one link [Gb/s].
    """

    n_ports: int
    node_split: int
    link_split: int
    node_gbps: float
    link_gbps: float

    @property
    def node_capacity(self) -> int:
        """Node ports of a switch that has no links to other switches."""
        return self.n_ports * self.node_split

    @property
    def link_capacity(self) -> int:
        """Links of a switch that serves no node, such as a spine."""
        return self.n_ports * self.link_split

    def uplinks_needed(self, node_ports: int, oversubscription: float) -> int:
        """Fewest uplinks for ``node_ports`` at this ratio of node to uplink rate."""
        return ceil_ratio(
            node_ports * self.node_gbps, oversubscription * self.link_gbps
        )

    def uplinks_possible(self, node_ports: int) -> int:
        """Most uplinks that the ports left by ``node_ports`` can hold."""
        return (self.n_ports - ceil_ratio(node_ports, self.node_split)) * (
            self.link_split
        )

    def fewer_node_ports(self, node_ports: int) -> Iterator[int]:
        """Node ports of a leaf that leaves up to an eighth of them to its uplinks."""
        most = node_ports // self.node_split
        for native in range(most - 1, most - int(most * _MOST_GIVEN_UP) - 1, -1):
            yield native * self.node_split

    def node_ports_per_leaf(self, oversubscription: float) -> int:
        """Most node ports of a leaf whose uplinks keep to ``oversubscription``."""
        for native in range(self.n_ports - 1, 0, -1):
            node_ports = native * self.node_split
            needed = self.uplinks_needed(node_ports, oversubscription)
            if needed <= self.uplinks_possible(node_ports):
                return node_ports
        raise InfeasiblePlan(
            f"A switch of {self.n_ports} ports has no room for a node port and its "
            f"uplinks at {oversubscription:g} to 1.",
            field="switch_ports",
        )


def node_split(request: FabricRequest) -> int:
    """Node ports that one switch port is broken out into."""
    if request.port_gbps > request.switch_port_gbps:
        raise DomainError(
            f"port_gbps is {request.port_gbps:g} Gb/s, above the "
            f"{request.switch_port_gbps:g} Gb/s of a switch port.",
            field="port_gbps",
        )
    fits = request.switch_port_gbps / request.port_gbps + _ROUNDING
    return math.floor(min(request.max_breakout, fits))


def port_plans(request: FabricRequest) -> Iterator[PortPlan]:
    """Every way to run the links between switches, coarsest first.

    Fewer, faster links need fewer cables; splitting them raises the number of leaves a
    spine can join, so finer splits are tried only after the coarse ones.
    """
    for split, link_gbps in _link_rates(request):
        yield PortPlan(
            n_ports=request.switch_ports,
            node_split=node_split(request),
            link_split=split,
            node_gbps=request.port_gbps,
            link_gbps=link_gbps,
        )


def _link_rates(request: FabricRequest) -> list[tuple[int, float]]:
    native = request.switch_port_gbps
    if request.uplink_gbps is None:
        splits = [2**k for k in range(request.max_breakout.bit_length())]
        return [(split, native / split) for split in splits]
    if request.uplink_gbps > native:
        raise DomainError(
            f"uplink_gbps is {request.uplink_gbps:g} Gb/s, above the {native:g} Gb/s "
            "of a switch port.",
            field="uplink_gbps",
        )
    fits = math.floor(native / request.uplink_gbps + _ROUNDING)
    return [(min(request.max_breakout, fits), request.uplink_gbps)]
