"""Bring the stored quotes in line with a price-book folder, by adding only."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from typing import Any

from django.db.models import QuerySet

from catalog.choices import ItemKind
from catalog.models import PriceQuote
from catalog.services.pricebook_files import Pricebook, QuoteEntry

WITHDRAWN_COLUMNS = (
    "price_book_id",
    "item_kind",
    "item",
    "currency",
    "unit",
    "region",
    "min_quantity",
    "payment_option",
    "effective_from",
    "effective_to",
    "observed_on",
    "confidence",
    "source_id",
)


def sync_quotes(
    pricebook: Pricebook, book_ids: dict[str, int], source_ids: dict[str, int]
) -> Counter[str]:
    """Add what is new, supersede what differs, withdraw what left the folder."""
    known = {_stored_key(quote): quote for quote in _current(pricebook)}
    offers = {row.data.slug for row in pricebook.offers}
    kinds = {row.data.slug: row.data.kind for row in pricebook.components}
    counts: Counter[str] = Counter(created=0, updated=0, unchanged=0)
    new = []
    for entry in (row.data for row in pricebook.quotes):
        old, digest = known.pop(entry.key, None), content_hash(entry)
        if old is not None and old.content_hash == digest:
            counts["unchanged"] += 1
            continue
        counts["created" if old is None else "updated"] += 1
        quote = _quote(entry, digest, old)
        quote.price_book_id = book_ids[entry.price_book]
        quote.source_id = source_ids[entry.source]
        quote.item_kind = _item_kind(entry.item, offers, kinds)
        new.append(quote)
    withdrawals = [
        _withdrawal(quote) for quote in known.values() if not quote.is_withdrawn
    ]
    counts["withdrawn"] = len(withdrawals)
    PriceQuote.objects.bulk_create([*new, *withdrawals])
    return counts


def content_hash(entry: QuoteEntry) -> str:
    """Hash of what a quote says, the same for equal amounts however written."""
    content = entry.model_dump(mode="json")
    for name in ("low", "mid", "high"):
        amount = getattr(entry, name)
        content[name] = None if amount is None else f"{amount:.6f}"
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def quote_id(digest: str, supersedes: str = "") -> str:
    """Short stable identity of a quote: its content and what it supersedes."""
    return hashlib.sha256(f"{digest} {supersedes}".encode()).hexdigest()[:12]


def _current(pricebook: Pricebook) -> QuerySet[PriceQuote]:
    """Quotes of the folder's books that nothing supersedes, withdrawn ones too."""
    books = [row.data.slug for row in pricebook.books]
    current = PriceQuote.objects.filter(
        price_book__slug__in=books, superseded_by__isnull=True
    )
    return current.select_related("price_book", "source")


def _stored_key(quote: PriceQuote) -> tuple[Any, ...]:
    """Say what ``QuoteEntry.key`` says of a row."""
    return (
        quote.price_book.slug,
        quote.item,
        quote.region,
        quote.min_quantity,
        quote.payment_option,
        quote.source.slug,
        quote.observed_on,
        quote.effective_from,
    )


def _item_kind(item: str, offers: set[str], kinds: dict[str, str]) -> str:
    if item in offers:
        return ItemKind.OFFER
    return ItemKind.RATE if kinds[item] == "rate" else ItemKind.COMPONENT


def _quote(entry: QuoteEntry, digest: str, old: PriceQuote | None) -> PriceQuote:
    return PriceQuote(
        quote_id=quote_id(digest, old.quote_id if old else ""),
        content_hash=digest,
        supersedes=old,
        **entry.model_dump(exclude={"price_book", "source"}),
    )


def _withdrawal(quote: PriceQuote) -> PriceQuote:
    """Build the quote that ends ``quote`` without another price."""
    digest = hashlib.sha256(f"withdrawn {quote.quote_id}".encode()).hexdigest()
    return PriceQuote(
        **{name: getattr(quote, name) for name in WITHDRAWN_COLUMNS},
        quote_id=quote_id(digest, quote.quote_id),
        content_hash=digest,
        supersedes=quote,
        is_withdrawn=True,
        note="Withdrawn: the price book's folder does not hold it any more.",
    )
