"""The monthly ledger of an owned or a rented cluster: the entry points of the cost model."""

from __future__ import annotations

import numpy as np

from calculator.engine.cost import rental, tax
from calculator.engine.cost.bounds import check_owning, check_renting
from calculator.engine.cost.capex import capex_rows, purchase, residual_flow
from calculator.engine.cost.inputs import Ledger, LedgerRow, OwningInputs, RentingInputs
from calculator.engine.cost.ledger import LedgerTerms, assemble, total_by_month
from calculator.engine.cost.opex import operating_rows, staff_row
from calculator.engine.cost.time_value import (
    annuity_factor,
    equivalent_annual_cost,
    npv,
    present_value,
)

__all__ = [
    "annuity_factor",
    "equivalent_annual_cost",
    "npv",
    "owning_ledger",
    "present_value",
    "renting_ledger",
]


def owning_ledger(inputs: OwningInputs) -> Ledger:
    """Cost of an owned cluster from purchase to resale.

    Parameters
    ----------
    inputs : OwningInputs
        Scalars, or arrays shaped ``(n_samples, 1)``.

    Returns
    -------
    Ledger
        Rows shaped ``(horizon_months + 1,)`` or ``(n_samples, horizon_months + 1)``;
        totals are floats or ``(n_samples,)``.

    Raises
    ------
    DomainError
        Naming the field out of bounds, its value, the bound and the unit.
    """
    samples = check_owning(inputs)
    with np.errstate(over="ignore", invalid="ignore"):
        bought = purchase(inputs)
        running = operating_rows(inputs, bought.hardware_usd)
        resale = residual_flow(inputs, bought.hardware_usd)
        rows = [
            *capex_rows(bought, inputs.horizon_months),
            *running,
            LedgerRow("residual", "Residual value", False, resale),
        ]
        if tax.is_taxed(inputs.tax_rate_fraction):
            deductible = total_by_month(running, inputs.horizon_months)
            rows.append(tax.operating_relief(deductible, inputs.tax_rate_fraction))
            rows.extend(tax.depreciation_rows(inputs, bought))
        return assemble(
            rows, bought.missing, bought.landed_usd, _terms(inputs, samples)
        )


def renting_ledger(inputs: RentingInputs) -> Ledger:
    """Cost of a rented cluster over the horizon, with its commitment to the end.

    Parameters
    ----------
    inputs : RentingInputs
        Scalars, or arrays shaped ``(n_samples, 1)``.

    Returns
    -------
    Ledger
        Rows shaped ``(horizon_months + 1,)`` or ``(n_samples, horizon_months + 1)``;
        totals are floats or ``(n_samples,)``. Incomplete without an instance price.

    Raises
    ------
    DomainError
        Naming the field out of bounds, its value, the bound and the unit.
    """
    samples = check_renting(inputs)
    with np.errstate(over="ignore", invalid="ignore"):
        billed, deductible = rental.provider_rows(inputs)
        staff = staff_row(
            n_staff_fte=inputs.n_staff_fte,
            staff_usd_per_fte_year=inputs.staff_usd_per_fte_year,
            escalation_rate_fraction=inputs.staff_escalation_rate_fraction,
            horizon_months=inputs.horizon_months,
        )
        rows = [*billed, staff]
        if tax.is_taxed(inputs.tax_rate_fraction):
            rows.append(
                tax.operating_relief(deductible + staff.usd, inputs.tax_rate_fraction)
            )
        missing = (
            ("usd_per_instance_hour",) if inputs.usd_per_instance_hour is None else ()
        )
        return assemble(rows, missing, 0.0, _terms(inputs, samples))


def _terms(
    inputs: OwningInputs | RentingInputs, samples: tuple[int, ...]
) -> LedgerTerms:
    return LedgerTerms(
        horizon_months=inputs.horizon_months,
        n_gpus=inputs.n_gpus,
        discount_rate_fraction=inputs.discount_rate_fraction,
        occupancy=inputs.occupancy,
        useful_tokens_per_s=inputs.useful_tokens_per_s,
        samples=samples,
    )
