"""Totals of a ledger: everything that is read from its rows."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from calculator.engine.cost.inputs import Ledger, LedgerRow
from calculator.engine.cost.time_value import equivalent_annual_cost, plain, sum_months
from calculator.engine.cost.timeline import at_month, discount_factor, operating_factor
from calculator.engine.errors import DomainError
from calculator.engine.numeric import FloatArray, Numeric, as_array
from calculator.engine.units import (
    HOURS_PER_MONTH,
    MILLION,
    MONTHS_PER_YEAR,
    SECONDS_PER_HOUR,
    SECONDS_PER_MONTH,
)

RESIDUE_FRACTION = 1e-12
"""Sums this small beside what was added up are the rounding of flows that cancel."""

LEAST_TOKENS = 1.0
"""Who trains less than one token over the horizon has no cost of one."""


@dataclass(frozen=True, slots=True)
class LedgerTerms:
    """What turns rows into totals; the fields that owning and renting share."""

    horizon_months: int
    n_gpus: int
    discount_rate_fraction: Numeric
    occupancy: Numeric
    useful_tokens_per_s: Numeric
    samples: tuple[int, ...]


def assemble(
    rows: list[LedgerRow],
    missing: tuple[str, ...],
    capex_usd: Numeric,
    terms: LedgerTerms,
) -> Ledger:
    """Total the rows and read every headline from them.

    Parameters
    ----------
    rows : list of LedgerRow
        Flows shaped ``(horizon_months + 1,)`` or ``(n_samples, horizon_months + 1)``.
    missing : tuple of str
        Keys of the prices that were not given.
    capex_usd : scalar or (n_samples, 1)
        Paid at month 0 for hardware with all that comes on top. [USD]
    terms : LedgerTerms
        Horizon, discount rate, use.

    Returns
    -------
    Ledger
        Totals are floats, or ``(n_samples,)`` when any input has samples.

    Raises
    ------
    DomainError
        If the inputs overflow.
    """
    months = terms.horizon_months
    total = total_by_month(rows, months)
    tokens = _tokens(terms)
    discount = discount_factor(terms.discount_rate_fraction, months)
    gross = total_by_month([replace(row, usd=np.abs(row.usd)) for row in rows], months)
    npv_usd = _without_residue(
        _present(total, discount, terms), _present(gross, discount, terms)
    )
    npv_tokens = _present(tokens, discount, terms)
    tco_usd = _without_residue(
        _per_sample(sum_months(total), terms), _per_sample(sum_months(gross), terms)
    )
    sum_tokens = _per_sample(sum_months(tokens), terms)
    reason = _no_token_reason(sum_tokens, terms)
    ledger = Ledger(
        rows=tuple(_stretched(row, terms) for row in rows),
        total_usd=_stretch(total, terms),
        tokens=_stretch(tokens, terms),
        is_complete=not missing,
        missing=missing,
        capex_usd=_per_sample(_squeeze(capex_usd), terms),
        tco_usd=tco_usd,
        npv_usd=npv_usd,
        equivalent_annual_cost_usd=equivalent_annual_cost(
            npv_usd,
            rate_fraction=_squeeze(terms.discount_rate_fraction),
            years=months / MONTHS_PER_YEAR,
        ),
        npv_tokens=npv_tokens,
        sum_tokens=sum_tokens,
        usd_per_gpu_hour=_usd_per_gpu_hour(tco_usd, terms),
        levelised_usd_per_million_tokens=None
        if reason
        else _per_million(npv_usd, npv_tokens),
        undiscounted_usd_per_million_tokens=None
        if reason
        else _per_million(tco_usd, sum_tokens),
        levelised_by_row={
            row.key: _per_million(_present(row.usd, discount, terms), npv_tokens)
            for row in ([] if reason else rows)
        },
        reason=reason,
    )
    _require_finite(ledger)
    return ledger


def _tokens(terms: LedgerTerms) -> FloatArray:
    per_month = (
        as_array(terms.useful_tokens_per_s) * terms.occupancy * SECONDS_PER_MONTH
    )
    return per_month * operating_factor(0.0, terms.horizon_months)


def total_by_month(rows: list[LedgerRow], horizon_months: int) -> FloatArray:
    """Sum rows in their order, so that the table foots to the last bit."""
    total = at_month(0.0, 0, horizon_months)
    for row in rows:
        total = total + row.usd
    return total


def _present(flows: FloatArray, discount: FloatArray, terms: LedgerTerms) -> Numeric:
    return _per_sample(sum_months(flows * discount), terms)


def _without_residue(net_usd: Numeric, gross_usd: Numeric) -> Numeric:
    """Make nothing out of what only rounding left: no cost of minus 1e-10 dollars."""
    is_small = np.abs(net_usd) <= RESIDUE_FRACTION * as_array(gross_usd)
    is_residue = is_small & np.isfinite(net_usd)
    return plain(np.where(is_residue, 0.0, net_usd))


def _per_million(usd: Numeric, tokens: Numeric) -> Numeric:
    return usd / tokens * MILLION


def _usd_per_gpu_hour(tco_usd: Numeric, terms: LedgerTerms) -> Numeric | None:
    """Undiscounted cost of one used GPU-hour; ``None`` where a sample uses no second."""
    calendar_h = terms.n_gpus * terms.horizon_months * HOURS_PER_MONTH
    used_h = _squeeze(terms.occupancy) * calendar_h
    return (
        tco_usd / used_h if np.all(as_array(used_h) * SECONDS_PER_HOUR >= 1.0) else None
    )


def _no_token_reason(sum_tokens: Numeric, terms: LedgerTerms) -> str:
    """Why there is no cost per token, empty where there is one."""
    is_zero = as_array(sum_tokens) < LEAST_TOKENS
    if not is_zero.any():
        return ""
    if np.any(as_array(terms.occupancy) == 0.0):
        cause = "occupancy is 0"
    elif np.any(as_array(terms.useful_tokens_per_s) == 0.0):
        cause = "useful tokens per second are 0"
    else:
        cause = "fewer than one in the whole horizon"
    where = (
        "" if is_zero.all() else f" in {int(is_zero.sum())} of {is_zero.size} samples"
    )
    return f"No useful token is trained{where}: {cause}."


def _stretch(flows: FloatArray, terms: LedgerTerms) -> FloatArray:
    """Flows with one line a sample, also where all samples share them (read-only)."""
    return np.broadcast_to(flows, (*terms.samples, terms.horizon_months + 1))


def _stretched(row: LedgerRow, terms: LedgerTerms) -> LedgerRow:
    return LedgerRow(row.key, row.label, row.is_capex, _stretch(row.usd, terms))


def _squeeze(value: Numeric) -> Numeric:
    """``(n_samples, 1)`` as ``(n_samples,)``; a scalar as a float."""
    array = as_array(value)
    return array[:, 0] if array.ndim else float(array)


def _per_sample(value: Numeric, terms: LedgerTerms) -> Numeric:
    """Give a total of constant inputs the shape of the samples."""
    return np.broadcast_to(value, terms.samples) if terms.samples else value


def _require_finite(ledger: Ledger) -> None:
    values = (
        ledger.npv_usd,
        ledger.tco_usd,
        ledger.npv_tokens,
        ledger.equivalent_annual_cost_usd,
        ledger.usd_per_gpu_hour,
        ledger.levelised_usd_per_million_tokens,
        ledger.undiscounted_usd_per_million_tokens,
    )
    if not all(value is None or np.all(np.isfinite(value)) for value in values):
        raise DomainError(
            "The ledger overflows: a rate, price or horizon is beyond any real case.",
            field="discount_rate_fraction",
        )
