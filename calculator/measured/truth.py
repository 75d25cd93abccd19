"""What a source measured: read by calibration and the accuracy page, never to predict."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping

from calculator.engine.units import BILLION, TERA
from calculator.measured.gpus import accelerator

MEASURED_COLUMNS = (
    "tokens_per_s_per_gpu",
    "model_tflops_per_gpu",
    "mfu_pct",
    "step_time_s",
)
NARROW_FORMATS = ("fp8", "mxfp8", "nvfp4", "fp4")


def _number(row: Mapping[str, object], column: str) -> float | None:
    """Non-zero finite number of a cell, else None."""
    try:
        value = float(str(row.get(column) or ""))
    except ValueError:
        return None
    return value if math.isfinite(value) and value != 0.0 else None


def measured_tokens_per_s_per_gpu(row: Mapping[str, object]) -> float | None:
    """Return the measured speed of a run, None where its source does not tell it.

    In order: the printed rate; batch and step time; the printed model FLOP/s, or a bf16
    MFU, of a dense model, read as 6 N + 12 x layers x hidden x sequence FLOP per token
    (full attention, as most sources without token rates count).

    Parameters
    ----------
    row : mapping
        Cells by column name.
    """
    printed = _number(row, "tokens_per_s_per_gpu")
    if printed is not None:
        return printed if printed > 0.0 else None
    sequence, n_gpus = _number(row, "seq_len"), _number(row, "num_gpus")
    step_s, batch = _number(row, "step_time_s"), _number(row, "global_batch_seqs")
    if step_s and batch and sequence and n_gpus:
        return batch * sequence / step_s / n_gpus
    return _from_flop(row, sequence)


def _from_flop(row: Mapping[str, object], sequence: float | None) -> float | None:
    billions, layers = _number(row, "params_b"), _number(row, "layers")
    hidden, flop_per_s = _number(row, "hidden"), _flop_per_s(row)
    if row.get("moe") or not (billions and layers and hidden and sequence):
        return None
    per_token = 6.0 * billions * BILLION + 12.0 * layers * hidden * sequence
    return flop_per_s / per_token if flop_per_s else None


def _flop_per_s(row: Mapping[str, object]) -> float | None:
    tflops = _number(row, "model_tflops_per_gpu")
    if tflops:
        return tflops * TERA
    percent, gpu = _number(row, "mfu_pct"), accelerator(str(row.get("gpu") or ""))
    if not percent or gpu is None:
        return None
    if str(row.get("precision") or "").startswith(NARROW_FORMATS):
        return None
    return percent / 100.0 * gpu.spec.peak_bf16_flop_per_s


def is_comparable(row: Mapping[str, object]) -> bool:
    """Whether a run can be held against a prediction.

    Its shape, batch and GPUs are known, it trains the whole model, its speed is known and
    its source does not contradict itself (marked FLAG or CHECK in the notes).
    """
    notes, model = str(row.get("notes") or ""), str(row.get("model") or "")
    if re.search(r"FLAG|CHECK", notes) or "lora" in (model + notes).lower():
        return False
    shape = ("layers", "hidden", "seq_len", "num_gpus")
    has_batch = _number(row, "micro_batch") or _number(row, "global_batch_seqs")
    if not has_batch or any(_number(row, column) is None for column in shape):
        return False
    return measured_tokens_per_s_per_gpu(row) is not None
