"""Shared fixtures."""

import pytest


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup, django_db_blocker):
    """Load the bundled price book once into the test database."""
    from django.core.management import call_command

    with django_db_blocker.unblock():
        call_command("load_pricebook", verbosity=0)


def pytest_addoption(parser):
    parser.addoption(
        "--update-golden",
        action="store_true",
        help="rewrite tests/golden/*.json; needs a new ENGINE_VERSION and a changelog line",
    )
