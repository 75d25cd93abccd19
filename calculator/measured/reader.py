"""Rows of a case file as engine cases: configuration columns only."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from calculator.engine.errors import EngineError
from calculator.engine.training.inputs import (
    ClusterNetwork,
    ModelShape,
    Precision,
    TrainingStorage,
    Workload,
)
from calculator.engine.training.memory import memory_columns
from calculator.engine.training.parameters import Parameters, default_parameters
from calculator.engine.training.table import CaseTable, case_table, stack_tables
from calculator.engine.units import TERA
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
    stated_split,
    strategy_columns_of,
)

MAX_ID_CHARACTERS = 200
AMPLE_STORAGE = TrainingStorage(1000.0 * TERA, 1000.0 * TERA)
"""Input never stalls: no source states its storage."""
RECOMPUTE_NAMES = ("none", "selective", "full")


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
    stated = recompute_of(case.row)
    codes = (stated,) if stated is not None else (0.0, 1.0, 2.0)
    network_notes: list[str] = []
    network = cluster_network(case.row, case.gpu, case.split.n_gpus, network_notes)
    case.notes.extend(network_notes)
    smallest: tuple[float, CaseTable] | None = None
    for tp, pp in _splits(case, network.gpus_per_node):
        for code in codes:
            table = _case_table(case, network, tp, pp, code, p)
            excess = (
                float(memory_columns(table, p).total_bytes) / case.gpu.spec.hbm_bytes
            )
            if excess <= 1.0:
                return _noted(case, table, is_stated=stated is not None)
            if smallest is None or excess < smallest[0]:
                smallest = excess, table
    if smallest is None:
        raise Unreadable("no split of the model into the job's GPUs exists")
    return _noted(case, smallest[1], is_stated=stated is not None)


def _noted(case: _Case, table: CaseTable, *, is_stated: bool) -> CaseTable:
    """Say what was chosen where the row is silent."""
    strategy = table.strategy
    code = int(float(strategy.recompute))  # type: ignore[arg-type]
    if not is_stated and code:
        case.notes.append(
            f"{RECOMPUTE_NAMES[code]} recompute assumed: the lightest that fits"
        )
    if case.split.tp is None or case.split.pp is None:
        ranks = f"tp {float(strategy.tp):g}, pp {float(strategy.pp):g}"  # type: ignore[arg-type]
        if float(strategy.tp) * float(strategy.pp) > 1.0:  # type: ignore[arg-type]
            case.notes.append(f"{ranks} assumed: the fewest ranks that fit")
    return table


def _splits(case: _Case, gpus_per_node: int) -> Iterable[tuple[int, int]]:
    """Tensor and pipeline ranks: as stated; blank ones from 1 up until the job fits.

    Tensor ranks inside a node first, then pipeline stages (arXiv:2104.04473, takeaway 1).
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
    return [(t, s) for t, s in pairs if t * s <= room and room % (t * s) == 0]


def _case_table(
    case: _Case, network: ClusterNetwork, tp: int, pp: int, code: float, p: Parameters
) -> CaseTable:
    strategy = strategy_columns_of(
        case.split,
        case.row,
        case.defaults,
        tp=tp,
        pp=pp,
        gpus_per_node=network.gpus_per_node,
        recompute=code,
    )
    engine_precision: Precision = "fp8" if case.precision == "fp4" else case.precision  # type: ignore[assignment]
    table = case_table(
        workload=Workload(
            case.model,
            seq_len=needed_count(case.row, "seq_len"),
            global_batch_seqs=case.split.global_batch or 1,
            precision=engine_precision,
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
        recompute=RECOMPUTE_NAMES[int(code)],
    )
    return _with_fp4(case, replace(table, stack=stack), p)


def _with_fp4(case: _Case, table: CaseTable, p: Parameters) -> CaseTable:
    """Run the layers' products on the fp4 units, derated as fp8 units without a measurement."""
    if case.precision != "fp4":
        return table
    peak = case.gpu.fp4_flop_per_s
    gpu = replace(
        table.gpu, peak_flop_per_s=peak, gemm_flop_per_s=peak * p.mamf_ratio_fp8
    )
    return replace(table, gpu=gpu)
