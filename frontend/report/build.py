"""Everything that the result templates show, made of one ResultV1."""

from __future__ import annotations

from dataclasses import dataclass

from calculator import formatting
from calculator.spec.result import (
    AlternativeResult,
    Notice,
    ResultV1,
    StrategyResult,
    Throughput,
)
from catalog.documents import SourceRow
from frontend.figures import catalogue
from frontend.figures.base import Figure
from frontend.report import headline, lines, stories


@dataclass(frozen=True)
class Column:
    """One alternative as it stands at the head of the tables."""

    key: str
    result: AlternativeResult
    is_base: bool
    is_best: bool
    place: int | None


@dataclass(frozen=True)
class Machine:
    """Hardware, fabric and strategy of one alternative, as label-value pairs."""

    column: Column
    cluster: list[tuple[str, str]]
    fabric_title: str
    fabric: list[tuple[str, str]]
    fabric_notes: list[str]
    strategy: str
    search: list[tuple[str, str]]
    runner_up: str
    runner_up_reason: str
    notes: list[str]


@dataclass(frozen=True)
class Bill:
    """Cost lines of one alternative."""

    column: Column
    groups: list[lines.LineGroup]
    n_missing: int
    n_assumptions: int
    capex: str


@dataclass(frozen=True)
class Report:
    """A comparison's result, ready for templates."""

    result: ResultV1
    columns: list[Column]
    rows: list[headline.Row]
    stories: list[stories.Story]
    machines: list[Machine]
    bills: list[Bill]
    figures: list[Figure]
    notices: list[tuple[str, Notice]]
    sources: list[tuple[str, SourceRow]]

    @property
    def best(self) -> AlternativeResult | None:
        """The winner, if there is one."""
        best = self.result.verdict.best
        return self.result.alternatives[best] if best else None


def build(result: ResultV1) -> Report:
    """Report of a result."""
    columns = [_column(key, result) for key in result.order]
    rows = headline.rows(result)
    return Report(
        result=result,
        columns=columns,
        rows=rows,
        stories=[stories.story(row, result) for row in rows],
        machines=[_machine(column) for column in columns],
        bills=[_bill(column, result) for column in columns if column.result.lines],
        figures=catalogue.figures(result),
        notices=_notices(result),
        sources=sorted(result.sources.items()),
    )


def _column(key: str, result: ResultV1) -> Column:
    places = {ranked.alternative: ranked.place for ranked in result.verdict.ranking}
    return Column(
        key=key,
        result=result.alternatives[key],
        is_base=key == result.base,
        is_best=key == result.verdict.best,
        place=places.get(key),
    )


def _notices(result: ResultV1) -> list[tuple[str, Notice]]:
    own = [("", notice) for notice in result.notices]
    return own + [
        (result.alternatives[key].label, notice)
        for key in result.order
        for notice in result.alternatives[key].notices
    ]


def _bill(column: Column, result: ResultV1) -> Bill:
    groups = lines.groups(column.result, result)
    shown = [line for group in groups for line in group.lines]
    return Bill(
        column=column,
        groups=groups,
        n_missing=sum(line.is_missing for line in shown),
        n_assumptions=sum(line.badge == "assumption" for line in shown),
        capex=formatting.money(column.result.headline.capex_usd),
    )


def _machine(column: Column) -> Machine:
    throughput = column.result.throughput
    fabric = column.result.cluster.fabric if column.result.cluster else None
    search = throughput.search if throughput else None
    return Machine(
        column=column,
        cluster=_cluster(column.result),
        fabric_title=fabric.title if fabric else "",
        fabric=_fabric(column.result),
        fabric_notes=fabric.notes if fabric else [],
        strategy=throughput.strategy.label if throughput else "",
        search=_search(throughput),
        runner_up=_runner_up(search.runner_up, search.runner_up_step_time_s)
        if search
        else "",
        runner_up_reason=search.runner_up_reason if search else "",
        notes=throughput.notes if throughput else [],
    )


def _runner_up(strategy: StrategyResult | None, step_time_s: float | None) -> str:
    if strategy is None:
        return ""
    time = f", {formatting.seconds(step_time_s)} a step" if step_time_s else ""
    return strategy.label + time


def _cluster(alternative: AlternativeResult) -> list[tuple[str, str]]:
    cluster = alternative.cluster
    if cluster is None:
        return []
    pairs = [
        ("GPUs", f"{formatting.number(cluster.n_gpus)} × {cluster.gpu}"),
        (
            "Nodes",
            f"{formatting.number(cluster.n_nodes)} of {cluster.gpus_per_node} GPUs",
        ),
    ]
    if alternative.kind == "own":
        pairs += [
            ("Spare nodes", formatting.number(cluster.n_spare_nodes)),
            ("Racks", formatting.number(cluster.n_racks)),
        ]
    if cluster.mean_it_kw is not None:
        rated = formatting.number(cluster.rated_it_kw, digits=1)
        mean = formatting.number(cluster.mean_it_kw, digits=1)
        pairs.append(("IT power", f"{mean} kW mean, {rated} kW rated"))
    return pairs


def _fabric(alternative: AlternativeResult) -> list[tuple[str, str]]:
    fabric = alternative.cluster.fabric if alternative.cluster else None
    if fabric is None:
        return []
    counts = [
        ("Leaf switches", fabric.n_leaf),
        ("Spine switches", fabric.n_spine),
        ("Core switches", fabric.n_core),
        ("Node-leaf cables", fabric.n_node_leaf_cables),
        ("Leaf-spine cables", fabric.n_leaf_spine_cables),
        ("Spine-core cables", fabric.n_spine_core_cables),
        ("Fabric manager cables", fabric.n_fabric_manager_cables),
        ("Optical modules", fabric.n_transceivers),
        ("Copper cables", fabric.n_copper_cables),
    ]
    pairs = [
        (
            "Links per node",
            f"{fabric.ports_per_node} × {formatting.number(fabric.port_gbps)} Gb/s"
            f" = {formatting.number(fabric.node_gbps)} Gb/s",
        )
    ]
    pairs += [(label, formatting.number(count)) for label, count in counts if count]
    return [*pairs, ("Oversubscription", _oversubscription(alternative))]


def _oversubscription(alternative: AlternativeResult) -> str:
    fabric = alternative.cluster.fabric if alternative.cluster else None
    if fabric is None:
        return ""
    leaf = formatting.number(fabric.leaf_oversubscription, digits=1)
    if fabric.n_tiers < 3:
        return f"{leaf} : 1 at the leaf"
    pod = formatting.number(fabric.pod_oversubscription, digits=1)
    return f"{leaf} : 1 at the leaf, {pod} : 1 at the pod"


def _search(throughput: Throughput | None) -> list[tuple[str, str]]:
    if throughput is None:
        return []
    fits = f"{formatting.number(throughput.memory_gb, digits=1)} of "
    fits += f"{formatting.number(throughput.memory_available_gb, digits=1)} GB"
    tried = f"{formatting.number(throughput.search.n_feasible)} feasible of "
    tried += formatting.number(throughput.search.n_strategies)
    return [
        ("Strategies tried", tried),
        ("GPU memory used", fits),
        (
            "Failures a month",
            formatting.number(throughput.failures_per_month, digits=2),
        ),
        ("Checkpoint every", formatting.seconds(throughput.checkpoint_interval_s)),
        ("Checkpoint write", formatting.seconds(throughput.checkpoint_write_s)),
        (
            "Throughput error, 90 %",
            f"± {formatting.percent(throughput.p90_error_fraction)}",
        ),
    ]
