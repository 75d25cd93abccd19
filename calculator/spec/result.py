"""ResultV1: what a comparison found. Pages, API, exports and links only render it."""

from __future__ import annotations

from datetime import date
from typing import Any, Literal

from pydantic import Field

from calculator.spec.base import SpecModel
from calculator.spec.pointers import join, split
from catalog.documents import Confidence, SourceRow

Origin = Literal["user", "default", "quote", "catalog", "derived", "assumption"]


class Notice(SpecModel):
    """Something the reader must know; ``pointer`` is an address in the comparison."""

    code: str
    message: str
    pointer: str = ""


class ProvenanceEntry(SpecModel):
    """Where a number comes from."""

    origin: Origin
    label: str = ""
    value: float | int | str | bool | None = None
    unit: str = ""
    source: str = Field("", description="Key in ``sources``.")
    quote_id: str = ""
    observed_on: str = ""
    confidence: Confidence | Literal[""] = ""
    method: str = Field(
        "", description="Methodology page and section of a derived number."
    )
    inputs: list[str] = Field(
        default_factory=list, description="Pointers it is made from."
    )


class Headline(SpecModel):
    """The numbers people quote. ``None`` where an honest number does not exist."""

    levelised_usd_per_million_tokens: float | None
    undiscounted_usd_per_million_tokens: float | None
    usd_per_gpu_hour: float | None
    tco_usd: float | None
    capex_usd: float | None
    tokens_per_s_per_gpu: float | None
    mfu: float | None
    busy_share: float | None
    goodput: float | None
    step_time_s: float | None
    time_to_train_days: float | None
    levelised_low_usd_per_million_tokens: float | None = None
    levelised_high_usd_per_million_tokens: float | None = None
    npv_usd: float | None = None
    equivalent_annual_cost_usd: float | None = None
    run_cost_usd: float | None = Field(
        None, description="Levelised cost times the tokens of one run."
    )
    hfu: float | None = None
    useful_tokens_per_month: float | None = None


class Part(SpecModel):
    """A labelled share of a whole."""

    key: str
    label: str
    value: float
    unit: str
    note: str = ""


class StepPartResult(SpecModel):
    """One bar of the step-time waterfall."""

    key: str
    label: str
    seconds: float
    is_busy: bool


class StrategyResult(SpecModel):
    """The parallel strategy used."""

    tp: int
    pp: int
    vp: int
    cp: int
    ep: int
    dp: int
    sharding: str
    micro_batch_seqs: int
    n_micro_batches: int
    recompute: str
    label: str = Field(description="For example TP8 PP2 DP4, ZeRO-1, 1 sequence.")


class StrategySearch(SpecModel):
    """How the strategy was found."""

    n_strategies: int
    n_feasible: int
    runner_up: StrategyResult | None = None
    runner_up_step_time_s: float | None = None
    runner_up_reason: str = ""


class Throughput(SpecModel):
    """Where the time of a step goes, and what it needs."""

    strategy: StrategyResult
    search: StrategySearch
    step_time_s: float
    step: list[StepPartResult] = Field(description="Sums to ``step_time_s``.")
    tokens_per_s: float
    model_flop_per_token: float
    n_parameters: float
    n_active_parameters: float
    memory: list[Part]
    memory_gb: float
    memory_available_gb: float
    goodput: list[Part] = Field(description="Shares of wall-clock time, sum to 1.")
    failures_per_month: float
    checkpoint_interval_s: float
    checkpoint_write_s: float
    p90_error_fraction: float
    notes: list[str] = Field(default_factory=list)
    failures: list[Part] = Field(
        default_factory=list, description="Expected failures of a month by class."
    )
    lost_work_s: float | None = Field(
        None, description="Mean training time that one failure loses."
    )
    restart_s: float | None = Field(
        None, description="Mean time from failure to training again, node at hand."
    )
    spare_available_fraction: float | None = Field(
        None, description="Probability that a failing node finds a spare."
    )
    spare_wait_s: float | None = Field(
        None, description="Mean wait for a repaired node where none is left."
    )


class FabricResult(SpecModel):
    """The sized fabric; ``title`` stands beside every count."""

    topology: str
    title: str
    transport: str
    ports_per_node: int
    port_gbps: float
    node_gbps: float
    n_tiers: int
    n_leaf: int
    n_spine: int
    n_core: int
    n_switches: int
    n_node_leaf_cables: int
    n_leaf_spine_cables: int
    n_spine_core_cables: int
    n_fabric_manager_cables: int
    n_transceivers: int
    n_copper_cables: int
    leaf_oversubscription: float
    pod_oversubscription: float
    is_any_to_any: bool
    notes: list[str] = Field(default_factory=list)


class ClusterResult(SpecModel):
    """What stands in the hall, or is rented."""

    n_nodes: int
    n_gpus: int
    gpu: str
    gpus_per_node: int
    n_spare_nodes: int = 0
    n_racks: int = 0
    rated_it_kw: float | None = None
    mean_it_kw: float | None = None
    fabric: FabricResult | None = None


class CostLine(SpecModel):
    """quantity x unit price = amount, with its price's identity. Missing is ``None``."""

    key: str
    group: str
    label: str
    item: str
    quantity: float
    unit: str
    unit_price_usd: float | None
    amount_usd: float | None
    period: Literal["one_time", "monthly", "yearly", "hourly"]
    is_capex: bool
    basis: str = Field("", description="Where the quantity comes from.")
    origin: Origin
    quote_id: str = ""
    source: str = ""
    observed_on: str = ""
    confidence: Confidence | Literal[""] = ""
    note: str = ""


class CostShare(SpecModel):
    """A ledger category over the whole horizon; all sum to the totals."""

    key: str
    label: str
    npv_usd: float
    undiscounted_usd: float
    usd_per_million_tokens: float | None


class CashFlowRow(SpecModel):
    """One ledger category, one number a month from month 0."""

    key: str
    label: str
    is_capex: bool
    usd: list[float]


class CashFlow(SpecModel):
    """The monthly ledger: rows sum to the total, month by month."""

    months: list[int]
    rows: list[CashFlowRow]
    total_usd: list[float]
    cumulative_usd: list[float]
    useful_tokens: list[float]


class AlternativeResult(SpecModel):
    """One alternative. ``incomplete``: a price is missing, money totals are partial."""

    kind: Literal["own", "rent"]
    label: str
    status: Literal["ok", "incomplete", "infeasible"]
    reason: str = ""
    headline: Headline
    cluster: ClusterResult | None = None
    throughput: Throughput | None = None
    lines: list[CostLine] = Field(default_factory=list)
    costs: list[CostShare] = Field(default_factory=list)
    cash_flow: CashFlow | None = None
    notices: list[Notice] = Field(default_factory=list)


class Ranked(SpecModel):
    """A place in the ranking by levelised cost."""

    alternative: str
    place: int
    levelised_usd_per_million_tokens: float
    over_best_fraction: float | None


class Verdict(SpecModel):
    """Which way, by how much, in one sentence."""

    best: str | None
    ranking: list[Ranked]
    unranked: list[str] = Field(default_factory=list)
    margin_fraction: float | None = Field(
        None, description="Second place over first, minus 1."
    )
    is_clear: bool = Field(
        False, description="The stated ranges of first and second do not overlap."
    )
    sentence: str


class ResultV1(SpecModel):
    """A finished comparison."""

    schema_version: Literal["1"]
    engine_version: str
    name: str
    as_of: date
    price_book: str
    reporting_currency: str
    base: str
    order: list[str]
    alternatives: dict[str, AlternativeResult]
    verdict: Verdict
    provenance: dict[str, ProvenanceEntry] = Field(
        description="By JSON Pointer: /spec/… addresses the comparison, /result/… this "
        "document. An entry also covers everything below its pointer."
    )
    sources: dict[str, SourceRow]
    notices: list[Notice] = Field(default_factory=list)

    def provenance_of(self, pointer: str) -> ProvenanceEntry | None:
        """Entry that covers ``pointer``: its own, or its nearest ancestor's."""
        parts = split(pointer)
        while parts:
            entry = self.provenance.get(join(parts))
            if entry is not None:
                return entry
            parts = parts[:-1]
        return None


def parse_result(document: dict[str, Any]) -> ResultV1:
    """Read a stored result."""
    return ResultV1.model_validate(document)
