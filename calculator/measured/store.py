"""The two documents that a calibration writes: parameters and residuals."""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

from calculator.measured.fit import Calibration
from calculator.measured.intervals import classes
from calculator.measured.residuals import family_errors, overall_errors, run_rows

SIGNIFICANT_DIGITS = 4
KIND = (
    "relative error of tokens/s/GPU, each family of runs left out of the fit in turn, mean "
    "over families of the 90th percentile; the design of the model had seen every family, "
    "so an unseen source may do worse"
)


def bundled(name: str) -> Path:
    """Path of a data file that ships with this package."""
    return Path(str(files("calculator.measured") / "data" / name))


def parameters_path() -> Path:
    """Path of the one parameter file that the engine loads."""
    return Path(str(files("calculator.engine.training") / "parameters.json"))


def residuals_document(
    calibration: Calibration, *, fit_date: str, engine_version: str
) -> dict[str, Any]:
    """Return errors by family and over all, and every run's measured and predicted speed."""
    families = family_errors(calibration.comparison, calibration.refused)
    return {
        "fit_date": fit_date,
        "engine_version": engine_version,
        "families": families,
        "overall": overall_errors(families, calibration.comparison),
        "interval_classes": _interval_classes(calibration),
        "runs": run_rows(calibration.comparison),
    }


def parameters_document(
    before: Mapping[str, Any], calibration: Calibration, residuals: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the parameter file with fitted values, fit date and a summary of the errors."""
    document = copy.deepcopy(dict(before))
    for name, value in calibration.values.items():
        entry = document["parameters"][name]
        entry["value"] = _rounded(value)
        entry["fit_date"] = residuals["fit_date"]
    document["fit_date"] = residuals["fit_date"]
    document["fitted_on"] = fitted_on(calibration)
    document["residuals"] = _summary(residuals)
    return classes_document(document, residuals)


def classes_document(
    before: Mapping[str, Any], residuals: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the parameter file with the errors by kind of configuration, as results use."""
    fit = {**before.get("fit", {}), "interval_classes": residuals["interval_classes"]}
    return {**before, "fit": fit}


def _interval_classes(calibration: Calibration) -> dict[str, dict[str, float]]:
    found = calibration.comparison
    made = classes(found.kinds, found.families, found.left_out, found.measured)
    return {
        key: {
            "p90_error_fraction": _rounded(entry["p90_error_fraction"]),
            "n_runs": int(entry["n_runs"]),
        }
        for key, entry in made.items()
    }


def fitted_on(calibration: Calibration) -> str:
    """Say in one sentence what the parameters were fitted to and what was set aside."""
    aside = ", ".join(
        f"{reason} ({count})" for reason, count in sorted(calibration.doubts.items())
    )
    return (
        f"{calibration.n_fitted} published training runs in {calibration.n_families} "
        "families (configuration and tokens/s only); network parameters separately on "
        f"published collectives. Set aside, but scored: {aside or 'none'}."
    )


def _summary(residuals: Mapping[str, Any]) -> dict[str, Any]:
    overall = residuals["overall"]
    return {
        "p90_error_fraction": _rounded(overall["left_out_p90"]),
        "kind": KIND,
        "left_out_family_mean_median": _rounded(overall["left_out_median"]),
        "left_out_family_mean_p90": _rounded(overall["left_out_p90"]),
        "in_sample_family_mean_median": _rounded(overall["in_sample_median"]),
        "in_sample_family_mean_p90": _rounded(overall["in_sample_p90"]),
        "by_family": {
            family: {
                "source": entry["source_title"],
                "n_runs": entry["n"],
                **{
                    key: _rounded(entry[key])
                    for key in (
                        "in_sample_median",
                        "in_sample_p90",
                        "left_out_median",
                        "left_out_p90",
                    )
                },
            }
            for family, entry in residuals["families"].items()
            if entry["n"]
        },
    }


def _rounded(value: float) -> float:
    return float(f"{value:.{SIGNIFICANT_DIGITS}g}")


def as_text(document: Mapping[str, Any]) -> str:
    """Render a document with one line per entry; long lists of runs one line each."""
    body = {key: value for key, value in document.items() if key != "runs"}
    text = json.dumps(body, indent=2, ensure_ascii=False)
    if "runs" not in document:
        return text + "\n"
    runs = ",\n".join(
        "    " + json.dumps(run, ensure_ascii=False) for run in document["runs"]
    )
    return text[: text.rindex("\n}")] + f',\n  "runs": [\n{runs}\n  ]\n}}\n'
