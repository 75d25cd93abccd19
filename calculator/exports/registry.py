"""The formats in which a finished result leaves the product."""

from typing import Protocol

from calculator.exports.csv_lines import CsvLines
from calculator.exports.json_doc import JsonDocument
from calculator.spec.result import ResultV1


class Exporter(Protocol):
    """One format. ``identifier`` is its name in addresses and its file suffix."""

    identifier: str
    media_type: str

    def render(self, result: ResultV1) -> bytes:
        """Write the result in this format."""
        ...


EXPORTERS: dict[str, Exporter] = {
    exporter.identifier: exporter for exporter in (JsonDocument(), CsvLines())
}


def exporter_for(identifier: str) -> Exporter | None:
    """Exporter of that name, or ``None``."""
    return EXPORTERS.get(identifier)
