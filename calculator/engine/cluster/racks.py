"""How many racks nodes and switches fill."""

from __future__ import annotations

import math
from dataclasses import dataclass

from calculator.engine.cluster.inputs import BillRequest
from calculator.engine.cluster.ports import ceil_ratio
from calculator.engine.errors import DomainError, InfeasiblePlan

_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class RackPlan:
    """Racks by what they hold, and the limit that binds a node rack."""

    nodes_per_rack: int
    n_node_racks: int
    n_switch_racks: int
    binding: str

    @property
    def n_racks(self) -> int:
        """All racks."""
        return self.n_node_racks + self.n_switch_racks


def plan_racks(request: BillRequest, n_nodes: int, n_switches: int) -> RackPlan:
    """Fill racks by power and by height, whichever binds.

    ``n_nodes`` holds the spare nodes too: they wait in a rack, not on a shelf.

    Raises
    ------
    InfeasiblePlan
        A single node is over the power or the height of a rack.
    """
    by_power = _fit(request.rack_kw_limit, request.node_rated_kw)
    by_height = _fit(request.rack_units, request.node_rack_units)
    _refuse_oversized(request, by_power, by_height)
    nodes_per_rack = min(by_power, by_height)
    if by_power <= by_height:
        binding = f"{request.rack_kw_limit:g} kW / {request.node_rated_kw:g} kW a node"
    else:
        binding = f"{request.rack_units} units / {request.node_rack_units:g} a node"
    return RackPlan(
        nodes_per_rack=nodes_per_rack,
        n_node_racks=ceil_ratio(n_nodes, nodes_per_rack),
        n_switch_racks=_switch_racks(request, n_switches),
        binding=binding,
    )


def _fit(room: float, size: float) -> int:
    if size <= 0:
        raise DomainError(
            f"A node of {size:g} kW or rack units cannot be placed: more than 0 needed.",
            field="node_rated_kw",
        )
    return math.floor(room / size + _ROUNDING)


def _refuse_oversized(request: BillRequest, by_power: int, by_height: int) -> None:
    if by_power < 1:
        raise InfeasiblePlan(
            f"A node is rated {request.node_rated_kw:g} kW, above the rack_kw_limit of "
            f"{request.rack_kw_limit:g} kW.",
            field="rack_kw_limit",
        )
    if by_height < 1:
        raise InfeasiblePlan(
            f"A node takes {request.node_rack_units:g} rack units, a rack has "
            f"{request.rack_units}.",
            field="rack_units",
        )


def _switch_racks(request: BillRequest, n_switches: int) -> int:
    by_power = ceil_ratio(n_switches * request.switch_kw, request.rack_kw_limit)
    by_height = ceil_ratio(n_switches * request.switch_rack_units, request.rack_units)
    return max(by_power, by_height)
