"""Cost lines: quantity x unit price = amount, with the identity of the price."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, cast

import numpy as np

from calculator.engine.cost.inputs import OwningInputs, RentingInputs
from calculator.engine.cost.power import facility_kwh_per_month, occupied_it_kw
from calculator.engine.cost.rental import billed_hours_per_month
from calculator.engine.evaluate import OwnOutcome, RentOutcome
from calculator.engine.numeric import Numeric
from calculator.resolve.own import NODE_QUOTE
from calculator.resolve.prices import POINT
from calculator.spec.options import OwnOption, RentOption
from calculator.spec.pointers import get, join
from calculator.spec.result import CostLine, Origin
from calculator.spec.scenario import ComparisonV1
from calculator.spec.schema_lookup import field_schema
from catalog.documents import PriceRow, PriceSnapshot

ON_TOP = "on top of hardware"


def at_point(value: Numeric) -> float:
    """The point estimate of a value with or without a sample axis."""
    array = np.asarray(value, dtype=np.float64)
    return float(
        array if array.ndim == 0 else array.reshape(array.shape[0], -1)[POINT, 0]
    )


def own_lines(
    spec: ComparisonV1, snapshot: PriceSnapshot, key: str, outcome: OwnOutcome
) -> list[CostLine]:
    """Purchase lines, which sum to the capex, then the running costs of the first year."""
    option = cast(OwnOption, spec.alternatives[key])
    document = spec.model_dump(mode="json")
    terms = [
        *_surcharges(outcome.ledger_inputs),
        *_running_terms(outcome.ledger_inputs),
    ]
    return [
        *_hardware_lines(option, snapshot, outcome),
        *(_priced_by_input(document, term) for term in terms),
    ]


def _hardware_lines(
    option: OwnOption, snapshot: PriceSnapshot, outcome: OwnOutcome
) -> Iterator[CostLine]:
    book = snapshot.designs[option.node_design].price_book
    for priced in outcome.lines:
        line = priced.line
        is_quote = line.component == NODE_QUOTE
        row = None if is_quote else snapshot.price(line.component, book)
        component = snapshot.components.get(line.component)
        price, amount = priced.unit_price_usd, priced.amount_usd
        yield CostLine(
            key=line.key,
            group=line.group,
            label=component.name if component else line.label,
            item=line.component,
            quantity=line.quantity,
            unit=line.unit,
            unit_price_usd=None if price is None else at_point(price),
            amount_usd=None if amount is None else at_point(amount),
            period="one_time",
            is_capex=True,
            basis=line.basis,
            **identity(row, is_user=is_quote),
        )


def identity(row: PriceRow | None, *, is_user: bool = False) -> dict[str, Any]:
    """Origin, quote, source, date and confidence of a price."""
    if is_user:
        return {"origin": "user", "note": "the buyer's own quote"}
    if row is None:
        return {
            "origin": "quote",
            "confidence": "",
            "note": "no price is known; the total is incomplete",
        }
    origin: Origin = "assumption" if row.confidence == "assumption" else "quote"
    note = row.note if row.mid is not None else f"no price is known. {row.note}".strip()
    return {
        "origin": origin,
        "quote_id": row.quote_id,
        "source": row.source,
        "observed_on": row.observed_on,
        "confidence": row.confidence,
        "note": note,
    }


@dataclass(frozen=True, slots=True)
class _Running:
    """A cost beside the parts: what is counted, and the input that prices it."""

    key: str
    label: str
    quantity: float
    unit: str
    period: Literal["one_time", "monthly", "yearly"]
    pointer: str
    basis: str
    group: str = "running"


def _hardware_usd(inputs: OwningInputs) -> float:
    return sum(
        at_point(line.amount_usd)
        for line in inputs.hardware
        if line.amount_usd is not None
    )


def _surcharges(inputs: OwningInputs) -> list[_Running]:
    """What is paid at month 0 on top of the hardware."""
    hardware = _hardware_usd(inputs)
    landed = hardware * (1.0 + at_point(inputs.freight_fraction))
    terms = (
        ("freight", "Freight", hardware, "share of the hardware price"),
        ("duty", "Import duty", landed, "share of hardware price and freight"),
        ("sales_tax", "Sales tax", hardware, "share of the hardware price"),
        ("installation", "Installation and commissioning", hardware,
         "share of the hardware price"),
    )  # fmt: skip
    return [
        _Running(key, label, base, "USD of hardware", "one_time",
                 f"/assumptions/finance/{key}_fraction", basis, ON_TOP)
        for key, label, base, basis in terms
    ]  # fmt: skip


def _running_terms(inputs: OwningInputs) -> list[_Running]:
    hardware = _hardware_usd(inputs)
    mean_kw = at_point(
        occupied_it_kw(
            mean_it_kw=inputs.mean_it_kw,
            idle_it_kw=inputs.idle_it_kw,
            occupancy=inputs.occupancy,
        )
    )
    pue, rated_kw = at_point(inputs.pue), at_point(inputs.rated_it_kw)
    kwh = at_point(facility_kwh_per_month(it_kw=mean_kw, pue=pue))
    energy_basis = f"{mean_kw:,.1f} kW mean IT load x PUE {pue:g} x 730 h"
    place = "/assumptions"
    return [
        _Running("energy", "Energy", kwh, "kWh", "monthly",
                 f"{place}/facility/energy_price_usd_per_kwh", energy_basis),
        _Running("demand_charge", "Demand charge", rated_kw * pue, "kW", "monthly",
                 f"{place}/facility/demand_charge_usd_per_kw_month",
                 "rated IT load x PUE, an upper bound of the month's peak"),
        _Running("space", "Colocation space", rated_kw, "kW", "monthly",
                 f"{place}/facility/space_usd_per_kw_month",
                 "rated maximum of nodes, spares and network"),
        _Running("support", "Hardware support", hardware, "USD of hardware", "yearly",
                 f"{place}/finance/support_rate_fraction", "share of the hardware price"),
        _Running("software", "Cluster software", float(inputs.n_gpus), "GPUs", "yearly",
                 f"{place}/finance/software_usd_per_gpu_year", "per training GPU"),
        _Running("insurance", "Insurance", hardware, "USD of hardware", "yearly",
                 f"{place}/finance/insurance_rate_fraction", "share of the hardware price"),
        _Running("staff", "Engineers", at_point(inputs.n_staff_fte), "FTE", "yearly",
                 f"{place}/people/usd_per_fte_year", "engineers of an owned cluster"),
    ]  # fmt: skip


def _priced_by_input(document: dict[str, Any], term: _Running) -> CostLine:
    """A line whose price is an input of the comparison."""
    price = float(get(document, term.pointer))
    source, origin = default_source(term.pointer, price)
    return CostLine(
        key=term.key,
        group=term.group,
        label=term.label,
        item=term.pointer,
        quantity=term.quantity,
        unit=term.unit,
        unit_price_usd=price,
        amount_usd=price * term.quantity,
        period=term.period,
        is_capex=term.group == ON_TOP,
        basis=term.basis,
        origin=origin,
        source=source,
        confidence="assumption" if origin == "assumption" else "",
    )


def default_source(pointer: str, value: Any) -> tuple[str, Origin]:
    """Source slug and origin of an input: changed by the user, or a cited default."""
    schema = field_schema(pointer) or {}
    if "default" not in schema or schema["default"] != value:
        return "", "user"
    source = str(schema.get("x-default-source", ""))
    return source, "assumption" if source == "planning-assumption" else "default"


def rent_lines(
    spec: ComparisonV1, snapshot: PriceSnapshot, key: str, outcome: RentOutcome
) -> list[CostLine]:
    """What one month of the rental costs, term by term."""
    option = cast(RentOption, spec.alternatives[key])
    document = spec.model_dump(mode="json")
    terms = _rental_terms(key, option, outcome.ledger_inputs)
    return [
        _compute_line(option, snapshot, outcome.ledger_inputs),
        *(_priced_by_input(document, term) for term in terms),
    ]


def _compute_line(
    option: RentOption, snapshot: PriceSnapshot, inputs: RentingInputs
) -> CostLine:
    is_user = option.usd_per_instance_hour is not None
    row = None if is_user else snapshot.price(option.offer)
    price = inputs.usd_per_instance_hour
    point = None if price is None else at_point(price)
    hours = option.n_instances * at_point(billed_hours_per_month(inputs))
    return CostLine(
        key="instances",
        group="rental",
        label=snapshot.offers[option.offer].label,
        item=option.offer,
        quantity=hours,
        unit="instance-hours",
        unit_price_usd=point,
        amount_usd=None if point is None else hours * point,
        period="monthly",
        is_capex=False,
        basis=_hours_basis(option, inputs),
        **identity(row, is_user=is_user),
    )


def _hours_basis(option: RentOption, inputs: RentingInputs) -> str:
    instances = f"{option.n_instances} instances"
    if not inputs.releases_when_idle:
        return f"{instances} x 730 h, idle or not"
    occupancy = at_point(inputs.occupancy)
    return f"{instances} x {occupancy:.0%} of 730 h, idle hours released"


def _rental_terms(
    key: str, option: RentOption, inputs: RentingInputs
) -> list[_Running]:
    place = join(["alternatives", key])
    bill_usd = _provider_bill_usd(option, inputs)
    return [
        _Running("storage", "Shared storage", option.storage_tb, "TB", "monthly",
                 f"{place}/storage_usd_per_tb_month", "rented beside the instances"),
        _Running("egress", "Egress", option.egress_tb_per_month, "TB", "monthly",
                 f"{place}/egress_usd_per_tb", "checkpoints and logs taken out"),
        _Running("support", "Provider support", bill_usd, "USD of bill", "monthly",
                 f"{place}/support_fraction", "share of instances, storage and egress"),
        _Running("staff", "Engineers", at_point(inputs.n_staff_fte), "FTE", "yearly",
                 "/assumptions/people/usd_per_fte_year", "engineers of a rented cluster"),
    ]  # fmt: skip


def _provider_bill_usd(option: RentOption, inputs: RentingInputs) -> float:
    """First-year bill of a month before support; instances without a price left out."""
    extras = option.storage_tb * option.storage_usd_per_tb_month
    extras += option.egress_tb_per_month * option.egress_usd_per_tb
    if inputs.usd_per_instance_hour is None:
        return extras
    hours = option.n_instances * at_point(billed_hours_per_month(inputs))
    return extras + hours * at_point(inputs.usd_per_instance_hour)
