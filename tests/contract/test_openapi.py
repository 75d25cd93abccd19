"""What the API promises is what is committed, and every refusal is in it."""

import pytest

from calculator.api import openapi
from calculator.management.commands.export_openapi import FILE, as_yaml

DOCUMENT = openapi.document()
OPERATIONS = {
    f"{method.upper()} {path}": operation
    for path, methods in DOCUMENT["paths"].items()
    for method, operation in methods.items()
}


def test_the_committed_description_is_the_generated_one(settings):
    committed = (settings.BASE_DIR / FILE).read_text("utf-8")
    assert committed == as_yaml(), "run manage.py export_openapi"


@pytest.mark.parametrize("name", OPERATIONS)
def test_every_operation_documents_its_refusals_as_problems(name):
    responses = OPERATIONS[name]["responses"]
    assert {"400", "404", "405", "429"} <= set(responses)
    if "requestBody" in OPERATIONS[name]:
        assert {"413", "415", "422"} <= set(responses)
    for code, response in responses.items():
        if code >= "400":
            assert list(response["content"]) == ["application/problem+json"]


@pytest.mark.parametrize("name", OPERATIONS)
def test_every_operation_has_a_summary_and_a_group(name):
    operation = OPERATIONS[name]
    assert operation["summary"]
    assert len(operation["tags"]) == 1


def test_operation_ids_differ():
    ids = [operation["operationId"] for operation in OPERATIONS.values()]
    assert len(ids) == len(set(ids))


def test_a_request_may_leave_out_what_a_response_always_has():
    schemas = DOCUMENT["components"]["schemas"]
    asked, answered = schemas["ComparisonV1Input"], schemas["ComparisonV1"]
    assert "assumptions" not in asked["required"]
    assert asked["additionalProperties"] is False
    assert set(asked["properties"]) == set(answered["properties"])


def test_bounds_and_units_of_the_document_are_in_the_description():
    facility = DOCUMENT["components"]["schemas"]["FacilityInput"]["properties"]
    energy = facility["energy_price_usd_per_kwh"]
    assert (energy["minimum"], energy["maximum"]) == (0, 10)
    assert energy["x-unit"] == "USD/kWh"


def test_every_reference_has_its_component():
    schemas = DOCUMENT["components"]["schemas"]
    named = set(_references(DOCUMENT))
    assert named <= {f"#/components/schemas/{name}" for name in schemas}
    assert named


def _references(value):
    if isinstance(value, dict):
        if isinstance(value.get("$ref"), str):
            yield value["$ref"]
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            yield from _references(item)
