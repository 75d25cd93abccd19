"""Private calibrations: made from measured rows, used by their owner, deleted."""

import csv
import io
from dataclasses import asdict
from typing import Any

from django.utils import timezone

from calculator import selectors
from calculator.engine.version import ENGINE_VERSION
from calculator.measured.columns import CONFIGURATION_COLUMNS
from calculator.measured.own import (
    MEASURED_COLUMNS,
    NothingMeasured,
    OwnCalibration,
    calibrate_own,
)
from calculator.models import StackProfile
from calculator.spec.problems import Problem, SpecError, problem
from calculator.spec.scenario import ComparisonV1
from catalog.documents import StackProfileRow

MAX_ROWS = 200
MAX_CSV_BYTES = 200_000
MAX_PROFILES = 100
MAX_SHOWN_REASONS = 10
IGNORED_COLUMNS = frozenset(
    {"source_title", "source_ref", "model_tflops_per_gpu", "mfu_pct"}
)
"""Columns of the published table that a calibration neither needs nor minds."""
KNOWN_COLUMNS = frozenset(CONFIGURATION_COLUMNS) | {*MEASURED_COLUMNS, *IGNORED_COLUMNS}
REFERENCE = "/workload/stack_profile"


def create(*, name: str, text: str, owner_key: str) -> StackProfile:
    """Read, fit and store measured rows.

    Raises
    ------
    SpecError
        At ``/csv``, with what is wrong with the table or with each of its rows.
    """
    rows = read_rows(text)
    _check_room(owner_key)
    profile = StackProfile(name=name, owner_key=owner_key, rows=rows)
    try:
        _fit(profile)
    except NothingMeasured as error:
        raise SpecError(_reasons(error)) from None
    profile.save()
    return profile


def delete(profile: StackProfile) -> None:
    """Delete measurements and factors; saved comparisons keep the factors they used."""
    profile.delete()


def rows_of(spec: ComparisonV1, owner_key: str) -> dict[str, StackProfileRow]:
    """Factors that the comparison asks for, as its snapshot keeps them.

    Raises
    ------
    SpecError
        Where there is no such calibration, or it is somebody else's.
    """
    slug = spec.workload.stack_profile
    if slug is None:
        return {}
    profile = selectors.stack_profile_for(slug, owner_key)
    if profile is None:
        raise problem(
            REFERENCE,
            "reference_unknown",
            f"you have no calibration with the id {slug}",
        )
    return {slug: document(current(profile))}


def current(profile: StackProfile) -> StackProfile:
    """The profile, fitted again if the model changed since."""
    if profile.engine_version != ENGINE_VERSION:
        _fit(profile)
        profile.save()
    return profile


def document(profile: StackProfile) -> StackProfileRow:
    """What a comparison copies of a profile."""
    fit = profile.fit
    return StackProfileRow(
        slug=str(profile.pk),
        name=profile.name,
        fitted_on=profile.fitted_at.date(),
        n_rows=fit["n_fitted"],
        kernel_efficiency=fit["kernel_efficiency"],
        communication_time=fit["communication_time"],
        step_overhead_s=fit["step_overhead_s"],
        median_error_before=fit["before"]["median"],
        median_error_after=fit["after"]["median"],
    )


def read_rows(text: str) -> list[dict[str, str]]:
    """Cells by column of a pasted table, comma or tab separated.

    Raises
    ------
    SpecError
        If it is too large, empty, not a table, or has columns that nobody reads.
    """
    n_bytes = len(text.encode("utf-8", "replace"))
    if n_bytes > MAX_CSV_BYTES:
        raise _refused(
            f"the table has {n_bytes} bytes; at most {MAX_CSV_BYTES} are read"
        )
    if any(ord(c) < 32 and c not in "\t\r\n" for c in text):
        raise _refused("the table holds control characters")
    lines = text.lstrip("\ufeff").strip()
    delimiter = "\t" if "\t" in lines.split("\n", 1)[0] else ","
    try:
        table = [
            row for row in csv.reader(io.StringIO(lines), delimiter=delimiter) if row
        ]
    except csv.Error as error:
        raise _refused(f"the table cannot be read: {error}") from None
    if len(table) < 2:
        raise _refused("the table needs a line of column names and a line of values")
    return _named(table)


def _named(table: list[list[str]]) -> list[dict[str, str]]:
    columns = [name.strip() for name in table[0]]
    _check_columns(columns)
    if len(table) - 1 > MAX_ROWS:
        raise _refused(
            f"the table has {len(table) - 1} rows; at most {MAX_ROWS} are read"
        )
    for number, cells in enumerate(table[1:], 1):
        if len(cells) > len(columns):
            raise _refused(
                f"row {number} has {len(cells)} cells, the table {len(columns)} columns"
            )
    rows = [
        dict(zip(columns, [*cells, *[""] * (len(columns) - len(cells))], strict=True))
        for cells in table[1:]
    ]
    for number, row in enumerate(rows, 1):
        row["id"] = row.get("id", "").strip() or f"row {number}"
    return rows


def _check_columns(columns: list[str]) -> None:
    unknown = [name for name in columns if name not in KNOWN_COLUMNS]
    if unknown:
        raise _refused(
            f"column {unknown[0][:40]!r} is not known; measured columns are "
            f"{' and '.join(MEASURED_COLUMNS)}"
        )
    repeated = {name for name in columns if columns.count(name) > 1}
    if repeated:
        raise _refused(f"column {min(repeated)!r} is there twice")
    if not set(MEASURED_COLUMNS) & set(columns):
        raise _refused(f"the table needs {' or '.join(MEASURED_COLUMNS)}")


def _check_room(owner_key: str) -> None:
    if (
        owner_key
        and selectors.stack_profiles_visible_to(owner_key).count() >= MAX_PROFILES
    ):
        raise _refused(
            f"you have {MAX_PROFILES} calibrations, the most there may be: delete one"
        )


def _fit(profile: StackProfile) -> None:
    found = calibrate_own(profile.rows)
    profile.fit = _fit_document(found)
    profile.residuals = [asdict(row) for row in found.rows]
    profile.engine_version = ENGINE_VERSION
    profile.fitted_at = timezone.now()


def _fit_document(found: OwnCalibration) -> dict[str, Any]:
    return {
        **asdict(found.stack),
        "n_fitted": found.n_fitted,
        "before": asdict(found.before),
        "after": asdict(found.after),
        "left_out": asdict(found.left_out) if found.left_out else None,
    }


def _reasons(error: NothingMeasured) -> list[Problem]:
    shown = error.reasons[:MAX_SHOWN_REASONS]
    return [
        Problem(pointer="/csv", code="invalid", message=f"row {number + 1}: {reason}")
        for number, reason in shown
    ]


def _refused(message: str) -> SpecError:
    return problem("/csv", "invalid", message)
