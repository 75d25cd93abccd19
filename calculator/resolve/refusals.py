"""How the pure parts refuse: engine errors become problems at the field that caused them."""

from __future__ import annotations

from calculator.engine.errors import EngineError
from calculator.spec.pointers import join
from calculator.spec.problems import Problem, SpecError

FABRIC_FIELDS = {
    "topology": "topology",
    "n_tiers": "n_tiers",
    "ports_per_node": "ports_per_node",
    "port_gbps": "port_gbps",
    "switch_ports": "switch",
    "switch_port_gbps": "switch",
    "max_breakout": "port_gbps",
    "leaf_oversubscription": "leaf_oversubscription",
    "pod_oversubscription": "pod_oversubscription",
    "redundant_spines": "redundant_spines",
    "fabric_manager_ports": "fabric_manager_ports",
    "reserved_node_positions": "reserved_node_positions",
    "n_planes": "n_planes",
    "endpoints_per_node": "hosts_per_node",
    "uplink_gbps": "uplink_gbps",
}
STRATEGY_FIELDS = {
    "tp",
    "pp",
    "vp",
    "cp",
    "ep",
    "sharding",
    "micro_batch_seqs",
    "recompute",
}
RELIABILITY_FIELDS = {"repair_hours", "planned_downtime_fraction"}
FINANCE_FIELDS = {
    "discount_rate_fraction",
    "energy_escalation_rate_fraction",
    "space_escalation_rate_fraction",
    "staff_escalation_rate_fraction",
    "service_escalation_rate_fraction",
    "residual_fraction",
    "horizon_months",
}


def refusal(error: EngineError, *, key: str, kind: str) -> SpecError:
    """Turn an engine error about one alternative into a problem with an address."""
    return SpecError(
        [
            Problem(
                pointer=_pointer(error.field, key=key, kind=kind),
                code=error.code,
                message=error.message,
            )
        ]
    )


def _pointer(field: str, *, key: str, kind: str) -> str:
    place = ["alternatives", key]
    if field in STRATEGY_FIELDS:
        return join(["workload", "strategy", field])
    if field in {"global_batch_seqs", "seq_len", "precision", "model"}:
        return join(["workload", field])
    if field in FINANCE_FIELDS:
        return join(["assumptions", "finance", field])
    if field in {"rack_kw_limit", "rack_units"}:
        return join(["assumptions", "facility", field])
    if kind == "own" and field in FABRIC_FIELDS:
        return join([*place, "fabric", FABRIC_FIELDS[field]])
    if field in RELIABILITY_FIELDS:
        return join(["assumptions", "reliability", field])
    if field == "n_nodes":
        return join([*place, "n_nodes" if kind == "own" else "n_instances"])
    return join(place)
