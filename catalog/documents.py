"""Price rows and snapshots: what a comparison copies out of the catalog. PURE pydantic."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

Confidence = Literal["high", "medium", "low", "assumption"]
SourceKind = Literal[
    "vendor_feed",
    "vendor_page",
    "reseller",
    "datasheet",
    "paper",
    "measured",
    "analyst",
    "press",
    "blog",
    "article",
    "assumption",
    "computed",
]


class Document(BaseModel):
    """Base of all catalog documents: closed, frozen, finite numbers."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class SourceRow(Document):
    """Who says so."""

    slug: str
    kind: SourceKind
    publisher: str
    title: str
    reference: str = Field(description="Citation, address or document identity.")
    retrieved_on: date | None = None
    note: str = ""


class PriceRow(Document):
    """One quote as it was used. A price that nobody published is ``None``, never zero."""

    quote_id: str
    item: str = Field(description="Slug of the component, offer or rate priced.")
    label: str
    category: str
    low: float | None
    mid: float | None
    high: float | None
    currency: str = "USD"
    unit: str
    region: str = ""
    min_quantity: int = 1
    payment_option: str = ""
    effective_from: date | None = None
    effective_to: date | None = None
    observed_on: str = Field(default="", description="As written: 2026, 2026-03, …")
    confidence: Confidence
    source: str
    price_book: str
    note: str = ""

    @property
    def is_missing(self) -> bool:
        """True when no price is known."""
        return self.mid is None


class ComponentRow(Document):
    """A part with typed attributes (validated by ``catalog.attributes``)."""

    slug: str
    kind: str
    name: str
    manufacturer: str = ""
    part_number: str = ""
    attributes: dict[str, Any] = Field(default_factory=dict)
    source: str
    note: str = ""


class DesignLineRow(Document):
    """A component of a node and its quantity."""

    component: str
    quantity: float
    note: str = ""


class DesignRow(Document):
    """A node design: parts, power and room of one node."""

    slug: str
    name: str
    description: str = ""
    gpu: str
    gpus_per_node: int
    default_ports_per_node: int
    default_port_gbps: float
    rated_kw: float
    mean_training_kw: float
    idle_kw: float
    rack_units: float
    is_liquid_cooled: bool = False
    lines: list[DesignLineRow]
    includes_nics: bool = Field(
        False, description="The node price already holds the cluster NICs."
    )
    price_book: str = Field(description="Looked up before the comparison's own book.")
    source: str
    power_source: str = ""
    note: str = ""


class OfferRow(Document):
    """A rental offer: what is rented, on which terms, through which network."""

    slug: str
    provider: str
    instance: str
    label: str
    gpu: str
    gpus_per_instance: int
    term: Literal["on_demand", "spot", "capacity_block", "reserved", "contract"]
    payment_option: str = ""
    region: str = ""
    commitment_months: int = 0
    billing_increment_h: float = 1.0
    releases_when_idle: bool
    transport: Literal["infiniband", "roce", "efa", "tcp"]
    ports_per_instance: int
    port_gbps: float
    scaleup_gpus: int = 8
    interruptions_per_node_day: float = 0.0
    source: str
    network_source: str = ""
    note: str = ""


class ModelRow(Document):
    """A published model shape."""

    slug: str
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
    source: str
    note: str = ""


class StackProfileRow(Document):
    """A buyer's own calibration: how far their cluster is from the default model.

    The measurements themselves stay with their owner; only what was fitted is copied.
    """

    slug: str = Field(description="Id of the calibration.")
    name: str
    fitted_on: date
    n_rows: int
    kernel_efficiency: float = Field(gt=0)
    communication_time: float = Field(gt=0)
    step_overhead_s: float = Field(ge=0)
    median_error_before: float
    median_error_after: float


class FxRow(Document):
    """Units of ``reporting`` currency per unit of ``currency`` on a day."""

    currency: str
    reporting: str = "USD"
    rate: float = Field(gt=0)
    observed_on: str
    source: str


def price_key(book: str, item: str) -> str:
    """Key of a row in ``PriceSnapshot.prices``: two books may price one item."""
    return f"{book}:{item}"


class PriceSnapshot(Document):
    """Everything a comparison used, copied: the catalog may change, this may not.

    ``prices`` holds rows as quoted (``price_key``); read them through ``price``.
    """

    as_of: date
    price_book: str
    reporting_currency: str = "USD"
    prices: dict[str, PriceRow] = Field(default_factory=dict)
    components: dict[str, ComponentRow] = Field(default_factory=dict)
    designs: dict[str, DesignRow] = Field(default_factory=dict)
    offers: dict[str, OfferRow] = Field(default_factory=dict)
    models: dict[str, ModelRow] = Field(default_factory=dict)
    fx: dict[str, FxRow] = Field(default_factory=dict)
    stack_profiles: dict[str, StackProfileRow] = Field(default_factory=dict)
    sources: dict[str, SourceRow] = Field(default_factory=dict)

    def price(self, item: str, book: str | None = None) -> PriceRow:
        """Price of ``item`` in the reporting currency.

        Looks in ``book`` first (a node design names its own), then in the snapshot's.
        An unknown price is a row whose ``mid`` is ``None``.

        Raises
        ------
        KeyError
            If the snapshot was taken without ``item``.
        """
        for candidate in (book, self.price_book):
            row = self.prices.get(price_key(candidate, item)) if candidate else None
            if row is not None:
                return self._in_reporting_currency(row)
        raise KeyError(f"{item} is not part of this price snapshot")

    def _in_reporting_currency(self, row: PriceRow) -> PriceRow:
        """Convert by the snapshot's rate; without a rate the price is unknown."""
        if row.currency == self.reporting_currency or row.is_missing:
            return row
        rate = self.fx.get(row.currency)
        factor = rate.rate if rate else None
        return row.model_copy(
            update={
                "currency": self.reporting_currency,
                "low": _times(row.low, factor),
                "mid": _times(row.mid, factor),
                "high": _times(row.high, factor),
                "note": _conversion_note(row, rate),
            }
        )


def _times(amount: float | None, factor: float | None) -> float | None:
    return None if amount is None or factor is None else amount * factor


def _conversion_note(row: PriceRow, rate: FxRow | None) -> str:
    if rate is None:
        return f"{row.note} No exchange rate for {row.currency}.".strip()
    how = f"{row.mid:g} {row.currency} at {rate.rate:g} ({rate.observed_on})."
    return f"{row.note} {how}".strip()


class UnknownReference(Exception):
    """A comparison names something that the catalog does not hold.

    ``kind`` is design, component, offer, model, source or price-book.
    """

    def __init__(self, kind: str, slug: str, suggestions: Sequence[str] = ()) -> None:
        self.kind = kind
        self.slug = slug
        self.suggestions = tuple(suggestions)
        super().__init__(kind, slug, self.suggestions)

    def __str__(self) -> str:
        hint = (
            f" Did you mean {', '.join(self.suggestions)}?" if self.suggestions else ""
        )
        return f"The catalog has no {self.kind} {self.slug!r}.{hint}"


class SnapshotRequest(Document):
    """The references that a comparison makes into the catalog."""

    designs: tuple[str, ...] = ()
    components: tuple[str, ...] = ()
    offers: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    price_book: str = "2026-12"
    as_of: date | None = Field(
        None, description="Day of the quotes; the price book's own day when absent."
    )
