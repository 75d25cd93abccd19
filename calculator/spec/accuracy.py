"""AccuracyV1: how far predicted throughput is from published runs."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from calculator.spec.base import SpecModel


class ErrorSummary(SpecModel):
    """Absolute relative errors of tokens/s per GPU; ``None`` where not stated."""

    n: int = Field(description="Runs predicted.")
    refused: int = Field(description="Runs that the model refuses.")
    in_sample_median: float | None
    in_sample_p90: float | None
    left_out_median: float | None = Field(
        description="With the run's own source left out of the fit."
    )
    left_out_p90: float | None
    constant_mfu_median: float | None = Field(
        description="Of the plain baseline: one MFU for all runs."
    )
    constant_mfu_p90: float | None


class FamilyErrors(ErrorSummary):
    """Errors of one source's runs."""

    key: str
    source_title: str
    source_ref: str


class OverallErrors(ErrorSummary):
    """All sources, and the ratios between runs of one model and GPU."""

    ratio_median: float | None
    ratio_p90: float | None
    n_ratio_pairs: int


class MeasuredRun(SpecModel):
    """A published run beside its predictions. [tokens/s/GPU]."""

    id: str
    family: str
    model: str
    gpu: str
    n_gpus: int
    measured: float
    predicted: float
    left_out: float | None


class IntervalClass(SpecModel):
    """Error of one kind of configuration; results carry it as their interval."""

    key: str
    label: str
    n_runs: int
    p90_error_fraction: float


class ParameterRow(SpecModel):
    """A physical parameter of the throughput model."""

    name: str
    meaning: str
    unit: str
    value: float
    prior: float | None
    source: str


class AccuracyV1(SpecModel):
    """Calibration of the throughput model that this product runs."""

    schema_version: Literal["1"]
    engine_version: str
    has_calibration: bool = Field(description="Residuals of single runs are there.")
    calibrated_with: str = Field(description="Engine version of the residuals.")
    fit_date: str
    p90_error_fraction: float = Field(
        description="Relative error that results without a class of their own carry."
    )
    overall: OverallErrors | None
    families: list[FamilyErrors]
    runs: list[MeasuredRun]
    interval_classes: list[IntervalClass]
    parameters: list[ParameterRow]
