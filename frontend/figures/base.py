"""A figure is data: title, one sentence, a Vega-Lite specification and its table twin."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from calculator.spec.result import ResultV1

Spec = dict[str, Any]
Record = dict[str, Any]

DATA_NAME = "table"
VEGA_LITE_VERSION = "6.4"
BAND_PX = 44
PALETTE_SIZE = 12
LEGEND_CHANNELS = {"color", "strokeDash"}


@dataclass(frozen=True)
class Table:
    """The same facts as rows; the first column names the row."""

    columns: list[str]
    rows: list[list[str]]


@dataclass(frozen=True)
class LegendEntry:
    """A colour of the chart (from 1, as the palette counts) and what it stands for."""

    color: int
    label: str
    is_faded: bool = False
    is_round: bool = False


@dataclass(frozen=True)
class Figure:
    """One chart. ``spec`` refers to the data by name; ``records`` are that data."""

    name: str
    title: str
    summary: str
    spec: Spec
    records: list[Record]
    table: Table
    legend: list[LegendEntry]
    n_bands: int = 0

    @property
    def element_id(self) -> str:
        """HTML id of the chart."""
        return f"figure-{self.name}"

    @property
    def payload_id(self) -> str:
        """HTML id of the block that holds the data."""
        return f"payload-{self.name}"

    @property
    def payload(self) -> dict[str, Any]:
        """What the browser needs to draw it; the page shows the legend itself."""
        return {"spec": _without_legends(self.spec), "records": self.records}

    def complete_spec(self) -> Spec:
        """Specification with its data inside, for rendering without a browser."""
        data = {"name": DATA_NAME, "values": self.records}
        return {**self.spec, "data": data}


def _without_legends(spec: Spec) -> Spec:
    """The same chart, layers included, without the legends of the channels."""
    changed = dict(spec)
    if "encoding" in spec:
        changed["encoding"] = {
            channel: {**value, "legend": None} if channel in LEGEND_CHANNELS else value
            for channel, value in spec["encoding"].items()
        }
    if "layer" in spec:
        changed["layer"] = [_without_legends(layer) for layer in spec["layer"]]
    return changed


def base_spec(*, summary: str) -> Spec:
    """What all charts share; colours and fonts come with the theme, not from here."""
    return {
        "$schema": "https://vega.github.io/schema/vega-lite/v6.4.0.json",
        "description": summary,
        "data": {"name": DATA_NAME},
        "width": "container",
        "autosize": {"type": "fit-x", "contains": "padding"},
    }


def legend(labels: Iterable[str]) -> list[LegendEntry]:
    """Legend of categories in the order of the palette, which repeats."""
    return [LegendEntry(n % PALETTE_SIZE + 1, label) for n, label in enumerate(labels)]


def names(result: ResultV1) -> dict[str, str]:
    """A distinct name of each alternative: its label, with its key if labels repeat."""
    labels = {key: result.alternatives[key].label for key in result.order}
    repeated = {text for text in labels.values() if [*labels.values()].count(text) > 1}
    return {
        key: f"{label} ({key})" if label in repeated else label
        for key, label in labels.items()
    }
