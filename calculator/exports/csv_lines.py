"""Cost lines of all alternatives as CSV, safe to open in a spreadsheet."""

import csv
import io
from collections.abc import Iterator

from calculator.spec.result import CostLine, ResultV1

LINE_FIELDS = tuple(CostLine.model_fields)
HEADER = ("alternative", "alternative_label", "alternative_status", *LINE_FIELDS)
FORMULA_STARTS = (
    "=",
    "+",
    "-",
    "@",
    "\t",
    "\r",
    "\n",
    "|",
    "%",
    "＝",
    "＋",
    "－",
    "＠",
)


class CsvLines:
    """One row a cost line; an unknown price or amount is an empty cell, never zero."""

    identifier = "csv"
    media_type = "text/csv; charset=utf-8"

    def render(self, result: ResultV1) -> bytes:
        """Write the header and all lines."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\r\n")
        writer.writerow(HEADER)
        writer.writerows(_rows(result))
        return out.getvalue().encode()


def _rows(result: ResultV1) -> Iterator[list[object]]:
    for key in result.order:
        alternative = result.alternatives[key]
        head = [key, alternative.label, alternative.status]
        for line in alternative.lines:
            cells = [*head, *(getattr(line, field) for field in LINE_FIELDS)]
            yield [_cell(cell) for cell in cells]


def _cell(value: object) -> object:
    """Numbers stay numbers; text that a spreadsheet would run is quoted."""
    if isinstance(value, str):
        return safe_text(value)
    return "" if value is None else value


def safe_text(text: str) -> str:
    """Text that no spreadsheet takes for a formula.

    >>> safe_text("=1+1"), safe_text("  @SUM(A1)"), safe_text("H100 node")
    ("'=1+1", "'  @SUM(A1)", 'H100 node')
    """
    starts_formula = text.startswith(FORMULA_STARTS) or text.lstrip().startswith(
        FORMULA_STARTS
    )
    return f"'{text}" if starts_formula else text
