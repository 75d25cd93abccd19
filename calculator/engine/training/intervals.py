"""How uncertain a prediction is, by the kind of configuration it is for."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from calculator.engine.training.inputs import ClusterNetwork, ModelShape
from calculator.engine.training.parameters import interval_class_table
from calculator.engine.training.parameters import p90_error_fraction as overall_p90
from calculator.engine.units import BITS_PER_BYTE, GIGA

LOW_BANDWIDTH_GBPS = 100.0
"""A node that reaches others at less is a class of its own. [Gb/s]"""
OVERALL = "overall"
LABELS = {
    "moe": "mixture of experts",
    "single_node": "dense model within one node",
    "low_bandwidth": "dense model, several nodes with less than 100 Gb/s each",
    "infiniband": "dense model, several nodes on InfiniBand",
    "ethernet": "dense model, several nodes on Ethernet or EFA",
    OVERALL: "all configurations",
}


@dataclass(frozen=True, slots=True)
class IntervalClass:
    """Relative error that 90 % of a class's left-out runs keep within, and their number."""

    p90_error_fraction: float
    n_runs: int


def class_of(
    *, is_moe: bool, n_nodes: int, gbps_per_node: float, is_infiniband: bool
) -> str:
    """Name the class of a configuration, a key of ``LABELS``.

    Parameters
    ----------
    is_moe : bool
        Whether the model routes tokens to experts; their error hides the network's.
    n_nodes : int
        Scale-up domains in the job.
    gbps_per_node : float
        Nominal rate out of a node, one direction; not finite if unknown. [Gb/s]
    is_infiniband : bool
        InfiniBand between the nodes.
    """
    if is_moe:
        return "moe"
    if n_nodes <= 1:
        return "single_node"
    if gbps_per_node < LOW_BANDWIDTH_GBPS:
        return "low_bandwidth"
    return "infiniband" if is_infiniband else "ethernet"


def job_class(model: ModelShape, network: ClusterNetwork) -> str:
    """Class of one job."""
    rate = network.nics_per_node * network.nic_bytes_per_s * BITS_PER_BYTE / GIGA
    return class_of(
        is_moe=model.n_experts > 0,
        n_nodes=network.n_nodes,
        gbps_per_node=rate,
        is_infiniband=network.transport == "infiniband",
    )


@lru_cache(maxsize=1)
def stored_classes() -> dict[str, IntervalClass]:
    """Classes of the last calibration; none where it did not write them."""
    return {
        key: IntervalClass(float(entry["p90_error_fraction"]), int(entry["n_runs"]))
        for key, entry in interval_class_table().items()
        if key in LABELS
    }


def job_interval(model: ModelShape, network: ClusterNetwork) -> tuple[float, str]:
    """Relative error of a job's tokens/s [1], and the sentence that says where from.

    Falls back to all runs where the class has none of its own; without any class to the
    error of the whole fit, and no sentence.
    """
    classes = stored_classes()
    key = job_class(model, network)
    found = classes.get(key) or classes.get(OVERALL)
    if found is None:
        return overall_p90(), ""
    label = LABELS[key if key in classes else OVERALL]
    return found.p90_error_fraction, (
        f"Interval of throughput: {100 * found.p90_error_fraction:.0f} %, the error that "
        f"nine of ten measured runs of this kind keep within ({label}; {found.n_runs} "
        "runs, each source predicted without having been fitted)."
    )
