"""Saved comparisons over HTTP: create, follow, read, list, export, and who may."""

import csv
import io
import uuid

import pytest

from calculator.models import Comparison, Job
from calculator.services import jobs, previews
from calculator.spec.problems import problem
from calculator.spec.result import ResultV1
from tests import factories

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _stubbed(settings, evaluation):
    settings.JOB_RUNNER = "inline"


def saved(client, **changes):
    """Save through the API, run the job, return its document."""
    made = client.send("/comparisons", factories.make_comparison_document(**changes))
    assert made.status_code == 202, made.content
    jobs.run(made.json()["id"])
    return client.get(made["Location"]).json()


def test_saving_answers_with_a_job_that_leads_to_the_comparison(users):
    alice = users["alice"]
    made = alice.send("/comparisons", factories.make_comparison_document())
    assert made.status_code == 202
    job = made.json()
    assert made["Location"] == job["url"]
    assert (job["state"], job["progress"], job["comparison"]) == ("queued", 0.0, None)
    jobs.run(job["id"])
    done = alice.get(made["Location"]).json()
    assert (done["state"], done["progress"], done["error"]) == ("succeeded", 1.0, None)
    read = alice.get(done["comparison_url"]).json()
    assert read["id"] == done["comparison"]
    assert read["spec"]["alternatives"]["own"]["n_nodes"] == 8
    assert ResultV1.model_validate(read["result"]).verdict.best == "own"


def test_a_bad_document_saves_nothing(api):
    body = factories.make_comparison_document()
    body["alternatives"]["own"]["n_nodes"] = 0
    response = api.send("/comparisons", body)
    assert response.status_code == 422
    assert not Job.objects.exists()


def test_an_unknown_reference_saves_nothing(api, monkeypatch):
    def refuse(spec):
        raise problem("/alternatives/own/node_design", "reference_unknown", "no")

    monkeypatch.setattr(previews, "_snapshot", refuse)
    response = api.send("/comparisons", factories.make_comparison_document())
    assert response.status_code == 422
    [error] = response.json()["errors"]
    assert error["pointer"] == "/alternatives/own/node_design"
    assert not Job.objects.exists()


def test_a_repeated_key_gives_the_same_job_and_another_document_a_conflict(api):
    document = factories.make_comparison_document()
    first, second = (
        api.send("/comparisons", document, Idempotency_Key="key-1") for _ in range(2)
    )
    assert first.json()["id"] == second.json()["id"]
    other = factories.make_comparison_document(name="Another")
    refused = api.send("/comparisons", other, Idempotency_Key="key-1")
    assert refused.status_code == 409
    assert refused.json()["code"] == "idempotency_conflict"
    assert Job.objects.count() == 1


@pytest.mark.parametrize("key", ["", "two words", "x" * 201, "é"])
def test_a_key_that_cannot_be_used_is_refused(api, key):
    response = api.send(
        "/comparisons", factories.make_comparison_document(), Idempotency_Key=key
    )
    assert response.status_code == 400
    assert response.json()["code"] == "header_invalid"
    assert not Job.objects.exists()


def test_an_unchanged_comparison_is_not_sent_again(users, django_assert_num_queries):
    alice = users["alice"]
    url = saved(alice)["comparison_url"]
    first = alice.get(url)
    assert first["ETag"] == f'"{first.json()["result_hash"]}"'
    assert "immutable" in first["Cache-Control"]
    with django_assert_num_queries(3):  # session, user, hash
        again = alice.get(url, headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    changed = alice.get(url, headers={"If-None-Match": '"other"'})
    assert changed.status_code == 200


def test_reading_does_not_compute(api, evaluation):
    url = saved(api)["comparison_url"]
    calls = len(evaluation)
    assert api.get(url).status_code == 200
    assert len(evaluation) == calls


def test_a_stranger_finds_neither_job_nor_comparison(users, api):
    job = saved(users["alice"])
    paths = [
        job["url"],
        job["comparison_url"],
        f"{job['comparison_url']}/exports/json",
    ]
    for path in paths:
        assert users["alice"].get(path).status_code == 200
        for stranger in (users["bob"], api):
            response = stranger.get(path)
            assert response.status_code == 404
            assert response.json()["code"] == "not_found"
    assert users["bob"].post(f"{job['url']}/cancel").status_code == 404


def test_a_stranger_with_the_right_etag_learns_nothing(users):
    url = saved(users["alice"])["comparison_url"]
    etag = users["alice"].get(url)["ETag"]
    response = users["bob"].get(url, headers={"If-None-Match": etag})
    assert response.status_code == 404


def test_an_anonymous_comparison_opens_for_whoever_knows_its_id(users, api):
    url = saved(api)["comparison_url"]
    assert users["bob"].get(url).status_code == 200
    assert api.read("/comparisons").json()["results"] == []


def test_the_list_holds_own_comparisons_in_pages_newest_first(
    users, django_assert_num_queries
):
    alice = users["alice"]
    for number in range(5):
        saved(alice, name=f"Number {number}")
    saved(users["bob"], name="Not hers")
    names, url = [], "/api/v1/comparisons?page_size=2"
    while url:
        with django_assert_num_queries(3):  # session, user, rows
            page = alice.get(url).json()
        names += [row["name"] for row in page["results"]]
        url = page["next"]
    assert names == [f"Number {number}" for number in (4, 3, 2, 1, 0)]
    assert page["results"][0]["verdict"] == "Eight nodes is cheapest."


def test_a_list_answers_to_head_as_to_get(users):
    response = users["alice"].head("/api/v1/comparisons?page_size=2")
    assert (response.status_code, response.content) == (200, b"")


@pytest.mark.parametrize(
    "query",
    ["page_size=0", "page_size=101", "page_size=many", "page_size=²", "sort=name"],
)
def test_a_query_out_of_bounds_is_refused(users, query):
    response = users["alice"].read(f"/comparisons?{query}")
    assert response.status_code == 400
    assert response.json()["code"] == "query_invalid"


@pytest.mark.parametrize("cursor", ["x", "cD1nYXJiYWdl", "cD0lMDA=", "%00"])
def test_a_cursor_from_elsewhere_is_refused(users, cursor):
    saved(users["alice"])
    response = users["alice"].read(f"/comparisons?cursor={cursor}")
    assert response.status_code in (400, 404)
    assert response["Content-Type"] == "application/problem+json"


def test_exports_give_the_stored_result(api):
    url = saved(api)["comparison_url"]
    as_json = api.get(f"{url}/exports/json")
    assert ResultV1.model_validate_json(as_json.content).verdict.best == "own"
    assert "attachment" in as_json["Content-Disposition"]
    as_csv = api.get(f"{url}/exports/csv")
    assert as_csv["Content-Type"].startswith("text/csv")
    rows = list(csv.DictReader(io.StringIO(as_csv.content.decode())))
    assert {row["alternative"] for row in rows} == {"own", "rent"}


def test_an_unknown_format_is_not_there(api):
    url = saved(api)["comparison_url"]
    assert api.get(f"{url}/exports/docx").status_code == 404


def test_a_failed_job_tells_why(api, monkeypatch):
    def refuse(spec, snapshot, *, progress=None):
        raise problem("/workload/model", "plan_infeasible", "needs 96.4 GB, has 80 GB")

    monkeypatch.setattr(previews, "_evaluate", refuse)
    job = saved(api)
    assert job["state"] == "failed"
    assert job["error"]["code"] == "plan_infeasible"
    assert job["error"]["errors"][0]["pointer"] == "/workload/model"
    assert not Comparison.objects.exists()


def test_a_waiting_job_can_be_cancelled_and_a_finished_one_not(api):
    made = api.send("/comparisons", factories.make_comparison_document())
    cancelled = api.post(f"{made['Location']}/cancel")
    assert (cancelled.status_code, cancelled.json()["state"]) == (200, "cancelled")
    done = saved(api, name="Another")
    refused = api.post(f"{done['url']}/cancel")
    assert (refused.status_code, refused.json()["code"]) == (409, "job_finished")


def test_a_job_is_followed_in_few_queries(users, django_assert_num_queries):
    url = saved(users["alice"])["url"]
    with django_assert_num_queries(4):  # session, user, job, is it overdue
        users["alice"].get(url)


@pytest.mark.parametrize("kind", ["comparisons", "jobs"])
def test_ids_that_are_not_there_are_not_found(api, kind):
    assert api.read(f"/{kind}/{uuid.uuid4()}").status_code == 404
    assert api.read(f"/{kind}/not-an-id").status_code == 404


def test_writing_with_a_session_needs_the_csrf_token(django_user_model):
    from tests.api.conftest import ApiClient

    client = ApiClient(enforce_csrf_checks=True)
    client.force_login(django_user_model.objects.create_user("carol"))
    response = client.send("/comparisons", factories.make_comparison_document())
    assert response.status_code == 403
    assert response.json()["code"] == "forbidden"
