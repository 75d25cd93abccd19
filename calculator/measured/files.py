"""Case files in, prediction files out: whole or not at all."""

from __future__ import annotations

import csv
import io
import os
import tempfile
from collections.abc import Iterable
from pathlib import Path

from calculator.measured.columns import REQUIRED_COLUMNS
from calculator.measured.predict import Prediction

MAX_FILE_BYTES = 200_000_000
MAX_CELL_CHARACTERS = 1_000_000
PREDICTION_COLUMNS = (
    "id",
    "tokens_per_s_per_gpu",
    "step_time_s",
    "mfu",
    "busy_share",
    "fits",
    "stack",
    "note",
)
SIGNIFICANT_DIGITS = 6


class BadFile(ValueError):
    """A file that cannot be taken as a whole; the message says why."""


def read_rows(path: Path) -> list[dict[str, str]]:
    """Read a CSV of cases.

    Raises
    ------
    BadFile
        Where the file cannot be read, is no UTF-8 text, has no header with the required
        columns, or is no CSV.
    """
    return parse_rows(_text(path), path.name)


def parse_rows(text: str, name: str) -> list[dict[str, str]]:
    """Parse CSV text; cells beyond the header are dropped, missing ones are blank.

    Raises
    ------
    BadFile
        As :func:`read_rows`.
    """
    if "\0" in text:
        raise BadFile(f"{name} is not a text file: it holds NUL bytes")
    csv.field_size_limit(MAX_CELL_CHARACTERS)
    reader = csv.DictReader(io.StringIO(text, newline=""), restkey="", restval="")
    try:
        header = [column or "" for column in reader.fieldnames or []]
        _check_header(header, name)
        return [{k: v for k, v in row.items() if k} for row in reader]
    except csv.Error as error:
        raise BadFile(f"{name} line {reader.line_num}: {error}") from None


def _text(path: Path) -> str:
    try:
        if path.is_dir():
            raise BadFile(f"{path.name} is a directory")
        if path.stat().st_size > MAX_FILE_BYTES:
            raise BadFile(f"{path.name} is larger than {MAX_FILE_BYTES:,} bytes")
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadFile(f"{path.name} is not UTF-8 text (byte {error.start})") from None
    except OSError as error:
        raise BadFile(f"{path.name} cannot be read: {error.strerror}") from None


def _check_header(header: list[str], name: str) -> None:
    missing = [column for column in REQUIRED_COLUMNS if column not in header]
    if missing:
        raise BadFile(f"{name} lacks the column(s) {', '.join(missing)}")
    repeated = sorted({c for c in header if c and header.count(c) > 1})
    if repeated:
        raise BadFile(f"{name} has the column(s) {', '.join(repeated)} twice")


def predictions_text(predictions: Iterable[Prediction]) -> str:
    """Render predictions as CSV."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(PREDICTION_COLUMNS)
    for prediction in predictions:
        writer.writerow(
            [_shown(getattr(prediction, column)) for column in PREDICTION_COLUMNS]
        )
    return out.getvalue()


def _shown(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return f"{value:.{SIGNIFICANT_DIGITS}g}"
    return str(value)


def write_whole(path: Path, text: str) -> None:
    """Write a file under a temporary name and rename it, so that no half file appears.

    Raises
    ------
    BadFile
        Where the folder does not exist or cannot be written.
    """
    temporary = ""
    try:
        handle, temporary = tempfile.mkstemp(
            dir=path.parent, prefix=f".{path.name}.", suffix=".part"
        )
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as stream:
            stream.write(text)
        Path(temporary).chmod(0o644)
        Path(temporary).replace(path)
    except OSError as error:
        if temporary:
            Path(temporary).unlink(missing_ok=True)
        raise BadFile(f"{path} cannot be written: {error.strerror}") from None
