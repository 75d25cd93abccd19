"""The sentence a buyer repeats: ties, gaps, overlaps, what has no rank."""

import pytest

from calculator.engine.decision.ranking import rank
from calculator.resolve.verdict import sentence
from calculator.spec.result import AlternativeResult, Headline


def column(label, cost=None, *, status="ok", spread=0.1):
    blank = dict.fromkeys(
        n for n, f in Headline.model_fields.items() if f.is_required()
    )
    head = blank | {
        "levelised_usd_per_million_tokens": cost,
        "levelised_low_usd_per_million_tokens": None
        if cost is None
        else cost * (1 - spread),
        "levelised_high_usd_per_million_tokens": None
        if cost is None
        else cost * (1 + spread),
    }
    return AlternativeResult(
        kind="rent", label=label, status=status, headline=Headline.model_validate(head)
    )


def told(*columns):
    results = {f"k{place}": item for place, item in enumerate(columns)}
    heads = {key: item.headline for key, item in results.items()}
    ranking = rank(
        {
            key: head.levelised_usd_per_million_tokens
            if results[key].status == "ok"
            else None
            for key, head in heads.items()
        },
        {k: h.levelised_low_usd_per_million_tokens for k, h in heads.items()},
        {k: h.levelised_high_usd_per_million_tokens for k, h in heads.items()},
    )
    return sentence(ranking, results)


def test_a_clear_order_says_how_much_more_the_next_costs():
    text = told(column("A", 1.0), column("B", 2.0))
    assert text == (
        "A: $1.000 per million trained tokens (range $0.900 to $1.100); "
        "B costs 100 % more."
    )


def test_overlapping_ranges_are_said():
    assert told(column("A", 1.0), column("B", 1.1)).endswith(
        "B costs 10 % more; their ranges overlap."
    )


def test_all_that_tie_are_named_and_the_next_one_after_them():
    text = told(
        column("A", 1.0), column("B", 1.0), column("C", 1.001), column("D", 3.0)
    )
    assert "B and C are level with it (within 0.5 %); D costs 200 % more." in text


def test_one_tie_is_told_in_the_singular():
    assert "B is level with it" in told(column("A", 1.0), column("B", 1.0))


def test_what_has_no_rank_is_named_with_the_reason():
    text = told(
        column("A", 1.0),
        column("B", 0.1, status="incomplete"),
        column("C", status="infeasible"),
    )
    assert "unranked for want of a price: B" in text
    assert "unable to run the workload: C" in text
    assert "nothing else" not in text


def test_a_single_alternative_has_nothing_to_be_compared_with():
    assert told(column("A", 1.0)).endswith("nothing else to compare it with.")


def test_without_any_rank_the_reasons_remain():
    text = told(column("A", 0.1, status="incomplete"), column("B", status="infeasible"))
    assert text.startswith("No alternative has a complete cost per trained token;")
    assert "A" in text
    assert "B" in text


@pytest.mark.parametrize("cost", [0.0, -1.0])
def test_a_cost_that_is_not_above_zero_gives_no_ratio_and_no_tie(cost):
    text = told(column("A", cost, spread=0.0), column("B", 2.0))
    assert "next B at $2.000" in text
    assert "level" not in text
    assert "%" not in text
