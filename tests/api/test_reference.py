"""Examples, schemas, description, docs, health, and addresses that are not there."""

import json
import re

import pytest

from calculator.config import checks
from calculator.spec import examples_index, schema_files
from calculator.spec.problems import validate_comparison

pytestmark = pytest.mark.django_db


def test_examples_are_listed_and_each_is_a_valid_comparison(api):
    rows = api.read("/examples").json()["results"]
    assert [row["name"] for row in rows] == examples_index.names()
    assert {"reference", "single-node"} <= set(examples_index.names())
    for row in rows:
        document = api.get(row["url"]).json()
        assert validate_comparison(document).name == row["title"]


def test_an_unknown_example_is_not_found(api):
    assert api.read("/examples/nothing").status_code == 404
    with pytest.raises(KeyError):
        examples_index.load("nothing")


@pytest.mark.parametrize("version", ["1", "v1"])
@pytest.mark.parametrize("name", ["comparison", "result"])
def test_schemas_are_served_as_frozen(api, name, version):
    response = api.read(f"/schemas/{name}/{version}")
    assert response.json() == json.loads(schema_files.file_of(name, "1").read_text())


@pytest.mark.parametrize("path", ["/schemas/comparison/2", "/schemas/nothing/1"])
def test_unknown_schemas_are_not_found(api, path):
    assert api.read(path).status_code == 404


def test_the_description_is_openapi_3_1(api):
    document = api.read("/openapi.json").json()
    assert document["openapi"].startswith("3.1")
    assert "/api/v1/previews" in document["paths"]


def test_an_address_that_is_not_there_is_a_problem_document(api):
    for method in (api.get, api.post, api.delete):
        response = method("/api/v1/nothing/here")
        assert response.status_code == 404
        assert response["Content-Type"] == "application/problem+json"


def test_a_trailing_slash_is_forgiven_and_the_body_kept(api):
    response = api.send("/previews/", {})
    assert (response.status_code, response["Location"]) == (308, "/api/v1/previews")
    assert api.read("/nothing/").status_code == 404


def test_a_request_id_is_taken_over_when_well_formed(api):
    given = api.read("/examples", X_Request_ID="abc-12345")
    assert given["X-Request-ID"] == "abc-12345"
    for bad in ("short", "x" * 65, "a\tb" * 5, "<script>alert(1)</script>"):
        made = api.read("/examples", X_Request_ID=bad)["X-Request-ID"]
        assert re.fullmatch("[0-9a-f]{32}", made)


def test_the_docs_page_has_no_inline_code_and_serves_its_script_apart(api, settings):
    settings.STORAGES = {
        **settings.STORAGES,
        "staticfiles": {
            "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        },
    }
    page = api.read("/docs/")
    text = page.content.decode()
    assert page["Content-Type"].startswith("text/html")
    assert "<style" not in text
    assert all("src=" in tag for tag in re.findall("<script[^>]*>", text))
    assert "http://" not in text
    assert "https://" not in text
    script = api.read("/docs/?script=")
    assert script["Content-Type"] == "application/javascript"
    assert "/api/v1/openapi.json" in script.content.decode()


def test_the_process_says_that_it_lives(client, django_assert_num_queries):
    with django_assert_num_queries(0):
        assert client.get("/healthz").json() == {"status": "ok"}


def test_the_process_is_ready_when_its_parts_are(client):
    response = client.get("/readyz")
    assert response.status_code == 200
    assert set(response.json()["checks"].values()) == {"ok"}


def test_the_process_is_not_ready_without_its_database(client, monkeypatch, caplog):
    def fail():
        raise ConnectionError("no route to 10.1.2.3")

    monkeypatch.setitem(checks.PROBES, "database", fail)
    response = client.get("/readyz")
    assert response.status_code == 503
    assert response.json()["checks"]["database"] == "unavailable"
    assert b"10.1.2.3" not in response.content
