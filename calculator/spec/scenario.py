"""ComparisonV1: the one document that says what is compared."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal, Self

from pydantic import (
    ConfigDict,
    Field,
    ValidationInfo,
    field_validator,
    model_validator,
)
from pydantic_core import PydanticCustomError

from calculator.spec import fields as f
from calculator.spec.assumptions import Assumptions
from calculator.spec.base import Asked, Cited, SpecModel
from calculator.spec.options import Option
from calculator.spec.workload import Workload

MAX_ALTERNATIVES = 8


class Pricing(SpecModel):
    """Which prices are used."""

    price_book: f.Slug = Cited(
        "2026-12",
        "Price book of the catalog.",
        source="computed",
        choices="price-books",
    )
    as_of: date | None = Cited(
        None,
        "Day on which quotes must be in force; the price book's own day when absent.",
        source="computed",
        advanced=True,
    )
    reporting_currency: Literal["USD"] = Cited(
        "USD", "Currency of all results.", source="computed", advanced=True
    )


class ComparisonV1(SpecModel):
    """Up to eight ways to get the compute for one workload."""

    model_config = ConfigDict(validate_default=True)

    schema_version: Literal["1"]
    name: f.Name = Asked("Title of the comparison.")
    description: f.Text = Cited("", "What it is for.", source="computed")
    workload: Workload = Asked("What is trained.")
    assumptions: Assumptions = Cited(
        Assumptions(), "What all alternatives share.", source="computed"
    )
    pricing: Pricing = Cited(Pricing(), "Price book and day.", source="computed")
    alternatives: Annotated[
        dict[f.Slug, Option],
        Field(
            min_length=1,
            max_length=MAX_ALTERNATIVES,
            json_schema_extra={"additionalProperties": False},
        ),
    ] = Asked("The alternatives, keyed by a short name.")
    order: list[f.Slug] = Cited(
        [], "Order of the alternatives; empty is the order given.", source="computed"
    )
    base: f.Slug | None = Cited(
        None,
        "Alternative that differences are shown against; the first when absent.",
        source="computed",
    )

    @field_validator("order")
    @classmethod
    def _fill_order(cls, order: list[str], info: ValidationInfo) -> list[str]:
        """An absent order is the order in which the alternatives stand.

        Not a validator of the raw document: after one of those pydantic reads Python
        objects strictly, and a date written as text would be refused.
        """
        return order or list(info.data.get("alternatives", ()))

    @model_validator(mode="after")
    def _order_names_alternatives(self) -> Self:
        if sorted(self.order) != sorted(self.alternatives):
            raise PydanticCustomError(
                "order_mismatch",
                "order must name each alternative exactly once: {expected}",
                {"expected": ", ".join(self.alternatives), "pointer": "/order"},
            )
        if self.base is not None and self.base not in self.alternatives:
            raise PydanticCustomError(
                "unknown_base",
                "base must name an alternative: {expected}",
                {"expected": ", ".join(self.alternatives), "pointer": "/base"},
            )
        return self

    @property
    def base_key(self) -> str:
        """Key of the alternative that differences are shown against."""
        return self.base or self.order[0]
