"""Share links: unguessable, ended by time or by hand."""

from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from calculator import selectors
from calculator.services import sharing
from tests import factories

pytestmark = pytest.mark.django_db

ALICE, BOB = "user:1", "user:2"


@pytest.fixture
def comparison():
    return factories.make_comparison(ALICE)


def test_a_token_has_at_least_128_bits_and_differs_each_time(comparison):
    tokens = {sharing.create(comparison, owner_key=ALICE).token for _ in range(20)}
    assert len(tokens) == 20
    assert all(len(token) * 6 >= 128 for token in tokens)


def test_a_link_resolves_with_its_comparison_in_one_query(
    comparison, django_assert_num_queries
):
    token = sharing.create(comparison, owner_key=ALICE).token
    with django_assert_num_queries(1):
        assert sharing.resolve(token).comparison.name == comparison.name


@pytest.mark.parametrize("token", ["", "short", "\x00" * 32, "x" * 32, "é" * 32])
def test_an_unknown_token_resolves_to_nothing(comparison, token):
    assert sharing.resolve(token) is None
    assert not sharing.revoke(token, owner_key=ALICE)


def test_an_expired_link_resolves_to_nothing(comparison):
    link = sharing.create(comparison, owner_key=ALICE, expires_in_days=2)
    now = timezone.now()
    with time_machine.travel(now + timedelta(days=2, seconds=-60), tick=False):
        assert sharing.resolve(link.token) == link
    with time_machine.travel(now + timedelta(days=2, seconds=60), tick=False):
        assert sharing.resolve(link.token) is None


def test_a_revoked_link_resolves_to_nothing_and_the_others_still_work(comparison):
    gone, kept = (sharing.create(comparison, owner_key=ALICE) for _ in range(2))
    assert sharing.revoke(gone.token, owner_key=ALICE)
    assert sharing.resolve(gone.token) is None
    assert sharing.resolve(kept.token) == kept
    assert list(selectors.share_links_of(comparison, ALICE)) == [kept]


@pytest.mark.parametrize("stranger", [BOB, ""])
def test_a_stranger_cannot_revoke(comparison, stranger):
    link = sharing.create(comparison, owner_key=ALICE)
    assert not sharing.revoke(
        link.token, owner_key=stranger, comparison_id=comparison.pk
    )
    assert sharing.resolve(link.token) == link


def test_a_reader_of_an_ownerless_link_cannot_revoke_it():
    comparison = factories.make_comparison("")
    link = sharing.create(comparison, owner_key="")
    assert not sharing.revoke(link.token, owner_key="")
    assert sharing.revoke(link.token, owner_key="", comparison_id=comparison.pk)


def test_links_of_others_are_not_listed(comparison):
    sharing.create(comparison, owner_key=ALICE)
    assert not selectors.share_links_of(comparison, BOB)
    assert not selectors.share_links_of(comparison, "")
