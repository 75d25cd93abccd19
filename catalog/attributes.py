"""Typed attributes of each kind of component. PURE pydantic.

Vendor units live here (Gb/s, GB, kW, TFLOP/s); the engine sees base units only.
"""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, Field


class Attributes(BaseModel):
    """Base of all attribute schemas: closed, frozen, finite numbers."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class GpuAttributes(Attributes):
    """An accelerator as its datasheet states it; ``mamf_*`` are measured."""

    peak_bf16_tflops: float = Field(gt=0, description="Dense BF16 peak. [TFLOP/s]")
    peak_fp8_tflops: float | None = Field(None, gt=0, description="Dense FP8 peak.")
    mamf_bf16_tflops: float | None = Field(
        None, gt=0, description="Maximum measured matmul rate in BF16. [TFLOP/s]"
    )
    mamf_fp8_tflops: float | None = Field(None, gt=0)
    hbm_gb: float = Field(gt=0, description="Memory. [10^9 bytes]")
    hbm_gbytes_per_s: float = Field(gt=0)
    scaleup_gbytes_per_s: float = Field(
        ge=0, description="NVLink or xGMI, one direction. [GB/s]"
    )
    tdp_w: float = Field(gt=0)
    n_sm: int = Field(gt=0, description="Streaming multiprocessors or compute units.")
    exp_per_clock_per_sm: float = Field(
        16.0, gt=0, description="Exponentials per clock and multiprocessor."
    )


class NicAttributes(Attributes):
    """A network adapter."""

    ports: int = Field(ge=1)
    port_gbps: float = Field(gt=0)
    power_w: float | None = Field(None, ge=0)


class SwitchAttributes(Attributes):
    """A switch: ports at its native rate and how far each may be split."""

    ports: int = Field(ge=2)
    port_gbps: float = Field(gt=0)
    max_breakout: int = Field(1, ge=1)
    cage_ports: int = Field(
        1, ge=1, description="Ports served by one transceiver cage (twin-port OSFP: 2)."
    )
    transport: str = Field(description="infiniband, roce or tcp.")
    power_w: float | None = Field(None, ge=0)
    rack_units: float = Field(1, gt=0)


class CableAttributes(Attributes):
    """A copper cable or a fibre."""

    medium: str = Field(description="copper or fibre.")
    rate_gbps: float = Field(gt=0)
    max_length_m: float | None = Field(None, gt=0)
    links: int = Field(
        1, ge=1, description="Links that one cable carries (splitter: 2)."
    )
    power_w: float | None = Field(None, ge=0)


class TransceiverAttributes(Attributes):
    """An optical module; ``ports`` links leave one module."""

    ports: int = Field(1, ge=1)
    port_gbps: float = Field(gt=0)
    power_w: float | None = Field(None, ge=0)


class StorageAttributes(Attributes):
    """A storage product. Capacity is usable, rates are for ``capacity_tb``."""

    capacity_tb: float | None = Field(None, gt=0)
    read_gbytes_per_s: float | None = Field(None, gt=0)
    write_gbytes_per_s: float | None = Field(None, gt=0)


class PlainAttributes(Attributes):
    """Parts whose size does not enter a formula, with their power where known."""

    power_w: float | None = Field(None, ge=0)
    cores: int | None = Field(None, ge=1)
    capacity_gb: float | None = Field(None, gt=0)
    rack_units: float | None = Field(None, gt=0)
    kw_limit: float | None = Field(None, gt=0)
    ports: int | None = Field(None, ge=1)


SCHEMAS: dict[str, type[Attributes]] = {
    "gpu": GpuAttributes,
    "nic": NicAttributes,
    "switch": SwitchAttributes,
    "cable": CableAttributes,
    "transceiver": TransceiverAttributes,
    "storage": StorageAttributes,
}


def validate_attributes(kind: str, attributes: dict[str, Any]) -> Attributes:
    """Validate ``attributes`` against the schema of ``kind``.

    Raises
    ------
    pydantic.ValidationError
        Where a value is missing, unknown or out of bounds.
    """
    return SCHEMAS.get(kind, PlainAttributes).model_validate(attributes)
