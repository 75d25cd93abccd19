"""Private calibrations over HTTP."""

import uuid

import pytest

from calculator.engine.training.own_stack import OwnStack
from calculator.models import StackProfile
from tests.measured.own_rows import rows, table

pytestmark = pytest.mark.django_db

TEXT = table(rows(OwnStack(kernel_efficiency=0.8), sizes=(8, 64)))


def make(client, **changes):
    return client.send("/stack-profiles", {"name": "Ours", "csv": TEXT, **changes})


def test_rows_in_factors_and_residuals_out(users):
    made = make(users["alice"])
    assert made.status_code == 201
    document = made.json()
    assert made["Location"] == document["url"]
    assert 0.75 < document["kernel_efficiency"] < 0.95
    assert document["after"]["median"] < document["before"]["median"]
    assert [row["id"] for row in document["rows"]] == ["run 8", "run 64"]
    again = users["alice"].get(document["url"])
    assert again.json() == document
    assert "private" in again["Cache-Control"]


def test_only_the_owner_reads_lists_and_deletes(users, api):
    url = make(users["alice"]).json()["url"]
    for other in (users["bob"], api):
        assert other.get(url).status_code == 404
        assert other.delete(url).status_code == 404
        assert other.read("/stack-profiles").json()["results"] == []
    listed = users["alice"].read("/stack-profiles").json()["results"]
    assert [row["url"] for row in listed] == [url]
    assert "rows" not in listed[0]
    assert users["alice"].delete(url).status_code == 204
    assert users["alice"].get(url).status_code == 404
    assert not StackProfile.objects.exists()


def test_without_logging_in_the_id_is_the_key(api, users):
    url = make(api).json()["url"]
    assert api.get(url).status_code == 200
    assert api.read("/stack-profiles").json()["results"] == []
    assert api.delete(url).status_code == 204


@pytest.mark.parametrize(
    ("changes", "pointer"),
    [
        ({"csv": "layers\n1\n"}, "/csv"),
        ({"csv": ""}, "/csv"),
        ({"csv": 5}, "/csv"),
        ({"csv": "x" * 200_001}, "/csv"),
        ({"name": ""}, "/name"),
        ({"rows": []}, "/rows"),
    ],
)
def test_what_is_wrong_is_told_at_its_field(users, changes, pointer):
    refused = make(users["alice"], **changes)
    assert refused.status_code == 422
    assert refused.json()["errors"][0]["pointer"] == pointer


def test_an_id_that_is_none_is_not_there(users):
    client = users["alice"]
    assert client.read(f"/stack-profiles/{uuid.uuid4()}").status_code == 404
    assert client.read("/stack-profiles/nonsense").status_code == 404
