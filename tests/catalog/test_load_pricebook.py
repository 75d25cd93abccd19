"""The price-book loader: idempotent, all or nothing, clear about what is wrong."""

from decimal import Decimal
from io import StringIO

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from catalog import models
from catalog.services.importing import load_folder
from catalog.services.pricebook_files import PricebookError, parse_attributes
from tests.catalog.folders import change, copy_of_bundled, rewrite, rows_of

pytestmark = pytest.mark.django_db

TABLES = (
    models.Source,
    models.Component,
    models.PriceBook,
    models.PriceQuote,
    models.NodeDesign,
    models.BomLine,
    models.RentalOffer,
    models.ModelShape,
    models.FxRate,
)


def counts():
    return [table.objects.count() for table in TABLES]


def errors_of(folder):
    with pytest.raises(PricebookError) as caught:
        load_folder(folder)
    return caught.value.errors


def test_the_bundled_book_fills_every_table():
    assert min(counts()) > 0


def test_loading_again_changes_nothing():
    before = list(models.PriceQuote.objects.values_list("id", "quote_id"))
    outcome = load_folder()
    assert outcome.n_changes == 0
    assert list(models.PriceQuote.objects.values_list("id", "quote_id")) == before


def test_the_command_says_that_nothing_changed():
    out = StringIO()
    call_command("load_pricebook", stdout=out)
    assert "nothing changed" in out.getvalue()


def test_the_command_is_silent_when_asked():
    out = StringIO()
    call_command("load_pricebook", stdout=out, verbosity=0)
    assert out.getvalue() == ""


def test_a_corrected_price_supersedes_the_old_one(tmp_path):
    folder = copy_of_bundled(tmp_path)
    change(
        folder, "quotes.csv", {"item": "cx7-400g"}, low="1500", mid="1600", high="1700"
    )
    assert load_folder(folder).n_changes == 1
    new = models.PriceQuote.objects.get(item="cx7-400g", superseded_by__isnull=True)
    assert new.mid == Decimal("1600")
    assert new.supersedes.mid == Decimal("1890")
    assert load_folder(folder).n_changes == 0


def test_a_correction_taken_back_is_in_force_again(tmp_path):
    folder = copy_of_bundled(tmp_path)
    change(folder, "quotes.csv", {"item": "cx7-400g"}, mid="1600")
    load_folder(folder)
    load_folder()
    current = models.PriceQuote.objects.get(item="cx7-400g", superseded_by__isnull=True)
    assert current.mid == Decimal("1890")
    assert models.PriceQuote.objects.filter(item="cx7-400g").count() == 3
    assert load_folder().n_changes == 0


def without(folder, item):
    """Drop the quotes of an item from the folder."""
    rows = [r for r in rows_of(folder, "quotes.csv") if r["item"] != item]
    rewrite(folder, "quotes.csv", rows)


def in_force(item):
    return models.PriceQuote.objects.in_force("2026-12-01").filter(item=item)


def test_a_quote_that_left_the_folder_is_withdrawn_and_kept(tmp_path):
    folder = copy_of_bundled(tmp_path)
    without(folder, "cx7-400g")
    assert load_folder(folder).tables["price quotes"]["withdrawn"] == 1
    assert not in_force("cx7-400g").exists()
    assert models.PriceQuote.objects.filter(item="cx7-400g", mid=1890).exists()
    assert load_folder(folder).n_changes == 0


def test_a_withdrawn_quote_that_returns_is_in_force_again(tmp_path):
    folder = copy_of_bundled(tmp_path)
    without(folder, "cx7-400g")
    load_folder(folder)
    load_folder()
    assert in_force("cx7-400g").get().mid == Decimal("1890")
    assert load_folder().n_changes == 0


def test_a_folder_leaves_other_books_alone(tmp_path):
    folder = copy_of_bundled(tmp_path)
    change(folder, "books.csv", {"slug": "2026-12"}, slug="2027-01")
    for file in ("quotes.csv", "history.csv", "designs.csv"):
        rows = rows_of(folder, file)
        for row in rows:
            row["price_book"] = row["price_book"].replace("2026-12", "2027-01")
        rewrite(folder, file, rows)
    assert load_folder(folder).tables["price quotes"]["withdrawn"] == 0
    books = {q.price_book.slug for q in in_force("cx7-400g")}
    assert books == {"2026-12", "2027-01"}


def test_a_changed_component_is_updated_in_place(tmp_path):
    folder = copy_of_bundled(tmp_path)
    change(folder, "components.csv", {"slug": "qm9700"}, name="QM9700 renamed")
    assert load_folder(folder).n_changes == 1
    assert models.Component.objects.get(slug="qm9700").name == "QM9700 renamed"


def test_changed_design_lines_are_replaced(tmp_path):
    folder = copy_of_bundled(tmp_path)
    match = {"design": "hgx-h100-parts", "component": "ddr5-64gb"}
    change(folder, "design_lines.csv", match, quantity="32")
    load_folder(folder)
    design = models.NodeDesign.objects.get(slug="hgx-h100-parts")
    assert design.lines.get(component__slug="ddr5-64gb").quantity == 32
    assert design.lines.count() == 5


@pytest.mark.parametrize(
    ("name", "match", "cells", "column", "words"),
    [
        ("quotes.csv", {"item": "qm9700"}, {"mid": "cheap"}, "mid", "cheap"),
        ("quotes.csv", {"item": "qm9700"}, {"low": "-1"}, "low", "greater than"),
        (
            "quotes.csv",
            {"item": "qm9700"},
            {"low": "50000"},
            "mid",
            "between low and high",
        ),
        ("quotes.csv", {"item": "qm9700"}, {"mid": ""}, "mid", "empty although"),
        ("quotes.csv", {"item": "qm9700"}, {"source": "hearsay"}, "source", "hearsay"),
        ("quotes.csv", {"item": "qm9700"}, {"item": "qm9999"}, "item", "qm9999"),
        ("quotes.csv", {"item": "qm9700"}, {"unit": "bag"}, "unit", "bag"),
        ("quotes.csv", {"item": "qm9700"}, {"unit": "kWh"}, "unit", "kWh"),
        (
            "quotes.csv",
            {"item": "qm9700"},
            {"effective_to": "2020-01-01"},
            "effective_to",
            "before",
        ),
        ("quotes.csv", {"item": "qm9700"}, {"mid": "12345678901"}, "mid", "digits"),
        (
            "quotes.csv",
            {"item": "qm9700"},
            {"confidence": "sure"},
            "confidence",
            "sure",
        ),
        (
            "components.csv",
            {"slug": "qm9700"},
            {"attributes": "ports=64"},
            "attributes.port_gbps",
            "missing",
        ),
        (
            "components.csv",
            {"slug": "qm9700"},
            {"attributes": "ports"},
            "",
            "name=value",
        ),
        ("components.csv", {"slug": "qm9700"}, {"kind": "gadget"}, "kind", "gadget"),
        ("components.csv", {"slug": "sn5600"}, {"slug": "qm9700"}, "slug", "twice"),
        (
            "components.csv",
            {"slug": "qm9700"},
            {"slug": "QM 9700"},
            "slug",
            "lower-case",
        ),
        ("designs.csv", {"slug": "dgx-h100"}, {"gpu": "qm9700"}, "gpu", "qm9700"),
        (
            "design_lines.csv",
            {"design": "dgx-h100"},
            {"component": "cpu"},
            "component",
            "cpu",
        ),
        (
            "design_lines.csv",
            {"design": "dgx-h100"},
            {"quantity": "0"},
            "quantity",
            "greater",
        ),
        (
            "offers.csv",
            {"slug": "denvr-h100-on-demand"},
            {"term": "gift"},
            "term",
            "gift",
        ),
        (
            "offers.csv",
            {"slug": "denvr-h100-on-demand"},
            {"provider": ""},
            "provider",
            "missing",
        ),
        ("models.csv", {"slug": "llama-2-7b"}, {"layers": "many"}, "layers", "many"),
        ("sources.csv", {"slug": "uptime-2024"}, {"kind": "rumour"}, "kind", "rumour"),
    ],
)
def test_a_wrong_cell_is_named_and_nothing_is_loaded(
    tmp_path, name, match, cells, column, words
):
    folder = copy_of_bundled(tmp_path)
    row = change(folder, name, match, **cells)
    change(folder, "components.csv", {"slug": "sn3700"}, name="must not arrive")
    errors = errors_of(folder)
    assert any(
        (error.file, error.row, error.column) == (name, row, column)
        and words in error.message
        for error in errors
    ), [str(error) for error in errors]
    assert not models.Component.objects.filter(name="must not arrive").exists()


def test_a_repeated_quote_is_refused_with_both_places(tmp_path):
    folder = copy_of_bundled(tmp_path)
    rows = rows_of(folder, "quotes.csv")
    rewrite(folder, "quotes.csv", [*rows, {**rows[0], "mid": "181000"}])
    (error,) = errors_of(folder)
    assert error.row == len(rows) + 2
    assert "quotes.csv, row 2" in error.message


def test_an_unknown_column_is_refused(tmp_path):
    folder = copy_of_bundled(tmp_path)
    rows = [{**row, "colour": "red"} for row in rows_of(folder, "models.csv")]
    rewrite(folder, "models.csv", rows)
    assert {error.column for error in errors_of(folder)} == {"colour"}


def test_all_errors_are_reported_at_once(tmp_path):
    folder = copy_of_bundled(tmp_path)
    change(folder, "quotes.csv", {"item": "qm9700"}, source="hearsay")
    change(folder, "offers.csv", {"slug": "denvr-h100-on-demand"}, gpu="h900")
    assert {error.file for error in errors_of(folder)} == {"quotes.csv", "offers.csv"}


def test_a_missing_file_is_named(tmp_path):
    folder = copy_of_bundled(tmp_path)
    (folder / "offers.csv").unlink()
    (error,) = errors_of(folder)
    assert str(error) == "offers.csv: the file is missing"


def test_a_file_that_is_not_text_is_named(tmp_path):
    folder = copy_of_bundled(tmp_path)
    (folder / "models.csv").write_bytes(b"slug,name\nllama\xff,x\n")
    (error,) = errors_of(folder)
    assert error.file == "models.csv"
    assert "UTF-8" in error.message


def test_the_command_fails_in_words(tmp_path):
    with pytest.raises(CommandError, match="Nothing was loaded"):
        call_command("load_pricebook", tmp_path / "nowhere", verbosity=0)


def test_a_failure_while_writing_leaves_nothing_behind(tmp_path, monkeypatch):
    folder = copy_of_bundled(tmp_path)
    change(folder, "components.csv", {"slug": "sn3700"}, name="must not arrive")
    monkeypatch.setattr("catalog.services.importing.sync_quotes", lambda *a: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        load_folder(folder)
    assert not models.Component.objects.filter(name="must not arrive").exists()


def test_attributes_read_numbers_words_and_truth():
    text = "ports=64; port_gbps=400.5; transport=roce; is_new=true;"
    expected = {"ports": 64, "port_gbps": 400.5, "transport": "roce", "is_new": True}
    assert parse_attributes(text) == expected
