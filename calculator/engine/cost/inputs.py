"""Inputs and results of the cost model.

Every money or rate field may be a float or an array with samples on axis 0, shaped
``(n_samples, 1)`` so that months can follow on the last axis. Ledgers run from month 0
(purchase) to ``horizon_months``; flows of month k fall at its end.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from calculator.engine.numeric import FloatArray, Numeric

DepreciationMethod = Literal["none", "straight_line", "macrs_5"]


@dataclass(frozen=True, slots=True)
class CapexLine:
    """Hardware bought at month 0. ``amount_usd`` is ``None`` where a price is missing."""

    key: str
    category: str
    label: str
    amount_usd: Numeric | None


@dataclass(frozen=True, slots=True)
class OwningInputs:
    """All that makes the monthly ledger of an owned cluster.

    Fractions are 0-1; rates per year. Energy is charged on mean draw while a job runs
    and on idle draw otherwise; space on the rated maximum.
    """

    horizon_months: int
    n_gpus: int
    hardware: tuple[CapexLine, ...]
    freight_fraction: Numeric
    duty_fraction: Numeric
    sales_tax_fraction: Numeric
    installation_fraction: Numeric
    mean_it_kw: Numeric
    idle_it_kw: Numeric
    rated_it_kw: Numeric
    pue: Numeric
    energy_price_usd_per_kwh: Numeric
    demand_charge_usd_per_kw_month: Numeric
    space_usd_per_kw_month: Numeric
    support_rate_fraction: Numeric
    software_usd_per_gpu_year: Numeric
    n_staff_fte: Numeric
    staff_usd_per_fte_year: Numeric
    insurance_rate_fraction: Numeric
    energy_escalation_rate_fraction: Numeric
    space_escalation_rate_fraction: Numeric
    staff_escalation_rate_fraction: Numeric
    service_escalation_rate_fraction: Numeric
    discount_rate_fraction: Numeric
    tax_rate_fraction: Numeric
    depreciation: DepreciationMethod
    depreciation_months: int
    bonus_depreciation_fraction: Numeric
    residual_fraction: Numeric
    occupancy: Numeric
    useful_tokens_per_s: Numeric


@dataclass(frozen=True, slots=True)
class RentingInputs:
    """All that makes the monthly ledger of a rented cluster.

    ``releases_when_idle`` is true for on-demand and spot (idle hours are not billed) and
    false for reserved, contract and capacity-block terms. ``minimum_months`` is the
    commitment: billed to its end even when the horizon is shorter.
    """

    horizon_months: int
    n_gpus: int
    n_instances: int
    usd_per_instance_hour: Numeric | None
    releases_when_idle: bool
    billing_increment_h: float
    mean_session_h: Numeric
    upfront_fraction: Numeric
    minimum_months: int
    price_escalation_rate_fraction: Numeric
    storage_tb: Numeric
    storage_usd_per_tb_month: Numeric
    egress_tb_per_month: Numeric
    egress_usd_per_tb: Numeric
    support_fraction: Numeric
    n_staff_fte: Numeric
    staff_usd_per_fte_year: Numeric
    staff_escalation_rate_fraction: Numeric
    discount_rate_fraction: Numeric
    tax_rate_fraction: Numeric
    occupancy: Numeric
    useful_tokens_per_s: Numeric


@dataclass(frozen=True, slots=True)
class LedgerRow:
    """One category of the ledger: ``(…, horizon_months + 1)`` USD, costs positive."""

    key: str
    label: str
    is_capex: bool
    usd: FloatArray


@dataclass(frozen=True, slots=True)
class Ledger:
    """Monthly ledger and its totals. Costs are positive, residual and tax shield negative.

    ``is_complete`` is false when a price was missing; totals then cover the priced rows
    only and must be shown as incomplete. Token totals are in tokens, not millions.
    Levelised and per-token numbers are ``None`` when no useful token is trained.
    """

    rows: tuple[LedgerRow, ...]
    total_usd: FloatArray
    tokens: FloatArray
    is_complete: bool
    missing: tuple[str, ...]
    capex_usd: Numeric
    tco_usd: Numeric
    npv_usd: Numeric
    equivalent_annual_cost_usd: Numeric
    npv_tokens: Numeric
    sum_tokens: Numeric
    usd_per_gpu_hour: Numeric | None
    levelised_usd_per_million_tokens: Numeric | None
    undiscounted_usd_per_million_tokens: Numeric | None
    levelised_by_row: dict[str, Numeric]
    reason: str = ""
