"""Which quote is used, when several price the same thing."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import Any

from catalog.choices import Confidence, SourceKind
from catalog.models import PriceQuote

SOURCE_RANK = {kind: rank for rank, kind in enumerate(SourceKind.values)}
CONFIDENCE_RANK = {value: rank for rank, value in enumerate(Confidence.values)}


def pick_quote(
    quotes: Iterable[PriceQuote],
    *,
    as_of: date,
    region: str = "",
    quantity: float = 1,
    payment_option: str = "",
) -> PriceQuote | None:
    """Pick the quote of one item that applies; ``None`` if none does.

    A quote applies if it is in effect on ``as_of``, is for ``region`` or for any, asks
    for no more than ``quantity``, and has this payment option or none. Among those:
    a stated price before an unknown one, the region's own before any region's, the
    named payment option before none, the highest quantity tier reached, then the rank
    of the source, the latest day, and the better confidence. Pass quotes that nothing
    supersedes.
    """
    applicable = [
        quote
        for quote in quotes
        if is_in_effect(quote, as_of)
        and quote.region in {"", region}
        and quote.min_quantity <= quantity
        and quote.payment_option in {"", payment_option}
    ]
    return min(applicable, key=_preference, default=None)


def is_in_effect(quote: PriceQuote, as_of: date) -> bool:
    """Whether ``as_of`` lies in the quote's effective range, both ends included."""
    starts, ends = quote.effective_from, quote.effective_to
    return (starts is None or starts <= as_of) and (ends is None or as_of <= ends)


def _preference(quote: PriceQuote) -> tuple[Any, ...]:
    return (
        quote.mid is None,
        not quote.region,
        not quote.payment_option,
        -quote.min_quantity,
        SOURCE_RANK[quote.source.kind],
        -(quote.effective_from or date.min).toordinal(),
        CONFIDENCE_RANK[quote.confidence],
        quote.quote_id,
    )
