"""Lists, quotes in force, history and form choices."""

import itertools
from datetime import date

import pytest

from calculator.spec.scenario import ComparisonV1
from catalog import selectors

pytestmark = pytest.mark.django_db

PRIVATE = {"stack-profiles"}
"""Lists that are the visitor's own, not the catalog's."""
NAMES = [
    "designs",
    "offers",
    "models",
    "switches",
    "nics",
    "cables",
    "transceivers",
    "storage",
    "price-books",
]


def choice_names(schema):
    """All values of x-choices anywhere in a JSON Schema."""
    if isinstance(schema, dict):
        own = {schema["x-choices"]} if "x-choices" in schema else set()
        return own.union(*(choice_names(part) for part in schema.values()))
    if isinstance(schema, list):
        return set().union(*(choice_names(part) for part in schema))
    return set()


@pytest.mark.parametrize("name", NAMES)
def test_every_list_offers_something_with_a_label(name):
    choices = selectors.choices_for(name)
    assert choices
    assert all(slug and label for slug, label in choices)


def test_every_list_that_the_comparison_names_exists():
    names = choice_names(ComparisonV1.model_json_schema())
    assert names - PRIVATE == set(NAMES)


def test_an_unknown_list_is_an_error():
    with pytest.raises(KeyError):
        selectors.choices_for("colours")


def test_a_management_switch_is_no_fabric_choice():
    slugs = dict(selectors.choices_for("switches"))
    assert "sn2201" not in slugs
    assert "sn2410" in slugs


def test_fibre_is_no_copper_choice():
    assert "fibre-mpo" not in dict(selectors.choices_for("cables"))


def test_components_are_found_by_kind_and_text():
    assert {c.slug for c in selectors.component_list("switch", "infiniband")} == {
        "qm9700",
        "q3400",
    }
    assert [c.slug for c in selectors.component_list(search="MQM9700-NS2F")] == [
        "qm9700"
    ]


def test_offers_are_found_by_text():
    found = {offer.slug for offer in selectors.offer_list(search="lambda")}
    assert "lambda-h100-on-demand" in found
    assert "aws-p5-48xlarge-on-demand" not in found


def test_quotes_in_force_change_with_the_day():
    def price(day):
        quotes = selectors.quotes_in_force(day, "2026-12")
        return quotes.get(item="aws-p5-48xlarge-on-demand", region="us-east-1").mid

    assert float(price(date(2025, 1, 1))) == 98.32
    assert float(price(date(2026, 1, 1))) == 55.04


def test_quotes_in_force_may_be_limited_to_a_book():
    books = {q.price_book.slug for q in selectors.quotes_in_force(date(2026, 12, 1))}
    assert books == {"2026-12", "sivaro-2026-07"}
    only = selectors.quotes_in_force(date(2026, 12, 1), "sivaro-2026-07")
    assert {q.price_book.slug for q in only} == {"sivaro-2026-07"}


def test_the_history_runs_backwards():
    days = [q.effective_from for q in selectors.quote_history("market-h100-list")]
    assert len(days) > 20
    assert days == sorted(days, reverse=True)


def test_the_market_history_leaves_no_gap_and_no_overlap():
    quotes = list(selectors.quote_history("market-h100-list"))
    for later, earlier in itertools.pairwise(quotes):
        assert (later.effective_from - earlier.effective_to).days == 1


def test_lists_do_not_query_row_by_row(django_assert_max_num_queries):
    with django_assert_max_num_queries(3):
        for design in selectors.design_list():
            [line.component.slug for line in design.lines.all()]
            assert design.gpu.slug
            assert design.price_book.slug


def test_models_and_offers_come_with_their_sources(django_assert_num_queries):
    with django_assert_num_queries(2):
        assert all(shape.source.slug for shape in selectors.model_list())
        assert all(offer.source.slug for offer in selectors.offer_list())
