"""Cost of rented instances: hours billed, prepayment, commitment, what comes on top."""

from __future__ import annotations

import numpy as np

from calculator.engine.cost.inputs import LedgerRow, RentingInputs
from calculator.engine.cost.timeline import (
    IntArray,
    at_month,
    growth,
    month_numbers,
    operating_factor,
)
from calculator.engine.numeric import FloatArray, Numeric, as_array
from calculator.engine.units import HOURS_PER_MONTH, MONTHS_PER_YEAR

ROUNDING_SLACK = 1e-9
"""Increments by which a session may overshoot a whole number through binary rounding."""


def billed_session_h(mean_session_h: Numeric, billing_increment_h: float) -> Numeric:
    """Hours billed for one session: rounded up to whole increments.

    Parameters
    ----------
    mean_session_h : scalar or (n_samples, 1)
        Length of one unbroken rental. [h]
    billing_increment_h : float
        Smallest billed unit; 0 bills the exact time. [h]

    Returns
    -------
    scalar or (n_samples, 1)
        Billed hours of the session. [h]
    """
    if billing_increment_h == 0.0:
        return mean_session_h
    n_increments = np.ceil(
        as_array(mean_session_h) / billing_increment_h - ROUNDING_SLACK
    )
    return np.maximum(n_increments, 1.0) * billing_increment_h


def billed_hours_per_month(inputs: RentingInputs) -> Numeric:
    """Hours of one instance on a month's bill.

    Offers released when idle bill occupied hours, rounded up session by session, never
    more than the month has. All others bill every hour.

    Returns
    -------
    scalar or (n_samples, 1)
        Billed hours, 0-730. [h]
    """
    if not inputs.releases_when_idle:
        return HOURS_PER_MONTH
    billed_h = billed_session_h(inputs.mean_session_h, inputs.billing_increment_h)
    rounding = billed_h / as_array(inputs.mean_session_h)
    return np.minimum(
        as_array(inputs.occupancy) * HOURS_PER_MONTH * rounding, HOURS_PER_MONTH
    )


def _term_months(inputs: RentingInputs) -> int:
    return max(inputs.minimum_months, 1)


def _last_billed_month(inputs: RentingInputs) -> int:
    return max(inputs.horizon_months, inputs.minimum_months)


def _signing_months(inputs: RentingInputs) -> IntArray:
    """Month in which the term that covers each billed month was signed."""
    months = month_numbers(_last_billed_month(inputs))
    term = _term_months(inputs)
    return (np.maximum(months - 1, 0) // term) * term


def term_charges(inputs: RentingInputs, usd_per_instance_hour: Numeric) -> FloatArray:
    """Charge for each month's instances, whenever it is paid.

    A term keeps the price of the day it was signed; the price path acts on renewals.

    Parameters
    ----------
    inputs : RentingInputs
        Checked inputs.
    usd_per_instance_hour : scalar or (n_samples, 1)
        Price today. [USD/(instance h)]

    Returns
    -------
    (…, last billed month + 1)
        Charges; the last billed month is beyond the horizon where the commitment is
        longer. Month 0 has none. [USD]
    """
    usd_per_month = (
        usd_per_instance_hour * billed_hours_per_month(inputs) * inputs.n_instances
    )
    years = _signing_months(inputs) // MONTHS_PER_YEAR
    charges = usd_per_month * growth(inputs.price_escalation_rate_fraction, years)
    charges[..., 0] = 0.0
    return charges


def prepaid_flow(charges: FloatArray, inputs: RentingInputs) -> FloatArray:
    """Prepaid part of every term, paid on the day the term is signed.

    Parameters
    ----------
    charges : (…, last billed month + 1)
        From `term_charges`. [USD]
    inputs : RentingInputs
        Checked inputs.

    Returns
    -------
    (…, horizon_months + 1)
        Payments in months 0, term, 2 x term, … [USD]
    """
    starts = np.arange(0, _last_billed_month(inputs), _term_months(inputs))
    by_term = np.add.reduceat(charges[..., 1:], starts, axis=-1)
    paid = by_term * as_array(inputs.upfront_fraction)
    flow = np.zeros((*paid.shape[:-1], inputs.horizon_months + 1))
    flow[..., starts] = paid
    return flow


def to_horizon(flows: FloatArray, horizon_months: int) -> tuple[FloatArray, FloatArray]:
    """Split flows into those within the horizon and the rest, due in its last month.

    Returns
    -------
    tuple of two arrays, both (…, horizon_months + 1)
        The months up to the horizon; the sum of all later months in the last one. [USD]
    """
    within = flows[..., : horizon_months + 1]
    tail = np.zeros_like(within)
    tail[..., -1] = flows[..., horizon_months + 1 :].sum(axis=-1)
    return within, tail


def _instance_rows(charges: FloatArray, inputs: RentingInputs) -> list[LedgerRow]:
    due = charges * (1.0 - as_array(inputs.upfront_fraction))
    monthly, tail = to_horizon(due, inputs.horizon_months)
    rows = [LedgerRow("instances", "Instances", False, monthly)]
    if np.any(as_array(inputs.upfront_fraction) > 0.0):
        prepaid = prepaid_flow(charges, inputs)
        rows.append(LedgerRow("prepaid", "Instances, prepaid", False, prepaid))
    if inputs.minimum_months > inputs.horizon_months:
        label = "Commitment beyond the horizon"
        rows.append(LedgerRow("commitment_tail", label, False, tail))
    return rows


def _extra_rows(inputs: RentingInputs) -> list[LedgerRow]:
    level = operating_factor(0.0, inputs.horizon_months)
    storage = inputs.storage_tb * inputs.storage_usd_per_tb_month
    egress = inputs.egress_tb_per_month * inputs.egress_usd_per_tb
    return [
        LedgerRow("storage", "Storage", False, storage * level),
        LedgerRow("egress", "Egress", False, egress * level),
    ]


def _support_row(billed: list[LedgerRow], inputs: RentingInputs) -> LedgerRow:
    bill: FloatArray = sum(
        (row.usd for row in billed), at_month(0.0, 0, inputs.horizon_months)
    )
    return LedgerRow(
        "support", "Provider support", False, bill * inputs.support_fraction
    )


def provider_rows(inputs: RentingInputs) -> tuple[list[LedgerRow], FloatArray]:
    """Everything on the provider's bill, and what of it is deductible when.

    Parameters
    ----------
    inputs : RentingInputs
        Checked inputs. Without a price the instance rows are absent.

    Returns
    -------
    rows : list of LedgerRow
        Instances, prepaid part, commitment beyond the horizon, storage, egress,
        support on all of these. [USD]
    deductible_usd : (…, horizon_months + 1)
        Instances when they are used, the unused rest in the last month; the other rows
        when paid. [USD]
    """
    horizon = inputs.horizon_months
    instances: list[LedgerRow] = []
    used: FloatArray = at_month(0.0, 0, horizon)
    if inputs.usd_per_instance_hour is not None:
        charges = term_charges(inputs, inputs.usd_per_instance_hour)
        instances = _instance_rows(charges, inputs)
        within, unused = to_horizon(charges, horizon)
        used = within + unused
    extras = _extra_rows(inputs)
    support = _support_row([*instances, *extras], inputs)
    paid = sum((row.usd for row in [*extras, support]), at_month(0.0, 0, horizon))
    return [*instances, *extras, support], used + paid
