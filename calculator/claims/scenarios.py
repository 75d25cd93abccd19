"""Comparison documents of the readings: what the page opens is what was computed. PURE."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from calculator.claims.model import Document

ARTICLE_NODE = "hgx-h100-sivaro"
DEALER_NODE = "hgx-h100-dealer"
MODEL_70B = "llama-2-70b"
SHARDED = {
    "tp": 1,
    "pp": 1,
    "cp": 1,
    "sharding": "zero3",
    "micro_batch_seqs": 1,
    "recompute": "full",
}
"""Fully sharded data parallelism, one sequence at a time, everything recomputed."""

FASTEST = {"cp": 1}
"""Searched; sequences of 8,192 tokens and less need no context parallelism."""

PARTS = {
    ("infiniband", 400): ("qm9700", "cx7-400g", "dac-ndr-800g-2x400g", "osfp-800g-2x400g"),
    ("roce", 400): ("sn5600", "cx7-400g", "dac-ndr-800g-2x400g", "osfp-800g-2x400g"),
    ("roce", 200): ("sn3700", "cx7-200g-2p", "dac-200g", "qsfp56-200g"),
    ("roce", 100): ("sn2700", "cx6dx-100g-2p", "dac-100g", "qsfp28-100g-sr4"),
    ("tcp", 25): ("sn2410", "cx6lx-25g-2p", "dac-25g", "sfp28-25g"),
}  # fmt: skip
NAMES = {"infiniband": "InfiniBand", "roce": "Ethernet", "tcp": "Ethernet, TCP"}

Network = tuple[str, int, int]
IB_8X400: Network = ("infiniband", 8, 400)
IB_1X400: Network = ("infiniband", 1, 400)
ETH_8X400: Network = ("roce", 8, 400)
ETH_8X200: Network = ("roce", 8, 200)
ETH_8X100: Network = ("roce", 8, 100)
ETH_1X200: Network = ("roce", 1, 200)
ETH_1X100: Network = ("roce", 1, 100)
ETH_1X25: Network = ("tcp", 1, 25)


def network_label(network: Network) -> str:
    """Ports, rate and transport in words."""
    transport, ports, gbps = network
    return f"{ports} x {gbps}G {NAMES[transport]}"


def own(
    network: Network | None,
    n_nodes: int,
    *,
    design: str = ARTICLE_NODE,
    label: str = "",
    fabric: Mapping[str, Any] | None = None,
    **more: Any,
) -> Document:
    """An owned cluster as an alternative of a comparison."""
    named = network_label(network) if network else "one node"
    option: Document = {
        "kind": "own",
        "label": label or named,
        "node_design": design,
        "n_nodes": n_nodes,
        **more,
    }
    if network:
        option["fabric"] = _fabric(network) | dict(fabric or {})
    return option


def _fabric(network: Network) -> Document:
    transport, ports, gbps = network
    names = ("switch", "nic", "copper_cable", "transceiver")
    parts = dict(zip(names, PARTS[transport, gbps], strict=True))
    return {
        "transport": transport,
        "ports_per_node": ports,
        "port_gbps": float(gbps),
        **parts,
    }


def comparison(
    name: str,
    alternatives: Mapping[str, Document],
    *,
    model: str = MODEL_70B,
    global_batch_seqs: int = 1024,
    seq_len: int = 4096,
    strategy: Mapping[str, Any] | None = None,
    **workload: Any,
) -> Document:
    """A whole comparison; without a batch the one of Llama 2 (4 million tokens)."""
    return {
        "schema_version": "1",
        "name": f"Claim: {name}",
        "description": "Opened from the claims ledger.",
        "workload": {
            "model": {"kind": "catalog", "name": model},
            "seq_len": seq_len,
            "global_batch_seqs": global_batch_seqs,
            "strategy": dict(strategy or FASTEST),
            **workload,
        },
        "alternatives": dict(alternatives),
        "order": list(alternatives),
    }


def sharded_70b(
    name: str, alternatives: Mapping[str, Document], *, n_gpus: int = 64, seqs: int = 1
) -> Document:
    """Fully sharded 70B with whole sequences of 8,192 tokens per GPU and step."""
    return comparison(
        name,
        alternatives,
        seq_len=8192,
        global_batch_seqs=n_gpus * seqs,
        strategy={**SHARDED, "micro_batch_seqs": seqs},
    )
