"""What a claim may ask: comparisons, memory, prices and parts, all evaluated live. PURE."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from calculator.claims.model import Document, Evidence
from calculator.engine.training.inputs import (
    ClusterNetwork,
    ModelShape,
    Strategy,
    StrategyPins,
    ThroughputResult,
    TrainingStorage,
    Workload,
)
from calculator.engine.training.throughput import best_strategy, evaluate_strategy
from calculator.engine.training.workload import n_parameters
from calculator.engine.units import BILLION, GIGA
from calculator.resolve import hardware
from calculator.resolve.comparison import evaluate_comparison
from calculator.spec.problems import validate_comparison
from calculator.spec.result import AlternativeResult, ResultV1
from calculator.spec.workload import CatalogModel
from calculator.spec.workload import Workload as WorkloadSpec
from catalog.documents import PriceRow, PriceSnapshot

AMPLE_STORAGE = TrainingStorage(read_bytes_per_s=40 * GIGA, write_bytes_per_s=20 * GIGA)
"""Shared storage that never limits these readings."""


@dataclass
class World:
    """The catalog as copied, and what was already evaluated with it.

    ``history`` holds quotes of an item in the order in which they took effect.
    """

    snapshot: PriceSnapshot
    history: Mapping[str, Sequence[PriceRow]]
    _results: dict[str, ResultV1] = field(default_factory=dict)

    def compare(self, document: Document) -> ResultV1:
        """Evaluate a comparison; an equal one is evaluated once.

        Raises
        ------
        SpecError
            Where none of its alternatives can run.
        """
        key = json.dumps({**document, "name": "", "description": ""}, sort_keys=True)
        if key not in self._results:
            spec = validate_comparison(document)
            self._results[key] = evaluate_comparison(spec, self.snapshot)
        return self._results[key]

    def alternative(self, document: Document, key: str) -> AlternativeResult:
        """One alternative of an evaluated comparison."""
        return self.compare(document).alternatives[key]

    def price(self, item: str, book: str | None = None) -> float:
        """Price of an item in USD.

        Raises
        ------
        LookupError
            If nobody published one.
        """
        mid = self.snapshot.price(item, book).mid
        if mid is None:
            raise LookupError(f"no price of {item} is known")
        return mid

    def attribute(self, component: str, name: str) -> float:
        """A number from a part's datasheet."""
        return float(self.snapshot.components[component].attributes[name])

    def shape(self, model: str) -> ModelShape:
        """Shape of a model of the catalog."""
        choice = CatalogModel(kind="catalog", name=model)
        return hardware.model_shape(WorkloadSpec(model=choice), self.snapshot)

    def cluster(
        self,
        n_nodes: int,
        *,
        transport: str = "infiniband",
        ports: int = 8,
        gbps: int = 400,
    ) -> ClusterNetwork:
        """Nodes of eight GPUs behind some ports."""
        return hardware.network(
            n_nodes=n_nodes,
            gpus_per_node=8,
            ports_per_node=ports,
            port_gbps=gbps,
            transport=transport,  # type: ignore[arg-type]
            n_tiers=0 if n_nodes == 1 else 1,
        )

    def fastest(
        self,
        model: ModelShape,
        network: ClusterNetwork,
        *,
        seq_len: int,
        global_batch_seqs: int,
        pins: StrategyPins = StrategyPins(),
    ) -> ThroughputResult:
        """Fastest feasible strategy on H100.

        Raises
        ------
        EngineError
            Where nothing fits.
        """
        return best_strategy(
            workload=Workload(model, seq_len, global_batch_seqs),
            gpu=hardware.gpu_spec(self.snapshot.components["h100-sxm"]),
            network=network,
            storage=AMPLE_STORAGE,
            pins=pins,
        )

    def memory_gb(
        self,
        model: ModelShape,
        n_gpus: int,
        *,
        sharding: str = "zero3",
        seqs: int = 1,
        without: Sequence[str] = (),
    ) -> float:
        """Memory on the fullest H100 of fully recomputed data parallelism [GB].

        ``without`` names parts of the memory that are kept elsewhere.
        """
        n_nodes = max(n_gpus // 8, 1)
        result = evaluate_strategy(
            workload=Workload(model, 4096, n_gpus * seqs),
            gpu=hardware.gpu_spec(self.snapshot.components["h100-sxm"]),
            network=self.cluster(n_nodes),
            storage=AMPLE_STORAGE,
            strategy=Strategy(
                1, 1, 1, 1, 1, n_gpus, sharding, seqs, 1, "full"  # type: ignore[arg-type]
            ),
        )  # fmt: skip
        return sum(p.bytes for p in result.memory if p.key not in without) / GIGA

    def largest_model_billions(
        self, n_gpus: int, *, without: Sequence[str] = ()
    ) -> float:
        """Parameters of the deepest 70B-wide model that fits, fully sharded [10^9]."""
        base = self.shape("llama-2-70b")
        limit_gb = self.attribute("h100-sxm", "hbm_gb")
        low, high = 1, 1024
        while high - low > 1:
            middle = (low + high) // 2
            shape = replace(base, layers=middle)
            if self.memory_gb(shape, n_gpus, without=without) <= limit_gb:
                low = middle
            else:
                high = middle
        return n_parameters(replace(base, layers=low)).total / BILLION

    def listed(self, item: str, label: str, *, unit: str = "USD") -> Evidence:
        """A price of the catalog as evidence, with its range and source."""
        row = self.snapshot.price(item)
        mid = self.price(item)
        source = self.snapshot.sources[row.source]
        return Evidence(
            label=label,
            low=mid if row.low is None else row.low,
            high=mid if row.high is None else row.high,
            unit=unit,
            publisher=source.publisher,
            reference=source.reference,
            observed_on=row.observed_on,
        )

    def published(self, component: str, name: str, label: str, unit: str) -> Evidence:
        """A number of a part's datasheet as evidence."""
        value = self.attribute(component, name)
        source = self.snapshot.sources[self.snapshot.components[component].source]
        return Evidence(label, value, value, unit, source.publisher, source.reference)
