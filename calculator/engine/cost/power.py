"""IT power, facility energy and a check of node power against its GPUs."""

from __future__ import annotations

from dataclasses import dataclass

from calculator.engine.numeric import Numeric
from calculator.engine.units import HOURS_PER_MONTH, KILO


@dataclass(frozen=True, slots=True)
class PowerDraw:
    """Draw in kW: mean while a job runs, without a job, and the rated maximum."""

    mean_kw: Numeric
    idle_kw: Numeric
    rated_kw: Numeric


def cluster_it_kw(
    node: PowerDraw, n_nodes: int, constant_kw: Numeric = 0.0
) -> PowerDraw:
    """IT power of all nodes with the network and storage around them.

    Parameters
    ----------
    node : PowerDraw
        One node. [kW]
    n_nodes : int
        Nodes that are powered.
    constant_kw : scalar or (n_samples, 1)
        Switches, optics and storage: their draw hardly follows the load. [kW]

    Returns
    -------
    PowerDraw
        The whole cluster. [kW]
    """
    return PowerDraw(
        mean_kw=node.mean_kw * n_nodes + constant_kw,
        idle_kw=node.idle_kw * n_nodes + constant_kw,
        rated_kw=node.rated_kw * n_nodes + constant_kw,
    )


def occupied_it_kw(
    *, mean_it_kw: Numeric, idle_it_kw: Numeric, occupancy: Numeric
) -> Numeric:
    """Calendar mean of IT power: mean draw with a job, idle draw without.

    Parameters
    ----------
    mean_it_kw, idle_it_kw : scalar or (n_samples, 1)
        IT power with and without a job. [kW]
    occupancy : scalar or (n_samples, 1)
        Share of calendar hours with a job, 0-1.

    Returns
    -------
    scalar or (n_samples, 1)
        Mean IT power. [kW]
    """
    return mean_it_kw * occupancy + idle_it_kw * (1.0 - occupancy)


def facility_kwh_per_month(*, it_kw: Numeric, pue: Numeric) -> Numeric:
    """Energy at the meter in a month of 730 h.

    Parameters
    ----------
    it_kw : scalar or (n_samples, 1)
        Calendar mean of IT power. [kW]
    pue : scalar or (n_samples, 1)
        Facility energy over IT energy, at least 1.

    Returns
    -------
    scalar or (n_samples, 1)
        Energy a month. [kWh]
    """
    return it_kw * pue * HOURS_PER_MONTH


def check_node_power(node_kw: float, gpu_tdp_w: float, n_gpus: int) -> str | None:
    """Warn when a node's rated power is below that of its GPUs alone.

    Parameters
    ----------
    node_kw : float
        Rated maximum of one node. [kW]
    gpu_tdp_w : float
        Thermal design power of one GPU. [W]
    n_gpus : int
        GPUs in the node.

    Returns
    -------
    str or None
        A sentence with both figures, or ``None`` when the node is plausible.
    """
    gpus_kw = n_gpus * gpu_tdp_w / KILO
    if node_kw >= gpus_kw:
        return None
    return (
        f"Node power of {node_kw:g} kW is below its {n_gpus} GPUs alone: "
        f"{n_gpus} x {gpu_tdp_w:g} W = {gpus_kw:g} kW."
    )
