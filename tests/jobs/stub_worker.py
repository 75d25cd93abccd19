"""Celery application of the courier's test: the product's own, its evaluation stubbed.

The courier is what is tested; evaluations are tested where they are written.
"""

from calculator.config.celery import app
from calculator.services import previews
from tests import factories

previews._evaluate = lambda spec, snapshot, progress=None: factories.make_result(spec)

__all__ = ["app"]
