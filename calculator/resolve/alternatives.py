"""Engine outcomes to the result document, one alternative at a time."""

from __future__ import annotations

from typing import cast

import numpy as np

from calculator.engine.cluster.inputs import Bill, FabricSize
from calculator.engine.cost.inputs import Ledger
from calculator.engine.cost.time_value import npv
from calculator.engine.evaluate import OwnOutcome, RentOutcome, TrainingOutcome
from calculator.engine.numeric import FloatArray, Numeric
from calculator.engine.training.inputs import Strategy, ThroughputResult
from calculator.engine.units import (
    BILLION,
    GIGA,
    MILLION,
    SECONDS_PER_DAY,
    SECONDS_PER_MONTH,
)
from calculator.resolve.cost_lines import at_point, own_lines, rent_lines
from calculator.resolve.notices import price_notices, unpriced
from calculator.resolve.prices import ADVERSE, FAVOURABLE, POINT
from calculator.spec.options import OwnOption, RentOption
from calculator.spec.result import (
    AlternativeResult,
    CashFlow,
    CashFlowRow,
    ClusterResult,
    CostLine,
    CostShare,
    FabricResult,
    Headline,
    Notice,
    Part,
    StepPartResult,
    StrategyResult,
    StrategySearch,
    Throughput,
)
from calculator.spec.scenario import ComparisonV1
from catalog.documents import PriceSnapshot

SHARDING_NAMES = {
    "none": "no sharding",
    "zero1": "ZeRO-1",
    "zero2": "ZeRO-2",
    "zero3": "ZeRO-3 / full shard",
    "hsdp": "hybrid shard",
}


PER_UNIT_NUMBERS = (
    "levelised_usd_per_million_tokens",
    "undiscounted_usd_per_million_tokens",
    "levelised_low_usd_per_million_tokens",
    "levelised_high_usd_per_million_tokens",
    "usd_per_gpu_hour",
    "run_cost_usd",
)


def infeasible_result(
    spec: ComparisonV1, key: str, reason: str, cluster: ClusterResult | None
) -> AlternativeResult:
    """An alternative that cannot run the workload: no number is invented for it."""
    option = spec.alternatives[key]
    names = [name for name, info in Headline.model_fields.items() if info.is_required()]
    return AlternativeResult(
        kind=option.kind,
        label=option.label,
        status="infeasible",
        reason=reason,
        headline=Headline.model_validate(dict.fromkeys(names)),
        cluster=cluster,
    )


def own_result(
    spec: ComparisonV1,
    snapshot: PriceSnapshot,
    key: str,
    outcome: OwnOutcome,
    notices: list[Notice],
) -> AlternativeResult:
    """Result of an owned cluster."""
    option = cast(OwnOption, spec.alternatives[key])
    design = snapshot.designs[option.node_design]
    cluster = ClusterResult(
        n_nodes=option.n_nodes,
        n_gpus=option.n_nodes * design.gpus_per_node,
        gpu=design.gpu,
        gpus_per_node=design.gpus_per_node,
        n_spare_nodes=outcome.bill.n_spare_nodes,
        n_racks=outcome.bill.n_racks,
        rated_it_kw=outcome.rated_it_kw,
        mean_it_kw=outcome.mean_it_kw,
        fabric=fabric_result(option, outcome.fabric, outcome.bill),
    )
    return _result(
        spec,
        snapshot,
        key,
        cluster,
        outcome.training,
        outcome.ledger,
        own_lines(spec, snapshot, key, outcome),
        notices,
    )


def rent_result(
    spec: ComparisonV1,
    snapshot: PriceSnapshot,
    key: str,
    outcome: RentOutcome,
    notices: list[Notice],
) -> AlternativeResult:
    """Result of a rented cluster."""
    cluster = rented_cluster(cast(RentOption, spec.alternatives[key]), snapshot)
    return _result(
        spec,
        snapshot,
        key,
        cluster,
        outcome.training,
        outcome.ledger,
        rent_lines(spec, snapshot, key, outcome),
        notices,
    )


def rented_cluster(option: RentOption, snapshot: PriceSnapshot) -> ClusterResult:
    """What is rented."""
    offer = snapshot.offers[option.offer]
    return ClusterResult(
        n_nodes=option.n_instances,
        n_gpus=option.n_instances * offer.gpus_per_instance,
        gpu=offer.gpu,
        gpus_per_node=offer.gpus_per_instance,
    )


def _result(
    spec: ComparisonV1,
    snapshot: PriceSnapshot,
    key: str,
    cluster: ClusterResult,
    training: TrainingOutcome,
    ledger: Ledger,
    lines: list[CostLine],
    notices: list[Notice],
) -> AlternativeResult:
    option = spec.alternatives[key]
    reason = "" if ledger.is_complete else "no price for " + ", ".join(unpriced(lines))
    return AlternativeResult(
        kind=option.kind,
        label=option.label,
        status="ok" if ledger.is_complete else "incomplete",
        reason=reason or ledger.reason,
        headline=_honest(headline(spec, training, ledger), ledger),
        cluster=cluster,
        throughput=throughput_result(training, snapshot, cluster),
        lines=lines,
        costs=cost_shares(ledger, spec.assumptions.finance.discount_rate_fraction),
        cash_flow=cash_flow(ledger),
        notices=[*notices, *price_notices(lines, key)],
    )


def headline(spec: ComparisonV1, training: TrainingOutcome, ledger: Ledger) -> Headline:
    """The numbers people quote."""
    speed = training.throughput
    levelised = _point(ledger.levelised_usd_per_million_tokens)
    useful = at_point(training.useful_tokens_per_s)
    run_tokens = spec.workload.train_tokens_billions * BILLION
    occupancy = spec.assumptions.use.occupancy_fraction
    return Headline(
        levelised_usd_per_million_tokens=levelised,
        undiscounted_usd_per_million_tokens=_point(
            ledger.undiscounted_usd_per_million_tokens
        ),
        usd_per_gpu_hour=_point(ledger.usd_per_gpu_hour),
        tco_usd=at_point(ledger.tco_usd),
        capex_usd=at_point(ledger.capex_usd),
        tokens_per_s_per_gpu=speed.tokens_per_s_per_gpu,
        mfu=speed.mfu,
        busy_share=speed.busy_share,
        goodput=training.goodput.goodput,
        step_time_s=speed.step_time_s,
        time_to_train_days=run_tokens / useful / SECONDS_PER_DAY
        if useful > 0
        else None,
        levelised_low_usd_per_million_tokens=_sample(
            ledger.levelised_usd_per_million_tokens, FAVOURABLE
        ),
        levelised_high_usd_per_million_tokens=_sample(
            ledger.levelised_usd_per_million_tokens, ADVERSE
        ),
        npv_usd=at_point(ledger.npv_usd),
        equivalent_annual_cost_usd=at_point(ledger.equivalent_annual_cost_usd),
        run_cost_usd=None if levelised is None else levelised * run_tokens / MILLION,
        hfu=speed.hfu,
        useful_tokens_per_month=useful * occupancy * SECONDS_PER_MONTH,
    )


def _honest(head: Headline, ledger: Ledger) -> Headline:
    """A number per token or hour that leaves a price out would look cheap: drop it."""
    if ledger.is_complete:
        return head
    return head.model_copy(update=dict.fromkeys(PER_UNIT_NUMBERS))


def _point(value: Numeric | None) -> float | None:
    return None if value is None else _finite(at_point(value))


def _finite(value: float) -> float | None:
    return value if np.isfinite(value) else None


def _sample(value: Numeric | None, index: int) -> float | None:
    if value is None:
        return None
    array = np.atleast_1d(np.asarray(value, dtype=np.float64)).ravel()
    return _finite(float(array[min(index, array.size - 1)]))


def strategy_result(strategy: Strategy) -> StrategyResult:
    """A strategy with a label that people can read."""
    degrees = [("TP", strategy.tp), ("PP", strategy.pp), ("CP", strategy.cp)]
    degrees += [("EP", strategy.ep), ("DP", strategy.dp)]
    split = " ".join(f"{name}{degree}" for name, degree in degrees if degree > 1)
    label = (
        f"{split or 'one GPU'}, {SHARDING_NAMES[strategy.sharding]}, "
        f"{strategy.n_micro_batches} x {strategy.micro_batch_seqs} sequences, "
        f"recompute {strategy.recompute}"
    )
    return StrategyResult(
        tp=strategy.tp,
        pp=strategy.pp,
        vp=strategy.vp,
        cp=strategy.cp,
        ep=strategy.ep,
        dp=strategy.dp,
        sharding=strategy.sharding,
        micro_batch_seqs=strategy.micro_batch_seqs,
        n_micro_batches=strategy.n_micro_batches,
        recompute=strategy.recompute,
        label=label,
    )


def _search(speed: ThroughputResult) -> StrategySearch:
    runner_up = speed.runner_up
    return StrategySearch(
        n_strategies=speed.n_strategies,
        n_feasible=speed.n_feasible,
        runner_up=strategy_result(runner_up.strategy) if runner_up else None,
        runner_up_step_time_s=runner_up.step_time_s if runner_up else None,
        runner_up_reason=runner_up.reason if runner_up else "",
    )


def throughput_result(
    training: TrainingOutcome, snapshot: PriceSnapshot, cluster: ClusterResult
) -> Throughput:
    """Where the time of a step goes, what memory it needs, what failures cost."""
    speed, share = training.throughput, training.goodput
    return Throughput(
        strategy=strategy_result(speed.strategy),
        search=_search(speed),
        step_time_s=speed.step_time_s,
        step=[
            StepPartResult(
                key=p.key, label=p.label, seconds=p.seconds, is_busy=p.is_busy
            )
            for p in speed.parts
        ],
        tokens_per_s=speed.tokens_per_s,
        model_flop_per_token=speed.model_flop_per_token,
        n_parameters=speed.n_parameters,
        n_active_parameters=speed.n_active_parameters,
        memory=[
            Part(key=p.key, label=p.label, value=p.bytes / GIGA, unit="GB")
            for p in speed.memory
        ],
        memory_gb=speed.memory_bytes / GIGA,
        memory_available_gb=float(
            snapshot.components[cluster.gpu].attributes["hbm_gb"]
        ),
        goodput=[
            Part(key=p.key, label=p.label, value=p.fraction, unit="1")
            for p in share.parts
        ],
        failures_per_month=share.failures_per_month,
        checkpoint_interval_s=share.checkpoint_interval_s,
        checkpoint_write_s=share.checkpoint_write_s,
        p90_error_fraction=speed.p90_error_fraction,
        notes=list(speed.notes),
        failures=[
            Part(key=name.replace(" ", "_"), label=name, value=count, unit="1/month")
            for name, count in share.failures_by_class.items()
        ],
        lost_work_s=share.lost_work_s,
        restart_s=share.restart_s,
        spare_available_fraction=share.spare_available_fraction,
        spare_wait_s=share.spare_wait_s,
    )


def fabric_result(
    option: OwnOption, size: FabricSize | None, bill: Bill
) -> FabricResult | None:
    """The sized fabric beside the name of its topology."""
    if size is None or option.fabric is None:
        return None
    fabric = option.fabric
    return FabricResult(
        topology=size.topology,
        title=size.topology_title,
        transport=fabric.transport,
        ports_per_node=fabric.ports_per_node,
        port_gbps=fabric.port_gbps,
        node_gbps=fabric.ports_per_node * fabric.port_gbps,
        n_tiers=size.n_tiers,
        n_leaf=size.n_leaf,
        n_spine=size.n_spine,
        n_core=size.n_core,
        n_switches=size.n_switches,
        n_node_leaf_cables=size.n_node_leaf_cables,
        n_leaf_spine_cables=size.n_leaf_spine_cables,
        n_spine_core_cables=size.n_spine_core_cables,
        n_fabric_manager_cables=size.n_fabric_manager_cables,
        n_transceivers=bill.n_transceivers,
        n_copper_cables=bill.n_copper_cables,
        leaf_oversubscription=size.leaf_oversubscription,
        pod_oversubscription=size.pod_oversubscription,
        is_any_to_any=size.is_any_to_any,
        notes=[*size.notes, *bill.notes],
    )


def cost_shares(ledger: Ledger, discount_rate_fraction: float) -> list[CostShare]:
    """Each ledger row over the whole horizon; the shares sum to the totals."""
    shares = []
    for row in ledger.rows:
        usd = _months(row.usd)
        per_token = ledger.levelised_by_row.get(row.key)
        shares.append(
            CostShare(
                key=row.key,
                label=row.label,
                npv_usd=float(npv(usd, rate_fraction=discount_rate_fraction)),
                undiscounted_usd=float(usd.sum()),
                usd_per_million_tokens=None
                if per_token is None
                else at_point(per_token),
            )
        )
    return shares


def _months(usd: FloatArray) -> FloatArray:
    return np.asarray(usd if usd.ndim == 1 else usd[POINT], dtype=np.float64)


def cash_flow(ledger: Ledger) -> CashFlow:
    """The monthly ledger of the point estimate."""
    total = _months(ledger.total_usd)
    return CashFlow(
        months=list(range(total.size)),
        rows=[
            CashFlowRow(
                key=row.key,
                label=row.label,
                is_capex=row.is_capex,
                usd=_months(row.usd).tolist(),
            )
            for row in ledger.rows
        ],
        total_usd=total.tolist(),
        cumulative_usd=np.cumsum(total).tolist(),
        useful_tokens=_months(ledger.tokens).tolist(),
    )
