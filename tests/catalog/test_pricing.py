"""Which quote is picked, and that none is never zero."""

from datetime import date, timedelta
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalog.choices import Confidence, SourceKind
from catalog.models import PriceQuote, Source
from catalog.services.pricing import pick_quote

TODAY = date(2026, 12, 1)


def quote(quote_id="q", *, mid=100, kind="reseller", confidence="medium", **columns):
    return PriceQuote(
        quote_id=quote_id,
        mid=None if mid is None else Decimal(mid),
        source=Source(slug=kind, kind=kind),
        confidence=confidence,
        **{"effective_from": date(2026, 1, 1)} | columns,
    )


def picked(*quotes, **asked):
    found = pick_quote(quotes, **{"as_of": TODAY} | asked)
    return found and found.quote_id


def test_no_quote_is_none_not_zero():
    assert picked() is None


def test_a_quote_of_the_future_is_not_in_force():
    assert picked(quote(effective_from=TODAY + timedelta(days=1))) is None


def test_an_expired_quote_is_not_in_force():
    assert picked(quote(effective_to=TODAY - timedelta(days=1))) is None


@pytest.mark.parametrize("day", [date(2026, 1, 1), date(2026, 3, 31)])
def test_both_ends_of_the_range_count(day):
    assert picked(quote(effective_to=date(2026, 3, 31)), as_of=day) == "q"


def test_a_quote_without_dates_is_always_in_force():
    assert picked(quote(effective_from=None), as_of=date(1999, 1, 1)) == "q"


def test_another_regions_quote_does_not_apply():
    assert picked(quote(region="sa-east-1"), region="us-east-1") is None


def test_the_regions_own_quote_wins_over_any_regions():
    general, own = (
        quote("general", kind="vendor_feed"),
        quote("own", region="us-east-1"),
    )
    assert picked(general, own, region="us-east-1") == "own"


def test_a_quantity_tier_needs_its_quantity():
    single, tier = quote("single"), quote("tier", min_quantity=64)
    assert picked(single, tier, quantity=63) == "single"
    assert picked(single, tier, quantity=64) == "tier"


def test_another_payment_option_does_not_apply():
    assert picked(quote(payment_option="reserved-1y")) is None


def test_the_named_payment_option_wins():
    plain, named = (
        quote("plain", kind="vendor_feed"),
        quote("named", payment_option="1y"),
    )
    assert picked(plain, named, payment_option="1y") == "named"


def test_the_vendors_feed_wins_over_a_later_blog():
    feed = quote("feed", kind="vendor_feed")
    blog = quote("blog", kind="blog", effective_from=date(2026, 11, 1))
    assert picked(blog, feed) == "feed"


def test_the_rank_of_sources_is_the_documented_one():
    order = ["vendor_feed", "vendor_page", "reseller", "press", "blog", "assumption"]
    ranked = [kind for kind in SourceKind.values if kind in order]
    assert ranked == order


def test_of_equal_sources_the_later_wins():
    assert picked(quote("old"), quote("new", effective_from=date(2026, 5, 1))) == "new"


def test_a_stated_price_wins_over_an_unknown_one():
    unknown = quote("unknown", mid=None, kind="vendor_feed")
    assert picked(unknown, quote("stated", kind="blog")) == "stated"


def test_an_unknown_price_alone_stays_unknown():
    found = pick_quote([quote(mid=None)], as_of=TODAY)
    assert found is not None
    assert found.mid is None


QUOTES = st.builds(
    quote,
    quote_id=st.uuids().map(str),
    mid=st.one_of(st.none(), st.integers(0, 1000)),
    kind=st.sampled_from(SourceKind.values),
    confidence=st.sampled_from(Confidence.values),
    region=st.sampled_from(["", "a", "b"]),
    min_quantity=st.integers(1, 3),
    effective_from=st.one_of(st.none(), st.dates(date(2026, 1, 1), date(2027, 1, 1))),
)


@given(st.lists(QUOTES, max_size=6, unique_by=lambda q: q.quote_id), st.randoms())
def test_the_choice_does_not_depend_on_the_order_of_rows(quotes, random):
    first = picked(*quotes, region="a", quantity=2)
    random.shuffle(quotes)
    assert picked(*quotes, region="a", quantity=2) == first
