"""Options of a run that stand in free text: a closed list of phrases, nothing else."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from calculator.measured.columns import cell


@dataclass(frozen=True, slots=True)
class Options:
    """What a source states about a run's software beside the columns; None: not stated."""

    has_async_tp: bool | None = None
    has_dp_overlap: bool | None = None
    has_flash_attention: bool | None = None
    has_sequence_parallel: bool | None = None
    has_activation_offload: bool = False
    has_optimizer_offload: bool = False
    is_bf16_reduction: bool | None = None
    micro_batches: int | None = None
    is_adapter_training: bool = False


_NO_OVERLAP = re.compile(r"\bno overlap\b|overlap AG/RS only", re.I)
_OVERLAP = re.compile(r"overlap AG/RS \+ AllReduce|overlaps DP", re.I)
_FLASH = re.compile(r"flash.?attention", re.I)
_NO_FLASH = re.compile(r"no flash|without flash|torch attention", re.I)
_ACCUMULATION = re.compile(r"\b(?:GradAccum|GA|micro-batch number M)=(\d{1,6})\b")


def _either(text: str, yes: str, no: str) -> bool | None:
    if re.search(no, text, re.I):
        return False
    return True if re.search(yes, text, re.I) else None


def stated_options(row: Mapping[str, object]) -> Options:
    """Return the options that a row's notes, sharding and framework cells state."""
    notes = cell(row, "notes")
    low = notes.lower()
    accumulation = _ACCUMULATION.search(notes)
    names = f"{cell(row, 'model')} {cell(row, 'framework')} {notes}".lower()
    offload = f"{cell(row, 'sharding')} {cell(row, 'framework')}".lower()
    return Options(
        has_async_tp=True if re.search(r"async ?TP", notes, re.I) else None,
        has_dp_overlap=_overlap(notes),
        has_flash_attention=(
            False if _NO_FLASH.search(notes) else True if _FLASH.search(notes) else None
        ),
        has_sequence_parallel=_either(
            notes, r"\bsequence parallel", r"no sequence parallel"
        ),
        has_activation_offload="activation cpu offload=true" in low,
        has_optimizer_offload="offload" in offload,
        is_bf16_reduction=_either(notes, r"MP Mode=PURE", r"MP Mode=DEFAULT"),
        micro_batches=int(accumulation[1]) if accumulation else None,
        is_adapter_training=re.search(r"\bq?lora\b", names) is not None,
    )


def _overlap(notes: str) -> bool | None:
    if _NO_OVERLAP.search(notes):
        return False
    return True if _OVERLAP.search(notes) else None
