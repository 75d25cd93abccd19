"""The alternatives: ways to get training compute, tagged by a required ``kind``."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from calculator.spec import fields as f
from calculator.spec.base import Asked, Cited, Pinned, SpecModel
from calculator.spec.hardware import FabricChoice, StorageChoice


class OwnOption(SpecModel):
    """Buy nodes and a fabric, run them in a colocation or an own hall."""

    kind: Literal["own"]
    label: f.Name = Asked("What to call this alternative.")
    node_design: f.Slug = Asked("Node design in the catalog.", choices="designs")
    n_nodes: f.Nodes = Asked("Nodes that train; spares are added on top.")
    fabric: FabricChoice | None = Cited(
        None, "Network between nodes; none for a single node.", source="computed"
    )
    storage: StorageChoice = Cited(
        StorageChoice(), "Shared storage.", source="planning-assumption"
    )
    node_price_usd: f.Usd | None = Pinned(
        "Your own quote for one node; replaces the catalog's price of its parts."
    )
    purchase_discount_fraction: f.Fraction = Cited(
        0.0,
        "Discount on all hardware of this alternative.",
        source="planning-assumption",
        advanced=True,
    )


class RentOption(SpecModel):
    """Rent instances of one offer."""

    kind: Literal["rent"]
    label: f.Name = Asked("What to call this alternative.")
    offer: f.Slug = Asked("Rental offer in the catalog.", choices="offers")
    n_instances: f.Nodes = Asked("Instances rented together.")
    usd_per_instance_hour: f.UsdPerInstanceHour | None = Pinned(
        "Your own price of one instance-hour; replaces the list price."
    )
    discount_fraction: f.Fraction = Cited(
        0.0,
        "Discount on the list price of the instances.",
        source="planning-assumption",
        advanced=True,
    )
    support_fraction: f.Fraction = Cited(
        0.0,
        "Support plan over the compute bill.",
        source="planning-assumption",
        advanced=True,
    )
    storage_tb: f.Terabytes = Cited(
        100.0, "Managed shared storage rented beside.", source="planning-assumption"
    )
    storage_usd_per_tb_month: f.UsdPerTbMonth = Cited(
        140.0,
        "Price of managed shared storage.",
        source="planning-assumption",
        advanced=True,
    )
    storage_read_gbytes_per_s: f.GbytesPerS = Cited(
        40.0,
        "Read rate of the rented storage.",
        source="planning-assumption",
        advanced=True,
    )
    storage_write_gbytes_per_s: f.GbytesPerS = Cited(
        20.0,
        "Write rate of the rented storage.",
        source="planning-assumption",
        advanced=True,
    )
    egress_tb_per_month: f.TbPerMonth = Cited(
        2.0,
        "Data taken out each month (checkpoints, logs).",
        source="planning-assumption",
        advanced=True,
    )
    egress_usd_per_tb: f.UsdPerTb = Cited(
        90.0, "Price of egress.", source="planning-assumption", advanced=True
    )


Option = Annotated[OwnOption | RentOption, Field(discriminator="kind")]
