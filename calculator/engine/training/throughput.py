"""Speed of a job: best strategy by search, or a given strategy as it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from calculator.engine.errors import InfeasiblePlan
from calculator.engine.numeric import FloatArray
from calculator.engine.training.inputs import (
    ClusterNetwork,
    GpuSpec,
    MemoryPart,
    RunnerUp,
    StepPart,
    Strategy,
    StrategyPins,
    ThroughputResult,
    TrainingStorage,
    Workload,
)
from calculator.engine.training.intervals import job_interval
from calculator.engine.training.memory import (
    MEMORY_LABELS,
    capacity_bytes,
    memory_columns,
)
from calculator.engine.training.parallelism import StrategyGrid, enumerate_strategies
from calculator.engine.training.parameters import Parameters, default_parameters
from calculator.engine.training.step_time import (
    BUSY_PARTS,
    PART_LABELS,
    StepColumns,
    step_columns,
)
from calculator.engine.training.strategy_checks import (
    check_hardware,
    check_job,
    check_strategy,
)
from calculator.engine.training.table import (
    CaseTable,
    case_table,
    stack_profile,
    strategy_columns,
    take_rows,
)
from calculator.engine.training.workload import (
    flop_per_token,
    n_parameters,
    recompute_flop_per_token,
)
from calculator.engine.units import GIGA


@dataclass(frozen=True, slots=True)
class CasePredictions:
    """Predictions of many cases at once, one row each."""

    tokens_per_s_per_gpu: FloatArray
    step_time_s: FloatArray
    busy_share: FloatArray
    memory_bytes: FloatArray
    fits: Any


@dataclass(frozen=True, slots=True)
class _Job:
    """A job as asked for, with what does not depend on the strategy."""

    workload: Workload
    gpu: GpuSpec
    network: ClusterNetwork
    storage: TrainingStorage
    parameters: Parameters


def evaluate_cases(
    table: CaseTable, parameters: Parameters | None = None
) -> CasePredictions:
    """Predict many unlike cases (model, GPU, network and strategy per row) as arrays.

    Parameters
    ----------
    table : CaseTable
        Rows as :func:`calculator.engine.training.table.stack_tables` joins them.
    parameters : Parameters, optional
        Global parameters; the fitted ones if left out.
    """
    p = parameters or default_parameters()
    step = step_columns(table, p)
    memory = np.asarray(memory_columns(table, p).total_bytes)
    step_s = np.asarray(step.step_time_s)
    strategy = table.strategy
    tokens = strategy.dp * strategy.n_micro * strategy.micro_batch * table.seq_len
    return CasePredictions(
        tokens_per_s_per_gpu=np.asarray(tokens / step_s / table.network.n_gpus),
        step_time_s=step_s,
        busy_share=np.asarray(step.busy_share),
        memory_bytes=memory,
        fits=memory <= capacity_bytes(table.gpu.hbm_bytes),
    )


def best_strategy(
    *,
    workload: Workload,
    gpu: GpuSpec,
    network: ClusterNetwork,
    storage: TrainingStorage,
    pins: StrategyPins = StrategyPins(),
    parameters: Parameters | None = None,
) -> ThroughputResult:
    """Search all valid strategies and return the fastest that fits.

    Parameters
    ----------
    workload, gpu, network, storage : Workload, GpuSpec, ClusterNetwork, TrainingStorage
        The job and what it runs on.
    pins : StrategyPins
        Parts of the strategy that are fixed; the rest is searched.
    parameters : Parameters, optional
        Global physical parameters; the fitted ones if left out.

    Returns
    -------
    ThroughputResult
        With waterfall, memory, the runner-up and how many strategies were compared.

    Raises
    ------
    InfeasiblePlan
        Where nothing divides or nothing fits; the message gives the limiting number.
    DomainError
        Where a size is outside the model's domain.
    """
    job = _Job(workload, gpu, network, storage, parameters or default_parameters())
    check_hardware(gpu, network, storage)
    check_job(workload, network)
    grid = enumerate_strategies(workload=workload, network=network, pins=pins)
    table = _table(job, grid.columns(network.gpus_per_node))
    memory = memory_columns(table, job.parameters)
    total = np.broadcast_to(np.asarray(memory.total_bytes), (grid.n_rows,))
    fits = np.flatnonzero(total <= capacity_bytes(gpu.hbm_bytes))
    if not fits.size:
        raise _fits_nowhere(job, grid, total)
    feasible = take_rows(table, fits)
    step = step_columns(feasible, job.parameters)
    times = np.broadcast_to(np.asarray(step.step_time_s), (fits.size,))
    best = int(np.argmin(times))
    return _result(
        job,
        grid.strategy(int(fits[best])),
        _row(step.parts, best),
        _row(memory.parts, int(fits[best])),
        n_strategies=grid.n_rows,
        n_feasible=int(fits.size),
        runner_up=_runner_up(grid, fits, step, times, best),
    )


def evaluate_strategy(
    *,
    workload: Workload,
    gpu: GpuSpec,
    network: ClusterNetwork,
    storage: TrainingStorage,
    strategy: Strategy,
    parameters: Parameters | None = None,
) -> ThroughputResult:
    """Evaluate one complete strategy as it is, also where it does not fit (see notes).

    Parameters
    ----------
    workload, gpu, network, storage : Workload, GpuSpec, ClusterNetwork, TrainingStorage
        The job and what it runs on.
    strategy : Strategy
        Every part given; ranks and batch must add up.
    parameters : Parameters, optional
        Global physical parameters; the fitted ones if left out.

    Raises
    ------
    InfeasiblePlan, DomainError
        Where ranks or batch do not add up, with the field and the numbers.
    """
    job = _Job(workload, gpu, network, storage, parameters or default_parameters())
    check_hardware(gpu, network, storage)
    check_strategy(workload, network, strategy)
    table = _table(job, strategy_columns(strategy, network.gpus_per_node))
    step = step_columns(table, job.parameters)
    memory = memory_columns(table, job.parameters)
    fits = float(memory.total_bytes) <= float(capacity_bytes(gpu.hbm_bytes))
    return _result(
        job,
        strategy,
        _row(step.parts, 0),
        _row(memory.parts, 0),
        n_strategies=1,
        n_feasible=int(fits),
        runner_up=None,
    )


def _table(job: _Job, strategy: Any) -> CaseTable:
    return case_table(
        workload=job.workload,
        gpu=job.gpu,
        network=job.network,
        storage=job.storage,
        strategy=strategy,
        parameters=job.parameters,
    )


def _row(parts: dict[str, Any], row: int) -> dict[str, float]:
    return {
        key: float(column[row]) if np.ndim(column) else float(column)
        for key, column in parts.items()
    }


def _fits_nowhere(
    job: _Job, grid: StrategyGrid, total_bytes: FloatArray
) -> InfeasiblePlan:
    smallest = int(np.argmin(total_bytes))
    need = float(total_bytes[smallest]) / GIGA
    return InfeasiblePlan(
        f"{job.workload.model.name} needs at least {need:.1f} GB per GPU, {job.gpu.name} has "
        f"{_capacity_text(job.gpu)}; smallest of {grid.n_rows} strategies: "
        f"{describe(grid.strategy(smallest))}",
        field="hbm_bytes",
    )


def _capacity_text(gpu: GpuSpec) -> str:
    usable = float(capacity_bytes(gpu.hbm_bytes)) / GIGA
    return f"{gpu.hbm_bytes / GIGA:.1f} GB ({usable:.1f} GB as drivers count)"


def describe(strategy: Strategy) -> str:
    """Name a strategy in one line, for messages and tables."""
    sizes = {"TP": strategy.tp, "PP": strategy.pp, "VP": strategy.vp, "CP": strategy.cp}
    named = [
        f"{key} {size}"
        for key, size in (*sizes.items(), ("EP", strategy.ep))
        if size > 1
    ]
    return ", ".join(
        [
            *named,
            f"DP {strategy.dp}",
            f"sharding {strategy.sharding}",
            f"micro-batch {strategy.micro_batch_seqs}",
            f"{strategy.recompute} recompute",
        ]
    )


def _runner_up(
    grid: StrategyGrid, fits: Any, step: StepColumns, times: FloatArray, best: int
) -> RunnerUp | None:
    """Fastest strategy that splits the model otherwise, and what it lost by."""
    winner = fits[best]
    differs = np.zeros(fits.size, dtype=bool)
    for column in (grid.tp, grid.pp, grid.cp, grid.ep, grid.sharding):
        differs |= column[fits] != column[winner]
    if not differs.any():
        return None
    second = int(np.argmin(np.where(differs, times, np.inf)))
    strategy = grid.strategy(int(fits[second]))
    return RunnerUp(
        strategy=strategy,
        step_time_s=float(times[second]),
        reason=_reason(strategy, _row(step.parts, second), _row(step.parts, best)),
    )


def _reason(strategy: Strategy, lost: dict[str, float], won: dict[str, float]) -> str:
    key = max(lost, key=lambda part: lost[part] - won[part])
    slower = sum(lost.values()) / sum(won.values()) - 1.0
    return (
        f"{describe(strategy)} is {slower:.1%} slower: {PART_LABELS[key].lower()} takes "
        f"{lost[key]:.3g} s a step against {won[key]:.3g} s"
    )


def _result(
    job: _Job,
    strategy: Strategy,
    seconds: dict[str, float],
    memory: dict[str, float],
    *,
    n_strategies: int,
    n_feasible: int,
    runner_up: RunnerUp | None,
) -> ThroughputResult:
    model, n_gpus = job.workload.model, job.network.n_gpus
    step_s, memory_bytes = sum(seconds.values()), sum(memory.values())
    tokens_per_s = job.workload.global_batch_seqs * job.workload.seq_len / step_s
    model_flop = flop_per_token(model, job.workload.seq_len)
    table = _table(job, strategy_columns(strategy, job.network.gpus_per_node))
    extra_flop = float(
        recompute_flop_per_token(table.model, table.seq_len, table.strategy.recompute)
    )
    per_peak = tokens_per_s / n_gpus / float(table.gpu.peak_flop_per_s)
    counts = n_parameters(model)
    error_fraction, interval_note = job_interval(model, job.network)
    return ThroughputResult(
        strategy=strategy,
        step_time_s=step_s,
        parts=tuple(
            StepPart(
                key=key,
                label=PART_LABELS[key],
                seconds=value,
                is_busy=key in BUSY_PARTS,
            )
            for key, value in seconds.items()
        ),
        tokens_per_s=tokens_per_s,
        tokens_per_s_per_gpu=tokens_per_s / n_gpus,
        mfu=model_flop * per_peak,
        hfu=(model_flop + extra_flop) * per_peak,
        busy_share=min(
            sum(seconds[key] for key in seconds if key in BUSY_PARTS) / step_s, 1.0
        ),
        memory=tuple(
            MemoryPart(key=key, label=MEMORY_LABELS[key], bytes=value)
            for key, value in memory.items()
        ),
        memory_bytes=memory_bytes,
        model_flop_per_token=model_flop,
        n_parameters=counts.total,
        n_active_parameters=counts.active,
        n_strategies=n_strategies,
        n_feasible=n_feasible,
        runner_up=runner_up,
        p90_error_fraction=error_fraction,
        notes=(*_notes(job, memory_bytes), *filter(None, [interval_note])),
    )


def _notes(job: _Job, memory_bytes: float) -> tuple[str, ...]:
    notes = []
    if memory_bytes > float(capacity_bytes(job.gpu.hbm_bytes)):
        notes.append(
            f"Does not fit: needs {memory_bytes / GIGA:.1f} GB per GPU, "
            f"{job.gpu.name} has {_capacity_text(job.gpu)}."
        )
    has_rate = (
        job.gpu.mamf_fp8_flop_per_s
        if job.workload.precision == "fp8"
        else job.gpu.mamf_bf16_flop_per_s
    )
    if not has_rate:
        notes.append(
            f"No published matmul rate for {job.gpu.name} at {job.workload.precision}: "
            "its peak is derated by the mean of the measured ratios."
        )
    if stack_profile(job.workload.stack).gradient_reduce_bytes > 2.0:
        notes.append(
            "Gradients are reduced in fp32; bf16 reduction halves that traffic."
        )
    return tuple(notes)
