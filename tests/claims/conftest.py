"""One world for all tests of claims: the bundled catalog, evaluated once."""

from __future__ import annotations

import pytest
from django.core.management import call_command

from calculator.claims import judge, registry
from calculator.claims.world import World
from calculator.services import claims
from catalog.services.snapshots import take_snapshot


@pytest.fixture(scope="session")
def world(django_db_setup, django_db_blocker) -> World:
    with django_db_blocker.unblock():
        # Transactional tests of the same process may have emptied the tables.
        call_command("load_pricebook", verbosity=0)
        snapshot = take_snapshot(registry.snapshot_request())
        return World(snapshot, claims.price_history(snapshot))


@pytest.fixture(scope="session")
def ledger(world):
    return judge.ledger(world)
