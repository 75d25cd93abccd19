"""POST previews: answers at once, stores nothing, names what is wrong."""

import json
from datetime import date

import pytest
from redis.exceptions import ConnectionError as RedisConnectionError

from calculator.api.throttling import ScopedThrottle
from calculator.models import Comparison, Job
from calculator.spec.result import ResultV1
from tests import factories

pytestmark = pytest.mark.django_db


def document(**changes):
    return factories.make_comparison_document(**changes)


def changed(path, value):
    body = document()
    *parents, last = path
    place = body
    for part in parents:
        place = place.setdefault(part, {})
    place[last] = value
    return body


def test_a_preview_answers_with_a_result(api, evaluation):
    response = api.send("/previews", document())
    assert response.status_code == 200
    result = ResultV1.model_validate_json(response.content)
    assert result.verdict.best == "own"
    assert evaluation == [factories.make_comparison_spec()]


def test_a_day_for_the_prices_can_be_given(api, evaluation):
    response = api.send("/previews", changed(["pricing", "as_of"], "2026-11-30"))
    assert response.status_code == 200, response.content
    assert evaluation[0].pricing.as_of == date(2026, 11, 30)


@pytest.mark.parametrize("order", [[], ["rent", "own"]])
def test_the_order_is_the_one_given_or_that_of_the_alternatives(api, evaluation, order):
    result = api.send("/previews", document(order=order)).json()
    assert result["order"] == (order or ["own", "rent"])


def test_a_preview_stores_nothing(api, evaluation):
    api.send("/previews", document())
    assert not Comparison.objects.exists()
    assert not Job.objects.exists()


def test_a_preview_starts_no_session(api, evaluation):
    assert "sessionid" not in api.send("/previews", document()).cookies


BAD = {
    "unknown field": (changed(["colour"], "red"), 422, "/colour", "field_unknown"),
    "no nodes": (
        changed(["alternatives", "own", "n_nodes"], 0),
        422,
        "/alternatives/own/n_nodes",
        "out_of_bounds",
    ),
    "10^12 nodes": (
        changed(["alternatives", "own", "n_nodes"], 10**12),
        422,
        "/alternatives/own/n_nodes",
        "out_of_bounds",
    ),
    "negative price": (
        changed(["alternatives", "own", "node_price_usd"], -1),
        422,
        "/alternatives/own/node_price_usd",
        "out_of_bounds",
    ),
    "text for a number": (
        changed(["alternatives", "own", "n_nodes"], "eight"),
        422,
        "/alternatives/own/n_nodes",
        "wrong_type",
    ),
    "a list": ([], 422, "", "wrong_type"),
    "null": (None, 422, "", "wrong_type"),
    "no order": (changed(["order"], None), 422, "/order", "wrong_type"),
    "no kind": (
        changed(["alternatives", "own"], {"label": "x"}),
        422,
        "/alternatives/own",
        "kind_missing",
    ),
    "infinite by exponent": (
        json.dumps(changed(["workload", "train_tokens_billions"], 7)).replace(
            " 7}", " 1e999}"
        ),
        422,
        "/workload/train_tokens_billions",
        "not_finite",
    ),
    "NaN": (
        json.dumps(changed(["workload", "train_tokens_billions"], float("nan"))),
        400,
        "",
        "malformed_json",
    ),
    "half a document": ('{"schema_version": "1",', 400, "", "malformed_json"),
    "empty": ("", 400, "", "malformed_json"),
    "a key twice": ('{"name": "a", "name": "b"}', 400, "", "malformed_json"),
    "not UTF-8": (b'{"name": "\xff"}', 400, "", "malformed_json"),
    "very deep": ("[" * 100_000, 400, "", "malformed_json"),
    "endless integer": (
        '{"name": ' + "9" * 5000 + "}",
        400,
        "",
        "malformed_json",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_a_problem_that_names_the_field(api, evaluation, case):
    body, status, pointer, code = BAD[case]
    response = api.send("/previews", body)
    assert response.status_code == status, response.content
    assert response["Content-Type"] == "application/problem+json"
    problem = response.json()
    assert problem["status"] == status
    assert problem["type"] == f"urn:clusterquote:error:{problem['code']}"
    assert problem["request_id"] == response["X-Request-ID"]
    assert (pointer, code) in {(e["pointer"], e["code"]) for e in problem["errors"]}
    assert not evaluation


def test_a_bound_is_told_with_its_unit(api, evaluation):
    body = changed(["assumptions", "facility", "energy_price_usd_per_kwh"], 99)
    [error] = api.send("/previews", body).json()["errors"]
    assert "at most 10 USD/kWh" in error["message"]


def test_all_errors_come_at_once(api, evaluation):
    body = changed(["alternatives", "own", "n_nodes"], 0)
    body["alternatives"]["rent"]["n_instances"] = 0
    assert len(api.send("/previews", body).json()["errors"]) == 2


def test_a_body_of_the_wrong_type_is_refused(api):
    response = api.post("/api/v1/previews", "a=1", content_type="text/plain")
    assert response.status_code == 415
    assert response.json()["code"] == "unsupported_media_type"


def test_a_form_is_refused(api):
    response = api.post("/api/v1/previews", {"name": "x"})
    assert response.status_code == 415


def test_a_huge_body_is_refused_before_it_is_read(api):
    response = api.send("/previews", b" " * 1_000_001)
    assert response.status_code == 413
    assert response.json()["code"] == "document_too_large"


def test_a_method_that_is_not_there_is_refused(api):
    response = api.get("/api/v1/previews")
    assert response.status_code == 405
    assert response.json()["code"] == "method_not_allowed"
    assert response["Allow"] == "POST"


def test_a_query_parameter_that_would_be_ignored_is_refused(api, evaluation):
    response = api.send("/previews?dry_run=1", document())
    assert response.status_code == 400
    assert response.json()["code"] == "query_invalid"


def test_too_many_previews_are_refused_for_a_while(api, evaluation, settings):
    settings.API_THROTTLE_RATES = {**settings.API_THROTTLE_RATES, "previews": "2/hour"}
    statuses = [api.send("/previews", document()).status_code for _ in range(3)]
    assert statuses == [200, 200, 429]
    refused = api.send("/previews", document())
    assert int(refused["Retry-After"]) > 3000
    assert refused.json()["code"] == "throttled"


def test_a_forged_forwarding_header_does_not_escape_the_throttle(
    api, evaluation, settings
):
    settings.API_THROTTLE_RATES = {**settings.API_THROTTLE_RATES, "previews": "1/hour"}
    first, second = (
        api.send("/previews", document(), X_Forwarded_For=f"10.0.0.{n}") for n in (1, 2)
    )
    assert (first.status_code, second.status_code) == (200, 429)


def test_a_cache_out_of_reach_lets_requests_through(
    api, evaluation, monkeypatch, caplog
):
    def fail(*args):
        raise RedisConnectionError("no route")

    monkeypatch.setattr(ScopedThrottle.cache, "get", fail)
    assert api.send("/previews", document()).status_code == 200
    assert "throttling is off" in caplog.text


def test_an_unexpected_failure_tells_nothing_but_the_request_id(
    api, evaluation, monkeypatch, caplog
):
    from calculator.services import previews

    def fail(spec, snapshot, *, progress=None):
        raise RuntimeError("secret path")

    monkeypatch.setattr(previews, "_evaluate", fail)
    response = api.send("/previews", document())
    assert response.status_code == 500
    assert response.json()["code"] == "internal_error"
    assert b"secret" not in response.content
    assert "secret path" in caplog.text
