"""The months of a ledger: where flows fall, how prices grow, how time is discounted.

Month 0 is the purchase; flows of months 1 to ``horizon_months`` fall at their end. All
functions return arrays with the months, 0 included, on the last axis.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from calculator.engine.numeric import FloatArray, Numeric, as_array
from calculator.engine.units import MONTHS_PER_YEAR

IntArray = NDArray[np.int64]


def month_numbers(horizon_months: int) -> IntArray:
    """Return 0, 1, … ``horizon_months``."""
    return np.arange(horizon_months + 1)


def elapsed_price_years(horizon_months: int) -> IntArray:
    """Whole years since the quote, for the flow of each month.

    Months 1-12 are paid at the quoted price, months 13-24 after one price step, and so
    on: ``floor((k - 1) / 12)``. Month 0 has no step either.
    """
    months = month_numbers(horizon_months)
    return np.maximum(months - 1, 0) // MONTHS_PER_YEAR


def growth(rate_fraction: Numeric, years: IntArray) -> FloatArray:
    """Price level ``(1 + rate)^years`` for whole years, one column per entry.

    Parameters
    ----------
    rate_fraction : scalar or (n_samples, 1)
        Price growth, above -1. [1/year]
    years : (n_columns,)
        Whole years since the quote, zero or more.

    Returns
    -------
    (n_columns,) or (n_samples, n_columns)
        Price over quoted price.
    """
    steps = np.arange(int(years.max()) + 1, dtype=np.float64)
    levels = np.power(1.0 + as_array(rate_fraction), steps)
    return np.take(levels, years, axis=-1)


def operating_factor(rate_fraction: Numeric, horizon_months: int) -> FloatArray:
    """Price level of a running cost in each month, 0 in month 0.

    Parameters
    ----------
    rate_fraction : scalar or (n_samples, 1)
        Price growth, above -1. [1/year]
    horizon_months : int
        Last month of the ledger, at least 1.

    Returns
    -------
    (horizon_months + 1,) or (n_samples, horizon_months + 1)
        0, then ``(1 + rate)^floor((k - 1) / 12)``.
    """
    factor = growth(rate_fraction, elapsed_price_years(horizon_months))
    factor[..., 0] = 0.0
    return factor


def discount_factor(rate_fraction: Numeric, horizon_months: int) -> FloatArray:
    """Present value of one USD paid at the end of each month.

    Parameters
    ----------
    rate_fraction : scalar or (n_samples, 1)
        Nominal discount rate, above -1. [1/year]
    horizon_months : int
        Last month of the ledger.

    Returns
    -------
    (horizon_months + 1,) or (n_samples, horizon_months + 1)
        ``(1 + rate)^(-t / 12)``; 1 in month 0.
    """
    years = month_numbers(horizon_months) / MONTHS_PER_YEAR
    return np.power(1.0 + as_array(rate_fraction), -years)


def at_month(amount: Numeric, month: int, horizon_months: int) -> FloatArray:
    """Place one payment in one month and 0 in all others.

    Parameters
    ----------
    amount : scalar or (n_samples, 1)
        What is paid. [USD]
    month : int
        Month of the payment, 0 to ``horizon_months``.
    horizon_months : int
        Last month of the ledger.

    Returns
    -------
    (horizon_months + 1,) or (n_samples, horizon_months + 1)
        The flows. [USD]
    """
    paid = as_array(amount)
    flows = np.zeros((*paid.shape[:-1], horizon_months + 1))
    flows[..., month] = paid[..., 0] if paid.ndim else paid
    return flows
