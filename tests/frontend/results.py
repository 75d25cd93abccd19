"""A ResultV1 built by hand, for tests of what renders one."""

from __future__ import annotations

from datetime import date
from typing import Any

from calculator.spec.result import ResultV1
from catalog.documents import SourceRow

SOURCE = SourceRow(
    slug="dealer-2026",
    kind="reseller",
    publisher="A Dealer",
    title="Price list",
    reference="https://example.org/list",
    retrieved_on=date(2026, 10, 1),
)
METHOD = "docs/methodology/cost.md#levelised"


def headline(levelised: float | None = 0.412, **changes: Any) -> dict[str, Any]:
    numbers = {
        "levelised_usd_per_million_tokens": levelised,
        "undiscounted_usd_per_million_tokens": None
        if levelised is None
        else levelised * 0.95,
        "usd_per_gpu_hour": 1.94,
        "tco_usd": 5_100_000.0,
        "capex_usd": 2_300_000.0,
        "tokens_per_s_per_gpu": 1012.0,
        "mfu": 0.43,
        "busy_share": 0.87,
        "goodput": 0.962,
        "step_time_s": 64.9,
        "time_to_train_days": 261.0,
        "levelised_low_usd_per_million_tokens": None
        if levelised is None
        else levelised * 0.88,
        "levelised_high_usd_per_million_tokens": None
        if levelised is None
        else levelised * 1.2,
    }
    return numbers | changes


def step(seconds: float = 64.9, busy: float = 0.87) -> list[dict[str, Any]]:
    exposed = seconds * (1 - busy)
    return [
        part("gemm", "Matrix products", seconds * busy * 0.8, True),
        part("attention", "Attention", seconds * busy * 0.2, True),
        part("exposed", "Exposed communication", exposed * 0.75, False),
        part("bubble", "Pipeline bubble", exposed * 0.25, False),
    ]


def part(key: str, label: str, seconds: float, is_busy: bool) -> dict[str, Any]:
    return {"key": key, "label": label, "seconds": seconds, "is_busy": is_busy}


def strategy(**changes: Any) -> dict[str, Any]:
    return {
        "tp": 8,
        "pp": 2,
        "vp": 1,
        "cp": 1,
        "ep": 1,
        "dp": 4,
        "sharding": "zero1",
        "micro_batch_seqs": 1,
        "n_micro_batches": 256,
        "recompute": "selective",
        "label": "TP8 PP2 DP4, ZeRO-1, 1 sequence",
    } | changes


def throughput(seconds: float = 64.9, busy: float = 0.87) -> dict[str, Any]:
    return {
        "strategy": strategy(),
        "search": {
            "n_strategies": 412,
            "n_feasible": 57,
            "runner_up": strategy(pp=4, label="TP8 PP4 DP2, ZeRO-1, 1 sequence"),
            "runner_up_step_time_s": seconds * 1.04,
            "runner_up_reason": "more pipeline bubble",
        },
        "step_time_s": seconds,
        "step": step(seconds, busy),
        "tokens_per_s": 4096 * 1024 / seconds,
        "model_flop_per_token": 4.4e11,
        "n_parameters": 70.6e9,
        "n_active_parameters": 70.6e9,
        "memory": [{"key": "state", "label": "State", "value": 61.0, "unit": "GB"}],
        "memory_gb": 61.0,
        "memory_available_gb": 72.0,
        "goodput": [
            {"key": "retained", "label": "Retained", "value": 1.0, "unit": "1"}
        ],
        "failures_per_month": 0.92,
        "checkpoint_interval_s": 2400.0,
        "checkpoint_write_s": 44.0,
        "p90_error_fraction": 0.21,
        "notes": [],
    }


def fabric(**changes: Any) -> dict[str, Any]:
    return {
        "topology": "single_switch",
        "title": "One switch, 8 nodes of 8 ports",
        "transport": "infiniband",
        "ports_per_node": 8,
        "port_gbps": 400.0,
        "node_gbps": 3200.0,
        "n_tiers": 1,
        "n_leaf": 1,
        "n_spine": 0,
        "n_core": 0,
        "n_switches": 1,
        "n_node_leaf_cables": 64,
        "n_leaf_spine_cables": 0,
        "n_spine_core_cables": 0,
        "n_fabric_manager_cables": 0,
        "n_transceivers": 128,
        "n_copper_cables": 0,
        "leaf_oversubscription": 1.0,
        "pod_oversubscription": 1.0,
        "is_any_to_any": True,
        "notes": [],
    } | changes


def cluster(kind: str) -> dict[str, Any]:
    return {
        "n_nodes": 8,
        "n_gpus": 64,
        "gpu": "H100 SXM 80 GB",
        "gpus_per_node": 8,
        "n_spare_nodes": 1 if kind == "own" else 0,
        "n_racks": 2 if kind == "own" else 0,
        "rated_it_kw": 82.0 if kind == "own" else None,
        "mean_it_kw": 62.0 if kind == "own" else None,
        "fabric": fabric() if kind == "own" else None,
    }


def line(**changes: Any) -> dict[str, Any]:
    return {
        "key": "nodes",
        "group": "hardware",
        "label": "Nodes",
        "item": "hgx-h100",
        "quantity": 9.0,
        "unit": "node",
        "unit_price_usd": 230_000.0,
        "amount_usd": 2_070_000.0,
        "period": "one_time",
        "is_capex": True,
        "basis": "8 training + 1 spare",
        "origin": "quote",
        "quote_id": "q1",
        "source": "dealer-2026",
        "observed_on": "2026-10",
        "confidence": "medium",
    } | changes


def cost_lines(kind: str) -> list[dict[str, Any]]:
    if kind == "rent":
        return [
            line(
                key="instances",
                group="rental",
                label="Instances",
                period="hourly",
                quantity=8.0,
                unit="instance",
                unit_price_usd=55.04,
                amount_usd=440.32,
                is_capex=False,
            )
        ]
    return [
        line(),
        line(
            key="switches",
            group="fabric",
            label="Switches",
            quantity=1.0,
            unit="switch",
            unit_price_usd=34_000.0,
            amount_usd=34_000.0,
        ),
        line(
            key="energy",
            group="energy",
            label="Energy",
            quantity=58_000.0,
            unit="kWh",
            unit_price_usd=0.0826,
            amount_usd=4790.8,
            period="monthly",
            is_capex=False,
            origin="default",
            confidence="assumption",
            source="",
        ),
    ]


def costs(levelised: float) -> list[dict[str, Any]]:
    shares = {
        "hardware": ("Hardware", 0.6),
        "energy": ("Energy", 0.15),
        "space": ("Space", 0.2),
        "staff": ("Staff", 0.15),
        "residual": ("Resale", -0.1),
    }
    return [
        {
            "key": key,
            "label": label,
            "npv_usd": 5e6 * share,
            "undiscounted_usd": 6e6 * share,
            "usd_per_million_tokens": levelised * share,
        }
        for key, (label, share) in shares.items()
    ]


def cash_flow(first: float, monthly: float, months: int = 24) -> dict[str, Any]:
    total = [first] + [monthly] * months
    cumulative = [sum(total[: n + 1]) for n in range(len(total))]
    return {
        "months": list(range(months + 1)),
        "rows": [{"key": "all", "label": "All", "is_capex": False, "usd": total}],
        "total_usd": total,
        "cumulative_usd": cumulative,
        "useful_tokens": [0.0] + [1.3e11] * months,
    }


def alternative(
    kind: str, label: str, levelised: float = 0.412, busy: float = 0.87, **changes: Any
) -> dict[str, Any]:
    seconds = 64.9 * 0.87 / busy
    first, monthly = (2.3e6, 45e3) if kind == "own" else (0.0, 260e3)
    return {
        "kind": kind,
        "label": label,
        "status": "ok",
        "headline": headline(levelised, busy_share=busy, step_time_s=seconds),
        "cluster": cluster(kind),
        "throughput": throughput(seconds, busy),
        "lines": cost_lines(kind),
        "costs": costs(levelised),
        "cash_flow": cash_flow(first, monthly),
    } | changes


def provenance(keys: list[str]) -> dict[str, dict[str, Any]]:
    return {
        f"/result/alternatives/{key}/headline": {
            "origin": "derived",
            "method": METHOD,
            "inputs": [
                "/spec/assumptions/facility/energy_price_usd_per_kwh",
                "/spec/assumptions/finance/discount_rate_fraction",
                f"/result/alternatives/{key}/headline/goodput",
            ],
        }
        for key in keys
    } | {
        "/spec/assumptions/facility/energy_price_usd_per_kwh": {
            "origin": "default",
            "label": "Energy price",
            "value": 0.0826,
            "unit": "USD/kWh",
            "source": "dealer-2026",
            "observed_on": "2026-10",
            "confidence": "medium",
        },
        "/spec/assumptions/finance/discount_rate_fraction": {
            "origin": "default",
            "label": "Discount rate",
            "value": 0.11,
            "unit": "1/year",
            "confidence": "assumption",
        },
    }


def document(
    alternatives: dict[str, dict[str, Any]] | None = None, **changes: Any
) -> dict[str, Any]:
    options = alternatives or {
        "own-ib": alternative("own", "Own, InfiniBand"),
        "own-eth": alternative("own", "Own, 200G Ethernet", 0.93, busy=0.38),
        "rent": alternative("rent", "Rent p5.48xlarge", 1.31, busy=0.83),
    }
    keys = list(options)
    priced = {
        k: o["headline"]["levelised_usd_per_million_tokens"] for k, o in options.items()
    }
    ranking = sorted(
        (k for k in keys if priced[k] is not None), key=lambda k: priced[k]
    )
    return {
        "schema_version": "1",
        "engine_version": "0.1.0",
        "name": "Reference",
        "as_of": "2026-12-01",
        "price_book": "2026-12",
        "reporting_currency": "USD",
        "base": keys[0],
        "order": keys,
        "alternatives": options,
        "verdict": verdict(ranking, priced, options),
        "provenance": provenance(keys),
        "sources": {SOURCE.slug: SOURCE.model_dump(mode="json")},
        "notices": [],
    } | changes


def verdict(
    ranking: list[str], priced: dict[str, Any], options: dict[str, Any]
) -> dict[str, Any]:
    if not ranking:
        return {
            "best": None,
            "ranking": [],
            "sentence": "No alternative can be ranked.",
        }
    best = ranking[0]
    return {
        "best": best,
        "ranking": [
            {
                "alternative": k,
                "place": n + 1,
                "levelised_usd_per_million_tokens": priced[k],
                "over_best_fraction": priced[k] / priced[best] - 1,
            }
            for n, k in enumerate(ranking)
        ],
        "unranked": [k for k in options if k not in ranking],
        "margin_fraction": 1.2,
        "is_clear": True,
        "sentence": f"{options[best]['label']} is cheapest at ${priced[best]:.3f} "
        "per million tokens.",
    }


def result(
    alternatives: dict[str, dict[str, Any]] | None = None, **changes: Any
) -> ResultV1:
    """A three-way result, or one of the given alternatives."""
    return ResultV1.model_validate(document(alternatives, **changes))
