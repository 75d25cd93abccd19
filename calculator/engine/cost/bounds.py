"""Which values the cost model accepts, and the sentence that refuses the others."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from calculator.engine.cost.inputs import OwningInputs, RentingInputs
from calculator.engine.errors import DomainError
from calculator.engine.numeric import Numeric, as_array

SAMPLES_FIRST = 2
"""Dimensions of an array input: samples, then one column for the months."""


@dataclass(frozen=True, slots=True)
class Bound:
    """An interval with its unit; ``is_low_open`` excludes the lower end."""

    low: float
    high: float
    unit: str
    is_low_open: bool = False

    def words(self) -> str:
        """Say the interval in words."""
        low = f"{'above' if self.is_low_open else 'at least'} {self.low:g}"
        return low if math.isinf(self.high) else f"{low} and at most {self.high:g}"

    def holds(self, value: float) -> bool:
        """Tell whether a finite value lies inside."""
        is_above = value > self.low if self.is_low_open else value >= self.low
        return is_above and value <= self.high


FRACTION = Bound(0.0, 1.0, "fraction")
RATIO = Bound(0.0, math.inf, "fraction of the hardware price")
RATE = Bound(-1.0, math.inf, "fraction per year", is_low_open=True)
PUE = Bound(1.0, math.inf, "facility kW per IT kW")
POSITIVE_HOURS = Bound(0.0, math.inf, "h", is_low_open=True)
YEARS = Bound(0.0, math.inf, "years")


def _at_least_zero(unit: str) -> Bound:
    return Bound(0.0, math.inf, unit)


OWNING_BOUNDS: dict[str, Bound] = {
    "freight_fraction": RATIO,
    "duty_fraction": RATIO,
    "sales_tax_fraction": RATIO,
    "installation_fraction": RATIO,
    "mean_it_kw": _at_least_zero("kW"),
    "idle_it_kw": _at_least_zero("kW"),
    "rated_it_kw": _at_least_zero("kW"),
    "pue": PUE,
    "energy_price_usd_per_kwh": _at_least_zero("USD/kWh"),
    "demand_charge_usd_per_kw_month": _at_least_zero("USD/(kW month)"),
    "space_usd_per_kw_month": _at_least_zero("USD/(kW month)"),
    "support_rate_fraction": RATIO,
    "software_usd_per_gpu_year": _at_least_zero("USD/(GPU year)"),
    "n_staff_fte": _at_least_zero("FTE"),
    "staff_usd_per_fte_year": _at_least_zero("USD/(FTE year)"),
    "insurance_rate_fraction": RATIO,
    "energy_escalation_rate_fraction": RATE,
    "space_escalation_rate_fraction": RATE,
    "staff_escalation_rate_fraction": RATE,
    "service_escalation_rate_fraction": RATE,
    "discount_rate_fraction": RATE,
    "tax_rate_fraction": FRACTION,
    "bonus_depreciation_fraction": FRACTION,
    "residual_fraction": FRACTION,
    "occupancy": FRACTION,
    "useful_tokens_per_s": _at_least_zero("tokens/s"),
}

RENTING_BOUNDS: dict[str, Bound] = {
    "usd_per_instance_hour": _at_least_zero("USD/(instance h)"),
    "billing_increment_h": _at_least_zero("h"),
    "mean_session_h": POSITIVE_HOURS,
    "upfront_fraction": FRACTION,
    "price_escalation_rate_fraction": RATE,
    "storage_tb": _at_least_zero("TB"),
    "storage_usd_per_tb_month": _at_least_zero("USD/(TB month)"),
    "egress_tb_per_month": _at_least_zero("TB/month"),
    "egress_usd_per_tb": _at_least_zero("USD/TB"),
    "support_fraction": _at_least_zero("fraction of the bill"),
    "n_staff_fte": _at_least_zero("FTE"),
    "staff_usd_per_fte_year": _at_least_zero("USD/(FTE year)"),
    "staff_escalation_rate_fraction": RATE,
    "discount_rate_fraction": RATE,
    "tax_rate_fraction": FRACTION,
    "occupancy": FRACTION,
    "useful_tokens_per_s": _at_least_zero("tokens/s"),
}


def check_number(field: str, value: Numeric, bound: Bound) -> None:
    """Refuse a value, or any element of an array, that is not finite and in bounds.

    Parameters
    ----------
    field : str
        Name of the input, for the message.
    value : scalar or array
        What was given.
    bound : Bound
        Interval that must hold it.

    Raises
    ------
    DomainError
        Naming the field, the offending value, the bound and the unit.
    """
    if isinstance(value, float | int):
        lowest = highest = float(value)
    else:
        array = as_array(value)
        if array.size == 0:
            raise DomainError(f"{field} has no samples.", field=field)
        lowest, highest = float(array.min()), float(array.max())
    for number in (lowest, highest):
        if not (math.isfinite(number) and bound.holds(number)):
            raise DomainError(
                f"{field} is {number:g} [{bound.unit}], must be {bound.words()}.",
                field=field,
            )


def check_count(field: str, value: int, low: int, unit: str) -> None:
    """Refuse a count that is not a whole number of at least ``low``.

    Raises
    ------
    DomainError
        Naming the field, its value, the bound and the unit.
    """
    if value != int(value) or value < low:
        raise DomainError(
            f"{field} is {value} [{unit}], must be a whole number of at least {low}.",
            field=field,
        )


def check_shapes(named: Iterable[tuple[str, Numeric]]) -> tuple[int, ...]:
    """Return the shape that samples give to a ledger: ``()`` or ``(n_samples,)``.

    Raises
    ------
    DomainError
        If an array is not shaped ``(n_samples, 1)`` or two sample counts differ.
    """
    samples: tuple[int, ...] = ()
    for field, value in named:
        shape = np.shape(value)
        if not shape:
            continue
        if len(shape) != SAMPLES_FIRST or shape[1] != 1:
            raise DomainError(
                f"{field} has shape {shape}, must be a scalar or (n_samples, 1).",
                field=field,
            )
        if samples and samples != shape[:1]:
            raise DomainError(
                f"{field} has {shape[0]} samples where others have {samples[0]}.",
                field=field,
            )
        samples = shape[:1]
    return samples


def check_owning(inputs: OwningInputs) -> tuple[int, ...]:
    """Check every field of an owned cluster; return the samples' shape.

    Raises
    ------
    DomainError
        Naming the first field out of bounds, its value, the bound and the unit.
    """
    check_count("horizon_months", inputs.horizon_months, 1, "months")
    check_count("n_gpus", inputs.n_gpus, 1, "GPUs")
    check_count("depreciation_months", inputs.depreciation_months, 1, "months")
    named = [(name, getattr(inputs, name)) for name in OWNING_BOUNDS]
    for name, value in named:
        check_number(name, value, OWNING_BOUNDS[name])
    prices = [
        (f"hardware.{line.key}", line.amount_usd)
        for line in inputs.hardware
        if line.amount_usd is not None
    ]
    for name, amount in prices:
        check_number(name, amount, _at_least_zero("USD"))
    return check_shapes([*named, *prices])


def check_renting(inputs: RentingInputs) -> tuple[int, ...]:
    """Check every field of a rented cluster; return the samples' shape.

    Raises
    ------
    DomainError
        Naming the first field out of bounds, its value, the bound and the unit.
    """
    check_count("horizon_months", inputs.horizon_months, 1, "months")
    check_count("n_gpus", inputs.n_gpus, 1, "GPUs")
    check_count("n_instances", inputs.n_instances, 1, "instances")
    check_count("minimum_months", inputs.minimum_months, 0, "months")
    named = [(name, getattr(inputs, name)) for name in RENTING_BOUNDS]
    given = [(name, value) for name, value in named if value is not None]
    for name, value in given:
        check_number(name, value, RENTING_BOUNDS[name])
    return check_shapes(given)
