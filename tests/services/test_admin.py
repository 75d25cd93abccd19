"""The back office shows and revokes; it edits nothing and shows no token."""

import pytest
from django.urls import reverse

from calculator.services import sharing
from tests import factories

pytestmark = pytest.mark.django_db

KINDS = ["comparison", "job", "sharelink"]


@pytest.fixture(autouse=True)
def _plain_static_files(settings):
    settings.STORAGES = {
        **settings.STORAGES,
        "staticfiles": {
            "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        },
    }


@pytest.fixture
def rows():
    comparison = factories.make_comparison("user:1")
    link = sharing.create(comparison, owner_key="user:1")
    return {
        "comparison": comparison,
        "job": factories.make_job("user:1"),
        "sharelink": link,
    }


@pytest.mark.parametrize("kind", KINDS)
def test_rows_are_listed_and_shown_but_not_edited(admin_client, rows, kind):
    listed = admin_client.get(reverse(f"admin:calculator_{kind}_changelist"))
    assert listed.status_code == 200
    assert str(rows[kind].pk) in listed.content.decode()
    address = reverse(f"admin:calculator_{kind}_change", args=[rows[kind].pk])
    shown = admin_client.get(address)
    assert shown.status_code == 200
    assert 'name="_save"' not in shown.content.decode()
    assert admin_client.post(address, {"name": "Changed"}).status_code == 403
    assert admin_client.get(reverse(f"admin:calculator_{kind}_add")).status_code == 403


def test_a_token_is_never_shown(admin_client, rows):
    link = rows["sharelink"]
    for address in (
        reverse("admin:calculator_sharelink_changelist"),
        reverse("admin:calculator_sharelink_change", args=[link.pk]),
    ):
        assert link.token not in admin_client.get(address).content.decode()


def test_links_are_revoked_by_hand(admin_client, rows):
    link = rows["sharelink"]
    admin_client.post(
        reverse("admin:calculator_sharelink_changelist"),
        {"action": "revoke", "_selected_action": [link.pk]},
    )
    assert sharing.resolve(link.token) is None
