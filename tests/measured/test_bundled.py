"""The bundled runs: accepted, and compared as their sources printed them."""

import math

import pytest

from calculator.measured.predict import predict
from calculator.measured.truth import is_comparable, measured_tokens_per_s_per_gpu

from .cases import bundled_rows, row


def test_at_most_two_percent_of_runs_that_really_ran_are_refused():
    rows = [r for r in bundled_rows() if is_comparable(r)]
    assert len(rows) > 1200
    found = predict(rows)
    refused = [p for p in found if p.tokens_per_s_per_gpu is None]
    too_large = [p for p in found if p.fits is False]
    assert len(refused) <= 0.02 * len(rows), [p.note for p in refused]
    assert len(too_large) <= 0.02 * len(rows), [p.note for p in too_large]


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        ({"tokens_per_s_per_gpu": "1000", "step_time_s": "1"}, 1000),
        ({"step_time_s": "16.384"}, 256 * 4096 / 16.384 / 64),
        (
            {"model_tflops_per_gpu": "400", "params_b": "70"},
            400e12 / (6 * 70e9 + 12 * 80 * 8192 * 4096),
        ),
        (
            {"mfu_pct": "40", "params_b": "70"},
            0.4 * 989e12 / (6 * 70e9 + 12 * 80 * 8192 * 4096),
        ),
        ({"mfu_pct": "40", "params_b": "70", "precision": "fp8"}, None),
        ({"mfu_pct": "40", "params_b": "70", "moe": "8/2"}, None),
        ({"tokens_per_s_per_gpu": "nan"}, None),
        ({"tokens_per_s_per_gpu": "-5"}, None),
        ({}, None),
    ],
)
def test_measured_speed_is_read_in_the_agreed_order(cells, expected):
    found = measured_tokens_per_s_per_gpu(row(**cells))
    assert found == (None if expected is None else pytest.approx(expected))


@pytest.mark.parametrize(
    "cells",
    [
        {"notes": "FLAG: ranks do not multiply"},
        {"notes": "CHECK"},
        {"model": "Llama3 8B LoRA"},
        {"layers": ""},
        {"micro_batch": "", "global_batch_seqs": ""},
        {"tokens_per_s_per_gpu": ""},
    ],
)
def test_contradictory_partial_and_incomplete_runs_are_not_compared(cells):
    assert is_comparable(row(tokens_per_s_per_gpu="1000"))
    assert not is_comparable(row(**{"tokens_per_s_per_gpu": "1000", **cells}))


def test_bundled_runs_name_their_sources():
    for r in bundled_rows():
        assert r["source_title"], r["id"]
        assert r["source_ref"], r["id"]
    ids = [r["id"] for r in bundled_rows()]
    assert len(ids) == len(set(ids))


def test_measured_speeds_are_finite():
    for r in bundled_rows():
        speed = measured_tokens_per_s_per_gpu(r)
        assert speed is None or (math.isfinite(speed) and speed > 0)
