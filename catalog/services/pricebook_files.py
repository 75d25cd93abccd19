"""Read a price-book folder: CSV rows in, validated rows or errors by cell out."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, ValidationError

from catalog.attributes import validate_attributes
from catalog.choices import ComponentKind, Confidence, PriceUnit
from catalog.documents import (
    ComponentRow,
    DesignLineRow,
    DesignRow,
    Document,
    ModelRow,
    OfferRow,
    SourceRow,
)

Money = Annotated[Decimal, Field(ge=0, max_digits=15, decimal_places=6)] | None


class BookEntry(Document):
    """A row of ``books.csv``."""

    slug: str
    title: str
    as_of: date
    description: str = ""


class ComponentEntry(ComponentRow):
    """A row of ``components.csv``."""

    kind: ComponentKind


class QuoteEntry(Document):
    """A row of ``quotes.csv`` or ``history.csv``."""

    price_book: str
    item: str
    low: Money = None
    mid: Money = None
    high: Money = None
    currency: str = Field("USD", pattern=r"^[A-Z]{3}$")
    unit: PriceUnit
    region: str = ""
    min_quantity: int = Field(1, ge=1)
    payment_option: str = ""
    effective_from: date | None = None
    effective_to: date | None = None
    observed_on: str = ""
    confidence: Confidence
    source: str
    note: str = ""

    @property
    def key(self) -> tuple[Any, ...]:
        """What a correction of this quote shares with it."""
        return (
            self.price_book,
            self.item,
            self.region,
            self.min_quantity,
            self.payment_option,
            self.source,
            self.observed_on,
            self.effective_from,
        )


class FxEntry(Document):
    """A row of ``fx.csv``."""

    currency: str = Field(pattern=r"^[A-Z]{3}$")
    reporting: str = Field("USD", pattern=r"^[A-Z]{3}$")
    rate: Decimal = Field(gt=0, max_digits=15, decimal_places=6)
    observed_on: date
    source: str


class LineEntry(DesignLineRow):
    """A row of ``design_lines.csv``."""

    design: str
    quantity: float = Field(gt=0)


@dataclass(frozen=True, slots=True)
class RowError:
    """One thing wrong with one cell. Row 1 is the header, as a spreadsheet counts."""

    file: str
    row: int
    column: str
    message: str

    def __str__(self) -> str:
        where = f"{self.file}, row {self.row}" if self.row else self.file
        return (
            f"{where}, column {self.column}: {self.message}"
            if self.column
            else (f"{where}: {self.message}")
        )


class PricebookError(Exception):
    """A folder cannot be loaded; ``errors`` says where and why."""

    def __init__(self, errors: list[RowError]) -> None:
        self.errors = errors
        super().__init__("\n".join(str(error) for error in errors))


@dataclass(frozen=True, slots=True)
class Placed:
    """A validated row and where it stands."""

    file: str
    row: int
    data: Any

    def error(self, column: str, message: str) -> RowError:
        """Build an error of this row."""
        return RowError(self.file, self.row, column, message)


@dataclass(slots=True)
class Pricebook:
    """Validated content of a folder."""

    books: list[Placed] = field(default_factory=list)
    sources: list[Placed] = field(default_factory=list)
    components: list[Placed] = field(default_factory=list)
    quotes: list[Placed] = field(default_factory=list)
    designs: list[Placed] = field(default_factory=list)
    lines: list[Placed] = field(default_factory=list)
    offers: list[Placed] = field(default_factory=list)
    models: list[Placed] = field(default_factory=list)
    fx: list[Placed] = field(default_factory=list)


def parse_attributes(text: str) -> dict[str, Any]:
    """Read ``name=value; name=value``; a value is a number, true, false or a word.

    Raises
    ------
    ValueError
        If a part has no equals sign.
    """
    attributes = {}
    for part in filter(None, (piece.strip() for piece in text.split(";"))):
        name, equals, value = part.partition("=")
        if not equals:
            raise ValueError(f"{part!r} is not name=value")
        try:
            attributes[name.strip()] = json.loads(value)
        except json.JSONDecodeError:
            attributes[name.strip()] = value.strip()
    return attributes


def _component(cells: dict[str, str]) -> ComponentEntry:
    attributes = parse_attributes(cells.pop("attributes", ""))
    row = ComponentEntry.model_validate({**cells, "attributes": attributes})
    validate_attributes(row.kind, row.attributes)
    return row


def _design(cells: dict[str, str]) -> DesignRow:
    return DesignRow.model_validate({**cells, "lines": []})


Reader = Callable[[dict[str, str]], Document]

FILES: tuple[tuple[str, str, Reader, bool], ...] = (
    ("books.csv", "books", BookEntry.model_validate, True),
    ("sources.csv", "sources", SourceRow.model_validate, True),
    ("components.csv", "components", _component, True),
    ("quotes.csv", "quotes", QuoteEntry.model_validate, True),
    ("history.csv", "quotes", QuoteEntry.model_validate, False),
    ("designs.csv", "designs", _design, True),
    ("design_lines.csv", "lines", LineEntry.model_validate, True),
    ("offers.csv", "offers", OfferRow.model_validate, True),
    ("models.csv", "models", ModelRow.model_validate, True),
    ("fx.csv", "fx", FxEntry.model_validate, False),
)


def read_folder(folder: Path) -> Pricebook:
    """Read every file of ``folder``.

    Raises
    ------
    PricebookError
        With all errors found, if any cell is wrong or a file is missing.
    """
    pricebook, errors = Pricebook(), []
    if not folder.is_dir():
        raise PricebookError([RowError(str(folder), 0, "", "there is no such folder")])
    for name, attribute, reader, is_required in FILES:
        path = folder / name
        if not path.is_file():
            if is_required:
                errors.append(RowError(name, 0, "", "the file is missing"))
            continue
        rows, problems = _read_file(path, reader)
        getattr(pricebook, attribute).extend(rows)
        errors.extend(problems)
    if errors:
        raise PricebookError(errors)
    return pricebook


def _read_file(path: Path, reader: Reader) -> tuple[list[Placed], list[RowError]]:
    rows: list[Placed] = []
    errors: list[RowError] = []
    try:
        for number, cells in _cells(path):
            try:
                rows.append(Placed(path.name, number, reader(cells)))
            except ValidationError as error:
                errors.extend(_cell_errors(path.name, number, error))
            except ValueError as error:
                errors.append(RowError(path.name, number, "", str(error)))
    except (UnicodeDecodeError, csv.Error) as error:
        errors.append(
            RowError(path.name, 0, "", f"is not readable UTF-8 CSV ({error})")
        )
    return rows, errors


def _cells(path: Path) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the line number and the filled cells of each row."""
    with path.open(newline="", encoding="utf-8") as handle:
        reader = csv.DictReader(handle, restkey="(beyond the last column)", strict=True)
        for cells in reader:
            yield reader.line_num, {key: cell for key, cell in cells.items() if cell}


def _cell_errors(file: str, row: int, error: ValidationError) -> list[RowError]:
    prefix = "attributes." if error.title.endswith("Attributes") else ""
    return [
        RowError(
            file,
            row,
            prefix + ".".join(map(str, e["loc"])),
            f"{e['msg']}, got {e['input']!r}",
        )
        if e["type"] != "missing"
        else RowError(file, row, prefix + ".".join(map(str, e["loc"])), "is missing")
        for e in error.errors()
    ]
