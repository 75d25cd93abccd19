"""What is paid at month 0: hardware by category and what comes on top of it."""

from __future__ import annotations

from dataclasses import dataclass

from calculator.engine.cost.inputs import CapexLine, LedgerRow, OwningInputs
from calculator.engine.cost.timeline import at_month
from calculator.engine.numeric import FloatArray, Numeric


@dataclass(frozen=True, slots=True)
class Purchase:
    """The amounts paid at month 0 by ledger key, and the keys of unpriced lines.

    ``hardware_usd`` is the price alone (base of support, insurance and residual);
    ``landed_usd`` adds freight, duty, sales tax and installation (base of depreciation).
    """

    parts: tuple[tuple[str, str, Numeric], ...]
    hardware_usd: Numeric
    landed_usd: Numeric
    missing: tuple[str, ...]


def _title(category: str) -> str:
    return category.replace("_", " ").capitalize()


def by_category(lines: tuple[CapexLine, ...]) -> dict[str, tuple[str, Numeric]]:
    """Sum priced lines by category, in order of first appearance.

    Returns
    -------
    dict
        Label and amount [USD] by category. The label is the line's own where the
        category has one line. A category without any price is absent.
    """
    totals: dict[str, tuple[str, Numeric]] = {}
    for line in lines:
        if line.amount_usd is None:
            continue
        if line.category in totals:
            amount = totals[line.category][1] + line.amount_usd
            totals[line.category] = (_title(line.category), amount)
        else:
            totals[line.category] = (line.label, line.amount_usd)
    return totals


def _surcharges(
    inputs: OwningInputs, hardware_usd: Numeric
) -> list[tuple[str, str, Numeric]]:
    freight_usd = hardware_usd * inputs.freight_fraction
    duty_usd = (hardware_usd + freight_usd) * inputs.duty_fraction
    return [
        ("freight", "Freight", freight_usd),
        ("duty", "Import duty", duty_usd),
        ("sales_tax", "Sales tax", hardware_usd * inputs.sales_tax_fraction),
        (
            "installation",
            "Installation and commissioning",
            hardware_usd * inputs.installation_fraction,
        ),
    ]


def purchase(inputs: OwningInputs) -> Purchase:
    """Work out everything paid at month 0.

    Freight, sales tax and installation are fractions of the hardware price; duty is a
    fraction of price plus freight.

    Parameters
    ----------
    inputs : OwningInputs
        Checked inputs.

    Returns
    -------
    Purchase
        Amounts as scalars or ``(n_samples, 1)``. [USD]
    """
    hardware = [
        (f"hardware_{category}", label, amount)
        for category, (label, amount) in by_category(inputs.hardware).items()
    ]
    hardware_usd: Numeric = sum((amount for _, _, amount in hardware), 0.0)
    parts = [*hardware, *_surcharges(inputs, hardware_usd)]
    landed_usd: Numeric = sum((amount for _, _, amount in parts), 0.0)
    missing = tuple(line.key for line in inputs.hardware if line.amount_usd is None)
    return Purchase(tuple(parts), hardware_usd, landed_usd, missing)


def capex_rows(bought: Purchase, horizon_months: int) -> list[LedgerRow]:
    """Put every amount of a purchase into month 0.

    Returns
    -------
    list of LedgerRow
        One row per hardware category, then freight, duty, sales tax, installation.
    """
    return [
        LedgerRow(key, label, True, at_month(amount, 0, horizon_months))
        for key, label, amount in bought.parts
    ]


def residual_flow(inputs: OwningInputs, hardware_usd: Numeric) -> FloatArray:
    """Resale at the end of the horizon: a negative flow in the last month.

    Returns
    -------
    (…, horizon_months + 1)
        ``-residual_fraction`` x hardware price in the last month. [USD]
    """
    horizon = inputs.horizon_months
    return at_month(0.0 - hardware_usd * inputs.residual_fraction, horizon, horizon)
