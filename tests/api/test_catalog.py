"""Catalog reads: lists, filters, pages, and what an unknown price looks like."""

from datetime import date

import pytest

from catalog.models import Component, NodeDesign, PriceBook, PriceQuote, Source

pytestmark = pytest.mark.django_db

LISTS = [
    "components",
    "offers",
    "designs",
    "models",
    "quotes",
    "sources",
    "price-books",
]


@pytest.fixture
def rows():
    """A few rows of our own, told apart by the maker and the price book."""
    source = Source.objects.create(
        slug="z-test-source", kind="press", publisher="P", title="T", reference="R"
    )
    book = PriceBook.objects.create(
        slug="z-test-book", title="Test", as_of=date(2020, 1, 1)
    )
    parts = [
        Component.objects.create(
            slug=f"z-part-{number}",
            kind="cpu",
            name=f"Part {number}",
            manufacturer="Testmaker",
            source=source,
        )
        for number in range(5)
    ]
    first = _quote(book, source, "q-1", mid=100, effective_to=date(2020, 6, 30))
    _quote(book, source, "q-2", mid=None, effective_from=date(2020, 7, 1))
    _quote(book, source, "q-3", mid=120, supersedes=first)
    NodeDesign.objects.create(
        slug="z-design",
        name="Design",
        gpu=parts[0],
        gpus_per_node=8,
        default_ports_per_node=8,
        default_port_gbps=400,
        rated_kw=10,
        mean_training_kw=8,
        idle_kw=2,
        rack_units=8,
        price_book=book,
        source=source,
    ).lines.create(position=1, component=parts[1], quantity=2)


def _quote(book, source, quote_id, **fields):
    return PriceQuote.objects.create(
        quote_id=f"z-{quote_id}",
        content_hash=quote_id,
        price_book=book,
        item_kind="component",
        item="z-part-0",
        unit="each",
        confidence="low",
        source=source,
        **fields,
    )


@pytest.mark.parametrize("name", LISTS)
def test_every_list_answers_and_each_of_its_rows_can_be_read(api, rows, name):
    page = api.read(f"/{name}").json()
    assert set(page) == {"next", "previous", "results"}
    for row in page["results"][:2]:
        key = row.get("quote_id") or row["slug"]
        assert api.read(f"/{name}/{key}").json() == row


@pytest.mark.parametrize("name", LISTS)
def test_a_list_takes_the_same_queries_however_long(
    api, rows, name, django_assert_max_num_queries
):
    with django_assert_max_num_queries(3):
        api.read(f"/{name}", {"page_size": 100})


@pytest.mark.parametrize("name", LISTS)
def test_an_unknown_row_is_not_found(api, name):
    assert api.read(f"/{name}/z-nothing").status_code == 404


@pytest.mark.parametrize("name", LISTS)
def test_a_misspelt_filter_is_refused_not_ignored(api, name):
    response = api.read(f"/{name}?knid=gpu")
    assert response.status_code == 400
    assert "knid" in response.json()["detail"]


def test_components_are_filtered_and_paged(api, rows):
    query = {"manufacturer": "testmaker", "kind": "cpu", "page_size": 2}
    slugs, page = [], api.read("/components", query).json()
    slugs += [row["slug"] for row in page["results"]]
    while page["next"]:
        page = api.get(page["next"]).json()
        slugs += [row["slug"] for row in page["results"]]
    assert slugs == [f"z-part-{number}" for number in range(5)]


def test_components_are_found_by_text(api, rows):
    found = api.read("/components", {"search": "PART-3"}).json()["results"]
    assert [row["slug"] for row in found] == ["z-part-3"]


def test_an_unknown_price_is_null(api, rows):
    row = api.read("/quotes/z-q-2").json()
    assert row["mid"] is None
    assert row["price_book"] == "z-test-book"


def test_quotes_in_force_leave_out_the_superseded_and_the_lapsed(api, rows):
    query = {"item": "z-part-0", "in_force_on": "2020-07-01"}
    found = api.read("/quotes", query).json()["results"]
    assert [row["quote_id"] for row in found] == ["z-q-2", "z-q-3"]
    assert found[1]["supersedes"] == "z-q-1"


def test_a_design_lists_its_parts(api, rows):
    row = api.read("/designs/z-design").json()
    assert row["lines"] == [{"component": "z-part-1", "quantity": 2.0, "note": ""}]


@pytest.mark.parametrize(
    "query",
    [
        "kind=car",
        "kind=",
        "search=",
        "search=%00",
        f"search={'x' * 101}",
    ],
)
def test_a_filter_value_that_cannot_be_used_is_refused(api, query):
    response = api.read(f"/components?{query}")
    assert response.status_code == 400
    assert response.json()["code"] == "query_invalid"


@pytest.mark.parametrize("day", ["2020-13-01", "1/2/2020", "today"])
def test_a_day_is_written_as_year_month_day(api, day):
    assert api.read("/quotes", {"in_force_on": day}).status_code == 400
