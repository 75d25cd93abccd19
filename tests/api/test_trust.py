"""Accuracy and claims over the API, from the bundled catalog."""

from __future__ import annotations

import pytest
from django.core.cache import cache

from calculator.claims import judge
from calculator.engine.version import ENGINE_VERSION
from calculator.spec.accuracy import AccuracyV1
from calculator.spec.claims import ClaimsLedgerV1

pytestmark = pytest.mark.django_db


@pytest.fixture
def counted(monkeypatch):
    """Count evaluations; the ledger itself is cut to two claims."""
    calls = []
    whole = judge.ledger

    def once(world):
        calls.append(1)
        return whole(world)

    cache.clear()
    monkeypatch.setattr(judge, "CLAIMS", judge.CLAIMS[-3:])
    monkeypatch.setattr(judge, "sweep", lambda _world: [])
    monkeypatch.setattr(judge, "ledger", once)
    yield calls
    cache.clear()


def test_claims_are_a_document(client, counted):
    response = client.get("/api/v1/claims")
    assert response.status_code == 200
    found = ClaimsLedgerV1.model_validate_json(response.content)
    assert found.engine_version == ENGINE_VERSION
    assert found.claims


def test_the_ledger_is_kept_until_something_changes(client, counted, monkeypatch):
    first = client.get("/api/v1/claims").content
    assert client.get("/api/v1/claims").content == first
    assert len(counted) == 1
    monkeypatch.setattr("calculator.services.claims.ENGINE_VERSION", "another")
    client.get("/api/v1/claims")
    assert len(counted) == 2


def test_a_new_price_makes_the_ledger_anew(client, counted, monkeypatch):
    from calculator.services import claims

    client.get("/api/v1/claims")
    whole = claims.take_snapshot

    def dearer(request):
        snapshot = whole(request)
        row = snapshot.price("market-h100-list")
        changed = row.model_copy(update={"mid": row.mid + 1, "high": row.high + 1})
        prices = {**snapshot.prices, "2026-12:market-h100-list": changed}
        return snapshot.model_copy(update={"prices": prices})

    monkeypatch.setattr(claims, "take_snapshot", dearer)
    client.get("/api/v1/claims")
    assert len(counted) == 2


def test_accuracy_is_a_document(client):
    response = client.get("/api/v1/accuracy")
    assert response.status_code == 200
    found = AccuracyV1.model_validate_json(response.content)
    assert found.parameters
    assert all(row.unit for row in found.parameters)


def test_the_terminal_prints_each_claim_with_its_verdict(counted, capsys):
    from django.core.management import call_command

    call_command("claims")
    printed = capsys.readouterr().out
    assert "straggler-15" in printed
    assert "not tested" in printed
