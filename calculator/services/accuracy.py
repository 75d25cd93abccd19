"""What is known about the accuracy of predicted throughput."""

from __future__ import annotations

from typing import Any

from calculator.engine.training import intervals, parameters
from calculator.engine.version import ENGINE_VERSION
from calculator.measured import stored
from calculator.spec.accuracy import (
    AccuracyV1,
    ErrorSummary,
    FamilyErrors,
    IntervalClass,
    MeasuredRun,
    OverallErrors,
    ParameterRow,
)

ERRORS = tuple(n for n in ErrorSummary.model_fields if n not in {"n", "refused"})


def report() -> AccuracyV1:
    """Residuals, interval classes and parameters of the engine that runs here."""
    found = stored.residuals()
    fit = parameters.fit_summary()
    return AccuracyV1(
        schema_version="1",
        engine_version=ENGINE_VERSION,
        has_calibration=bool(found and found["runs"]),
        calibrated_with=str(found["engine_version"]) if found else "",
        fit_date=str(found["fit_date"] if found else fit["fit_date"]),
        p90_error_fraction=parameters.p90_error_fraction(),
        overall=_overall(found["overall"]) if found and found["runs"] else None,
        families=_families(found["families"] if found else _fitted(fit)),
        runs=[_run(row) for row in found["runs"]] if found else [],
        interval_classes=[
            IntervalClass(
                key=key,
                label=intervals.LABELS[key],
                n_runs=entry.n_runs,
                p90_error_fraction=entry.p90_error_fraction,
            )
            for key, entry in intervals.stored_classes().items()
        ],
        parameters=_parameters(),
    )


def _errors(entry: dict[str, Any]) -> dict[str, Any]:
    named = {name: entry.get(name) for name in ERRORS}
    return {"n": entry.get("n", 0), "refused": entry.get("refused", 0), **named}


def _overall(entry: dict[str, Any]) -> OverallErrors:
    return OverallErrors(
        **_errors(entry),
        ratio_median=entry.get("ratio_median"),
        ratio_p90=entry.get("ratio_p90"),
        n_ratio_pairs=entry.get("n_ratio_pairs", 0),
    )


def _fitted(fit: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Errors by source that came with the parameters, before residuals are stored."""
    entries: dict[str, dict[str, Any]] = fit["residuals"].get("by_family", {})
    return {
        key: {**entry, "n": entry["n_runs"], "source_title": entry["source"]}
        for key, entry in entries.items()
    }


def _families(entries: dict[str, dict[str, Any]]) -> list[FamilyErrors]:
    """Sources with the most runs first."""
    made = [
        FamilyErrors(
            **_errors(entry),
            key=key,
            source_title=entry.get("source_title") or key,
            source_ref=entry.get("source_ref", ""),
        )
        for key, entry in entries.items()
    ]
    return sorted(made, key=lambda family: (-family.n, family.key))


def _run(row: list[Any]) -> MeasuredRun:
    name, family, model, gpu, n_gpus, measured, predicted, left_out = row
    return MeasuredRun(
        id=name,
        family=family,
        model=model,
        gpu=gpu,
        n_gpus=int(n_gpus),
        measured=measured,
        predicted=predicted,
        left_out=left_out,
    )


def _parameters() -> list[ParameterRow]:
    return [
        ParameterRow(
            name=name,
            meaning=str(entry.get("meaning", "")),
            unit=str(entry.get("unit", "")),
            value=float(entry["value"]),
            prior=_number(entry.get("prior")),
            source=str(entry.get("source", "")),
        )
        for name, entry in parameters.parameter_table().items()
    ]


def _number(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) else None
