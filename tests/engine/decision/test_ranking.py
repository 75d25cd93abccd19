"""Order, margin and clearness of the verdict."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calculator.engine.decision.ranking import rank
from calculator.engine.errors import DomainError

COSTS = {"infiniband": 2.0, "ethernet": 3.0, "rented": 2.5, "unpriced": None}
LOWS = {"infiniband": 1.8, "ethernet": 2.7, "rented": 2.3}
HIGHS = {"infiniband": 2.2, "ethernet": 3.3, "rented": 2.7}


def test_the_cheapest_stands_first_with_its_margin():
    ranking = rank(COSTS, LOWS, HIGHS)
    assert [place.key for place in ranking.places] == [
        "infiniband",
        "rented",
        "ethernet",
    ]
    assert [place.place for place in ranking.places] == [1, 2, 3]
    assert [place.over_best_fraction for place in ranking.places] == pytest.approx(
        [0, 0.25, 0.5]
    )
    assert ranking.best == "infiniband"
    assert ranking.margin_fraction == pytest.approx(0.25)


def test_an_alternative_without_a_cost_is_unranked():
    assert rank(COSTS, LOWS, HIGHS).unranked == ("unpriced",)


def test_separate_ranges_are_clear_and_touching_ones_are_not():
    assert rank(COSTS, LOWS, HIGHS).is_clear
    assert not rank(COSTS, LOWS, {**HIGHS, "infiniband": 2.3}).is_clear
    assert not rank(COSTS, LOWS, {**HIGHS, "infiniband": 2.4}).is_clear


def test_only_the_first_two_decide_whether_the_order_is_clear():
    assert rank(COSTS, {**LOWS, "ethernet": 0.1}, HIGHS).is_clear


def test_an_unstated_range_is_not_clear():
    assert not rank(COSTS, {}, {}).is_clear
    assert not rank(COSTS, LOWS, {**HIGHS, "infiniband": None}).is_clear


def test_one_alternative_has_no_margin_and_no_clear_win():
    ranking = rank({"only": 2.0}, {"only": 1.0}, {"only": 3.0})
    assert ranking.best == "only"
    assert ranking.margin_fraction is None
    assert not ranking.is_clear


def test_no_cost_at_all_is_an_empty_ranking():
    ranking = rank({"b": None, "a": None}, {}, {})
    assert ranking.places == ()
    assert ranking.best is None
    assert ranking.unranked == ("a", "b")


def test_equal_costs_stand_in_order_of_their_keys():
    ranking = rank({"b": 1.0, "c": 1.0, "a": 1.0}, {}, {})
    assert [place.key for place in ranking.places] == ["a", "b", "c"]
    assert ranking.margin_fraction == 0.0


def test_a_free_best_has_no_ratio_and_no_division():
    ranking = rank({"free": 0.0, "paid": 1.0}, {}, {})
    assert ranking.best == "free"
    assert ranking.margin_fraction is None
    assert ranking.places[1].over_best_fraction is None


@pytest.mark.parametrize("bad", [float("nan"), float("inf")])
def test_a_cost_that_is_no_number_is_refused(bad):
    with pytest.raises(DomainError, match="'a'"):
        rank({"a": bad, "b": 1.0}, {}, {})


def test_a_range_upside_down_is_refused():
    with pytest.raises(DomainError, match="upside down"):
        rank({"a": 1.0}, {"a": 2.0}, {"a": 1.0})


@given(
    st.dictionaries(
        st.text(max_size=3), st.none() | st.sampled_from([0.0, 1.0, 1.5, 7.0])
    ),
    st.randoms(use_true_random=False),
)
def test_permuting_the_alternatives_changes_nothing(costs, random):
    keys = list(costs)
    random.shuffle(keys)
    shuffled = {key: costs[key] for key in keys}
    ends = {key: cost for key, cost in costs.items() if cost is not None}
    assert rank(shuffled, ends, ends) == rank(costs, ends, ends)


@given(st.dictionaries(st.text(max_size=3), st.floats(1e-3, 1e6), min_size=2))
def test_places_never_fall_in_cost(costs):
    places = rank(costs, {}, {}).places
    assert all(
        before.usd_per_million_tokens <= after.usd_per_million_tokens
        for before, after in pairwise(places)
    )
    assert {place.key for place in places} == set(costs)
