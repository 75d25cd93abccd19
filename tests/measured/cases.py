"""Rows of case files for the tests."""

import csv
from functools import lru_cache

from calculator.measured import store
from calculator.measured.columns import CONFIGURATION_COLUMNS

ROW = {
    "id": "A-1",
    "year": "2024",
    "model": "Llama3 70B",
    "layers": "80",
    "hidden": "8192",
    "ffn": "28672",
    "heads": "64",
    "kv_heads": "8",
    "vocab": "128256",
    "seq_len": "4096",
    "global_batch_seqs": "256",
    "micro_batch": "1",
    "num_gpus": "64",
    "gpus_per_node": "8",
    "gpu": "H100-SXM-80GB",
    "fabric_desc": "8x400G NDR InfiniBand",
    "internode_gbps_per_node": "3200",
    "tp": "4",
    "pp": "4",
    "sharding": "zero1",
    "recompute": "selective",
    "precision": "bf16",
    "framework": "NeMo",
}


def row(**changes):
    """A readable row with some cells changed."""
    return {**dict.fromkeys(CONFIGURATION_COLUMNS, ""), **ROW, **changes}


@lru_cache(maxsize=1)
def bundled_rows():
    """All rows of the bundled file."""
    with store.bundled("measured_runs.csv").open(
        encoding="utf-8", newline=""
    ) as stream:
        return tuple(csv.DictReader(stream))
