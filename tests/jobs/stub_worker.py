"""Celery application of the courier's test: the product's own, its evaluation stubbed.

The courier is what is tested; evaluations are tested where they are written.
"""

from celery.signals import celeryd_after_setup

from calculator.config.celery import app

__all__ = ["app"]


@celeryd_after_setup.connect
def stub_the_evaluation(**kwargs):
    """Replace the evaluation before the pool's processes are forked."""
    from calculator.services import previews
    from tests import factories

    previews._evaluate = lambda spec, snapshot, progress=None: factories.make_result(
        spec
    )
