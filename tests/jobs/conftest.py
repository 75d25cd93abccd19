"""The evaluation replaced by documents made by hand."""

import pytest

from tests import factories


@pytest.fixture
def evaluation(monkeypatch):
    """Calls made to the evaluation."""
    return factories.stub_evaluation(monkeypatch)
