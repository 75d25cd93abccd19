"""Rows of an invented cluster: measured speeds are the model's own, changed by known factors."""

from calculator.engine.training.own_stack import OwnStack, own_parameters
from calculator.measured.predict import predict

COLUMNS = {
    "layers": "32", "hidden": "4096", "ffn": "11008", "heads": "32", "kv_heads": "32",
    "vocab": "32000", "seq_len": "4096", "micro_batch": "1", "gpus_per_node": "8",
    "gpu": "H100", "internode_gbps_per_node": "1600", "tp": "1", "pp": "1",
    "sharding": "zero3", "recompute": "none", "precision": "bf16",
}  # fmt: skip


def rows(stack: OwnStack, sizes=(8, 16, 32, 64, 128, 256, 512), noise=()):
    """Runs of one model on more and more GPUs, as the changed model would measure them."""
    asked = [
        COLUMNS
        | {
            "id": f"run {n}",
            "num_gpus": str(n),
            "global_batch_seqs": str(2 * n),
            "micro_batch": "2",
        }
        for n in sizes
    ]
    found = predict(
        asked, parameters=own_parameters(stack), has_framework_defaults=False
    )
    noise = list(noise) or [1.0] * len(asked)
    return [
        row | {"tokens_per_s_per_gpu": f"{p.tokens_per_s_per_gpu * factor:.6g}"}
        for row, p, factor in zip(asked, found, noise, strict=True)
    ]


def table(measured) -> str:
    """The rows as text with commas."""
    columns = list(measured[0])
    lines = [columns, *([row[name] for name in columns] for row in measured)]
    return "\n".join(",".join(line) for line in lines)
