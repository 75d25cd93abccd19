"""Names and sentences that go with a fabric's counts."""

from __future__ import annotations

from collections.abc import Iterator

from calculator.engine.cluster import checks
from calculator.engine.cluster.inputs import FabricRequest, FabricSize

_NAMES = {
    "single_switch": "Single switch",
    "fat_tree": "Plain top-of-rack fat tree",
    "rail_optimised": "Rail-optimised fat tree",
    "rail_planes": "Isolated rail planes",
}


def title(request: FabricRequest, n_tiers: int) -> str:
    """Name of the topology as it must stand beside every count."""
    planes = checks.n_planes(request)
    reach = "any-to-any" if checks.is_any_to_any(request) else "no any-to-any"
    if n_tiers == 1 and planes == 1:
        return f"Single switch, 1 tier, {reach}"
    name = _NAMES[request.topology]
    tiers = f"{n_tiers} tier{'s' if n_tiers > 1 else ''}"
    in_planes = f"{planes} planes, " if planes > 1 else ""
    return f"{name}, {in_planes}{tiers}, {reach}"


def ports_asked(request: FabricRequest, positions_per_plane: int) -> str:
    """Say which ports a request needs."""
    nodes = request.n_nodes * request.endpoints_per_node
    text = (
        f"n_nodes is {request.n_nodes} with {request.ports_per_node} ports of "
        f"{request.port_gbps:g} Gb/s each"
    )
    given_up = positions_per_plane - nodes
    return f"{text} and {given_up} positions given up" if given_up else text


def reach(request: FabricRequest, n_tiers: int, max_nodes: int) -> str:
    """Say how far a topology reaches with the switch that was asked for."""
    switch = f"{request.switch_ports} x {request.switch_port_gbps:g} Gb/s switches"
    holds = f"at most {max_nodes} nodes" if max_nodes else "none"
    tiers = "tier holds" if n_tiers == 1 else "tiers hold"
    return f"{request.topology} of {switch} with {n_tiers} {tiers} {holds}."


def redundancy_refused(request: FabricRequest) -> str:
    """Say that the leaves have too few uplinks for so many spines."""
    return (
        f"redundant_spines is {request.redundant_spines}: the uplinks of a leaf of "
        f"{request.switch_ports} ports cannot reach that many more spines evenly."
    )


def tiers_refused(request: FabricRequest, n_tiers: int) -> str:
    """Say that there are too few leaves for so many tiers."""
    return (
        f"n_tiers is {n_tiers}, but the leaves of {request.n_nodes} nodes are too few "
        "to divide into pods: leave n_tiers out for the fewest tiers that fit."
    )


def notes(request: FabricRequest, size: FabricSize) -> tuple[str, ...]:
    """Sentences a reader needs to judge the counts."""
    return tuple(_notes(request, size))


def _notes(request: FabricRequest, size: FabricSize) -> Iterator[str]:
    if size.n_tiers == 1:
        yield _full_or_free(request, size)
        if request.redundant_spines:
            yield "No spine tier: redundant_spines has no effect."
    else:
        yield _leaf_note(size)
        yield from _spine_notes(request, size)
    if not size.is_any_to_any:
        yield (
            "Isolated planes: traffic between rails must pass the links inside a node; "
            "the fabric itself does not join rails."
        )
    if size.n_tiers > 1 and size.links_per_switch_port > 1:
        yield (
            f"Links between switches are split to {size.link_gbps:g} Gb/s, "
            f"{size.links_per_switch_port} on one switch port."
        )


def _full_or_free(request: FabricRequest, size: FabricSize) -> str:
    per_switch = request.ports_per_node // size.n_planes
    used = request.n_nodes * per_switch
    what = f"{request.n_nodes} nodes x {per_switch} ports"
    if used == size.node_ports_per_leaf:
        return f"{what} fill all {used} ports of a switch: no port is left for uplinks."
    return f"{what} use {used} of {size.node_ports_per_leaf} ports of a switch."


def _leaf_note(size: FabricSize) -> str:
    rails = {"fat_tree": "all ports of a node"}.get(
        size.topology,
        "one rail" if size.rails_per_leaf == 1 else f"{size.rails_per_leaf} rails",
    )
    return (
        f"Each leaf joins {size.nodes_per_leaf_group} nodes ({rails}): "
        f"{size.node_ports_per_leaf} node ports down, {size.leaf_uplinks} links of "
        f"{size.link_gbps:g} Gb/s up."
    )


def _spine_notes(request: FabricRequest, size: FabricSize) -> Iterator[str]:
    spines = size.n_spine // size.n_pods
    links = size.leaf_uplinks // spines
    yield (
        f"Each leaf reaches each of {spines} spines over {links} "
        f"link{'s' if links > 1 else ''}; the number of spines is rounded up until "
        "this comes out even."
    )
    if size.n_tiers == 3:
        yield (
            f"{size.n_pods} pods of {spines} spines, joined by {size.n_core} cores; "
            f"{size.spine_uplinks} links up from each spine."
        )
    if request.redundant_spines:
        left = (spines - request.redundant_spines) * links
        yield (
            f"{request.redundant_spines} spines more than bandwidth needs, per group: "
            f"with as many lost, {left} of {size.leaf_uplinks} uplinks of a leaf remain."
        )
