"""Numbers anywhere between their bounds: an answer or an explained refusal, never a crash."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from calculator.spec import examples_index, pointers
from calculator.spec.problems import validate_comparison
from calculator.spec.result import ResultV1
from calculator.spec.schema_lookup import field_schema

pytestmark = pytest.mark.django_db

EXAMPLES = ["reference", "single-node", "gpu-choice"]
FULL = {
    name: validate_comparison(examples_index.load(name)).model_dump(mode="json")
    for name in EXAMPLES
}


def numbers_of(document):
    """Pointers of all numbers, and of what is computed when absent."""
    for pointer, value in pointers.walk(document):
        schema = field_schema(pointer) or {}
        is_free = isinstance(value, (int, float)) and not isinstance(value, bool)
        if "x-unit" in schema and (is_free or value is None):
            yield pointer


def within_bounds(pointer):
    """Values of a field: its bounds, near them, and in between."""
    schema = field_schema(pointer)
    low = schema.get("minimum", schema.get("exclusiveMinimum"))
    high = schema.get("maximum")
    if schema["type"] == "integer":
        return st.one_of(st.sampled_from([low, high]), st.integers(low, high))
    open_low = "exclusiveMinimum" in schema
    inside = st.floats(low, high, exclude_min=open_low, allow_subnormal=False)
    return (
        st.one_of(st.just(high), inside)
        if open_low
        else st.one_of(st.sampled_from([low, high]), inside)
    )


@st.composite
def documents(draw):
    """An example with one to four numbers changed."""
    document = FULL[draw(st.sampled_from(EXAMPLES))]
    places = st.sampled_from(sorted(numbers_of(document)))
    for pointer in draw(st.lists(places, min_size=1, max_size=4, unique=True)):
        document = pointers.replace(document, pointer, draw(within_bounds(pointer)))
    return document


@settings(
    max_examples=40,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)
@given(document=documents())
def test_a_preview_answers_or_explains(client, document, settings_without_throttle):
    response = client.post(
        "/api/v1/previews", json.dumps(document), content_type="application/json"
    )
    assert response.status_code in (200, 422), response.content
    if response.status_code == 200:
        result = ResultV1.model_validate_json(response.content)
        assert result.order == document["order"]
    else:
        for error in response.json()["errors"]:
            assert error["code"] != "internal_error"
            assert len(error["message"]) > 10
            assert not error["pointer"] or pointers.split(error["pointer"])


@pytest.fixture
def settings_without_throttle(settings):
    settings.API_THROTTLE_RATES = {"previews": "", "writes": "", "reads": ""}
