"""From the inputs of one alternative to its outcome: the engine's entry points.

A sample axis runs through prices and throughput: sample 0 is the point estimate, the
further ones are whatever the caller stacked (low and high prices, Monte Carlo draws).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from calculator.engine.cluster.bill import make_bill
from calculator.engine.cluster.inputs import (
    Bill,
    BillLine,
    BillRequest,
    FabricRequest,
    FabricSize,
)
from calculator.engine.cluster.topology import size_fabric
from calculator.engine.cost.cashflow import owning_ledger, renting_ledger
from calculator.engine.cost.inputs import (
    CapexLine,
    Ledger,
    OwningInputs,
    RentingInputs,
)
from calculator.engine.numeric import FloatArray, Numeric
from calculator.engine.training.inputs import (
    ClusterNetwork,
    FailureClass,
    GoodputResult,
    GpuSpec,
    ReliabilityInputs,
    SparePolicy,
    Strategy,
    StrategyPins,
    ThroughputResult,
    TrainingStorage,
    Workload,
)
from calculator.engine.training.memory import checkpoint_bytes
from calculator.engine.training.own_stack import OwnStack, own_parameters
from calculator.engine.training.reliability import goodput
from calculator.engine.training.throughput import best_strategy
from calculator.engine.units import KILO


@dataclass(frozen=True, slots=True)
class TrainingInputs:
    """What decides speed and goodput of one alternative."""

    workload: Workload
    gpu: GpuSpec
    network: ClusterNetwork
    storage: TrainingStorage
    pins: StrategyPins
    failures: tuple[FailureClass, ...]
    checkpoint_interval_s: float | None
    checkpoint_blocking_fraction: float
    planned_downtime_fraction: float
    spare_policy: SparePolicy = "spares"
    n_spare_nodes: int = 0
    repair_s: float = 0.0
    own_stack: OwnStack | None = None


@dataclass(frozen=True, slots=True)
class TrainingOutcome:
    """Speed, goodput, and useful tokens with their sample axis."""

    throughput: ThroughputResult
    goodput: GoodputResult
    useful_tokens_per_s: FloatArray


@dataclass(frozen=True, slots=True)
class OwnAlternative:
    """Everything that decides an owned cluster.

    ``ledger`` is a template: hardware, power and tokens are filled in from the bill and
    the throughput. ``unit_price_usd`` holds ``None`` for a missing price; a component
    that is absent has no price either. ``watts`` are per unit of a component.
    """

    training: TrainingInputs
    fabric: FabricRequest | None
    bill: BillRequest
    unit_price_usd: Mapping[str, Numeric | None]
    watts: Mapping[str, float]
    node_mean_kw: float
    node_idle_kw: float
    node_rated_kw: float
    ledger: OwningInputs


@dataclass(frozen=True, slots=True)
class PricedLine:
    """A bill line with its price and amount, ``None`` where no price is known."""

    line: BillLine
    unit_price_usd: Numeric | None
    amount_usd: Numeric | None


@dataclass(frozen=True, slots=True)
class OwnOutcome:
    """An owned cluster, sized, priced, timed."""

    training: TrainingOutcome
    fabric: FabricSize | None
    bill: Bill
    lines: tuple[PricedLine, ...]
    rated_it_kw: float
    mean_it_kw: float
    ledger: Ledger
    ledger_inputs: OwningInputs


@dataclass(frozen=True, slots=True)
class RentAlternative:
    """Everything that decides a rented cluster; ``ledger`` is a template."""

    training: TrainingInputs
    ledger: RentingInputs


@dataclass(frozen=True, slots=True)
class RentOutcome:
    """A rented cluster, priced and timed."""

    training: TrainingOutcome
    ledger: Ledger
    ledger_inputs: RentingInputs = field(repr=False)


def evaluate_training(
    inputs: TrainingInputs, *, speed_factors: FloatArray
) -> TrainingOutcome:
    """Predict speed and goodput.

    Parameters
    ----------
    inputs : TrainingInputs
        The job and the cluster.
    speed_factors : (n_samples, 1)
        Multiples of the predicted throughput; 1 for the point estimate.

    Raises
    ------
    InfeasiblePlan
        If no strategy fits; the message gives the limiting number.
    """
    result = best_strategy(
        workload=inputs.workload,
        gpu=inputs.gpu,
        network=inputs.network,
        storage=inputs.storage,
        pins=inputs.pins,
        parameters=own_parameters(inputs.own_stack) if inputs.own_stack else None,
    )
    share = goodput(
        inputs=ReliabilityInputs(
            failures=inputs.failures,
            checkpoint_bytes=checkpoint_bytes(inputs.workload.model),
            checkpoint_write_bytes_per_s=inputs.storage.write_bytes_per_s,
            checkpoint_blocking_fraction=inputs.checkpoint_blocking_fraction,
            checkpoint_interval_s=inputs.checkpoint_interval_s,
            restore_bytes_per_s=inputs.storage.read_bytes_per_s,
            planned_downtime_fraction=inputs.planned_downtime_fraction,
            spare_policy=inputs.spare_policy,
            n_spare_nodes=inputs.n_spare_nodes,
            repair_s=inputs.repair_s,
            replica_nodes=_replica_nodes(result.strategy, inputs.network),
        ),
        n_nodes=inputs.network.n_nodes,
    )
    useful = result.tokens_per_s * share.goodput * speed_factors
    return TrainingOutcome(throughput=result, goodput=share, useful_tokens_per_s=useful)


def _replica_nodes(strategy: Strategy, network: ClusterNetwork) -> int:
    """Nodes that hold one copy of the model: what an elastic job shrinks by."""
    ranks = strategy.tp * strategy.pp * strategy.cp
    return max(1, math.ceil(ranks / network.gpus_per_node))


def evaluate_own(alternative: OwnAlternative, training: TrainingOutcome) -> OwnOutcome:
    """Size the fabric, make and price the bill, run the ledger."""
    fabric = size_fabric(alternative.fabric) if alternative.fabric else None
    bill = make_bill(replace(alternative.bill, fabric=fabric))
    lines = tuple(_priced(line, alternative.unit_price_usd) for line in bill.lines)
    network_kw = _network_kw(bill, alternative.watts)
    n_nodes = alternative.bill.n_nodes
    mean_kw = n_nodes * alternative.node_mean_kw + network_kw
    rated_kw = (n_nodes + bill.n_spare_nodes) * alternative.node_rated_kw + network_kw
    ledger_inputs = replace(
        alternative.ledger,
        hardware=tuple(_capex_lines(lines)),
        mean_it_kw=mean_kw,
        idle_it_kw=n_nodes * alternative.node_idle_kw + network_kw,
        rated_it_kw=rated_kw,
        useful_tokens_per_s=training.useful_tokens_per_s,
    )
    return OwnOutcome(
        training=training,
        fabric=fabric,
        bill=bill,
        lines=lines,
        rated_it_kw=rated_kw,
        mean_it_kw=mean_kw,
        ledger=owning_ledger(ledger_inputs),
        ledger_inputs=ledger_inputs,
    )


def evaluate_rent(
    alternative: RentAlternative, training: TrainingOutcome
) -> RentOutcome:
    """Run the ledger of a rented cluster."""
    ledger_inputs = replace(
        alternative.ledger, useful_tokens_per_s=training.useful_tokens_per_s
    )
    return RentOutcome(
        training=training,
        ledger=renting_ledger(ledger_inputs),
        ledger_inputs=ledger_inputs,
    )


def _priced(line: BillLine, prices: Mapping[str, Numeric | None]) -> PricedLine:
    price = prices.get(line.component)
    amount = None if price is None else np.multiply(price, line.quantity)
    return PricedLine(line=line, unit_price_usd=price, amount_usd=amount)


def _capex_lines(lines: tuple[PricedLine, ...]) -> list[CapexLine]:
    return [
        CapexLine(
            key=priced.line.key,
            category=priced.line.group,
            label=priced.line.label,
            amount_usd=priced.amount_usd,
        )
        for priced in lines
    ]


def _network_kw(bill: Bill, watts: Mapping[str, float]) -> float:
    """Draw of everything outside the nodes whose power is known, spares excluded. [kW]."""
    return sum(
        line.quantity * watts.get(line.component, 0.0) / KILO
        for line in bill.lines
        if line.group not in {"compute", "spares"}
    )
