"""A stored comparison never changes, whichever way one tries."""

import pytest
from django.db import Error, connection, transaction

from calculator.models import Comparison, ImmutableRow
from tests import factories

pytestmark = pytest.mark.django_db


@pytest.fixture
def comparison():
    return factories.make_comparison("user:1")


def test_saving_again_is_refused(comparison):
    comparison.name = "Changed"
    with pytest.raises(ImmutableRow):
        comparison.save()


def test_saving_a_loaded_row_is_refused(comparison):
    with pytest.raises(ImmutableRow):
        Comparison.objects.get().save()


@pytest.mark.parametrize(
    "change",
    [
        lambda rows: rows.update(name="Changed"),
        lambda rows: rows.bulk_update(list(rows), ["name"]),
        lambda rows: rows.update_or_create(
            owner_key="user:1", defaults={"name": "Changed"}
        ),
        lambda rows: rows.bulk_create(
            list(rows),
            update_conflicts=True,
            unique_fields=["id"],
            update_fields=["name"],
        ),
    ],
    ids=["update", "bulk_update", "update_or_create", "upsert"],
)
def test_query_sets_refuse_to_change_rows(comparison, change):
    with pytest.raises(ImmutableRow):
        change(Comparison.objects.all())


@pytest.mark.parametrize("column", ["name", "result_hash", "owner_key"])
def test_the_database_refuses_an_update_that_passes_django_by(comparison, column):
    with (
        pytest.raises(Error, match="comparisons never change"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(f"UPDATE calculator_comparison SET {column} = 'x'")
    assert Comparison.objects.get().name == "Two ways to train 70B"


def test_a_comparison_may_be_deleted(comparison):
    comparison.delete()
    assert not Comparison.objects.exists()
