"""Who sees what: Alice, Bob and the anonymous API."""

import pytest
from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.backends.db import SessionStore
from django.test import RequestFactory

from calculator import selectors
from calculator.services.owners import owner_key_of
from tests import factories

pytestmark = pytest.mark.django_db

ALICE, BOB, ANONYMOUS = "user:1", "session:b", ""

OPENS = {
    # owner of the row: who may open it
    ALICE: {ALICE},
    BOB: {BOB},
    ANONYMOUS: {ALICE, BOB, ANONYMOUS},
}


@pytest.mark.parametrize("reader", [ALICE, BOB, ANONYMOUS])
@pytest.mark.parametrize("owner", OPENS)
def test_rows_open_for_their_owner_and_ownerless_rows_for_all(owner, reader):
    comparison, job = factories.make_comparison(owner), factories.make_job(owner)
    may_open = reader in OPENS[owner]
    assert (selectors.comparison_for(comparison.pk, reader) is not None) == may_open
    assert (selectors.job_for(job.pk, reader) is not None) == may_open
    hashed = selectors.result_hash_for(comparison.pk, reader)
    assert hashed == (comparison.result_hash if may_open else None)


@pytest.mark.parametrize("reader", [ALICE, BOB, ANONYMOUS])
def test_lists_hold_own_rows_only_and_none_for_the_anonymous(reader):
    for owner in OPENS:
        factories.make_comparison(owner)
        factories.make_job(owner)
    expected = {reader} - {ANONYMOUS}
    listed = selectors.comparison_list(reader)
    assert {row.owner_key for row in listed} == expected
    assert {job.owner_key for job in selectors.jobs_visible_to(reader)} == expected


def test_a_list_leaves_the_documents_in_the_database(django_assert_num_queries):
    for number in range(5):
        factories.make_comparison(ALICE, name=f"Number {number}")
    with django_assert_num_queries(1):
        rows = list(selectors.comparison_list(ALICE))
        assert [row.verdict for row in rows] == ["Eight nodes is cheapest."] * 5
    assert rows[0].get_deferred_fields() == {"spec", "prices", "result"}


def request(user=None, session=None):
    made = RequestFactory().get("/")
    made.user = user or AnonymousUser()
    made.session = session if session is not None else SessionStore()
    return made


def test_a_logged_in_user_is_the_owner(django_user_model):
    user = django_user_model.objects.create_user("alice")
    assert owner_key_of(request(user)) == f"user:{user.pk}"


def test_a_visitor_without_a_session_owns_nothing():
    assert owner_key_of(request()) == ""


def test_a_page_gives_a_visitor_a_lasting_key_that_is_not_the_session_key():
    session = SessionStore()
    key = owner_key_of(request(session=session), create=True)
    session.save()
    assert key.startswith("session:")
    assert session.session_key not in key
    assert owner_key_of(request(session=SessionStore(session.session_key))) == key


def test_two_visitors_have_two_keys():
    keys = {owner_key_of(request(), create=True) for _ in range(2)}
    assert len(keys) == 2
