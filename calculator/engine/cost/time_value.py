"""Present value, net present value and equivalent annual cost.

Flows fall at month ends; discounting is ``(1 + r)^(t / 12)`` with a nominal yearly rate.
"""

from __future__ import annotations

import numpy as np

from calculator.engine.cost.bounds import RATE, check_number
from calculator.engine.cost.timeline import discount_factor
from calculator.engine.errors import DomainError
from calculator.engine.numeric import FloatArray, Numeric, as_array
from calculator.engine.units import MONTHS_PER_YEAR


def plain(value: FloatArray) -> Numeric:
    """Return a 0-d array as a float, others as they are."""
    return value if value.ndim else float(value)


def sum_months(flows: FloatArray) -> Numeric:
    """Sum over the months: a float, or one number a sample."""
    return plain(np.asarray(flows.sum(axis=-1)))


def present_value(
    amount_usd: Numeric, *, rate_fraction: Numeric, months: Numeric
) -> Numeric:
    r"""Value today of an amount that falls due later.

    .. math:: PV = A\,(1+r)^{-t/12}

    Parameters
    ----------
    amount_usd : scalar or array
        What falls due. [USD]
    rate_fraction : scalar or array
        Nominal discount rate, above -1. [1/year]
    months : scalar or array
        Months from today. [months]

    Returns
    -------
    scalar or array
        Present value. [USD]

    Raises
    ------
    DomainError
        If the rate is -1 or below.
    """
    check_number("rate_fraction", rate_fraction, RATE)
    return plain(
        as_array(amount_usd) * (1.0 + rate_fraction) ** (-months / MONTHS_PER_YEAR)
    )


def npv(flows: FloatArray, *, rate_fraction: Numeric) -> Numeric:
    """Net present value of month-end flows, month 0 first.

    Parameters
    ----------
    flows : (…, n_months + 1)
        Flows by month. [USD]
    rate_fraction : scalar or (n_samples, 1)
        Nominal discount rate, above -1. [1/year]

    Returns
    -------
    scalar or (n_samples,)
        Present value of all flows. [USD]

    Raises
    ------
    DomainError
        If the rate is -1 or below.
    """
    check_number("rate_fraction", rate_fraction, RATE)
    return sum_months(flows * discount_factor(rate_fraction, flows.shape[-1] - 1))


def annuity_factor(*, rate_fraction: Numeric, years: float) -> Numeric:
    r"""Equal year-end payment per unit of present value.

    .. math:: a = \frac{r}{1-(1+r)^{-y}}, \qquad a(0) = 1/y

    Parameters
    ----------
    rate_fraction : scalar or array
        Nominal discount rate, above -1. [1/year]
    years : float
        Number of payments, above zero; need not be whole. [years]

    Returns
    -------
    scalar or array
        Capital recovery factor. [1/year]

    Raises
    ------
    DomainError
        If the rate is -1 or below or ``years`` is not positive.
    """
    check_number("rate_fraction", rate_fraction, RATE)
    if not years > 0.0:
        raise DomainError(f"years is {years} [years], must be above 0.", field="years")
    rate = as_array(rate_fraction)
    is_zero = rate == 0.0
    growth = -np.expm1(-years * np.log1p(rate))
    return plain(np.where(is_zero, 1.0 / years, rate / np.where(is_zero, 1.0, growth)))


def equivalent_annual_cost(
    npv_usd: Numeric, *, rate_fraction: Numeric, years: float
) -> Numeric:
    """Equal year-end payment with the same present value: compares unequal lives.

    Parameters
    ----------
    npv_usd : scalar or (n_samples,)
        Net present cost. [USD]
    rate_fraction : scalar or (n_samples,)
        Nominal discount rate, above -1. [1/year]
    years : float
        Life, above zero. [years]

    Returns
    -------
    scalar or (n_samples,)
        Cost a year. [USD/year]

    Raises
    ------
    DomainError
        If the rate is -1 or below or ``years`` is not positive.
    """
    return npv_usd * annuity_factor(rate_fraction=rate_fraction, years=years)
