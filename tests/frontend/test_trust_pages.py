"""The pages on accuracy and claims, with documents made by hand: no engine, no catalog."""

from __future__ import annotations

import json
import re

import pytest
from django.urls import reverse

from calculator.measured import stored
from calculator.services import accuracy, claims
from calculator.spec.claims import ClaimsLedgerV1
from frontend.figures import accuracy_scatter, busy_sweep, render
from frontend.report import claims as claims_report
from tests.frontend.test_pages import Page

pytestmark = pytest.mark.django_db

STORED = {
    "fit_date": "2026-12-03",
    "engine_version": "0.0.1",
    "families": {
        "ALPHA": {
            "source_title": "Alpha <benchmarks>",
            "source_ref": "arXiv:0000.00001",
            "n": 2,
            "refused": 1,
            "in_sample_median": 0.031,
            "in_sample_p90": 0.052,
            "left_out_median": 0.043,
            "left_out_p90": 0.091,
            "constant_mfu_median": 0.21,
            "constant_mfu_p90": 0.55,
        },
    },
    "overall": {
        "n": 2,
        "refused": 1,
        "in_sample_median": 0.031,
        "in_sample_p90": 0.052,
        "left_out_median": 0.0777,
        "left_out_p90": 0.091,
        "constant_mfu_median": 0.21,
        "constant_mfu_p90": 0.55,
        "ratio_median": 0.02,
        "ratio_p90": 0.1,
        "n_ratio_pairs": 1,
    },
    "runs": [
        ["ALPHA-001", "ALPHA", "7B", "h100-sxm", 64, 1000.0, 1010.0, 1050.0],
        ["ALPHA-002", "ALPHA", "70B", "h100-sxm", 512, 100.0, 99.0, None],
    ],
}


@pytest.fixture
def calibrated(monkeypatch):
    monkeypatch.setattr(stored, "residuals", lambda: STORED)


@pytest.fixture
def uncalibrated(monkeypatch):
    monkeypatch.setattr(stored, "residuals", lambda: None)


def check(label, value, low, high, *, holds, unit="share"):
    return {
        "key": label,
        "label": label,
        "unit": unit,
        "claimed_low": low,
        "claimed_high": high,
        "tolerance_fraction": 0.1,
        "value": value,
        "holds": holds,
    }


def ledger() -> ClaimsLedgerV1:
    document = {"name": "x", "alternatives": {}, "order": []}
    readings = [
        {
            "label": "one port <each>",
            "is_plain": True,
            "checks": [check("Busy", 0.5, 0.87, 0.87, holds=False)],
            "holds": False,
        },
        {
            "label": "eight ports",
            "is_plain": False,
            "checks": [check("Busy", 0.91, 0.87, 0.87, holds=True)],
            "details": [{"label": "MFU", "value": 0.44, "unit": "share"}],
            "holds": True,
            "comparison": document,
        },
    ]
    evidence = {
        "label": "Listed",
        "low": 230000.0,
        "high": 296000.0,
        "unit": "USD",
        "publisher": "Somebody",
        "reference": "their list",
    }
    base = {"topic": "Networks", "title": "Busy", "statement": "It is busy."}
    found = [
        {
            **base,
            "id": "busy",
            "verdict": "under_reading",
            "verdict_text": "Holds only when read so: eight ports.",
            "deciding_reading": 1,
            "readings": readings,
            "evidence": [evidence],
        },
        {
            **base,
            "id": "loader",
            "title": "Loader",
            "verdict": "not_tested",
            "verdict_text": "No model of it.",
            "readings": [],
            "evidence": [],
        },
    ]
    sweep = [
        {
            "network": network,
            "strategy": "sharded",
            "tokens_per_gpu": tokens,
            "busy_share": share,
            "mfu": 0.4,
        }
        for network, tokens, share in (
            ("fast", 2048, 0.7),
            ("fast", 8192, 0.9),
            ("slow", 2048, None),
            ("slow", 8192, 0.2),
        )
    ]
    return ClaimsLedgerV1.model_validate(
        {
            "schema_version": "1",
            "engine_version": "9.9.9",
            "price_book": "2026-12",
            "as_of": "2026-12-01",
            "source": "guide",
            "claims": found,
            "sweep": sweep,
        }
    )


@pytest.fixture
def tested(monkeypatch):
    monkeypatch.setattr(claims, "ledger", ledger)


def get(client, name):
    response = client.get(reverse(name))
    assert response.status_code == 200
    page = Page(response)
    assert len(page.ids) == len(set(page.ids))
    assert page.references <= set(page.ids)
    assert page.inline == []
    return response.content.decode(), page


def test_claims_are_listed_with_verdicts_and_numbers(client, tested):
    html, page = get(client, "claims")
    assert {"busy", "loader"} <= set(page.ids)
    assert 'href="#busy"' in html
    assert "reproduced under a reading" in page.text
    assert "not tested" in page.text
    assert "87.0 %, ± 10 % of it" in page.text
    assert "91.0 %" in page.text
    assert "$230k to $296k" in page.text
    assert "No model of it." in page.text
    assert "one port <each>" in page.text


def test_a_reading_links_to_the_comparison_it_was_computed_from(client, tested):
    html, _ = get(client, "claims")
    links = re.findall(r'href="(/quote/\?d=[^"]+)"', html)
    assert len(links) == 1


def test_the_overview_shows_the_reading_that_decides():
    rows = claims_report.page(ledger()).topics[0][1]
    assert rows[0].best.label == "eight ports"
    assert rows[0].n_agree == 1
    assert rows[1].best is None


def test_verdicts_are_counted():
    counts = {words: n for words, _, n in claims_report.page(ledger()).counts}
    assert counts["reproduced under a reading"] == 1
    assert counts["not tested"] == 1
    assert counts["contradicted"] == 0


def test_the_sweep_has_a_twin_with_the_same_numbers():
    (figure,) = busy_sweep.figures(ledger().sweep)
    assert figure.table.columns == ["Tokens per GPU and step", "fast", "slow"]
    assert figure.table.rows == [
        ["2,048", "70.0 %", "–"],
        ["8,192", "90.0 %", "20.0 %"],
    ]
    assert len(figure.records) == 3
    assert "fast 70 % to 90 %" in figure.summary


def test_figures_are_served_without_script(client, tested, calibrated):
    for name, figure in (
        ("claims-figure", "busy_sharded"),
        ("accuracy-figure", "predicted_measured"),
    ):
        response = client.get(reverse(name, args=[figure]))
        assert response["Content-Type"] == "image/svg+xml"
        assert b"<svg" in response.content


@pytest.mark.parametrize("name", ["claims-figure", "accuracy-figure"])
def test_a_figure_that_does_not_exist_is_not_found(client, tested, uncalibrated, name):
    assert client.get(reverse(name, args=["nothing"])).status_code == 404
    assert client.get(reverse(name, args=["predicted_measured"])).status_code == 404


def test_errors_stand_beside_the_plain_baseline(client, calibrated):
    _, page = get(client, "accuracy")
    for text in ("7.8 %", "4.3 % / 9.1 %", "21.0 % / 55.0 %", "Alpha <benchmarks>"):
        assert text in page.text
    assert "mamf_ratio_bf16" in page.text
    assert "Mixture of experts" in page.text


def test_residuals_of_another_engine_are_called_so(client, calibrated):
    assert "another one than runs here" in get(client, "accuracy")[1].text


def test_without_a_calibration_the_page_says_so_kindly(client, uncalibrated):
    html, page = get(client, "accuracy")
    assert "No calibration of single runs is stored" in page.text
    assert "manage.py calibrate" in page.text
    assert "figure-chart" not in html


def test_the_scatter_plots_the_prediction_that_had_not_seen_the_source(calibrated):
    figure = accuracy_scatter.figure(accuracy.report())
    assert [record["predicted"] for record in figure.records] == [1050.0, 99.0]
    assert figure.records[0]["id"] == "ALPHA-001"
    assert figure.table.rows[0][-1] == "5.0 %"
    assert "<svg" in render.svg(figure)


def test_the_scatter_is_log_log_and_coloured_by_source(calibrated):
    spec = accuracy_scatter.figure(accuracy.report()).spec
    points = spec["layer"][-1]["encoding"]
    assert points["x"]["scale"]["type"] == points["y"]["scale"]["type"] == "log"
    assert points["color"]["field"] == "family"
    json.dumps(spec)


def test_every_page_leads_to_accuracy_and_claims(client, uncalibrated):
    html, _ = get(client, "accuracy")
    assert f'href="{reverse("accuracy")}"' in html
    assert f'href="{reverse("claims")}"' in html
