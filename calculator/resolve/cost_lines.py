"""Cost lines: quantity x unit price = amount, with the identity of the price."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

import numpy as np

from calculator.engine.evaluate import OwnOutcome, RentOutcome
from calculator.engine.numeric import Numeric
from calculator.engine.units import HOURS_PER_MONTH
from calculator.resolve.own import NODE_QUOTE
from calculator.resolve.prices import POINT
from calculator.spec.options import OwnOption, RentOption
from calculator.spec.pointers import get, join
from calculator.spec.problems import field_schema
from calculator.spec.result import CostLine, Origin
from calculator.spec.scenario import ComparisonV1
from catalog.documents import PriceRow, PriceSnapshot


def at_point(value: Numeric) -> float:
    """The point estimate of a value with or without a sample axis."""
    array = np.asarray(value, dtype=np.float64)
    return float(
        array if array.ndim == 0 else array.reshape(array.shape[0], -1)[POINT, 0]
    )


def own_lines(
    spec: ComparisonV1, snapshot: PriceSnapshot, key: str, outcome: OwnOutcome
) -> list[CostLine]:
    """Purchase lines from the bill, then the running costs of the first year."""
    option = cast(OwnOption, spec.alternatives[key])
    return [
        *_hardware_lines(option, snapshot, outcome),
        *_running_lines(spec, outcome),
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


def _running_lines(spec: ComparisonV1, outcome: OwnOutcome) -> Iterator[CostLine]:
    document = spec.model_dump(mode="json")
    inputs = outcome.ledger_inputs
    hardware = sum(
        at_point(line.amount_usd)
        for line in inputs.hardware
        if line.amount_usd is not None
    )
    occupancy = at_point(inputs.occupancy)
    mean_kw = at_point(inputs.mean_it_kw) * occupancy
    mean_kw += at_point(inputs.idle_it_kw) * (1.0 - occupancy)
    pue = at_point(inputs.pue)
    fixed = [
        ("energy", "Energy", mean_kw * pue * HOURS_PER_MONTH, "kWh", "monthly",
         "facility/energy_price_usd_per_kwh",
         f"{mean_kw:,.1f} kW mean IT load x PUE {pue:g} x 730 h"),
        ("demand", "Demand charge", at_point(inputs.mean_it_kw) * pue, "kW", "monthly",
         "facility/demand_charge_usd_per_kw_month", "training load x PUE"),
        ("space", "Colocation space", at_point(inputs.rated_it_kw), "kW", "monthly",
         "facility/space_usd_per_kw_month", "rated maximum of nodes, spares and network"),
        ("support", "Hardware support", hardware, "USD of hardware", "yearly",
         "finance/support_rate_fraction", "share of the hardware price"),
        ("software", "Cluster software", float(inputs.n_gpus), "GPUs", "yearly",
         "finance/software_usd_per_gpu_year", "per training GPU"),
        ("staff", "Engineers", at_point(inputs.n_staff_fte), "FTE", "yearly",
         "people/usd_per_fte_year", "engineers of an owned cluster"),
        ("insurance", "Insurance", hardware, "USD of hardware", "yearly",
         "finance/insurance_rate_fraction", "share of the hardware price"),
    ]  # fmt: skip
    for name, label, quantity, unit, period, place, basis in fixed:
        yield _assumed_line(
            document,
            name,
            label,
            quantity,
            unit,
            period,
            f"/assumptions/{place}",
            basis,
        )


def _assumed_line(
    document: dict[str, Any],
    key: str,
    label: str,
    quantity: float,
    unit: str,
    period: str,
    pointer: str,
    basis: str,
) -> CostLine:
    """A line whose price is an assumption of the comparison."""
    price = float(get(document, pointer))
    source, origin = default_source(pointer, price)
    return CostLine(
        key=key,
        group="running",
        label=label,
        item=pointer,
        quantity=quantity,
        unit=unit,
        unit_price_usd=price,
        amount_usd=price * quantity,
        period=cast(Any, period),
        is_capex=False,
        basis=basis,
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
    inputs = outcome.ledger_inputs
    row = (
        None
        if option.usd_per_instance_hour is not None
        else snapshot.price(option.offer)
    )
    price = inputs.usd_per_instance_hour
    point = None if price is None else at_point(price)
    compute = outcome.ledger.rows[0].usd if price is not None else None
    hours = option.n_instances * HOURS_PER_MONTH
    if compute is not None and point:
        hours = float(np.atleast_2d(compute)[POINT, 1]) / point
    offer = snapshot.offers[option.offer]
    lines = [
        CostLine(
            key="compute",
            group="rental",
            label=offer.label,
            item=option.offer,
            quantity=hours,
            unit="instance-hours",
            unit_price_usd=point,
            amount_usd=None if point is None else hours * point,
            period="monthly",
            is_capex=False,
            basis=_hours_basis(
                option, inputs.releases_when_idle, at_point(inputs.occupancy)
            ),
            **identity(row, is_user=option.usd_per_instance_hour is not None),
        )
    ]
    document = spec.model_dump(mode="json")
    place = join(["alternatives", key])
    for name, label, quantity, unit, pointer in (
        (
            "storage",
            "Shared storage",
            option.storage_tb,
            "TB",
            "storage_usd_per_tb_month",
        ),
        ("egress", "Egress", option.egress_tb_per_month, "TB", "egress_usd_per_tb"),
    ):
        lines.append(
            _assumed_line(
                document,
                name,
                label,
                quantity,
                unit,
                "monthly",
                f"{place}/{pointer}",
                "rented beside",
            )
        )
    lines.append(
        _assumed_line(
            document,
            "staff",
            "Engineers",
            at_point(inputs.n_staff_fte),
            "FTE",
            "yearly",
            "/assumptions/people/usd_per_fte_year",
            "engineers of a rented cluster",
        )
    )
    return lines


def _hours_basis(option: RentOption, releases: bool, occupancy: float) -> str:
    share = (
        f"{occupancy:.0%} of 730 h, idle hours released"
        if releases
        else "730 h, idle or not"
    )
    return f"{option.n_instances} instances x {share}"
