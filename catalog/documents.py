"""Price rows and snapshots: what a comparison copies out of the catalog. PURE pydantic."""

from __future__ import annotations

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
    source: str
    note: str = ""


class FxRow(Document):
    """Units of ``reporting`` currency per unit of ``currency`` on a day."""

    currency: str
    reporting: str = "USD"
    rate: float = Field(gt=0)
    observed_on: str
    source: str


class PriceSnapshot(Document):
    """Everything a comparison used, copied: the catalog may change, this may not."""

    as_of: date
    price_book: str
    reporting_currency: str = "USD"
    prices: dict[str, PriceRow] = Field(default_factory=dict)
    components: dict[str, ComponentRow] = Field(default_factory=dict)
    designs: dict[str, DesignRow] = Field(default_factory=dict)
    offers: dict[str, OfferRow] = Field(default_factory=dict)
    models: dict[str, ModelRow] = Field(default_factory=dict)
    fx: dict[str, FxRow] = Field(default_factory=dict)
    sources: dict[str, SourceRow] = Field(default_factory=dict)


class SnapshotRequest(Document):
    """The references that a comparison makes into the catalog."""

    designs: tuple[str, ...] = ()
    components: tuple[str, ...] = ()
    offers: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    price_book: str = "2026-12"
    as_of: date
