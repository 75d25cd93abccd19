"""Pages are tested with a hand-made result: no engine, no catalog, no hashed files."""

from __future__ import annotations

import pytest

from tests.frontend import fakes


@pytest.fixture(autouse=True)
def plain_static_files(settings):
    settings.STORAGES = {
        **settings.STORAGES,
        "staticfiles": {
            "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        },
    }


@pytest.fixture
def faked(monkeypatch, settings):
    """Evaluation and form choices without engine and catalog; jobs run at once."""
    from calculator.services import previews
    from catalog import selectors
    from catalog.documents import PriceSnapshot

    settings.JOB_RUNNER = "inline"
    snapshot = PriceSnapshot(as_of="2026-12-01", price_book="2026-12")
    monkeypatch.setattr(previews, "preview", fakes.evaluate)
    monkeypatch.setattr(previews, "evaluate", fakes.evaluate)
    monkeypatch.setattr(previews, "snapshot_of", lambda spec, owner_key="": snapshot)
    monkeypatch.setattr(selectors, "choices_for", fakes.choices_for)
