"""The claims page: a ledger as rows and texts."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache

from calculator import formatting
from calculator.spec.claims import (
    ClaimCheck,
    ClaimEvidence,
    ClaimFinding,
    ClaimReading,
    ClaimsLedgerV1,
)
from frontend import quoting
from frontend.figures import busy_sweep
from frontend.figures.base import Figure

VERDICTS = {
    "reproduced": ("reproduced", "good"),
    "under_reading": ("reproduced under a reading", "own"),
    "contradicted": ("contradicted", "bad"),
    "not_tested": ("not tested", ""),
}


@dataclass(frozen=True)
class Check:
    """A claimed number beside ours."""

    label: str
    claimed: str
    ours: str
    holds: bool


@dataclass(frozen=True)
class Reading:
    """One way to read the claim."""

    label: str
    is_plain: bool
    holds: bool
    checks: list[Check]
    details: list[tuple[str, str]]
    reason: str
    url: str


@dataclass(frozen=True)
class Evidence:
    """What somebody else found."""

    label: str
    value: str
    source: str


@dataclass(frozen=True)
class Row:
    """One claim; ``best`` is the reading that its verdict rests on."""

    finding: ClaimFinding
    verdict: str
    badge: str
    readings: list[Reading]
    evidence: list[Evidence]
    best: Reading | None

    @property
    def n_agree(self) -> int:
        """Readings under which the claim holds."""
        return sum(reading.holds for reading in self.readings)


@dataclass(frozen=True)
class Page:
    """Everything that the template shows."""

    ledger: ClaimsLedgerV1
    topics: list[tuple[str, list[Row]]]
    counts: list[tuple[str, str, int]]
    figures: list[Figure]


def page(ledger: ClaimsLedgerV1) -> Page:
    """Rows by topic, in the order of the ledger."""
    rows = [_row(finding) for finding in ledger.claims]
    topics = list(dict.fromkeys(row.finding.topic for row in rows))
    return Page(
        ledger=ledger,
        topics=[(t, [row for row in rows if row.finding.topic == t]) for t in topics],
        counts=[
            (words, badge, sum(finding.verdict == code for finding in ledger.claims))
            for code, (words, badge) in VERDICTS.items()
        ],
        figures=busy_sweep.figures(ledger.sweep),
    )


def _row(finding: ClaimFinding) -> Row:
    words, badge = VERDICTS[finding.verdict]
    readings = [_reading(reading) for reading in finding.readings]
    place = finding.deciding_reading
    return Row(
        finding=finding,
        verdict=words,
        badge=badge,
        readings=readings,
        evidence=[_evidence(entry) for entry in finding.evidence],
        best=None if place is None else readings[place],
    )


def _reading(reading: ClaimReading) -> Reading:
    document = reading.comparison
    return Reading(
        label=reading.label,
        is_plain=reading.is_plain,
        holds=reading.holds,
        checks=[_check(check) for check in reading.checks],
        details=[
            (number.label, formatting.quantity(number.value, number.unit))
            for number in reading.details
        ],
        reason=reading.reason,
        url=_address(json.dumps(document)) if document else "",
    )


@lru_cache(maxsize=512)
def _address(document: str) -> str:
    """Address of the quote page with a comparison; packing it takes its time."""
    return quoting.edit_url(json.loads(document))


def _check(check: ClaimCheck) -> Check:
    return Check(
        label=check.label,
        claimed=_claimed(check),
        ours=formatting.quantity(check.value, check.unit),
        holds=check.holds,
    )


def _claimed(check: ClaimCheck) -> str:
    text = formatting.interval(check.claimed_low, check.claimed_high, check.unit)
    if not check.tolerance_fraction:
        return text
    return f"{text}, ± {formatting.percent(check.tolerance_fraction, digits=0)} of it"


def _evidence(entry: ClaimEvidence) -> Evidence:
    when = f", {entry.observed_on}" if entry.observed_on else ""
    return Evidence(
        label=entry.label,
        value=formatting.interval(entry.low, entry.high, entry.unit),
        source=f"{entry.publisher}, {entry.reference}{when}",
    )
