"""ClaimsLedgerV1: each claim of the reference cluster beside what our model says."""

from __future__ import annotations

from datetime import date
from typing import Any, Literal

from pydantic import Field

from calculator.spec.base import SpecModel

VerdictCode = Literal["reproduced", "under_reading", "contradicted", "not_tested"]


class ClaimNumber(SpecModel):
    """A number with its unit; ``share`` is a fraction of 1."""

    label: str
    value: float
    unit: str


class ClaimCheck(SpecModel):
    """A claimed number beside ours. An absent bound is open."""

    key: str
    label: str
    unit: str
    claimed_low: float | None
    claimed_high: float | None
    tolerance_fraction: float = Field(description="Part of a bound that still counts.")
    value: float | None = Field(description="Ours; null where it does not run.")
    holds: bool


class ClaimReading(SpecModel):
    """One way to read the claim, evaluated."""

    label: str
    is_plain: bool = Field(description="The words taken as they stand.")
    checks: list[ClaimCheck]
    details: list[ClaimNumber] = Field(default_factory=list)
    reason: str = Field("", description="Why nothing could be computed.")
    holds: bool
    comparison: dict[str, Any] | None = Field(
        None, description="ComparisonV1 that the numbers come from."
    )


class ClaimEvidence(SpecModel):
    """What somebody else measured, listed or published."""

    label: str
    low: float
    high: float
    unit: str
    publisher: str
    reference: str
    observed_on: str = ""


class ClaimFinding(SpecModel):
    """One claim and its verdict."""

    id: str
    topic: str
    title: str
    statement: str
    verdict: VerdictCode
    verdict_text: str
    deciding_reading: int | None = Field(
        None,
        description="Place in ``readings`` of the one that holds, or comes closest.",
    )
    readings: list[ClaimReading]
    evidence: list[ClaimEvidence]


class SweepPoint(SpecModel):
    """Busy share of one network at one batch."""

    network: str
    strategy: Literal["sharded", "fastest"]
    tokens_per_gpu: int
    busy_share: float | None
    mfu: float | None


class ClaimsLedgerV1(SpecModel):
    """All claims, computed with one engine and one set of prices."""

    schema_version: Literal["1"]
    engine_version: str
    price_book: str
    as_of: date
    source: str = Field(description="Who claims.")
    claims: list[ClaimFinding]
    sweep: list[SweepPoint] = Field(
        description="70B on 8 x 8 H100: busy share by tokens per GPU and step."
    )
