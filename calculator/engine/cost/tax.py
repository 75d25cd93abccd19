"""Income tax on a cost ledger: relief on running cost and depreciation, tax at resale.

Rows exist only where a tax rate is above zero. Over the whole ledger the deductions are
what was spent less what the resale brought, whatever the schedule: it moves tax in
time and does not create any.
"""

from __future__ import annotations

import numpy as np

from calculator.engine.cost.capex import Purchase
from calculator.engine.cost.depreciation import deductions
from calculator.engine.cost.inputs import LedgerRow, OwningInputs
from calculator.engine.cost.timeline import at_month
from calculator.engine.numeric import FloatArray, Numeric, as_array


def is_taxed(tax_rate_fraction: Numeric) -> bool:
    """Tell whether any sample pays tax."""
    return bool(np.any(as_array(tax_rate_fraction) > 0.0))


def operating_relief(
    deductible_usd: FloatArray, tax_rate_fraction: Numeric
) -> LedgerRow:
    """Tax saved because running costs are deductible, in the month they fall.

    Parameters
    ----------
    deductible_usd : (…, horizon_months + 1)
        Deductible running cost. [USD]
    tax_rate_fraction : scalar or (n_samples, 1)
        Income tax rate, 0-1.

    Returns
    -------
    LedgerRow
        Negative flows. [USD]
    """
    relief = 0.0 - deductible_usd * tax_rate_fraction
    return LedgerRow(
        "tax_relief_operating", "Tax relief on running cost", False, relief
    )


def _sale_tax(inputs: OwningInputs, bought: Purchase, book_usd: Numeric) -> LedgerRow:
    gain_usd = bought.hardware_usd * inputs.residual_fraction - book_usd
    horizon = inputs.horizon_months
    flow = at_month(gain_usd * inputs.tax_rate_fraction, horizon, horizon)
    return LedgerRow("tax_on_residual", "Tax on resale gain or loss", False, flow)


def depreciation_rows(inputs: OwningInputs, bought: Purchase) -> list[LedgerRow]:
    """Shield of depreciation, and tax on what the resale brings over book value.

    The basis is the landed cost: price, freight, duty, sales tax, installation. A
    resale below book value is a loss and saves tax.

    Returns
    -------
    list of LedgerRow
        Depreciation shield (negative) and tax on the resale (either sign). [USD]
    """
    written = deductions(
        inputs.depreciation,
        bought.landed_usd,
        life_months=inputs.depreciation_months,
        horizon_months=inputs.horizon_months,
        bonus_fraction=inputs.bonus_depreciation_fraction,
    )
    shield = 0.0 - written * inputs.tax_rate_fraction
    book_usd = bought.landed_usd - written.sum(axis=-1, keepdims=True)
    return [
        LedgerRow(
            "tax_relief_depreciation", "Tax relief on depreciation", False, shield
        ),
        _sale_tax(inputs, bought, book_usd),
    ]
