"""A client that speaks JSON, and the evaluation replaced by a document made by hand."""

import json
import uuid

import pytest
from django.core.cache.backends.locmem import LocMemCache
from django.test import Client

from calculator.api.throttling import ScopedThrottle
from tests import factories

BASE = "/api/v1"


class ApiClient(Client):
    """Sends bodies as JSON."""

    def send(self, path, body, **headers):
        raw = body if isinstance(body, (bytes, str)) else json.dumps(body)
        return self.post(
            BASE + path, raw, content_type="application/json", headers=headers
        )

    def read(self, path, query=None, **headers):
        return self.get(BASE + path, query, headers=headers)


@pytest.fixture(autouse=True)
def _fresh_throttles(monkeypatch):
    """Counts of this test only, kept apart from any shared cache."""
    counts = LocMemCache(uuid.uuid4().hex, {})
    monkeypatch.setattr(ScopedThrottle, "cache", counts)


@pytest.fixture
def api():
    """Anonymous client without a session."""
    return ApiClient()


@pytest.fixture
def users(django_user_model):
    """Alice and Bob, logged in."""
    clients = {}
    for name in ("alice", "bob"):
        clients[name] = ApiClient()
        clients[name].force_login(django_user_model.objects.create_user(name))
    return clients


@pytest.fixture
def evaluation(monkeypatch):
    """Calls made to the evaluation."""
    return factories.stub_evaluation(monkeypatch)
