"""Exports render the stored result and nothing else."""

import csv
import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calculator.exports import registry, table
from calculator.exports.csv_lines import FORMULA_STARTS, HEADER, safe_text
from calculator.spec.result import ResultV1
from tests import factories


def result_with(**line):
    result = factories.make_result(factories.make_comparison_spec())
    own = result.alternatives["own"].model_copy(
        update={"lines": [factories.make_line(**line)]}
    )
    return result.model_copy(
        update={"alternatives": {**result.alternatives, "own": own}}
    )


def rows_of(result):
    text = registry.exporter_for("csv").render(result).decode()
    return list(csv.DictReader(io.StringIO(text, newline="")))


def test_each_exporter_is_found_by_its_name():
    assert set(registry.EXPORTERS) == {"json", "csv"}
    for name, exporter in registry.EXPORTERS.items():
        assert registry.exporter_for(name) is exporter
        assert "/" in exporter.media_type
    assert registry.exporter_for("docx") is None


def test_json_reads_back_as_the_same_result():
    result = result_with()
    body = registry.exporter_for("json").render(result)
    assert ResultV1.model_validate_json(body) == result
    assert json.loads(body)["schema_version"] == "1"


def test_csv_has_one_row_a_line_and_keeps_numbers_exact():
    result = result_with(quantity=0.1, amount_usd=1e22)
    own, rent = rows_of(result)
    assert tuple(own) == HEADER
    assert (own["alternative"], rent["alternative"]) == ("own", "rent")
    assert float(own["quantity"]) == 0.1
    assert float(own["amount_usd"]) == 1e22
    assert own["is_capex"] == "True"


def test_an_unknown_price_is_an_empty_cell():
    own = rows_of(result_with(unit_price_usd=None, amount_usd=None))[0]
    assert (own["unit_price_usd"], own["amount_usd"]) == ("", "")


def test_a_negative_amount_stays_a_number():
    assert rows_of(result_with(amount_usd=-5.0))[0]["amount_usd"] == "-5.0"


@pytest.mark.parametrize(
    "text",
    ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", " =1", "\n@x", "=cmd|' /C calc'!A0"],
)
def test_text_that_a_spreadsheet_would_run_is_quoted(text):
    assert rows_of(result_with(label=text))[0]["label"] == f"'{text}"


@given(st.text())
def test_no_text_starts_a_formula(text):
    safe = safe_text(text)
    assert safe.endswith(text)
    assert not safe.lstrip().startswith(FORMULA_STARTS)


def test_the_table_says_why_there_is_no_cost():
    result = result_with()
    own = result.alternatives["own"].model_copy(update={"reason": "occupancy is 0"})
    told = result.model_copy(
        update={"alternatives": {**result.alternatives, "own": own}}
    )
    assert f"! {own.label}: occupancy is 0" in table.render(told)
