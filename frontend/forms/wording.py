"""Words for people: labels of fields, names of choices, units beside inputs."""

from __future__ import annotations

LABELS = {
    "name": "Title",
    "n_nodes": "Nodes",
    "n_instances": "Instances",
    "n_tiers": "Switch tiers",
    "n_experts": "Routed experts",
    "n_shared_experts": "Shared experts",
    "moe_ffn": "Expert width",
    "ffn": "MLP width",
    "kv_heads": "Key-value heads",
    "head_dim": "Head size",
    "vocab": "Vocabulary",
    "seq_len": "Sequence length",
    "global_batch_seqs": "Global batch",
    "micro_batch_seqs": "Micro-batch",
    "train_tokens_billions": "Training tokens",
    "bytes_read_per_token": "Bytes read per token",
    "is_gated_mlp": "Gated MLP (SwiGLU)",
    "is_tied_embedding": "Tied embeddings",
    "tp": "Tensor parallel (TP)",
    "pp": "Pipeline parallel (PP)",
    "vp": "Pipeline chunks (VP)",
    "cp": "Context parallel (CP)",
    "ep": "Expert parallel (EP)",
    "pue": "PUE",
    "nic": "Network adapter",
    "port_gbps": "Port rate",
    "ports_per_node": "Ports per node",
    "own_fte": "Staff, owned",
    "rent_fte": "Staff, rented",
    "usd_per_fte_year": "Cost of one engineer",
    "as_of": "Prices as of",
    "offer": "Rental offer",
    "fabric": "Network between nodes",
    "strategy": "Parallel strategy",
    "use": "Use of the calendar",
    "people": "People",
    "facility": "Place and power",
    "finance": "Money",
    "reliability": "Failures and checkpoints",
    "usd_per_instance_hour": "Price per instance-hour",
    "software_usd_per_gpu_year": "Software",
    "failures_per_kilo_node_day": "Failure rate",
    "bonus_depreciation_fraction": "Bonus depreciation",
    "storage_usd_per_tb_month": "Storage price",
    "space_usd_per_kw_month": "Colocation space",
    "demand_charge_usd_per_kw_month": "Demand charge",
    "storage_tb": "Shared storage",
    "egress_usd_per_tb": "Egress price",
    "egress_tb_per_month": "Egress",
    "rack_kw_limit": "Rack power limit",
    "support_rate_fraction": "Hardware support",
    "insurance_rate_fraction": "Insurance",
    "discount_rate_fraction": "Discount rate",
    "tax_rate_fraction": "Income tax rate",
    "link_degradation_fraction": "Worst link over nominal",
    "slowest_gpu_slowdown_fraction": "Slowdown of the slowest GPU",
    "copper_beyond_reach_fraction": "Copper beyond reach over nominal",
    "media": "Cables",
    "repair_hours": "Repair",
    "occupancy_fraction": "Occupancy",
    "residual_fraction": "Residual value",
}

SUFFIXES = (
    "_escalation_rate_fraction",
    "_rate_fraction",
    "_usd_per_kw_month",
    "_usd_per_kwh",
    "_usd_per_tb_month",
    "_gbytes_per_s",
    "_fraction",
    "_minutes",
    "_months",
    "_billions",
    "_usd",
    "_tb",
    "_gbps",
    "_m",
    "_h",
)

CHOICES = {
    "infiniband": "InfiniBand",
    "roce": "Ethernet with RDMA (RoCE)",
    "tcp": "Ethernet, plain TCP",
    "auto": "Automatic",
    "single_switch": "One switch",
    "fat_tree": "Fat tree, top of rack",
    "rail_optimised": "Rail-optimised, any-to-any",
    "rail_planes": "Isolated rail planes",
    "bf16": "BF16",
    "fp16": "FP16",
    "fp8": "FP8",
    "none": "None",
    "zero1": "ZeRO-1 (optimizer)",
    "zero2": "ZeRO-2 (and gradients)",
    "zero3": "ZeRO-3 / full shard",
    "hsdp": "HSDP (inside a node)",
    "selective": "Selective",
    "full": "Full",
    "straight_line": "Straight line",
    "macrs_5": "MACRS, 5 years",
    "catalog": "From the catalog",
    "custom": "Own shape",
    "spares": "Spare nodes",
    "elastic": "Elastic: train on with fewer",
    "wait": "Wait for the repair",
    "copper": "All copper",
    "own": "Own",
    "rent": "Rent",
}

LISTS = {
    "stack-profiles": "Own calibration",
    "models": "Model shape",
    "price-books": "Price book",
}

UNITS = {"1": "", "1/year": "per year", "10^9 tokens": "billion tokens"}


def label(name: str) -> str:
    """Label of a field, without the unit that its name ends in.

    >>> label("energy_price_usd_per_kwh"), label("n_nodes"), label("freight_fraction")
    ('Energy price', 'Nodes', 'Freight')
    """
    if name in LABELS:
        return LABELS[name]
    growth = " growth" if name.endswith("_escalation_rate_fraction") else ""
    stem = next((name.removesuffix(s) for s in SUFFIXES if name.endswith(s)), name)
    return stem.replace("_", " ").capitalize() + growth


def of_list(catalog_list: str, name: str) -> str:
    """Label of a field that offers a catalog list."""
    return LISTS.get(catalog_list) or label(name)


def choice(value: str) -> str:
    """Words for one choice of a field."""
    return CHOICES.get(value, value)


def unit(name: str) -> str:
    """Unit as it stands beside an input."""
    return UNITS.get(name, name)
