"""Rows of a case file as engine cases: configuration columns only."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from calculator.engine.errors import EngineError
from calculator.engine.numeric import FloatArray, Numeric
from calculator.engine.training.inputs import (
    ClusterNetwork,
    ModelShape,
    Precision,
    Workload,
)
from calculator.engine.training.memory import capacity_bytes, memory_columns
from calculator.engine.training.parameters import Parameters, default_parameters
from calculator.engine.training.table import CaseTable, case_table, stack_tables
from calculator.engine.training.throughput import describe
from calculator.engine.training.workload import n_parameters
from calculator.measured.columns import Unreadable, cell, count, needed_count, shown
from calculator.measured.fabrics import cluster_network
from calculator.measured.frameworks import (
    UNKNOWN,
    FrameworkDefaults,
    framework_defaults,
    stack_of,
)
from calculator.measured.gpus import Accelerator, accelerator
from calculator.measured.models import model_shape
from calculator.measured.options import Options, stated_options
from calculator.measured.strategies import (
    Split,
    check_layers,
    recompute_of,
    stage_name,
    stated_split,
    strategy_columns_of,
)
from calculator.measured.tuning import (
    AMPLE_STORAGE,
    RECOMPUTE_NAMES,
    Unsaid,
    filled,
    has_blanks,
    tuned,
)

MAX_ID_CHARACTERS = 200
SELECTIVE, FULL = 1.0, 2.0


@dataclass(frozen=True, slots=True)
class CaseBatch:
    """Rows of a file: those that can be evaluated as one table, the rest with reasons.

    ``ids``, ``families``, ``stacks`` and ``notes`` have one entry per row of the file;
    ``index`` gives the file's row of each table row. ``reasons`` are refusals by row.
    """

    ids: tuple[str, ...]
    families: tuple[str, ...]
    table: CaseTable | None
    index: tuple[int, ...]
    reasons: dict[int, str]
    stacks: tuple[str, ...]
    notes: tuple[str, ...]

    @property
    def refusals(self) -> dict[str, str]:
        """Reasons by id (the last one where ids repeat)."""
        return {self.ids[row]: reason for row, reason in self.reasons.items()}


@dataclass(frozen=True, slots=True)
class _Case:
    """One row on its way into the table."""

    row: Mapping[str, object]
    model: ModelShape
    gpu: Accelerator
    split: Split
    defaults: FrameworkDefaults
    options: Options
    precision: str
    notes: list[str] = field(default_factory=list)


def read_cases(
    rows: Iterable[Mapping[str, object]],
    *,
    parameters: Parameters | None = None,
    has_framework_defaults: bool = True,
) -> CaseBatch:
    """Turn rows into engine cases; a row that cannot be evaluated is refused with a reason.

    Parameters
    ----------
    rows : iterable of mappings
        Cells by column name, as :class:`csv.DictReader` gives them. Only
        ``CONFIGURATION_COLUMNS`` are read; missing ones count as blank.
    parameters : Parameters, optional
        Decide what fits where a split or recompute is not stated.
    has_framework_defaults : bool
        False evaluates every row as one generic stack, to audit what the documented
        framework defaults do.
    """
    p = parameters or default_parameters()
    ids: list[str] = []
    stacks: list[str] = []
    notes: list[str] = []
    tables: dict[int, CaseTable] = {}
    reasons: dict[int, str] = {}
    seen: set[str] = set()
    for number, row in enumerate(rows):
        name = cell(row, "id")[:MAX_ID_CHARACTERS]
        defaults = framework_defaults(cell(row, "framework"))
        defaults = defaults if has_framework_defaults else UNKNOWN
        assumed: list[str] = []
        try:
            _check_id(name, seen)
            tables[number] = _table(row, defaults, p, assumed)
        except (Unreadable, EngineError) as error:
            reasons[number] = str(error)
        ids.append(name)
        stacks.append(defaults.name)
        notes.append("; ".join(assumed))
    return CaseBatch(
        ids=tuple(ids),
        families=tuple(name.split("-")[0] for name in ids),
        table=stack_tables(list(tables.values())) if tables else None,
        index=tuple(tables),
        reasons=reasons,
        stacks=tuple(stacks),
        notes=tuple(notes),
    )


def _check_id(name: str, seen: set[str]) -> None:
    if not name:
        raise Unreadable("id is blank")
    if name in seen:
        raise Unreadable(f"id {shown(name)} repeats an earlier row")
    seen.add(name)


def _table(
    row: Mapping[str, object],
    defaults: FrameworkDefaults,
    p: Parameters,
    notes: list[str],
) -> CaseTable:
    """Return the one-row table of a row."""
    gpu = accelerator(cell(row, "gpu"))
    if gpu is None:
        raise Unreadable(f"gpu {shown(cell(row, 'gpu'))} is not known")
    options = stated_options(row)
    if options.is_adapter_training:
        raise Unreadable("low-rank adapters train a part of the model: not modelled")
    model = model_shape(row, notes)
    n_gpus = needed_count(row, "num_gpus")
    split = stated_split(row, n_gpus, options.micro_batches)
    check_layers(split, model.layers)
    precision = _precision(row, gpu, notes)
    case = _Case(row, model, gpu, split, defaults, options, precision, notes)
    return _fitted(case, p)


def _precision(row: Mapping[str, object], gpu: Accelerator, notes: list[str]) -> str:
    text = cell(row, "precision").lower()
    if not text:
        has_bf16 = gpu.slug not in (
            "v100-sxm2",
            "v100-sxm3",
            "v100-pcie",
            "t4",
            "p100-sxm2",
        )
        notes.append(f"{'bf16' if has_bf16 else 'fp16'} assumed")
        return "bf16" if has_bf16 else "fp16"
    if re.match(r"nvfp4|fp4|mxfp4", text):
        if not gpu.fp4_flop_per_s:
            raise Unreadable(f"{gpu.slug} has no fp4 matrix units")
        return "fp4"
    for name in ("bf16", "fp16", "fp8", "mxfp8"):
        if text.startswith(name):
            if " or " in text:
                notes.append(f"precision not resolved by its source: {name} taken")
            return "fp8" if name == "mxfp8" else name
    raise Unreadable(
        f"precision is {shown(text)}, must be bf16, fp16, fp8, mxfp8 or nvfp4"
    )


def _fitted(case: _Case, p: Parameters) -> CaseTable:
    """Return the case as stated; blank split and recompute take the lightest that fits."""
    network = cluster_network(case.row, case.gpu, case.split.n_gpus, case.notes)
    stated = recompute_of(case.row)
    job = _unsaid(case, network, stated)
    chosen = tuned(job, p) if has_blanks(job) else None
    if chosen is not None:
        case.notes.append(
            f"split not stated in full, the fastest taken: {describe(chosen)}"
        )
        case = replace(case, split=filled(case.split, chosen))
    smallest: tuple[float, CaseTable] | None = None
    for tp, pp in _splits(case, network.gpus_per_node):
        for table in _recomputes(
            _case_table(case, network, tp, pp, p), case, stated, p
        ):
            share = _share_of_memory(table, p)
            if share <= 1.0:
                return _noted(case, table, is_stated=stated is not None)
            if smallest is None or share < smallest[0]:
                smallest = share, table
    if smallest is None:
        raise Unreadable("no split of the model into the job's GPUs exists")
    return _noted(case, smallest[1], is_stated=stated is not None)


def _unsaid(case: _Case, network: ClusterNetwork, stated: float | None) -> Unsaid:
    return Unsaid(
        model=case.model,
        seq_len=needed_count(case.row, "seq_len"),
        precision=_engine_precision(case),
        gpu=case.gpu.spec,
        network=network,
        split=case.split,
        recompute=stated,
        sharding=stage_name(case.row, case.defaults),
        can_interleave=case.defaults.can_interleave,
    )


def _engine_precision(case: _Case) -> Precision:
    return "fp8" if case.precision == "fp4" else case.precision  # type: ignore[return-value]


def _recomputes(
    table: CaseTable, case: _Case, stated: float | None, p: Parameters
) -> Iterator[CaseTable]:
    """Yield the case with its recompute; where that is blank, ever more of it.

    First the framework's default, then selective recompute, then full recompute of as
    few layers as the memory demands, as Megatron's block method does.
    """
    default = float(RECOMPUTE_NAMES.index(case.defaults.recompute))
    yield _with_recompute(table, default if stated is None else stated)
    if stated is not None or default == FULL:
        return
    yield _with_recompute(table, SELECTIVE)
    whole = _share_of_memory(_with_recompute(table, FULL), p)
    nothing = _share_of_memory(_with_recompute(table, FULL, 0.0), p)
    share = (nothing - 1.0) / (nothing - whole) if nothing > whole else 1.0
    layers = case.model.layers
    yield _with_recompute(table, FULL, min(1.0, math.ceil(share * layers) / layers))


def _with_recompute(table: CaseTable, code: float, share: float = 1.0) -> CaseTable:
    strategy = replace(table.strategy, recompute=code, recompute_share=share)
    return replace(table, strategy=strategy)


def memory_shares(batch: CaseBatch, p: Parameters) -> FloatArray:
    """Memory that each case of the table needs, over what its GPU has [1]."""
    if batch.table is None:
        return np.zeros(0)
    needs = np.asarray(memory_columns(batch.table, p).total_bytes)
    return np.asarray(needs / capacity_bytes(batch.table.gpu.hbm_bytes))


def _share_of_memory(table: CaseTable, p: Parameters) -> float:
    needs = memory_columns(table, p).total_bytes
    return float(needs) / float(capacity_bytes(table.gpu.hbm_bytes))


def _noted(case: _Case, table: CaseTable, *, is_stated: bool) -> CaseTable:
    """Say what was chosen where the row is silent."""
    strategy = table.strategy
    code, share = int(strategy.recompute), float(strategy.recompute_share)
    if not is_stated and code:
        extent = "" if share == 1.0 else f" of {share:.0%} of the layers"
        case.notes.append(f"{RECOMPUTE_NAMES[code]} recompute{extent} assumed")
    if case.split.tp is None or case.split.pp is None:
        tp, pp = float(strategy.tp), float(strategy.pp)
        if tp * pp > 1.0:
            case.notes.append(
                f"tp {tp:g}, pp {pp:g} assumed: the fewest ranks that fit"
            )
    return table


def _splits(case: _Case, gpus_per_node: int) -> Iterable[tuple[int, int]]:
    """Tensor and pipeline ranks: as stated; blank ones from 1 up until the job fits.

    Tensor ranks inside a node first, then pipeline stages (arXiv:2104.04473, takeaway 1);
    as many as leave no data-parallel rank without a micro-batch.
    """
    split = case.split
    room = split.n_gpus // split.cp
    if split.tp is not None and split.pp is not None:
        return [(split.tp, split.pp)]
    heads = case.model.heads
    node = [t for t in (1, 2, 4, 8) if t <= gpus_per_node and heads % t == 0]
    tps = [split.tp] if split.tp is not None else node
    layers = case.model.layers
    stages = [s for s in range(1, layers + 1) if layers % s == 0]
    pps = [split.pp] if split.pp is not None else stages
    pairs = [(tps[-1], pp) for pp in pps[1:]]
    pairs = [(tp, pps[0]) for tp in tps] + pairs
    batch = split.global_batch or split.n_gpus
    return [
        (t, s)
        for t, s in pairs
        if room % (t * s) == 0 and room // (t * s) <= batch // (split.micro_batch or 1)
    ]


def _case_table(
    case: _Case, network: ClusterNetwork, tp: int, pp: int, p: Parameters
) -> CaseTable:
    strategy = strategy_columns_of(
        case.split,
        case.row,
        case.defaults,
        tp=tp,
        pp=pp,
        gpus_per_node=network.gpus_per_node,
        recompute=0.0,
    )
    table = case_table(
        workload=Workload(
            case.model,
            seq_len=needed_count(case.row, "seq_len"),
            global_batch_seqs=case.split.global_batch or 1,
            precision=_engine_precision(case),
        ),
        gpu=case.gpu.spec,
        network=network,
        storage=AMPLE_STORAGE,
        strategy=strategy,
        parameters=p,
    )
    stack = stack_of(
        case.defaults,
        case.options,
        year=count(case.row, "year"),
        precision=case.precision,
        recompute=cell(case.row, "recompute").lower(),
        layer_parameters=n_parameters(case.model).total / case.model.layers,
    )
    return _with_fp4(case, replace(table, stack=stack), p)


def _with_fp4(case: _Case, table: CaseTable, p: Parameters) -> CaseTable:
    """Run the layers' products on the fp4 units, derated by the ratio for fp4.

    Where the source leaves open which of both formats ran, at the mean of their times.
    Row-wise scaled fp8 products of PyTorch gain nothing over bf16 (torchao float8 README,
    2025: 1.10 times the whole step against 1.25 with one scale per tensor).
    """
    if re.search(r"row.?wise", cell(case.row, "precision"), re.I):
        slow = replace(table.gpu, gemm_flop_per_s=table.gpu.bf16_gemm_flop_per_s)
        return replace(table, gpu=slow)
    peak = case.gpu.fp4_flop_per_s
    is_open = "nvfp4" in cell(case.row, "precision").lower() and peak > 0.0
    if case.precision != "fp4" and not is_open:
        return table
    rate: Numeric = peak * p.mamf_ratio_fp4
    if case.precision != "fp4":
        rate = 2.0 / (1.0 / rate + 1.0 / table.gpu.gemm_flop_per_s)
        return replace(table, gpu=replace(table.gpu, gemm_flop_per_s=rate))
    gpu = replace(table.gpu, peak_flop_per_s=peak, gemm_flop_per_s=rate)
    return replace(table, gpu=gpu)
