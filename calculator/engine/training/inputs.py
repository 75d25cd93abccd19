"""Inputs and results of the throughput model: frozen, unit-bearing, framework-free.

Engine base units: seconds, bytes, FLOP, FLOP/s, bytes/s. One direction for every link.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

Precision = Literal["bf16", "fp16", "fp8"]
Transport = Literal["infiniband", "roce", "efa", "tcp"]
Sharding = Literal["none", "zero1", "zero2", "zero3", "hsdp"]
Recompute = Literal["none", "selective", "full"]
SparePolicy = Literal["spares", "elastic", "wait"]


@dataclass(frozen=True, slots=True)
class GpuSpec:
    """One accelerator.

    ``mamf_*`` is the maximum measured matmul rate (0 where nobody published one: the
    model then derates the peak by the mean of the measured ratios). [FLOP/s]
    ``scaleup_bytes_per_s`` is NVLink or xGMI, one direction, 0 for none. [bytes/s]
    ``exp_per_clock_per_sm`` is what the special-function units compute (16; Blackwell
    Ultra 32): it limits the softmax inside attention. ``launch_slowdown`` is the time of
    a kernel launch on the hosts that carry the device, over that of current ones.
    """

    name: str
    peak_bf16_flop_per_s: float
    peak_fp8_flop_per_s: float
    mamf_bf16_flop_per_s: float
    mamf_fp8_flop_per_s: float
    hbm_bytes: float
    hbm_bytes_per_s: float
    scaleup_bytes_per_s: float
    n_sm: int
    exp_per_clock_per_sm: float = 16.0
    launch_slowdown: float = 1.0


@dataclass(frozen=True, slots=True)
class ModelShape:
    """A decoder-only transformer, dense or mixture of experts.

    ``n_experts`` 0 means dense. ``moe_ffn`` is one expert's width; ``dense_ffn_layers``
    is how many of the layers keep a dense MLP of width ``ffn``. ``mla_*`` describe
    multi-head latent attention (low-rank query and key-value projections, separate
    rotary part per head); 0 means grouped-query attention by ``kv_heads``.
    """

    name: str
    layers: int
    hidden: int
    ffn: int
    heads: int
    kv_heads: int
    head_dim: int
    vocab: int
    is_gated_mlp: bool = True
    is_tied_embedding: bool = False
    n_experts: int = 0
    experts_per_token: int = 0
    n_shared_experts: int = 0
    moe_ffn: int = 0
    dense_ffn_layers: int = 0
    mla_query_rank: int = 0
    mla_kv_rank: int = 0
    mla_rope_dim: int = 0


@dataclass(frozen=True, slots=True)
class Workload:
    """What one optimizer step has to do."""

    model: ModelShape
    seq_len: int
    global_batch_seqs: int
    precision: Precision = "bf16"
    stack: str = "default"
    bytes_read_per_token: float = 4.0


@dataclass(frozen=True, slots=True)
class ClusterNetwork:
    """Nodes and what joins them. Rates are nominal, per direction.

    ``n_tiers`` is the number of switch tiers between nodes (0 for one node).
    ``oversubscription`` is the worst down/up ratio on the path, 1 for non-blocking.
    ``gpus_per_node`` is the scale-up (NVLink) domain: 4, 8 or 72.
    ``link_degradation_fraction`` is the worst link's rate over nominal, 1 for healthy.
    ``slowest_gpu_slowdown_fraction`` is how much slower than the others one GPU computes,
    on top of the measured spread, 0 for none.
    """

    n_nodes: int
    gpus_per_node: int
    nics_per_node: int
    nic_bytes_per_s: float
    transport: Transport
    n_tiers: int = 1
    oversubscription: float = 1.0
    link_degradation_fraction: float = 1.0
    slowest_gpu_slowdown_fraction: float = 0.0

    @property
    def n_gpus(self) -> int:
        """GPUs in the job."""
        return self.n_nodes * self.gpus_per_node


@dataclass(frozen=True, slots=True)
class TrainingStorage:
    """Shared storage as the job sees it, whole cluster, in bytes/s."""

    read_bytes_per_s: float
    write_bytes_per_s: float


@dataclass(frozen=True, slots=True)
class StrategyPins:
    """Parts of the strategy that the user fixed; ``None`` is searched."""

    tp: int | None = None
    pp: int | None = None
    vp: int | None = None
    cp: int | None = None
    ep: int | None = None
    sharding: Sharding | None = None
    micro_batch_seqs: int | None = None
    recompute: Recompute | None = None


@dataclass(frozen=True, slots=True)
class Strategy:
    """One complete way to split the job; ``dp`` follows from the GPU count."""

    tp: int
    pp: int
    vp: int
    cp: int
    ep: int
    dp: int
    sharding: Sharding
    micro_batch_seqs: int
    n_micro_batches: int
    recompute: Recompute


@dataclass(frozen=True, slots=True)
class StepPart:
    """One bar of the step-time waterfall; ``is_busy`` marks time in which kernels compute."""

    key: str
    label: str
    seconds: float
    is_busy: bool


@dataclass(frozen=True, slots=True)
class MemoryPart:
    """One part of the memory that the fullest GPU needs, in bytes."""

    key: str
    label: str
    bytes: float


@dataclass(frozen=True, slots=True)
class RunnerUp:
    """The best strategy of another kind, and the single reason why it lost."""

    strategy: Strategy
    step_time_s: float
    reason: str


@dataclass(frozen=True, slots=True)
class ThroughputResult:
    """Predicted steady-state speed of one job on one cluster, before failures."""

    strategy: Strategy
    step_time_s: float
    parts: tuple[StepPart, ...]
    tokens_per_s: float
    tokens_per_s_per_gpu: float
    mfu: float
    hfu: float
    busy_share: float
    memory: tuple[MemoryPart, ...]
    memory_bytes: float
    model_flop_per_token: float
    n_parameters: float
    n_active_parameters: float
    n_strategies: int
    n_feasible: int
    runner_up: RunnerUp | None = None
    p90_error_fraction: float = 0.0
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FailureClass:
    """One class of interruption. Rate per node and day, time to be running again.

    ``takes_node`` marks failures after which the node is away for repair: another must
    take its place before ``restart_s`` (which starts when it has) can pass.
    """

    name: str
    per_node_day: float
    restart_s: float
    takes_node: bool = False


@dataclass(frozen=True, slots=True)
class ReliabilityInputs:
    """What turns steady-state speed into goodput.

    ``spare_policy`` says what follows when a node is away for ``repair_s``: "spares" takes
    one of ``n_spare_nodes`` and waits for the next repaired node if all are away; "wait"
    waits for the repair whatever spares there are; "elastic" takes spares too but trains
    on without the missing replicas of ``replica_nodes`` nodes where they run out.
    """

    failures: tuple[FailureClass, ...]
    checkpoint_bytes: float
    checkpoint_write_bytes_per_s: float
    checkpoint_blocking_fraction: float = 1.0
    checkpoint_interval_s: float | None = None
    restore_bytes_per_s: float = 0.0
    planned_downtime_fraction: float = 0.0
    spare_policy: SparePolicy = "spares"
    n_spare_nodes: int = 0
    repair_s: float = 0.0
    replica_nodes: int = 1


@dataclass(frozen=True, slots=True)
class GoodputPart:
    """A share of wall-clock time; all parts with ``goodput`` sum to 1."""

    key: str
    label: str
    fraction: float


@dataclass(frozen=True, slots=True)
class GoodputResult:
    """Retained progress over wall clock, and where the rest went.

    ``lost_work_s`` and ``restart_s`` are means over failures; ``spare_available_fraction``
    is the probability that a failing node finds a spare, ``spare_wait_s`` the mean wait
    of those that find none.
    """

    goodput: float
    parts: tuple[GoodputPart, ...]
    checkpoint_interval_s: float
    checkpoint_write_s: float
    failures_per_month: float
    mean_time_between_failures_s: float
    failures_by_class: dict[str, float] = field(default_factory=dict)
    lost_work_s: float = 0.0
    restart_s: float = 0.0
    spare_available_fraction: float = 1.0
    spare_wait_s: float = 0.0
