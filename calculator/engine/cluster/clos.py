"""Spine and core layers of a folded Clos network, by port arithmetic alone.

One rule throughout: every lower switch reaches every upper switch of its group over the
same number of links, because uneven groups lose bandwidth to the fullest link.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from calculator.engine.cluster.ports import PortPlan, ceil_ratio


@dataclass(frozen=True, slots=True)
class LeafLayer:
    """Leaves of one plane: ``n_rails`` sets of ``n_per_rail``, with their uplinks.

    ``min_uplinks`` is what bandwidth needs of each leaf, ``max_uplinks`` what its
    ports allow.
    """

    n_rails: int
    n_per_rail: int
    min_uplinks: int
    max_uplinks: int

    @property
    def n_leaf(self) -> int:
        """Leaves of all rails."""
        return self.n_rails * self.n_per_rail


@dataclass(frozen=True, slots=True)
class UpperLayers:
    """Everything above the leaves of one plane; downlinks are those of a full switch."""

    n_pods: int
    spines_per_pod: int
    leaf_uplinks: int
    spine_downlinks: int
    spine_uplinks: int = 0
    n_core: int = 0
    core_downlinks: int = 0

    @property
    def n_spine(self) -> int:
        """Spines of all pods."""
        return self.n_pods * self.spines_per_pod

    @property
    def n_switches(self) -> int:
        """Spines and cores together."""
        return self.n_spine + self.n_core


@dataclass(frozen=True, slots=True)
class _Group:
    """Upper switches joined evenly to lower ones by ``links`` each pair."""

    n_upper: int
    links: int

    @property
    def uplinks(self) -> int:
        return self.n_upper * self.links


def _smallest_group(
    n_lower: int, min_uplinks: int, max_uplinks: int, upper_ports: int, at_least: int
) -> _Group | None:
    """Fewest upper switches that join ``n_lower`` switches evenly, or ``None``."""
    most_links = upper_ports // n_lower
    if most_links < 1:
        return None
    first = max(at_least, ceil_ratio(min_uplinks, most_links), 1)
    for n_upper in range(first, max_uplinks + 1):
        links = ceil_ratio(min_uplinks, n_upper)
        if n_upper * links <= max_uplinks:
            return _Group(n_upper, links)
    return None


def _spine_group(
    leaves: LeafLayer, n_leaf: int, spine_ports: int, least_spines: int
) -> _Group | None:
    return _smallest_group(
        n_leaf, leaves.min_uplinks, leaves.max_uplinks, spine_ports, least_spines
    )


def two_tiers(
    leaves: LeafLayer, plan: PortPlan, least_spines: int
) -> UpperLayers | None:
    """Join all leaves by one set of spines.

    Parameters
    ----------
    leaves : LeafLayer
        The leaves of one plane.
    plan : PortPlan
        Port arithmetic of the switch.
    least_spines : int
        Fewest spines to build, for redundancy.

    Returns
    -------
    UpperLayers or None
        ``None`` where a spine has fewer ports than there are leaves.
    """
    group = _spine_group(leaves, leaves.n_leaf, plan.link_capacity, least_spines)
    if group is None:
        return None
    return UpperLayers(
        n_pods=1,
        spines_per_pod=group.n_upper,
        leaf_uplinks=group.uplinks,
        spine_downlinks=leaves.n_leaf * group.links,
    )


def three_tiers(
    leaves: LeafLayer, plan: PortPlan, pod_oversubscription: float, least_spines: int
) -> UpperLayers | None:
    """Join leaves into pods by spines and pods by cores.

    With several rails a pod holds leaves of one rail only, and as many of them as its
    spines can serve, so that traffic of a rail meets the core as late as possible. With
    one rail nothing is gained by large pods: the size that needs the fewest switches
    is taken.

    Returns
    -------
    UpperLayers or None
        ``None`` where no pod size fits the switch.
    """
    found = _pod_layouts(leaves, plan, pod_oversubscription, least_spines)
    if leaves.n_rails > 1:
        return next(found, None)
    return min(found, key=lambda layers: layers.n_switches, default=None)


def _pod_layouts(
    leaves: LeafLayer, plan: PortPlan, pod_oversubscription: float, least_spines: int
) -> Iterator[UpperLayers]:
    fewest_pods = 1 if leaves.n_rails > 1 else 2
    if leaves.n_per_rail < fewest_pods:
        return
    seen = 0
    most_leaves = min(plan.link_capacity, ceil_ratio(leaves.n_per_rail, fewest_pods))
    for wanted in range(most_leaves, 0, -1):
        pods_per_rail = ceil_ratio(leaves.n_per_rail, wanted)
        if pods_per_rail == seen:
            continue
        seen = pods_per_rail
        if leaves.n_rails * pods_per_rail > plan.link_capacity:
            return
        layers = _pods(leaves, plan, pod_oversubscription, least_spines, pods_per_rail)
        if layers is not None:
            yield layers


def _pods(
    leaves: LeafLayer,
    plan: PortPlan,
    pod_oversubscription: float,
    least_spines: int,
    pods_per_rail: int,
) -> UpperLayers | None:
    n_pods = leaves.n_rails * pods_per_rail
    n_leaf = ceil_ratio(leaves.n_per_rail, pods_per_rail)
    ports = plan.link_capacity
    share = pod_oversubscription / (1.0 + pod_oversubscription)
    group = _spine_group(leaves, n_leaf, int(ports * share + 1e-9), least_spines)
    if group is None:
        return None
    downlinks = n_leaf * group.links
    uplinks = (ceil_ratio(downlinks, pod_oversubscription), ports - downlinks)
    core = _core(n_pods, group.n_upper, uplinks, ports)
    if core is None:
        return None
    return UpperLayers(
        n_pods=n_pods,
        spines_per_pod=group.n_upper,
        leaf_uplinks=group.uplinks,
        spine_downlinks=downlinks,
        spine_uplinks=core.spine_uplinks,
        n_core=core.n_core,
        core_downlinks=core.downlinks,
    )


@dataclass(frozen=True, slots=True)
class _Core:
    n_core: int
    spine_uplinks: int
    downlinks: int


def _core(
    n_pods: int, spines_per_pod: int, uplinks: tuple[int, int], ports: int
) -> _Core | None:
    """Fewest cores that join the pods.

    The cores form planes: plane m joins the same share of each pod's spines, every one
    of them evenly to all cores of the plane.
    """
    options = []
    for n_planes in range(1, spines_per_pod + 1):
        if spines_per_pod % n_planes:
            continue
        n_spine = n_pods * spines_per_pod // n_planes
        group = _smallest_group(n_spine, *uplinks, ports, at_least=1)
        if group is not None:
            cores = n_planes * group.n_upper
            options.append(_Core(cores, group.uplinks, n_spine * group.links))
    return min(
        options, key=lambda core: (core.n_core, core.spine_uplinks), default=None
    )
