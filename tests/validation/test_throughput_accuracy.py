"""The shipped parameters keep the accuracy that they reached on the bundled runs."""

from collections import defaultdict

import numpy as np

from calculator.measured.files import read_rows
from calculator.measured.predict import predict
from calculator.measured.store import bundled
from calculator.measured.truth import is_comparable, measured_tokens_per_s_per_gpu

REACHED_MEDIAN = 0.086
REACHED_P90 = 0.212
TOLERANCE = 0.005


def test_family_mean_errors_stay_where_the_fit_left_them():
    rows = [r for r in read_rows(bundled("measured_runs.csv")) if is_comparable(r)]
    errors = defaultdict(list)
    for row, found in zip(rows, predict(rows), strict=True):
        measured = measured_tokens_per_s_per_gpu(row)
        if found.tokens_per_s_per_gpu and measured:
            error = abs(found.tokens_per_s_per_gpu / measured - 1.0)
            errors[row["id"].split("-")[0]].append(error)
    medians = [np.median(values) for values in errors.values()]
    tails = [np.quantile(values, 0.9) for values in errors.values()]
    assert np.mean(medians) <= REACHED_MEDIAN + TOLERANCE
    assert np.mean(tails) <= REACHED_P90 + TOLERANCE
