"""Share links over HTTP."""

import uuid

import pytest

from calculator.models import ShareLink
from tests import factories

pytestmark = pytest.mark.django_db


@pytest.fixture
def comparison(users, django_user_model):
    alice = django_user_model.objects.get(username="alice")
    return factories.make_comparison(f"user:{alice.pk}")


def share(client, comparison, **fields):
    return client.send("/shares", {"comparison": str(comparison.pk), **fields})


def test_a_link_shows_the_stored_snapshot_to_anybody(users, api, comparison):
    made = share(users["alice"], comparison, expires_in_days=30)
    assert made.status_code == 201
    assert made.json()["token"] in made.json()["url"]
    assert made["Location"] == made.json()["api_url"]
    seen = api.get(made.json()["api_url"])
    assert seen.status_code == 200
    document = seen.json()
    assert document["result"] == comparison.result
    assert document["result_hash"] == comparison.result_hash
    assert document["expires_at"] == made.json()["expires_at"].replace("Z", "+00:00")
    assert seen["X-Robots-Tag"] == "noindex"
    assert seen["Referrer-Policy"] == "no-referrer"


def test_a_link_does_not_tell_the_comparisons_address(users, api, comparison):
    made = share(users["alice"], comparison)
    assert str(comparison.pk) not in api.get(made.json()["api_url"]).content.decode()


def test_a_link_is_read_in_one_query(users, api, comparison, django_assert_num_queries):
    url = share(users["alice"], comparison).json()["api_url"]
    with django_assert_num_queries(1):
        api.get(url)


def test_a_whole_number_may_be_written_with_a_point(users, comparison):
    assert share(users["alice"], comparison, expires_in_days=7.0).status_code == 201


def test_only_the_owner_revokes(users, api, comparison):
    url = share(users["alice"], comparison).json()["api_url"]
    for stranger in (users["bob"], api):
        assert stranger.delete(url).status_code == 404
        assert stranger.delete(f"{url}?comparison={comparison.pk}").status_code == 404
    assert users["alice"].delete(url).status_code == 204
    assert api.get(url).status_code == 404
    assert users["alice"].delete(url).status_code == 404


def test_an_anonymous_link_is_revoked_by_who_knows_the_comparison(api):
    comparison = factories.make_comparison("")
    url = share(api, comparison).json()["api_url"]
    assert api.delete(url).status_code == 404
    assert api.delete(f"{url}?comparison={uuid.uuid4()}").status_code == 404
    assert api.delete(f"{url}?comparison={comparison.pk}").status_code == 204


def test_a_strangers_comparison_cannot_be_shared(users, comparison):
    response = share(users["bob"], comparison)
    assert response.status_code == 422
    [error] = response.json()["errors"]
    assert (error["pointer"], error["code"]) == ("/comparison", "comparison_unknown")
    assert not ShareLink.objects.exists()


BAD = {
    "no comparison": ({}, 422, "/comparison", "field_missing"),
    "not an id": ({"comparison": "x"}, 422, "/comparison", "wrong_type"),
    "a number": ({"comparison": 1}, 422, "/comparison", "wrong_type"),
    "unknown field": ({"comparison": None, "a": 1}, 422, "/a", "field_unknown"),
    "already over": ({"expires_in_days": 0}, 422, "/expires_in_days", "out_of_bounds"),
    "as text": ({"expires_in_days": "1"}, 422, "/expires_in_days", "wrong_type"),
    "not JSON": ("{", 400, "", "malformed_json"),
    "empty": ("", 400, "", "malformed_json"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_a_problem_that_names_the_field(api, case):
    body, status, pointer, code = BAD[case]
    response = api.send("/shares", body)
    assert response.status_code == status
    found = {(e["pointer"], e["code"]) for e in response.json()["errors"]}
    assert (pointer, code) in found
    assert not ShareLink.objects.exists()


@pytest.mark.parametrize("token", ["short", "x" * 32, "x" * 200, "%00" * 20])
def test_tokens_that_are_not_there_are_not_found(api, token):
    response = api.read(f"/shares/{token}")
    assert response.status_code == 404
    assert response["Content-Type"] == "application/problem+json"


def test_a_query_that_is_no_id_is_refused(api):
    response = api.delete(f"/api/v1/shares/{'x' * 32}?comparison=7")
    assert response.status_code == 400
