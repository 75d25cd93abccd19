"""The claims ledger: computed live, kept until engine or prices change."""

from __future__ import annotations

from django.core.cache import cache

from calculator.claims import judge, registry
from calculator.claims.world import World
from calculator.engine.training.parameters import fit_summary
from calculator.engine.version import ENGINE_VERSION
from calculator.spec.canonical import sha256
from calculator.spec.claims import ClaimsLedgerV1
from catalog import selectors
from catalog.documents import PriceRow, PriceSnapshot
from catalog.services import rows
from catalog.services.snapshots import take_snapshot

A_DAY_S = 86_400


def ledger() -> ClaimsLedgerV1:
    """Every claim with its verdict.

    The key holds engine, fit and all prices looked at, so a change of any is computed
    anew at the next request.
    """
    snapshot = take_snapshot(registry.snapshot_request())
    key = f"claims:{ENGINE_VERSION}:{_fingerprint(snapshot)}"
    text = cache.get(key)
    if text is not None:
        return ClaimsLedgerV1.model_validate_json(text)
    found = judge.ledger(World(snapshot, price_history(snapshot)))
    cache.set(key, found.model_dump_json(), A_DAY_S)
    return found


def _fingerprint(snapshot: PriceSnapshot) -> str:
    return sha256([snapshot.model_dump(mode="json"), fit_summary()])


def price_history(snapshot: PriceSnapshot) -> dict[str, list[PriceRow]]:
    """Quotes of some items in the order in which they took effect."""
    return {item: _path(item, snapshot) for item in registry.HISTORY}


def _path(item: str, snapshot: PriceSnapshot) -> list[PriceRow]:
    quotes = selectors.quote_history(item).filter(
        price_book__slug=snapshot.price_book,
        superseded_by__isnull=True,
        is_withdrawn=False,
        effective_from__lte=snapshot.as_of,
    )
    return [
        rows.price_row(quote, label=item, category="rate")
        for quote in quotes.order_by("effective_from", "id")
    ]
