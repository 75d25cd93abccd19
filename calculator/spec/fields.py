"""Annotated number and text types: unit and bounds, declared once.

Order inside ``Annotated`` matters: the bounds come first so that they stay in the JSON
Schema, the integral-float coercion last.
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BeforeValidator, Field


def unit(name: str) -> dict[str, Any]:
    """Schema extra that carries a field's unit (``"1"`` for a ratio or a count)."""
    return {"x-unit": name}


def _integral(value: Any) -> Any:
    """Turn ``8.0`` into ``8``: JSON Schema calls both integers."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value


INTEGRAL = BeforeValidator(_integral)

Slug = Annotated[
    str, Field(pattern=r"^[a-z0-9][a-z0-9._-]*$", min_length=1, max_length=64)
]
ProfileId = Annotated[
    str,
    Field(pattern=r"^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$"),
]
Name = Annotated[
    str, Field(pattern=r"^[^\x00-\x1f\x7f]*$", min_length=1, max_length=120)
]
Text = Annotated[str, Field(pattern=r"^[^\x00-\x08\x0b-\x1f\x7f]*$", max_length=2000)]

Nodes = Annotated[
    int, Field(ge=1, le=16_384, json_schema_extra=unit("nodes")), INTEGRAL
]
PortsPerNode = Annotated[
    int, Field(ge=1, le=144, json_schema_extra=unit("ports")), INTEGRAL
]
Ports = Annotated[int, Field(ge=0, le=64, json_schema_extra=unit("ports")), INTEGRAL]
Positions = Annotated[
    int, Field(ge=0, le=64, json_schema_extra=unit("node positions")), INTEGRAL
]
Switches = Annotated[
    int, Field(ge=0, le=64, json_schema_extra=unit("switches")), INTEGRAL
]
SwitchPorts = Annotated[
    int, Field(ge=2, le=4096, json_schema_extra=unit("ports")), INTEGRAL
]
Breakout = Annotated[int, Field(ge=1, le=16, json_schema_extra=unit("1")), INTEGRAL]
Planes = Annotated[int, Field(ge=1, le=144, json_schema_extra=unit("planes")), INTEGRAL]
Hosts = Annotated[int, Field(ge=1, le=144, json_schema_extra=unit("hosts")), INTEGRAL]
GpusPerNode = Annotated[
    int, Field(ge=1, le=144, json_schema_extra=unit("GPUs")), INTEGRAL
]
Tiers = Annotated[int, Field(ge=1, le=3, json_schema_extra=unit("tiers")), INTEGRAL]
Months = Annotated[int, Field(ge=1, le=120, json_schema_extra=unit("months")), INTEGRAL]
MonthsOrNone = Annotated[
    int, Field(ge=0, le=120, json_schema_extra=unit("months")), INTEGRAL
]
Tokens = Annotated[
    int, Field(ge=128, le=2_097_152, json_schema_extra=unit("tokens")), INTEGRAL
]
Sequences = Annotated[
    int, Field(ge=1, le=1_048_576, json_schema_extra=unit("sequences")), INTEGRAL
]
MicroBatch = Annotated[
    int, Field(ge=1, le=4096, json_schema_extra=unit("sequences")), INTEGRAL
]
BillionTokens = Annotated[
    float, Field(ge=1e-6, le=1_000_000, json_schema_extra=unit("10^9 tokens"))
]
Layers = Annotated[
    int, Field(ge=1, le=1000, json_schema_extra=unit("layers")), INTEGRAL
]
Width = Annotated[int, Field(ge=64, le=262_144, json_schema_extra=unit("1")), INTEGRAL]
Heads = Annotated[int, Field(ge=1, le=1024, json_schema_extra=unit("heads")), INTEGRAL]
HeadDim = Annotated[int, Field(ge=16, le=1024, json_schema_extra=unit("1")), INTEGRAL]
Vocab = Annotated[
    int, Field(ge=256, le=4_000_000, json_schema_extra=unit("tokens")), INTEGRAL
]
Experts = Annotated[
    int, Field(ge=0, le=4096, json_schema_extra=unit("experts")), INTEGRAL
]
ExpertWidth = Annotated[
    int, Field(ge=0, le=262_144, json_schema_extra=unit("1")), INTEGRAL
]
Rank = Annotated[int, Field(ge=0, le=65_536, json_schema_extra=unit("1")), INTEGRAL]
DenseLayers = Annotated[
    int, Field(ge=0, le=1000, json_schema_extra=unit("layers")), INTEGRAL
]
Degree = Annotated[
    int, Field(ge=1, le=16_384, json_schema_extra=unit("GPUs")), INTEGRAL
]
Chunks = Annotated[int, Field(ge=1, le=64, json_schema_extra=unit("chunks")), INTEGRAL]

Gbps = Annotated[float, Field(ge=0.1, le=3200, json_schema_extra=unit("Gb/s"))]
GbytesPerS = Annotated[
    float, Field(ge=0.001, le=1_000_000, json_schema_extra=unit("GB/s"))
]
Terabytes = Annotated[float, Field(ge=0, le=10_000_000, json_schema_extra=unit("TB"))]
BytesPerToken = Annotated[
    float, Field(ge=0, le=1e9, json_schema_extra=unit("bytes/token"))
]
Kilowatt = Annotated[float, Field(gt=0, le=1_000_000, json_schema_extra=unit("kW"))]
RackUnits = Annotated[int, Field(ge=10, le=60, json_schema_extra=unit("U")), INTEGRAL]
Metres = Annotated[float, Field(ge=0, le=2000, json_schema_extra=unit("m"))]
Pue = Annotated[float, Field(ge=1, le=3, json_schema_extra=unit("1"))]
Ratio = Annotated[float, Field(ge=1, le=64, json_schema_extra=unit("1"))]
Fraction = Annotated[float, Field(ge=0, le=1, json_schema_extra=unit("1"))]
LinkFraction = Annotated[float, Field(ge=0.001, le=1, json_schema_extra=unit("1"))]
Downtime = Annotated[float, Field(ge=0, le=0.99, json_schema_extra=unit("1"))]
TaxRate = Annotated[float, Field(ge=0, le=0.9, json_schema_extra=unit("1"))]
DiscountRate = Annotated[float, Field(ge=0, le=2, json_schema_extra=unit("1/year"))]
SlowdownFraction = Annotated[float, Field(ge=0, lt=1, json_schema_extra=unit("1"))]
RateFraction = Annotated[float, Field(gt=-1, le=2, json_schema_extra=unit("1/year"))]
FailuresPerKiloNodeDay = Annotated[
    float, Field(ge=0, le=1000, json_schema_extra=unit("1/(1000 node-days)"))
]
Minutes = Annotated[float, Field(ge=0, le=43_800, json_schema_extra=unit("min"))]
RepairHours = Annotated[float, Field(ge=0, le=8_760, json_schema_extra=unit("h"))]
PositiveMinutes = Annotated[
    float, Field(ge=0.01, le=43_800, json_schema_extra=unit("min"))
]
Hours = Annotated[float, Field(ge=0.01, le=87_600, json_schema_extra=unit("h"))]
Fte = Annotated[float, Field(ge=0, le=1000, json_schema_extra=unit("FTE"))]

Usd = Annotated[float, Field(ge=0, le=1e12, json_schema_extra=unit("USD"))]
UsdPerKwh = Annotated[float, Field(ge=0, le=10, json_schema_extra=unit("USD/kWh"))]
UsdPerKwMonth = Annotated[
    float, Field(ge=0, le=10_000, json_schema_extra=unit("USD/(kW month)"))
]
UsdPerGpuYear = Annotated[
    float, Field(ge=0, le=1_000_000, json_schema_extra=unit("USD/(GPU year)"))
]
UsdPerFteYear = Annotated[
    float, Field(ge=0, le=10_000_000, json_schema_extra=unit("USD/(FTE year)"))
]
UsdPerInstanceHour = Annotated[
    float, Field(ge=0, le=100_000, json_schema_extra=unit("USD/(instance hour)"))
]
UsdPerTbMonth = Annotated[
    float, Field(ge=0, le=10_000, json_schema_extra=unit("USD/(TB month)"))
]
UsdPerTb = Annotated[float, Field(ge=0, le=10_000, json_schema_extra=unit("USD/TB"))]
TbPerMonth = Annotated[
    float, Field(ge=0, le=10_000_000, json_schema_extra=unit("TB/month"))
]
