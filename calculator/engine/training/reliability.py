"""Goodput: what failures, checkpoints and restarts leave of the wall clock."""

from __future__ import annotations

import math
from dataclasses import dataclass

from calculator.engine.errors import DomainError
from calculator.engine.training.inputs import (
    FailureClass,
    GoodputPart,
    GoodputResult,
    ReliabilityInputs,
)
from calculator.engine.training.spares import (
    shrunk_share,
    spare_is_missing,
    wait_without_spare_s,
)
from calculator.engine.training.storage import transfer_s
from calculator.engine.units import SECONDS_PER_DAY, SECONDS_PER_MONTH

GOODPUT_LABELS = {
    "goodput": "Retained progress",
    "checkpoint": "Blocked by checkpoint writes",
    "lost_work": "Work lost since the last checkpoint",
    "restart": "Detection and restart",
    "spare_wait": "Waiting for a repaired node",
    "shrunk": "Running on fewer nodes",
    "planned": "Planned downtime",
}
SHORTEST_INTERVAL_S = 1.0
LONGEST_INTERVAL_S = SECONDS_PER_MONTH
NEGLIGIBLE_PER_S = 1e-30
"""A failure in more than the age of the universe is none; smaller rates underflow."""
LARGEST_EXPONENT = 300.0
"""Beyond e^300 failures per segment the job is lost all the same, and floats overflow."""
_GOLDEN = (math.sqrt(5.0) - 1.0) / 2.0


def young_daly_interval_s(*, mtbf_s: float, write_s: float) -> float:
    r"""Checkpoint interval that Young and Daly recommend [s].

    .. math:: \tau = \sqrt{2 w M}

    Parameters
    ----------
    mtbf_s : float
        Mean time between failures of the whole job. [s]
    write_s : float
        Time that one checkpoint blocks training. [s]

    References
    ----------
    J. T. Daly, Future Generation Computer Systems 22 (2006) 303.
    """
    return math.sqrt(2.0 * write_s * mtbf_s)


def expected_ettr(
    *, failures_per_s: float, restart_s: float, interval_s: float, write_s: float
) -> float:
    r"""Effective training time ratio of Kokolis et al. (first order in failures) [1].

    .. math:: E = \frac{1 - N r_f (u_0 + \Delta t/2)}{1 + w/\Delta t}

    Parameters
    ----------
    failures_per_s : float
        Failures of the job per second: nodes times rate per node. [1/s]
    restart_s, interval_s, write_s : float
        Restart overhead, training time between checkpoints, blocking write. [s]

    References
    ----------
    Revisiting Reliability in Large-Scale Machine Learning Research Clusters,
    arXiv:2410.21680.
    """
    lost = failures_per_s * (restart_s + interval_s / 2.0)
    return max(1.0 - lost, 0.0) / (1.0 + write_s / interval_s)


def _lost_per_failure_s(rate: float, segment_s: float) -> float:
    """Mean time into a segment at which a failure strikes it [s]."""
    x = rate * segment_s
    if x < 1e-4:
        return segment_s * (0.5 - x / 12.0)
    return 1.0 / rate - segment_s / math.expm1(x) if x < 700.0 else 1.0 / rate


def _cycle(
    rate: float,
    restart_s: float,
    interval_s: float,
    write_s: float,
    wait_s: float = 0.0,
) -> dict[str, float]:
    """Mean wall time spent for one saved interval of progress, by use [s].

    Failures are Poisson. A segment (interval and write) is repeated until it passes
    without failure: exp(rate x segment) - 1 failures on average, each of which loses the
    time into the segment and a restart; failures during restart restart it again.
    ``wait_s`` is the mean wait for a node per failure, those during restarts included.
    """
    segment = interval_s + write_s
    failures = math.expm1(min(rate * segment, LARGEST_EXPONENT))
    restart = (
        math.expm1(min(rate * restart_s, LARGEST_EXPONENT)) / rate
        if rate > 0.0
        else restart_s
    )
    return {
        "goodput": interval_s,
        "checkpoint": write_s,
        "lost_work": failures * _lost_per_failure_s(rate, segment)
        if rate > 0.0
        else 0.0,
        "restart": failures * restart,
        "spare_wait": failures
        * math.exp(min(rate * restart_s, LARGEST_EXPONENT))
        * wait_s,
    }


def exact_goodput(
    *, rate: float, restart_s: float, interval_s: float, write_s: float
) -> float:
    """Share of wall time that is retained, Poisson failures, exact in the rate [1].

    Parameters
    ----------
    rate : float
        Failures of the job per second. [1/s]
    restart_s, interval_s, write_s : float
        As for :func:`expected_ettr`. [s]
    """
    cycle = _cycle(rate, restart_s, interval_s, write_s)
    return interval_s / sum(cycle.values())


def optimal_interval_s(
    *, rate: float, restart_s: float, write_s: float, wait_s: float = 0.0
) -> float:
    """Checkpoint interval with the highest exact goodput [s].

    Golden section over the logarithm, from a hundredth to a hundred times Young/Daly.
    Without failures or without blocking writes a bound is what remains: one write a
    month, or one a second.
    """
    if rate <= 0.0:
        return LONGEST_INTERVAL_S
    guess = young_daly_interval_s(mtbf_s=1.0 / rate, write_s=write_s)
    if guess <= SHORTEST_INTERVAL_S / 100.0:
        return SHORTEST_INTERVAL_S
    if guess >= 100.0 * LONGEST_INTERVAL_S:
        return LONGEST_INTERVAL_S
    low, high = math.log(guess / 100.0), math.log(guess * 100.0)

    def waste(log_interval: float) -> float:
        cycle = _cycle(rate, restart_s, math.exp(log_interval), write_s, wait_s)
        return sum(cycle.values()) / cycle["goodput"]

    for _ in range(80):
        left, right = high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)
        if waste(left) <= waste(right):
            high = right
        else:
            low = left
    return min(math.exp((low + high) / 2.0), LONGEST_INTERVAL_S)


def _is_amount(value: float) -> bool:
    return math.isfinite(value) and value >= 0.0


def _check(inputs: ReliabilityInputs, n_nodes: int) -> None:
    if n_nodes < 1:
        raise DomainError(f"n_nodes is {n_nodes}, must be at least 1", field="n_nodes")
    for failure in inputs.failures:
        if not (_is_amount(failure.per_node_day) and _is_amount(failure.restart_s)):
            raise DomainError(
                f"failure class {failure.name}: {failure.per_node_day:g} per node-day and "
                f"{failure.restart_s:g} s restart must be finite and at least 0",
                field="failures",
            )
    interval = inputs.checkpoint_interval_s
    if interval is not None and not (_is_amount(interval) and interval > 0.0):
        raise DomainError(
            f"checkpoint_interval_s is {interval:g} s, must be above 0",
            field="checkpoint_interval_s",
        )
    blocking = inputs.checkpoint_blocking_fraction
    if not 0.0 <= blocking <= 1.0:
        raise DomainError(
            f"checkpoint_blocking_fraction is {blocking:g}, must be 0 to 1",
            field="checkpoint_blocking_fraction",
        )
    if not 0.0 <= inputs.planned_downtime_fraction < 1.0:
        raise DomainError(
            f"planned_downtime_fraction is {inputs.planned_downtime_fraction:g}, "
            "must be at least 0 and below 1",
            field="planned_downtime_fraction",
        )
    _check_spares(inputs)


def _check_spares(inputs: ReliabilityInputs) -> None:
    if not _is_amount(inputs.repair_s):
        raise DomainError(
            f"repair_s is {inputs.repair_s:g} s, must be finite and at least 0",
            field="repair_hours",
        )
    if inputs.n_spare_nodes < 0 or inputs.replica_nodes < 1:
        raise DomainError(
            f"{inputs.n_spare_nodes} spare nodes and {inputs.replica_nodes} nodes per "
            "replica: must be at least 0 and 1",
            field="n_spare_nodes",
        )


@dataclass(frozen=True, slots=True)
class _Absence:
    """What nodes in repair cost: mean wait per failure, share of the job standing still.

    ``missing`` is the probability that a failing node finds no spare, ``wait_s`` the
    mean wait then.
    """

    missing: float
    wait_s: float
    wait_per_failure_s: float
    shrunk: float


def _absence(
    inputs: ReliabilityInputs, rates: list[float], n_nodes: int, rejoin_s: float
) -> _Absence:
    """Cost of nodes in repair under the chosen policy.

    An elastic job restarts once more when a node comes back: ``rejoin_s``.
    """
    taking = sum(
        rate
        for rate, failure in zip(rates, inputs.failures, strict=True)
        if failure.takes_node
    )
    if taking <= 0.0:
        return _Absence(0.0, 0.0, 0.0, 0.0)
    load, share = taking * inputs.repair_s, taking / sum(rates)
    if inputs.spare_policy == "elastic":
        shrunk, missing = shrunk_share(
            n_nodes=n_nodes,
            n_spare_nodes=inputs.n_spare_nodes,
            load=load,
            replica_nodes=min(inputs.replica_nodes, n_nodes),
        )
        return _Absence(missing, 0.0, share * missing * rejoin_s, shrunk)
    spares = inputs.n_spare_nodes if inputs.spare_policy == "spares" else 0
    missing = spare_is_missing(n_spare_nodes=spares, load=load)
    wait = wait_without_spare_s(n_spare_nodes=spares, repair_s=inputs.repair_s)
    return _Absence(missing, wait, share * missing * wait, 0.0)


def _restart_s(inputs: ReliabilityInputs, rates: list[float]) -> float:
    """Mean restart over failure classes, and reading the checkpoint back [s]."""
    restore = 0.0
    if inputs.restore_bytes_per_s > 0.0:
        restore = inputs.checkpoint_bytes / inputs.restore_bytes_per_s
    total = sum(rates)
    if total <= 0.0:
        return restore
    weighted = sum(
        rate * failure.restart_s
        for rate, failure in zip(rates, inputs.failures, strict=True)
    )
    return weighted / total + restore


def _per_second(failure: FailureClass, n_nodes: int) -> float:
    rate = failure.per_node_day * n_nodes / SECONDS_PER_DAY
    return rate if rate > NEGLIGIBLE_PER_S else 0.0


def goodput(*, inputs: ReliabilityInputs, n_nodes: int) -> GoodputResult:
    """Split the wall clock of a long run into progress and losses.

    Parameters
    ----------
    inputs : ReliabilityInputs
        Failure classes, checkpoint size and bandwidths, planned downtime. An interval
        of ``None`` takes the exact optimum.
    n_nodes : int
        Nodes that must all be up, at least 1.

    Returns
    -------
    GoodputResult
        Parts (with ``goodput``) that sum to 1; a job that fails faster than it can
        restart has goodput near 0, never below.

    Raises
    ------
    DomainError
        Where a rate, time or fraction is outside its bounds.
    """
    _check(inputs, n_nodes)
    rates = [_per_second(failure, n_nodes) for failure in inputs.failures]
    rate = sum(rates)
    write_s = transfer_s(
        size_bytes=inputs.checkpoint_bytes,
        bytes_per_s=inputs.checkpoint_write_bytes_per_s,
        field="checkpoint_write_bytes_per_s",
    )
    blocked_s = write_s * inputs.checkpoint_blocking_fraction
    restart_s = _restart_s(inputs, rates)
    away = _absence(inputs, rates, n_nodes, rejoin_s=write_s + restart_s)
    interval_s = inputs.checkpoint_interval_s
    if interval_s is None:
        best = optimal_interval_s(
            rate=rate,
            restart_s=restart_s,
            write_s=blocked_s,
            wait_s=away.wait_per_failure_s,
        )
        interval_s = max(best, write_s - blocked_s)
    cycle = _cycle(rate, restart_s, interval_s, blocked_s, away.wait_per_failure_s)
    parts = _parts(cycle, inputs.planned_downtime_fraction, away.shrunk)
    return GoodputResult(
        goodput=parts[0].fraction,
        parts=parts,
        checkpoint_interval_s=interval_s,
        checkpoint_write_s=write_s,
        failures_per_month=rate * SECONDS_PER_MONTH,
        mean_time_between_failures_s=1.0 / rate if rate > 0.0 else math.inf,
        failures_by_class={
            failure.name: each * SECONDS_PER_MONTH
            for failure, each in zip(inputs.failures, rates, strict=True)
        },
        lost_work_s=_lost_per_failure_s(rate, interval_s + blocked_s),
        restart_s=restart_s,
        spare_available_fraction=1.0 - away.missing,
        spare_wait_s=away.wait_s,
    )


def _parts(
    cycle: dict[str, float], planned: float, shrunk: float
) -> tuple[GoodputPart, ...]:
    """Shares of the wall clock; the first (goodput) takes the rounding so that they sum to 1.

    ``shrunk`` is the mean share of the nodes that an elastic job is short of.
    """
    total = sum(cycle.values())
    shares = {key: (1.0 - planned) * value / total for key, value in cycle.items()}
    shares["shrunk"] = shares["goodput"] * shrunk
    shares["planned"] = planned
    shares["goodput"] = max(
        1.0 - sum(v for k, v in shares.items() if k != "goodput"), 0.0
    )
    return tuple(
        GoodputPart(key=key, label=GOODPUT_LABELS[key], fraction=value)
        for key, value in shares.items()
    )
