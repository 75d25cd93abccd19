"""Tax depreciation schedules and the residual curve."""

from __future__ import annotations

import numpy as np

from calculator.engine.cost.bounds import FRACTION, YEARS, check_count, check_number
from calculator.engine.cost.inputs import DepreciationMethod
from calculator.engine.cost.timeline import month_numbers
from calculator.engine.errors import DomainError
from calculator.engine.numeric import FloatArray, Numeric, as_array
from calculator.engine.units import MONTHS_PER_YEAR

MACRS_5_YEAR_FRACTIONS = (0.20, 0.32, 0.192, 0.1152, 0.1152, 0.0576)
"""IRS Publication 946, table A-1, 5-year property, half-year convention."""

RESIDUAL_OOM_PER_YEAR = 0.14
"""Orders of magnitude of value lost a year: hardware price-performance (Epoch AI)."""


def straight_line_fractions(life_months: int, horizon_months: int) -> FloatArray:
    """Share of the basis written off in each month.

    Parameters
    ----------
    life_months : int
        Months over which the basis is written off, at least 1.
    horizon_months : int
        Last month of the ledger, at least 1.

    Returns
    -------
    (horizon_months + 1,)
        ``1 / life_months`` in months 1 to ``life_months``, else 0.

    Raises
    ------
    DomainError
        If a month count is below 1.
    """
    check_count("life_months", life_months, 1, "months")
    check_count("horizon_months", horizon_months, 1, "months")
    months = month_numbers(horizon_months)
    is_written = (months >= 1) & (months <= life_months)
    return np.where(is_written, 1.0 / life_months, 0.0)


def macrs_fractions(horizon_months: int) -> FloatArray:
    """Share of the basis written off in each month under 5-year MACRS.

    The six yearly shares of the half-year convention are spread evenly over the months
    of their year; year 1 starts at purchase.

    Parameters
    ----------
    horizon_months : int
        Last month of the ledger, at least 1.

    Returns
    -------
    (horizon_months + 1,)
        Monthly shares; they sum to 1 from a horizon of 72 months on.

    Raises
    ------
    DomainError
        If ``horizon_months`` is below 1.

    References
    ----------
    .. [1] IRS, Publication 946, How To Depreciate Property, table A-1.
    """
    check_count("horizon_months", horizon_months, 1, "months")
    monthly = np.repeat(as_array(np.array(MACRS_5_YEAR_FRACTIONS)), MONTHS_PER_YEAR)
    shares = np.zeros(horizon_months + 1)
    n_written = min(horizon_months, monthly.size)
    shares[1 : n_written + 1] = monthly[:n_written] / MONTHS_PER_YEAR
    return shares


def with_bonus(shares: FloatArray, bonus_fraction: Numeric) -> FloatArray:
    """Write a bonus share off in the first year and the rest by the schedule.

    Parameters
    ----------
    shares : (n_months + 1,)
        Monthly shares without bonus.
    bonus_fraction : scalar or (n_samples, 1)
        Share of the basis written off in the first year, 0-1.

    Returns
    -------
    (n_months + 1,) or (n_samples, n_months + 1)
        ``bonus / 12`` in months 1-12 plus ``(1 - bonus)`` x schedule.
    """
    months = np.arange(shares.shape[-1])
    is_first_year = (months >= 1) & (months <= MONTHS_PER_YEAR)
    first_year = np.where(is_first_year, 1.0 / MONTHS_PER_YEAR, 0.0)
    bonus = as_array(bonus_fraction)
    return bonus * first_year + (1.0 - bonus) * shares


def straight_line(
    basis_usd: Numeric,
    *,
    life_months: int,
    horizon_months: int,
    bonus_fraction: Numeric = 0.0,
) -> FloatArray:
    """Straight-line depreciation of a basis, month by month.

    Parameters
    ----------
    basis_usd : scalar or (n_samples, 1)
        What is written off. [USD]
    life_months, horizon_months : int
        Depreciation life and last month of the ledger. [months]
    bonus_fraction : scalar or (n_samples, 1)
        Share written off in the first year, 0-1.

    Returns
    -------
    (horizon_months + 1,) or (n_samples, horizon_months + 1)
        Deduction of each month. [USD]

    Raises
    ------
    DomainError
        If a month count is below 1 or the bonus is outside 0-1.
    """
    check_number("bonus_fraction", bonus_fraction, FRACTION)
    shares = straight_line_fractions(life_months, horizon_months)
    return as_array(basis_usd) * with_bonus(shares, bonus_fraction)


def macrs(
    basis_usd: Numeric, *, horizon_months: int, bonus_fraction: Numeric = 0.0
) -> FloatArray:
    """Five-year MACRS depreciation of a basis, month by month.

    Parameters
    ----------
    basis_usd : scalar or (n_samples, 1)
        What is written off. [USD]
    horizon_months : int
        Last month of the ledger. [months]
    bonus_fraction : scalar or (n_samples, 1)
        Special depreciation allowance, taken in the first year, 0-1.

    Returns
    -------
    (horizon_months + 1,) or (n_samples, horizon_months + 1)
        Deduction of each month. [USD]

    Raises
    ------
    DomainError
        If ``horizon_months`` is below 1 or the bonus is outside 0-1.
    """
    check_number("bonus_fraction", bonus_fraction, FRACTION)
    shares = macrs_fractions(horizon_months)
    return as_array(basis_usd) * with_bonus(shares, bonus_fraction)


def deductions(
    method: DepreciationMethod,
    basis_usd: Numeric,
    *,
    life_months: int,
    horizon_months: int,
    bonus_fraction: Numeric,
) -> FloatArray:
    """Monthly deduction by the named method; ``none`` writes nothing off before sale.

    Returns
    -------
    (horizon_months + 1,) or (n_samples, horizon_months + 1)
        Deduction of each month. [USD]

    Raises
    ------
    DomainError
        If the method is unknown.
    """
    if method == "none":
        return as_array(basis_usd) * np.zeros(horizon_months + 1)
    if method == "straight_line":
        return straight_line(
            basis_usd,
            life_months=life_months,
            horizon_months=horizon_months,
            bonus_fraction=bonus_fraction,
        )
    if method == "macrs_5":
        return macrs(
            basis_usd, horizon_months=horizon_months, bonus_fraction=bonus_fraction
        )
    raise DomainError(
        f"depreciation is {method!r}, must be none, straight_line or macrs_5.",
        field="depreciation",
    )


def residual_fraction(years: Numeric) -> Numeric:
    r"""Value left of hardware after some years, over its price.

    .. math:: f = 10^{-0.14\,y}

    72 % after one year, 38 % after three, 20 % after five.

    Parameters
    ----------
    years : scalar or array
        Age, zero or more. [years]

    Returns
    -------
    scalar or array
        Fraction of the purchase price, 0-1.

    Raises
    ------
    DomainError
        If an age is negative.

    References
    ----------
    .. [1] Epoch AI, training-cost-trends: hardware price-performance improves by 0.14
       orders of magnitude a year, which is how fast older hardware loses value.
    """
    check_number("years", years, YEARS)
    value: Numeric = 10.0 ** (-RESIDUAL_OOM_PER_YEAR * years)
    return value
