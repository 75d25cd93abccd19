"""The catalog's tables."""

from catalog.models.components import Component
from catalog.models.designs import BomLine, NodeDesign
from catalog.models.offers import RentalOffer
from catalog.models.prices import AppendOnlyError, FxRate, PriceBook, PriceQuote
from catalog.models.shapes import ModelShape
from catalog.models.sources import Source

__all__ = [
    "AppendOnlyError",
    "BomLine",
    "Component",
    "FxRate",
    "ModelShape",
    "NodeDesign",
    "PriceBook",
    "PriceQuote",
    "RentalOffer",
    "Source",
]
