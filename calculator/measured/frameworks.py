"""Documented defaults of training frameworks: what a blank cell means.

No fitted number: each entry says what the framework does unless told otherwise, with
the document that says so. The table is repeated in docs/methodology/throughput-cases.md.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from calculator.engine.training.parameters import StackProfile, stack_profiles
from calculator.measured.options import Options

FLASH_ATTENTION_YEAR = 2023
"""Flash kernels reached the frameworks after arXiv:2205.14135 (May 2022)."""


@dataclass(frozen=True, slots=True)
class FrameworkDefaults:
    """What a framework does where a run does not say.

    ``profile`` names the engine's list of properties, ``legacy_profile`` the one before
    flash kernels. ``gradient_bytes`` are the bytes of a reduced gradient in bf16 and in
    fp16 runs, 0 for the profile's. ``sharding`` is the ZeRO stage name of a blank cell.
    ``reshards`` tells whether sharded weights are released again under pipelining.
    """

    name: str
    pattern: str
    profile: str
    legacy_profile: str
    gradient_bytes: tuple[float, float]
    sharding: str
    micro_batch: str
    has_tp_overlap: bool | None
    source: str
    reshards: bool = True


_ONE = "one sequence"
_WHOLE = "no gradient accumulation"

FRAMEWORKS: tuple[FrameworkDefaults, ...] = (
    FrameworkDefaults(
        name="llm-foundry",
        pattern=r"llm-?foundry|composer",
        profile="fsdp-pure-bf16",
        legacy_profile="fsdp-pure-bf16",
        gradient_bytes=(2.0, 2.0),
        sharding="zero3",
        micro_batch=_WHOLE,
        has_tp_overlap=None,
        source="llm-foundry training YAMLs: FULL_SHARD, mixed_precision PURE; Composer: "
        "mixed_precision DEFAULT reduces in fp32",
    ),
    FrameworkDefaults(
        name="torchtitan",
        pattern=r"torchtitan",
        profile="fsdp2-compiled-2024",
        legacy_profile="fsdp2-compiled-2024",
        gradient_bytes=(4.0, 4.0),
        sharding="zero3",
        micro_batch=_WHOLE,
        has_tp_overlap=False,
        source="torchtitan config: mixed_precision_reduce float32, "
        "fsdp_reshard_after_forward default (not under pipelining), async TP off",
        reshards=False,
    ),
    FrameworkDefaults(
        name="nemo-automodel",
        pattern=r"automodel",
        profile="nemo-2025",
        legacy_profile="nemo-2025",
        gradient_bytes=(2.0, 2.0),
        sharding="zero3",
        micro_batch=_ONE,
        has_tp_overlap=None,
        source="NeMo AutoModel guides: FSDP2, Transformer Engine kernels; FSDP2 reduces in "
        "the parameters' type unless told otherwise",
        reshards=False,
    ),
    FrameworkDefaults(
        name="megatron-deepspeed",
        pattern=r"megatron.?deepspeed",
        profile="megatron-2021",
        legacy_profile="megatron-2021",
        gradient_bytes=(4.0, 2.0),
        sharding="none",
        micro_batch=_ONE,
        has_tp_overlap=None,
        source="Megatron-DeepSpeed: flash kernel, sequence parallelism and ZeRO opt-in; "
        "DeepSpeed BF16_Optimizer accumulates and reduces in fp32 (arXiv:2211.05100)",
    ),
    FrameworkDefaults(
        name="nemo",
        pattern=r"nemo|megatron.?bridge|nvidia",
        profile="nemo-2025",
        legacy_profile="nemo-2025",
        gradient_bytes=(2.0, 2.0),
        sharding="zero1",
        micro_batch=_ONE,
        has_tp_overlap=None,
        source="NeMo and Megatron-Bridge performance recipes: distributed optimizer, "
        "overlap of gradients and weights, grad_reduce_in_fp32 off",
    ),
    FrameworkDefaults(
        name="megatron-core",
        pattern=r"megatron.?core|\bmcore",
        profile="megatron-core-2024",
        legacy_profile="megatron-core-2024",
        gradient_bytes=(2.0, 2.0),
        sharding="zero1",
        micro_batch=_ONE,
        has_tp_overlap=None,
        source="Megatron-Core README: benchmark settings with distributed optimizer and "
        "overlap of gradients, weights and tensor-parallel traffic",
    ),
    FrameworkDefaults(
        name="megatron-lm",
        pattern=r"megatron",
        profile="megatron-core-2024",
        legacy_profile="megatron-2021",
        gradient_bytes=(4.0, 2.0),
        sharding="none",
        micro_batch=_ONE,
        has_tp_overlap=None,
        source="Megatron-LM arguments: --sequence-parallel and --use-distributed-optimizer "
        "opt-in; --bf16 switches on fp32 gradient accumulation and reduction",
    ),
    FrameworkDefaults(
        name="deepspeed-pipeline",
        pattern=r"deepspeed.*pipeline",
        profile="megatron-2021",
        legacy_profile="megatron-2021",
        gradient_bytes=(4.0, 2.0),
        sharding="none",
        micro_batch=_ONE,
        has_tp_overlap=None,
        source="DeepSpeed pipeline tutorial: ZeRO off or stage 1, no overlap of gradients",
    ),
    FrameworkDefaults(
        name="deepspeed",
        pattern=r"deepspeed|zero\+\+",
        profile="deepspeed-zero3",
        legacy_profile="deepspeed-zero3",
        gradient_bytes=(2.0, 2.0),
        sharding="none",
        micro_batch=_WHOLE,
        has_tp_overlap=None,
        source="DeepSpeed configuration: stage 0 unless set, overlap_comm for stage 3, "
        "communication_data_type of the parameters, gradient_accumulation_steps 1",
    ),
    FrameworkDefaults(
        name="jax",
        pattern=r"maxtext|pax|jax|levanter",
        profile="default",
        legacy_profile="default",
        gradient_bytes=(2.0, 2.0),
        sharding="zero3",
        micro_batch=_WHOLE,
        has_tp_overlap=None,
        source="MaxText configuration: fully sharded data parallelism; XLA reduces "
        "gradients in the activations' type and overlaps collectives",
    ),
    FrameworkDefaults(
        name="internevo",
        pattern=r"amsp|internevo|internlm",
        profile="fsdp-2024",
        legacy_profile="fsdp-2024",
        gradient_bytes=(2.0, 2.0),
        sharding="zero1",
        micro_batch=_ONE,
        has_tp_overlap=None,
        source="InternEvo configuration: ZeRO-1, flash attention, overlap of gradients",
    ),
    FrameworkDefaults(
        name="gpt-neox",
        pattern=r"neox",
        profile="megatron-2021",
        legacy_profile="megatron-2021",
        gradient_bytes=(4.0, 2.0),
        sharding="zero1",
        micro_batch=_ONE,
        has_tp_overlap=None,
        source="GPT-NeoX configurations: DeepSpeed ZeRO stage 1, attention global",
    ),
    FrameworkDefaults(
        name="ddp",
        pattern=r"\bddp\b|horovod|distributed.?data.?parallel",
        profile="fsdp-2024",
        legacy_profile="fsdp-2024",
        gradient_bytes=(4.0, 4.0),
        sharding="none",
        micro_batch=_WHOLE,
        has_tp_overlap=None,
        source="PyTorch DistributedDataParallel: replicas, fp32 parameters and gradient "
        "buckets under autocast, reduced behind the backward pass",
    ),
    FrameworkDefaults(
        name="pytorch-fsdp",
        pattern=r"fsdp|sagemaker|smp|accelerate|metaseq|pytorch|meta|hugging|hf\b",
        profile="fsdp-2024",
        legacy_profile="fsdp-2024",
        gradient_bytes=(2.0, 2.0),
        sharding="zero3",
        micro_batch=_WHOLE,
        has_tp_overlap=None,
        source="PyTorch FSDP: FULL_SHARD, eager kernels; MixedPrecision.reduce_dtype "
        "falls back to param_dtype",
    ),
)
UNKNOWN = FrameworkDefaults(
    name="default",
    pattern="",
    profile="default",
    legacy_profile="default",
    gradient_bytes=(0.0, 0.0),
    sharding="zero1",
    micro_batch=_ONE,
    has_tp_overlap=None,
    source="assumption: a tuned stack of fused kernels with fp32 gradient reduction and "
    "sharded optimizer states",
)


def framework_defaults(framework: str) -> FrameworkDefaults:
    """Return the documented defaults of a named framework, ``UNKNOWN`` for other names."""
    low = framework.lower()
    return next((f for f in FRAMEWORKS if re.search(f.pattern, low)), UNKNOWN)


def stack_of(
    defaults: FrameworkDefaults,
    options: Options,
    *,
    year: int | None,
    precision: str,
    recompute: str,
) -> StackProfile:
    """Return the software's properties: documented defaults, then what the run states.

    Parameters
    ----------
    defaults : FrameworkDefaults
        Of the run's framework.
    options : Options
        Stated beside the columns.
    year : int or None
        Of the run; decides whether the framework had flash kernels.
    precision, recompute : str
        Engine names; selective recompute came with sequence parallelism to
        Megatron-LM (arXiv:2205.05198).
    """
    is_old = year is not None and year < FLASH_ATTENTION_YEAR
    stack = stack_profiles()[defaults.legacy_profile if is_old else defaults.profile]
    gradient = defaults.gradient_bytes[1 if precision == "fp16" else 0]
    if options.is_bf16_reduction is not None:
        gradient = 2.0 if options.is_bf16_reduction else 4.0
    if gradient:
        stack = replace(stack, gradient_reduce_bytes=gradient)
    sequence = options.has_sequence_parallel
    if (
        sequence is None
        and defaults.name.startswith("megatron")
        and recompute == "selective"
    ):
        sequence = True
    if sequence and is_old and defaults.legacy_profile == "megatron-2021":
        stack = replace(
            stack_profiles()["megatron-2022"], gradient_reduce_bytes=gradient
        )
    return _with_options(stack, defaults, options, sequence)


def _with_options(
    stack: StackProfile,
    defaults: FrameworkDefaults,
    options: Options,
    sequence: bool | None,
) -> StackProfile:
    tp_overlap = options.has_async_tp
    if tp_overlap is None:
        tp_overlap = defaults.has_tp_overlap
    flags = {
        "has_sequence_parallel": sequence,
        "has_tp_overlap": tp_overlap,
        "has_dp_overlap": options.has_dp_overlap,
        "has_flash_attention": options.has_flash_attention,
        "has_optimizer_offload": options.has_optimizer_offload or None,
    }
    stated = {name: float(flag) for name, flag in flags.items() if flag is not None}
    return replace(stack, **stated)  # type: ignore[arg-type]
