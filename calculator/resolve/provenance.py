"""Where every number of a result comes from."""

from __future__ import annotations

from typing import Any

from calculator.resolve.cost_lines import default_source
from calculator.spec.pointers import join, walk
from calculator.spec.result import AlternativeResult, CostLine, ProvenanceEntry
from calculator.spec.scenario import ComparisonV1
from calculator.spec.schema_lookup import field_schema
from catalog.documents import PriceSnapshot

Provenance = dict[str, ProvenanceEntry]
ASSUMED = "planning-assumption"

HEADLINE_METHODS = {
    "levelised_usd_per_million_tokens": "cost-per-token",
    "undiscounted_usd_per_million_tokens": "cost-per-token",
    "levelised_low_usd_per_million_tokens": "cost-per-token",
    "levelised_high_usd_per_million_tokens": "cost-per-token",
    "run_cost_usd": "cost-per-token",
    "usd_per_gpu_hour": "cost-per-token",
    "tco_usd": "owning",
    "capex_usd": "owning",
    "npv_usd": "owning",
    "equivalent_annual_cost_usd": "owning",
    "tokens_per_s_per_gpu": "throughput",
    "mfu": "throughput",
    "hfu": "throughput",
    "busy_share": "throughput",
    "step_time_s": "throughput",
    "goodput": "goodput",
    "time_to_train_days": "goodput",
    "useful_tokens_per_month": "goodput",
}
HEADLINE_FORMULAS = {
    "levelised_usd_per_million_tokens": "NPV(cost) / NPV(useful tokens) x 10^6",
    "undiscounted_usd_per_million_tokens": "sum of cost / sum of useful tokens x 10^6",
    "levelised_low_usd_per_million_tokens": "prices low, throughput x (1 + its 90 % error)",
    "levelised_high_usd_per_million_tokens": "prices high, throughput / (1 + its 90 % error)",
    "run_cost_usd": "levelised cost x tokens of one run",
    "usd_per_gpu_hour": "undiscounted total cost / GPU-hours with a job",
    "tco_usd": "sum of the monthly ledger, resale included",
    "capex_usd": "hardware, spares, freight, duty, sales tax, installation at month 0",
    "npv_usd": "sum of monthly cost / (1 + rate)^(month / 12)",
    "equivalent_annual_cost_usd": "annuity with the same NPV over the horizon",
    "tokens_per_s_per_gpu": "global batch x sequence length / step time / GPUs",
    "mfu": "model FLOP per token x tokens/s per GPU / dense peak of the precision",
    "hfu": "MFU plus recomputed FLOP",
    "busy_share": "1 - (exposed communication + bubble + stalls) / step time",
    "step_time_s": "sum of the step's parts",
    "goodput": "retained progress / wall clock",
    "time_to_train_days": "tokens of the run / (tokens/s x goodput)",
    "useful_tokens_per_month": "tokens/s x goodput x occupancy x seconds per month",
}
OWN_STACK_LABELS = {
    "kernel_efficiency": ("speed of kernels over the model's", "1"),
    "communication_time": ("time of communication over the model's", "1"),
    "step_overhead_s": ("fixed time of a step beyond the model's", "s"),
}
BLOCK_METHODS = {
    "cluster": ("bill-of-materials", "sized from the topology and the node design"),
    "throughput": ("throughput", "predicted from first principles"),
    "costs": ("cost-per-token", "ledger category over the horizon"),
    "cash_flow": ("owning", "monthly ledger, month-end flows"),
}


def provenance_of_result(
    spec: ComparisonV1, snapshot: PriceSnapshot, results: dict[str, AlternativeResult]
) -> Provenance:
    """Entries for every input, every catalog number used and every result."""
    return {
        **input_entries(spec),
        **catalog_entries(snapshot),
        **verdict_entries(),
        **result_entries(results),
    }


def input_entries(spec: ComparisonV1) -> Provenance:
    """One entry per leaf of the comparison: typed by the user, or a cited default."""
    entries: Provenance = {}
    for pointer, value in walk(spec.model_dump(mode="json")):
        if isinstance(value, (dict, list)):
            continue
        schema = field_schema(pointer) or {}
        source, origin = default_source(pointer, value)
        entries[f"/spec{pointer}"] = ProvenanceEntry(
            origin=origin,
            label=str(schema.get("description", "")),
            value=value,
            unit=str(schema.get("x-unit", "")),
            source="" if source == "computed" else source,
            confidence="assumption" if origin == "assumption" else "",
        )
    return entries


def catalog_entries(snapshot: PriceSnapshot) -> Provenance:
    """One entry per catalog row that was used, covering all of its numbers."""
    entries: Provenance = {}
    for name in ("components", "designs", "offers", "models"):
        for slug, row in getattr(snapshot, name).items():
            entries[join(["catalog", name, slug])] = ProvenanceEntry(
                origin="catalog",
                label=_name(row),
                source=row.source,
                confidence="assumption" if row.source == ASSUMED else "",
            )
    entries.update(_stack_entries(snapshot))
    for key, price in snapshot.prices.items():
        entries[join(["catalog", "prices", key])] = ProvenanceEntry(
            origin="assumption" if price.confidence == "assumption" else "quote",
            label=price.label,
            value=price.mid,
            unit=f"{price.currency}/{price.unit}",
            source=price.source,
            quote_id=price.quote_id,
            observed_on=price.observed_on,
            confidence=price.confidence,
        )
    return entries


def _stack_entries(snapshot: PriceSnapshot) -> Provenance:
    """What was fitted to the buyer's own measurements, factor by factor."""
    entries: Provenance = {}
    for slug, row in snapshot.stack_profiles.items():
        place = join(["catalog", "stack_profiles", slug])
        for name, (label, unit) in OWN_STACK_LABELS.items():
            entries[f"{place}/{name}"] = ProvenanceEntry(
                origin="user",
                label=f"{label}, your own measurement: {row.name}, {row.n_rows} rows",
                value=getattr(row, name),
                unit=unit,
                observed_on=row.fitted_on.isoformat(),
                method="own-calibration",
            )
    return entries


def _name(row: Any) -> str:
    """Name of a catalog row with its note: the note says which numbers are assumed."""
    name = str(getattr(row, "name", "") or getattr(row, "label", ""))
    return f"{name}. {row.note}" if row.note else name


def verdict_entries() -> Provenance:
    """The ranking follows from the levelised costs."""
    return {
        "/result/verdict": ProvenanceEntry(
            origin="derived",
            label="order of levelised cost per million tokens",
            method="cost-per-token",
        )
    }


def result_entries(results: dict[str, AlternativeResult]) -> Provenance:
    """Derived numbers by formula and method; cost lines by the identity of their price."""
    entries: Provenance = {}
    for key, result in results.items():
        place = join(["result", "alternatives", key])
        entries.update(_headline_entries(place, key, result))
        for block, (method, label) in BLOCK_METHODS.items():
            entries[f"{place}/{block}"] = ProvenanceEntry(
                origin="derived",
                label=label,
                method=_method(method, result.kind),
                inputs=_inputs(block, key),
            )
        for index, line in enumerate(result.lines):
            entries[f"{place}/lines/{index}"] = _line_entry(line)
    return entries


def _headline_entries(place: str, key: str, result: AlternativeResult) -> Provenance:
    return {
        f"{place}/headline/{name}": ProvenanceEntry(
            origin="derived",
            label=HEADLINE_FORMULAS[name],
            value=value,
            method=_method(HEADLINE_METHODS[name], result.kind),
            inputs=_inputs("costs" if "usd" in name else "throughput", key),
        )
        for name, value in result.headline.model_dump().items()
    }


def _method(name: str, kind: str) -> str:
    return "renting" if name == "owning" and kind == "rent" else name


def _inputs(block: str, key: str) -> list[str]:
    option = join(["spec", "alternatives", key])
    if block in {"throughput", "cluster"}:
        return ["/spec/workload", option, "/spec/assumptions/reliability"]
    result = join(["result", "alternatives", key])
    return [f"{result}/lines", f"{result}/throughput", "/spec/assumptions", option]


def _line_entry(line: CostLine) -> ProvenanceEntry:
    return ProvenanceEntry(
        origin=line.origin,
        label=line.label,
        value=line.unit_price_usd,
        unit=f"USD/{line.unit}",
        source=line.source,
        quote_id=line.quote_id,
        observed_on=line.observed_on,
        confidence=line.confidence,
        method="prices",
    )
