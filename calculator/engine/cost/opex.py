"""Running cost of an owned cluster, month by month."""

from __future__ import annotations

from calculator.engine.cost.inputs import LedgerRow, OwningInputs
from calculator.engine.cost.power import facility_kwh_per_month, occupied_it_kw
from calculator.engine.cost.timeline import operating_factor
from calculator.engine.numeric import Numeric
from calculator.engine.units import MONTHS_PER_YEAR


def energy_usd_per_month(inputs: OwningInputs) -> Numeric:
    """First-year cost of a month's energy.

    Returns
    -------
    scalar or (n_samples, 1)
        Occupied mean IT power x PUE x 730 h x tariff. [USD/month]
    """
    it_kw = occupied_it_kw(
        mean_it_kw=inputs.mean_it_kw,
        idle_it_kw=inputs.idle_it_kw,
        occupancy=inputs.occupancy,
    )
    kwh = facility_kwh_per_month(it_kw=it_kw, pue=inputs.pue)
    return kwh * inputs.energy_price_usd_per_kwh


def demand_usd_per_month(inputs: OwningInputs) -> Numeric:
    """First-year demand charge in USD/month: rated IT power x PUE x charge."""
    return inputs.rated_it_kw * inputs.pue * inputs.demand_charge_usd_per_kw_month


def staff_usd_per_month(
    n_staff_fte: Numeric, staff_usd_per_fte_year: Numeric
) -> Numeric:
    """First-year staff cost in USD/month."""
    return n_staff_fte * staff_usd_per_fte_year / MONTHS_PER_YEAR


def _energy_rows(inputs: OwningInputs) -> list[LedgerRow]:
    level = operating_factor(
        inputs.energy_escalation_rate_fraction, inputs.horizon_months
    )
    return [
        LedgerRow("energy", "Energy", False, energy_usd_per_month(inputs) * level),
        LedgerRow(
            "demand_charge",
            "Demand charge",
            False,
            demand_usd_per_month(inputs) * level,
        ),
    ]


def _space_row(inputs: OwningInputs) -> LedgerRow:
    level = operating_factor(
        inputs.space_escalation_rate_fraction, inputs.horizon_months
    )
    usd_per_month = inputs.rated_it_kw * inputs.space_usd_per_kw_month
    return LedgerRow("space", "Space (colocation)", False, usd_per_month * level)


def _service_rows(inputs: OwningInputs, hardware_usd: Numeric) -> list[LedgerRow]:
    level = operating_factor(
        inputs.service_escalation_rate_fraction, inputs.horizon_months
    )
    support = hardware_usd * inputs.support_rate_fraction / MONTHS_PER_YEAR
    software = inputs.n_gpus * inputs.software_usd_per_gpu_year / MONTHS_PER_YEAR
    insurance = hardware_usd * inputs.insurance_rate_fraction / MONTHS_PER_YEAR
    return [
        LedgerRow("support", "Hardware support", False, support * level),
        LedgerRow("software", "Software licences", False, software * level),
        LedgerRow("insurance", "Insurance", False, insurance * level),
    ]


def staff_row(
    *,
    n_staff_fte: Numeric,
    staff_usd_per_fte_year: Numeric,
    escalation_rate_fraction: Numeric,
    horizon_months: int,
) -> LedgerRow:
    """Salaries of the people who run the cluster, owned or rented.

    Returns
    -------
    LedgerRow
        FTE x yearly cost / 12 in every month, raised once a year. [USD]
    """
    usd_per_month = staff_usd_per_month(n_staff_fte, staff_usd_per_fte_year)
    level = operating_factor(escalation_rate_fraction, horizon_months)
    return LedgerRow("staff", "Staff", False, usd_per_month * level)


def operating_rows(inputs: OwningInputs, hardware_usd: Numeric) -> list[LedgerRow]:
    """All running costs of an owned cluster.

    Parameters
    ----------
    inputs : OwningInputs
        Checked inputs.
    hardware_usd : scalar or (n_samples, 1)
        Hardware price before freight, duty, tax and installation. [USD]

    Returns
    -------
    list of LedgerRow
        Energy, demand charge, space, support, software, insurance, staff. [USD]
    """
    return [
        *_energy_rows(inputs),
        _space_row(inputs),
        *_service_rows(inputs, hardware_usd),
        staff_row(
            n_staff_fte=inputs.n_staff_fte,
            staff_usd_per_fte_year=inputs.staff_usd_per_fte_year,
            escalation_rate_fraction=inputs.staff_escalation_rate_fraction,
            horizon_months=inputs.horizon_months,
        ),
    ]
