"""Every input is documented: unit, description, source of its default."""

import pytest

from calculator.spec.result import ResultV1
from calculator.spec.scenario import ComparisonV1

STRUCTURE = {"schema_version", "kind"}


def _fields():
    schema = ComparisonV1.model_json_schema()
    for name, definition in [("ComparisonV1", schema), *schema["$defs"].items()]:
        for field, entry in definition.get("properties", {}).items():
            yield pytest.param(name, field, entry, definition, id=f"{name}.{field}")


def _branches(entry):
    return entry.get("anyOf", [entry])


FIELDS = list(_fields())


@pytest.mark.parametrize(("name", "field", "entry", "definition"), FIELDS)
def test_every_field_has_a_description(name, field, entry, definition):
    assert field in STRUCTURE or entry.get("description", "").strip()


@pytest.mark.parametrize(("name", "field", "entry", "definition"), FIELDS)
def test_every_number_has_a_unit_and_bounds(name, field, entry, definition):
    for branch in _branches(entry):
        if branch.get("type") in {"number", "integer"}:
            assert "x-unit" in branch, "no unit"
            assert {"minimum", "exclusiveMinimum"} & set(branch), "no lower bound"
            assert {"maximum", "exclusiveMaximum"} & set(branch), "no upper bound"


@pytest.mark.parametrize(("name", "field", "entry", "definition"), FIELDS)
def test_every_default_is_cited(name, field, entry, definition):
    if field not in definition.get("required", []) and field not in STRUCTURE:
        assert entry.get("x-default-source"), "a default without a source"


def test_the_units_of_results_are_in_their_names():
    schema = ResultV1.model_json_schema()
    headline = schema["$defs"]["Headline"]["properties"]
    for name in headline:
        assert name in {"mfu", "hfu", "busy_share", "goodput"} or any(
            part in name for part in ("usd", "tokens", "_s", "days")
        )
