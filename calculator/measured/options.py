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
    has_shard_overlap: bool | None = None
    is_compiled: bool | None = None
    has_flash_attention: bool | None = None
    has_sequence_parallel: bool | None = None
    has_activation_offload: bool = False
    has_optimizer_offload: bool = False
    is_bf16_reduction: bool | None = None
    micro_batches: int | None = None
    is_adapter_training: bool = False
    has_graphed_launches: bool = False


_NO_OVERLAP = re.compile(r"\bno overlap\b|overlap AG/RS only", re.I)
_OVERLAP = re.compile(r"overlap AG/RS \+ AllReduce|overlaps DP", re.I)
_FLASH = re.compile(r"flash.?attention", re.I)
_NO_FLASH = re.compile(r"no flash|without flash|torch attention", re.I)
GRAPHED_CONTAINER = (26, 6)
"""First NeMo container (year, month) whose expert layers run without host synchronisation."""
_CONTAINER = re.compile(r"\bcontainer (\d{2})\.(\d{2})")
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
        has_shard_overlap=False if re.search(r"\bno overlap\b", low) else None,
        is_compiled=_either(notes, r"\bcompile\b", r"\b(no|without) compile\b"),
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
        has_graphed_launches=_is_graphed(notes),
        is_adapter_training=re.search(r"\bq?lora\b", names) is not None,
    )


def _overlap(notes: str) -> bool | None:
    if _NO_OVERLAP.search(notes):
        return False
    return True if _OVERLAP.search(notes) else None


def _is_graphed(notes: str) -> bool:
    """Whole layers replay as CUDA graphs: as stated, or in a container that does so."""
    container = _CONTAINER.search(notes)
    release = (int(container[1]), int(container[2])) if container else (0, 0)
    return release >= GRAPHED_CONTAINER or "cuda graph" in notes.lower()
