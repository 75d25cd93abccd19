"""The snapshot copies everything a comparison uses, in few queries."""

from datetime import date

import pytest

from catalog.documents import (
    FxRow,
    PriceRow,
    PriceSnapshot,
    SnapshotRequest,
    UnknownReference,
)
from catalog.models import Component, PriceQuote
from catalog.services.snapshots import take_snapshot

pytestmark = pytest.mark.django_db

TODAY = date(2026, 12, 1)
FABRIC = """
    qm9700 cx7-400g dac-ndr-800g-2x400g osfp-800g-2x400g fibre-mpo
    sn3700 cx7-200g-2p dac-200g qsfp56-200g
    parallel-file-system rack-48u pdu-60a sn2201
"""
REFERENCE = SnapshotRequest(
    designs=("hgx-h100-sivaro", "hgx-h100-dealer"),
    components=tuple(FABRIC.split()),
    offers=("aws-p5-48xlarge-on-demand",),
    models=("llama-2-70b",),
    sources=("planning-assumption", "llama3-herd"),
    as_of=TODAY,
)
N_QUERIES = 9


def snapshot(**references):
    return take_snapshot(SnapshotRequest(**{"as_of": TODAY} | references))


def test_the_reference_comparison_is_fully_priced():
    taken = take_snapshot(REFERENCE)
    assert [key for key, row in taken.prices.items() if row.is_missing] == []


def test_a_snapshot_takes_a_constant_number_of_queries(django_assert_num_queries):
    with django_assert_num_queries(N_QUERIES):
        take_snapshot(REFERENCE)


def test_more_references_take_no_more_queries(django_assert_num_queries):
    wide = REFERENCE.model_copy(
        update={
            "designs": ("hgx-h100-parts", "mi300x-8", "gb200-nvl72", "hgx-h100-sivaro"),
            "offers": (
                "lambda-h100-on-demand",
                "nebius-b200-spot",
                "oci-mi300x-8-on-demand",
            ),
            "models": ("llama-2-70b", "mixtral-8x7b", "deepseek-v3"),
        }
    )
    with django_assert_num_queries(N_QUERIES):
        take_snapshot(wide)


def test_a_snapshot_survives_json():
    taken = take_snapshot(REFERENCE)
    assert PriceSnapshot.model_validate_json(taken.model_dump_json()) == taken


def test_every_component_of_a_design_and_its_gpu_come_along():
    taken = snapshot(designs=("hgx-h100-parts",))
    lines = {line.component for line in taken.designs["hgx-h100-parts"].lines}
    assert lines | {"h100-sxm"} == set(taken.components)
    assert all(taken.price(item, "2026-12").mid for item in lines)


def test_a_gpu_is_not_priced_unless_it_is_a_part():
    assert "2026-12:h100-sxm" not in snapshot(designs=("dgx-h100",)).prices
    assert "2026-12:h100-sxm" in snapshot(components=("h100-sxm",)).prices


def test_a_design_is_priced_in_its_own_book_first():
    row = take_snapshot(REFERENCE).price("node-sivaro-h100", "sivaro-2026-07")
    assert (row.low, row.mid, row.high) == (172_000, 180_000, 200_000)
    assert row.source == "sivaro-2026-07"


def test_an_item_not_in_the_own_book_falls_back_to_the_snapshots_book():
    row = take_snapshot(REFERENCE).price("qm9700", "sivaro-2026-07")
    assert row.price_book == "2026-12"


def test_two_books_may_price_one_item_differently():
    old = PriceQuote.objects.get(item="node-sivaro-h100")
    main = PriceQuote.objects.get(item="qm9700").price_book
    columns = [f.attname for f in PriceQuote._meta.concrete_fields if f.name != "id"]
    values = {name: getattr(old, name) for name in columns}
    other = {
        "quote_id": "other",
        "price_book_id": main.id,
        "low": 1,
        "mid": 2,
        "high": 3,
    }
    PriceQuote(**values | other).save()
    taken = snapshot(designs=("hgx-h100-sivaro",))
    assert taken.price("node-sivaro-h100", "sivaro-2026-07").mid == 180_000
    assert taken.price("node-sivaro-h100").mid == 2


def test_a_missing_price_is_none_and_says_so():
    row = snapshot(components=("q3400",)).price("q3400")
    assert row.mid is None
    assert row.is_missing
    assert row.confidence == "assumption"


def test_an_offer_without_a_published_price_is_missing():
    row = snapshot(offers=("aws-p5-48xlarge-savings-1y",)).price(
        "aws-p5-48xlarge-savings-1y"
    )
    assert row.mid is None
    assert row.unit == "instance-hour"


def test_a_day_before_all_quotes_gives_missing_not_zero():
    taken = snapshot(components=("qm9700",), as_of=date(2001, 1, 1))
    row = taken.price("qm9700")
    assert (row.low, row.mid, row.high) == (None, None, None)
    assert row.quote_id == ""
    assert taken.sources[row.source].title == "No quote in force"


def test_the_price_of_the_day_is_used():
    before = snapshot(offers=("aws-p5-48xlarge-on-demand",), as_of=date(2025, 6, 4))
    after = snapshot(offers=("aws-p5-48xlarge-on-demand",), as_of=date(2025, 6, 5))
    assert before.price("aws-p5-48xlarge-on-demand").mid == 98.32
    assert after.price("aws-p5-48xlarge-on-demand").mid == 55.04


def test_an_offer_takes_its_own_regions_price():
    assert snapshot(offers=("aws-p5e-48xlarge-capacity-block",)).price(
        "aws-p5e-48xlarge-capacity-block"
    ).mid == pytest.approx(39.80)


def test_a_superseded_quote_is_not_used():
    old = PriceQuote.objects.get(item="qm9700")
    columns = [f.attname for f in PriceQuote._meta.concrete_fields if f.name != "id"]
    values = {name: getattr(old, name) for name in columns}
    PriceQuote(
        **values | {"quote_id": "new", "mid": 20_000, "supersedes_id": old.id}
    ).save()
    assert snapshot(components=("qm9700",)).price("qm9700").quote_id == "new"


def test_a_euro_price_is_read_in_dollars_and_kept_as_quoted():
    taken = snapshot(offers=("scaleway-h100-on-demand",))
    row = taken.price("scaleway-h100-on-demand")
    assert taken.prices["2026-12:scaleway-h100-on-demand"].currency == "EUR"
    assert row.currency == "USD"
    assert row.mid == pytest.approx(25.3308 * 1.1269)
    assert "1.1269" in row.note
    assert taken.fx["EUR"].source in taken.sources


def test_without_an_exchange_rate_a_foreign_price_is_unknown():
    row = PriceRow(
        quote_id="q",
        item="x",
        label="X",
        category="nic",
        low=1,
        mid=2,
        high=3,
        currency="CHF",
        unit="each",
        confidence="low",
        source="s",
        price_book="b",
    )
    taken = PriceSnapshot(as_of=TODAY, price_book="b", prices={"b:x": row})
    assert taken.price("x").mid is None
    assert "CHF" in taken.price("x").note


def test_a_rate_of_the_future_is_not_used():
    taken = snapshot(offers=("scaleway-h100-on-demand",), as_of=date(2026, 10, 5))
    assert taken.fx == {}


def test_an_fx_row_is_positive():
    with pytest.raises(ValueError, match="greater than 0"):
        FxRow(currency="EUR", rate=0, observed_on="2026-10-06", source="s")


def test_every_cited_source_is_included():
    taken = take_snapshot(REFERENCE)
    rows = [
        *taken.prices.values(),
        *taken.components.values(),
        *taken.designs.values(),
        *taken.offers.values(),
        *taken.models.values(),
    ]
    cited = {row.source for row in rows} | {"planning-assumption", "llama3-herd"}
    cited |= {design.power_source for design in taken.designs.values()}
    cited |= {offer.network_source for offer in taken.offers.values()}
    assert cited - {""} == set(taken.sources)


def test_an_item_that_was_not_asked_for_is_an_error():
    with pytest.raises(KeyError, match="qm9700"):
        snapshot(models=("llama-2-7b",)).price("qm9700")


@pytest.mark.parametrize(
    ("references", "kind", "suggestion"),
    [
        ({"designs": ("hgx-h100-dealr",)}, "design", "hgx-h100-dealer"),
        ({"components": ("qm970",)}, "component", "qm9700"),
        (
            {"offers": ("aws-p5-48xlarge-ondemand",)},
            "offer",
            "aws-p5-48xlarge-on-demand",
        ),
        ({"models": ("llama2-70b",)}, "model", "llama-2-70b"),
        ({"sources": ("llama-herd",)}, "source", "llama3-herd"),
        ({"price_book": "2026-11"}, "price-book", "2026-12"),
    ],
)
def test_an_unknown_reference_suggests_close_matches(references, kind, suggestion):
    with pytest.raises(UnknownReference) as caught:
        snapshot(**references)
    error = caught.value
    (named,) = references.values()
    assert error.kind == kind
    assert error.slug in named
    assert suggestion in error.suggestions
    assert len(error.suggestions) <= 5
    assert suggestion in str(error)


def test_nothing_like_it_gives_no_suggestion():
    with pytest.raises(UnknownReference) as caught:
        snapshot(components=("zzzzzzzzzzzz",))
    assert caught.value.suggestions == ()


def test_the_snapshot_outlives_the_catalog():
    taken = take_snapshot(REFERENCE)
    before = taken.model_dump_json()
    Component.objects.filter(slug="qm9700").update(name="renamed")
    assert taken.model_dump_json() == before
