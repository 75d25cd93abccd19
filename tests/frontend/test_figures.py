"""Charts and their table twins say the same."""

from __future__ import annotations

import json
from collections import defaultdict
from xml.etree import ElementTree

import pytest

from frontend.figures import catalogue, render
from tests.frontend import results


@pytest.mark.parametrize("name", catalogue.NAMES)
def test_every_figure_has_title_summary_table_and_serialises(name):
    figure = catalogue.figure(name, results.result())
    assert figure.name == name
    assert figure.title
    assert figure.summary.endswith(".")
    assert figure.legend
    assert figure.table.rows
    assert all(len(r) == len(figure.table.columns) for r in figure.table.rows)
    assert json.loads(json.dumps(figure.payload)) == figure.payload


@pytest.mark.parametrize("name", catalogue.NAMES)
def test_every_figure_renders_as_svg(name):
    svg = render.svg(catalogue.figure(name, results.result()))
    root = ElementTree.fromstring(svg)
    assert root.tag.endswith("svg")
    assert "Own, InfiniBand" in svg


def test_stacked_costs_sum_to_the_levelised_cost():
    result = results.result()
    sums = defaultdict(float)
    for record in catalogue.figure("stacked_cost", result).records:
        sums[record["alternative"]] += record["usd"]
    for alternative in result.alternatives.values():
        expected = alternative.headline.levelised_usd_per_million_tokens
        assert sums[alternative.label] == pytest.approx(expected)


def test_the_waterfall_sums_to_the_step_time_and_busy_parts_come_first():
    result = results.result()
    figure = catalogue.figure("step_time", result)
    records = [r for r in figure.records if r["alternative"] == "Own, InfiniBand"]
    step_time_s = result.alternatives["own-ib"].headline.step_time_s
    assert sum(r["seconds"] for r in records) == pytest.approx(step_time_s)
    assert [entry.is_faded for entry in figure.legend] == [False, False, True, True]


def test_the_last_month_stands_in_the_table_twin():
    result = results.result()
    table = catalogue.figure("cumulative_cost", result).table
    assert [row[0] for row in table.rows] == ["0", "12", "24"]
    assert table.rows[0][1] == "$2.30M"


def test_alternatives_of_one_label_stay_apart():
    options = {
        "a": results.alternative("own", "Same"),
        "b": results.alternative("own", "Same", 0.6),
    }
    figure = catalogue.figure("stacked_cost", results.result(options))
    assert figure.table.columns[1:] == ["Same (a)", "Same (b)"]


def test_nothing_feasible_means_no_figure():
    options = {
        "a": results.alternative(
            "own", "A", status="infeasible", throughput=None, costs=[], cash_flow=None,
            headline=dict.fromkeys(results.headline()),
        )
    }  # fmt: skip
    assert catalogue.figures(results.result(options)) == []


def test_an_unknown_figure_is_none():
    assert catalogue.figure("nothing", results.result()) is None


def many_costs(n: int) -> list[dict]:
    return [
        {"key": f"c{i}", "label": f"Category {i}", "npv_usd": 1.0,
         "undiscounted_usd": 1.0, "usd_per_million_tokens": usd}
        for i, usd in enumerate([-0.001, *(0.01 * (i + 1) for i in range(n - 1))])
    ]  # fmt: skip


def test_many_categories_are_folded_in_the_chart_but_not_in_the_table():
    costs = many_costs(19)
    options = {"a": results.alternative("own", "A", costs=costs)}
    figure = catalogue.figure("stacked_cost", results.result(options))
    labels = [entry.label for entry in figure.legend]
    assert len(labels) == 10
    assert labels[-1] == "Everything else"
    assert "Category 0" in labels, "what comes back is never folded away"
    total = sum(cost["usd_per_million_tokens"] for cost in costs)
    assert sum(record["usd"] for record in figure.records) == pytest.approx(total)
    assert len(figure.table.rows) == 19 + 1


def test_categories_of_one_label_are_one():
    costs = many_costs(3)
    costs[2]["label"] = costs[1]["label"]
    options = {"a": results.alternative("own", "A", costs=costs)}
    figure = catalogue.figure("stacked_cost", results.result(options))
    assert [r["usd"] for r in figure.records] == pytest.approx([-0.001, 0.03])


@pytest.mark.parametrize("name", catalogue.NAMES)
def test_the_browser_gets_no_second_legend(name):
    figure = catalogue.figure(name, results.result())
    assert figure.payload["spec"]["encoding"]["color"]["legend"] is None
    assert figure.complete_spec()["encoding"]["color"]["legend"]
