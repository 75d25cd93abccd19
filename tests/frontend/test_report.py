"""What the pages say about a result."""

from __future__ import annotations

import pytest
from django.template.loader import render_to_string

from frontend.report import build, headline, inputs, lines
from tests.frontend import results


def row(result, name):
    return next(r for r in headline.rows(result) if r.metric.name == name)


def test_the_cheapest_is_marked_and_others_are_compared_with_the_base():
    cells = row(results.result(), "levelised_usd_per_million_tokens").cells
    assert [cell.is_best for cell in cells] == [True, False, False]
    assert [cell.delta for cell in cells] == ["", "2.3×", "3.2×"]
    assert [cell.delta_sense for cell in cells][1:] == ["worse", "worse"]


def test_the_range_stands_beside_the_levelised_cost_only():
    result = results.result()
    assert row(result, "levelised_usd_per_million_tokens").cells[0].range_text
    assert not row(result, "tco_usd").cells[0].range_text


def test_shares_differ_in_points_not_in_percent():
    cells = row(results.result(), "busy_share").cells
    assert cells[1].delta == "−49.0 points"


def test_equal_numbers_have_no_winner():
    cells = row(results.result(), "goodput").cells
    assert not any(cell.is_best for cell in cells)
    assert cells[1].delta == "same"


def test_an_incomplete_total_never_wins_and_says_so():
    options = {
        "a": results.alternative("own", "A", 0.2, status="incomplete"),
        "b": results.alternative("own", "B", 0.5),
        "c": results.alternative("own", "C", 0.6),
    }
    cells = row(results.result(options), "levelised_usd_per_million_tokens").cells
    assert [cell.is_best for cell in cells] == [False, True, False]
    assert cells[0].is_incomplete


def test_an_infeasible_alternative_shows_no_numbers():
    options = {
        "a": results.alternative("own", "A"),
        "b": results.alternative(
            "own", "B", status="infeasible", reason="needs 96 GB, has 80 GB",
            headline=dict.fromkeys(results.headline()), throughput=None, lines=[],
            costs=[], cash_flow=None,
        ),
    }  # fmt: skip
    report = build.build(results.result(options))
    cells = row(report.result, "tco_usd").cells
    assert not cells[1].is_known
    assert len(report.bills) == 1


def test_a_missing_price_is_said_never_zero():
    line = results.line(unit_price_usd=None, amount_usd=None)
    options = {"a": results.alternative("own", "A", lines=[line], status="incomplete")}
    bill = build.build(results.result(options)).bills[0]
    shown = bill.groups[0].lines[0]
    assert (shown.unit_price, shown.amount) == ("no price", "no price")
    assert bill.n_missing == 1


def test_assumptions_are_called_so():
    bill = build.build(results.result()).bills[0]
    badges = {line.line.key: line.badge for g in bill.groups for line in g.lines}
    assert badges == {"nodes": "medium", "switches": "medium", "energy": "assumption"}


def test_a_story_tells_method_inputs_and_sources():
    report = build.build(results.result())
    story = report.stories[0]
    assert story.method_pages == ["cost"]
    facts = {fact.label: fact for fact in story.chapters[0].facts}
    assert facts["Energy price"].source.publisher == "A Dealer"
    assert facts["Discount rate"].badge == "assumption"
    assert facts["Goodput"].value == "0.962"


def test_every_shown_headline_has_a_story_for_every_alternative_that_has_it():
    report = build.build(results.result())
    for told, shown in zip(report.stories, report.rows, strict=True):
        assert len(told.chapters) == sum(cell.is_known for cell in shown.cells)


@pytest.mark.parametrize(
    ("pointer", "anchor"),
    [
        ("/result/alternatives/own-ib/lines", "lines-own-ib"),
        ("/result/alternatives/own-ib/throughput", "machine-own-ib"),
        ("/spec/workload", "f--workload"),
        ("/spec/alternatives/own-ib", "f--alternatives--own-ib"),
        ("/spec/assumptions", "f--assumptions--facility"),
    ],
)
def test_parts_of_a_document_are_links_to_where_they_are_shown(pointer, anchor):
    from frontend.report import stories

    assert stories.link(pointer).anchor == anchor


def test_inputs_are_grouped_as_the_form_groups_them():
    groups = inputs.groups(results.result())
    assert [(g.id, g.label) for g in groups] == [
        ("f--assumptions--facility", "Place and power"),
        ("f--assumptions--finance", "Money"),
    ]


def test_quantities_are_whole_where_they_are():
    assert [lines.quantity(v) for v in (9.0, 2.5, 58000.4)] == ["9", "2.50", "58,000"]


def test_a_card_without_a_cost_says_why():
    option = results.alternative("own", "A", 0.2)
    reason = "No useful token is trained: occupancy is 0."
    result = results.result({"a": {**option, "reason": reason}})
    html = render_to_string(
        "frontend/result/_cards.html", {"report": build.build(result)}
    )
    assert reason in html
