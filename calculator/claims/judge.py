"""From claims and a world to the ledger: verdicts by rule, never by hand. PURE."""

from __future__ import annotations

import math
from collections.abc import Mapping

from calculator import formatting
from calculator.claims.model import Claim, Number, Quantity, Reading
from calculator.claims.registry import CLAIMS, SOURCE
from calculator.claims.sweep import sweep
from calculator.claims.world import World
from calculator.engine.errors import EngineError
from calculator.engine.version import ENGINE_VERSION
from calculator.spec.claims import (
    ClaimCheck,
    ClaimEvidence,
    ClaimFinding,
    ClaimNumber,
    ClaimReading,
    ClaimsLedgerV1,
    VerdictCode,
)
from calculator.spec.problems import SpecError


def ledger(world: World) -> ClaimsLedgerV1:
    """Evaluate every claim with one set of prices."""
    return ClaimsLedgerV1(
        schema_version="1",
        engine_version=ENGINE_VERSION,
        price_book=world.snapshot.price_book,
        as_of=world.snapshot.as_of,
        source=SOURCE,
        claims=[finding(claim, world) for claim in CLAIMS],
        sweep=sweep(world),
    )


def finding(claim: Claim, world: World) -> ClaimFinding:
    """Evaluate one claim.

    Parameters
    ----------
    claim : Claim
        What is claimed, and the readings under which it is computed.
    world : World
        Catalog copy and engine.
    """
    readings = [_evaluated(claim, reading, world) for reading in claim.readings]
    code, text = verdict(claim, readings)
    return ClaimFinding(
        id=claim.id,
        topic=claim.topic,
        title=claim.title,
        statement=claim.statement,
        verdict=code,
        verdict_text=text,
        deciding_reading=closest_reading(readings),
        readings=readings,
        evidence=[
            ClaimEvidence(
                label=e.label,
                low=e.low,
                high=e.high,
                unit=e.unit,
                publisher=e.publisher,
                reference=e.reference,
                observed_on=e.observed_on,
            )
            for e in claim.evidence(world)
        ],
    )


def verdict(claim: Claim, readings: list[ClaimReading]) -> tuple[VerdictCode, str]:
    """Rule: plain words that hold, else a stated reading that holds, else contradicted."""
    if claim.untested or not readings:
        return "not_tested", claim.untested
    if any(reading.is_plain and reading.holds for reading in readings):
        return "reproduced", "Holds as written."
    held = next((reading for reading in readings if reading.holds), None)
    if held is not None:
        return "under_reading", f"Holds only when read so: {held.label}."
    if all(reading.reason for reading in readings):
        return "not_tested", readings[0].reason
    return "contradicted", _contradiction(readings)


def _contradiction(readings: list[ClaimReading]) -> str:
    closest = readings[closest_reading(readings) or 0]
    numbers = "; ".join(
        f"{check.label} {formatting.quantity(check.value, check.unit)}, claimed "
        + formatting.interval(check.claimed_low, check.claimed_high, check.unit)
        for check in closest.checks
    )
    if len(readings) == 1:
        return f"Does not hold: {numbers}."
    sides = {side for r in readings for c in r.checks if (side := _side(c))}
    both = " Readings lie on both sides of it." if len(sides) == 2 else ""
    return (
        f"Holds under none of {len(readings)} readings. Closest: {closest.label} "
        f"({numbers}).{both if len(closest.checks) == 1 else ''}"
    )


def closest_reading(readings: list[ClaimReading]) -> int | None:
    """Place of the reading that holds or misses by the least, ``None`` without one."""
    known = [n for n, reading in enumerate(readings) if not reading.reason]
    if not known:
        return None
    return min(known, key=lambda n: (not readings[n].holds, _distance(readings[n])))


def _distance(reading: ClaimReading) -> float:
    """Sum over the numbers of how far outside they are, as a part of the bound."""
    return sum(abs(_miss(check)) for check in reading.checks if not check.holds)


def _miss(check: ClaimCheck) -> float:
    """How far outside the claimed bounds, signed, as a part of the larger number."""
    value, low, high = check.value, check.claimed_low, check.claimed_high
    if value is None:
        return math.inf
    if low is not None and value < low:
        return (value - low) / max(abs(value), abs(low))
    if high is not None and value > high:
        return (value - high) / max(abs(value), abs(high))
    return 0.0


def _side(check: ClaimCheck) -> int:
    """-1 below the claim, 1 above, 0 where it holds."""
    if check.holds or check.value is None:
        return 0
    return -1 if _miss(check) < 0 else 1


def _evaluated(claim: Claim, reading: Reading, world: World) -> ClaimReading:
    try:
        answer = reading.compute(world)
    except SpecError as error:
        return _nothing(claim, reading, "; ".join(error.lines()))
    except EngineError as error:
        return _nothing(claim, reading, error.message)
    except LookupError as error:
        return _nothing(claim, reading, str(error.args[0]) if error.args else "")
    checks = [_check(quantity, answer.values) for quantity in claim.quantities]
    return ClaimReading(
        label=reading.label,
        is_plain=reading.is_plain,
        checks=checks,
        details=[_number(number) for number in answer.details],
        holds=all(check.holds for check in checks),
        comparison=answer.comparison,
    )


def _nothing(claim: Claim, reading: Reading, reason: str) -> ClaimReading:
    return ClaimReading(
        label=reading.label,
        is_plain=reading.is_plain,
        checks=[_check(quantity, {}) for quantity in claim.quantities],
        reason=reason or "nothing could be computed",
        holds=False,
    )


def _check(quantity: Quantity, values: Mapping[str, float]) -> ClaimCheck:
    found = values.get(quantity.key)
    return ClaimCheck(
        key=quantity.key,
        label=quantity.label,
        unit=quantity.unit,
        claimed_low=quantity.low,
        claimed_high=quantity.high,
        tolerance_fraction=quantity.tolerance_fraction,
        value=found,
        holds=found is not None and quantity.holds(found),
    )


def _number(number: Number) -> ClaimNumber:
    return ClaimNumber(label=number.label, value=number.value, unit=number.unit)
