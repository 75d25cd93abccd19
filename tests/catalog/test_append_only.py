"""A quote is never changed: not by the model, the query set or the database."""

from datetime import date

import pytest
from django.db import IntegrityError, connection, transaction

from catalog.models import AppendOnlyError, PriceQuote

pytestmark = pytest.mark.django_db


@pytest.fixture
def quote():
    return PriceQuote.objects.get(item="qm9700")


def copy_of(quote, **changes):
    """An unsaved quote like ``quote``."""
    columns = [f.attname for f in PriceQuote._meta.concrete_fields if f.name != "id"]
    values = {name: getattr(quote, name) for name in columns}
    return PriceQuote(**values | {"quote_id": "test"} | changes)


def test_saving_a_stored_quote_is_refused(quote):
    quote.mid = 1
    with pytest.raises(AppendOnlyError):
        quote.save()


def test_updating_a_query_set_is_refused():
    with pytest.raises(AppendOnlyError):
        PriceQuote.objects.filter(item="qm9700").update(mid=1)


def test_bulk_update_is_refused(quote):
    with pytest.raises(AppendOnlyError):
        PriceQuote.objects.bulk_update([quote], ["mid"])


def test_bulk_create_may_not_overwrite(quote):
    with pytest.raises(AppendOnlyError):
        PriceQuote.objects.bulk_create(
            [copy_of(quote)],
            update_conflicts=True,
            update_fields=["mid"],
            unique_fields=["quote_id"],
        )


def test_the_database_itself_refuses_an_update():
    with pytest.raises(IntegrityError, match="append-only"), transaction.atomic():
        connection.cursor().execute("UPDATE catalog_pricequote SET mid = 1")
    assert not PriceQuote.objects.filter(mid=1, item="qm9700").exists()


def test_deleting_stays_possible(quote):
    quote.delete()
    assert not PriceQuote.objects.filter(item="qm9700").exists()


def test_a_new_quote_may_be_added(quote):
    copy_of(quote, supersedes_id=quote.id).save()
    assert PriceQuote.objects.filter(item="qm9700").count() == 2


@pytest.mark.parametrize(
    "changes",
    [
        {"low": 50_000},
        {"high": 1},
        {"mid": None},
        {"low": -5},
        {"effective_from": date(2026, 2, 1), "effective_to": date(2026, 1, 1)},
        {"min_quantity": 0},
    ],
)
def test_the_database_refuses_nonsense(quote, changes):
    with pytest.raises(IntegrityError), transaction.atomic():
        copy_of(quote, **changes).save()
