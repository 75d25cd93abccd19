"""What a reader must know about an alternative beside its numbers."""

from __future__ import annotations

from calculator.engine.cost.power import check_node_power
from calculator.engine.evaluate import OwnOutcome
from calculator.formatting import percent
from calculator.resolve import hardware
from calculator.resolve.own import powered_parts
from calculator.spec.options import OwnOption, RentOption
from calculator.spec.pointers import join
from calculator.spec.result import CostLine, Notice
from calculator.spec.scenario import ComparisonV1
from catalog.attributes import GpuAttributes
from catalog.documents import PriceSnapshot

ASSUMED = "planning-assumption"
ROUNDED_UP_TO = 2.0
"""Spare nodes over those asked for, from which the rounding itself is worth a word."""


def own_notices(
    spec: ComparisonV1,
    option: OwnOption,
    snapshot: PriceSnapshot,
    key: str,
    outcome: OwnOutcome,
) -> list[Notice]:
    """Implausible node power, power that nobody states, spares that rounding made many."""
    found = [
        _node_power(option, snapshot, key),
        _unknown_power(option, snapshot, key),
        _rounded_spares(spec, option, outcome),
        _copper(spec, option, key),
    ]
    return [notice for notice in found if notice is not None]


def _node_power(option: OwnOption, snapshot: PriceSnapshot, key: str) -> Notice | None:
    design = snapshot.designs[option.node_design]
    gpu = GpuAttributes.model_validate(snapshot.components[design.gpu].attributes)
    warning = check_node_power(
        node_kw=design.rated_kw, gpu_tdp_w=gpu.tdp_w, n_gpus=design.gpus_per_node
    )
    if not warning:
        return None
    pointer = join(["alternatives", key, "node_design"])
    return Notice(code="node_power_low", message=warning, pointer=pointer)


def _copper(spec: ComparisonV1, option: OwnOption, key: str) -> Notice | None:
    """All-copper cabling that asks for cables longer than copper reaches."""
    fabric = option.fabric
    if fabric is None or fabric.media != "copper" or option.n_nodes == 1:
        return None
    reach = spec.assumptions.facility.copper_reach_m
    return Notice(
        code="copper_beyond_reach",
        message=(
            f"all links are copper; those longer than {reach:g} m are priced as copper, "
            "where none may be sold, and run at "
            f"{fabric.copper_beyond_reach_fraction:.0%} of their rate"
        ),
        pointer=join(["alternatives", key, "fabric", "media"]),
    )


def _unknown_power(
    option: OwnOption, snapshot: PriceSnapshot, key: str
) -> Notice | None:
    rows = [snapshot.components[slug] for slug in powered_parts(option)]
    names = [row.name for row in rows if hardware.power_w(row) is None]
    if not names:
        return None
    return Notice(
        code="power_unknown",
        message=(
            f"energy and space of {'; '.join(names)} are not in the total: no power "
            "figure is known"
        ),
        pointer=join(["alternatives", key]),
    )


def _rounded_spares(
    spec: ComparisonV1, option: OwnOption, outcome: OwnOutcome
) -> Notice | None:
    asked = spec.assumptions.finance.node_spares_fraction
    n_spares = outcome.bill.n_spare_nodes
    if n_spares <= ROUNDED_UP_TO * asked * option.n_nodes:
        return None
    return Notice(
        code="spares_rounded",
        message=(
            f"{n_spares} spare for {option.n_nodes} nodes is "
            f"{percent(n_spares / option.n_nodes)} of them: {percent(asked)} were "
            "asked for, rounded up to a whole node"
        ),
        pointer="/assumptions/finance/node_spares_fraction",
    )


def rent_notices(option: RentOption, snapshot: PriceSnapshot, key: str) -> list[Notice]:
    """Network or interruptions of an offer that the provider does not publish."""
    offer = snapshot.offers[option.offer]
    pointer = join(["alternatives", key, "offer"])
    found = []
    if offer.network_source == ASSUMED:
        message = (
            f"{offer.provider} does not publish this offer's network; "
            f"{offer.ports_per_instance} x {offer.port_gbps:g} Gb/s is assumed"
        )
        found.append(Notice(code="network_assumed", message=message, pointer=pointer))
    if offer.interruptions_per_node_day > 0:
        message = (
            f"{offer.interruptions_per_node_day:g} interruptions a node and day are "
            "assumed: providers publish none"
        )
        found.append(
            Notice(code="interruptions_assumed", message=message, pointer=pointer)
        )
    return found


def price_notices(lines: list[CostLine], key: str) -> list[Notice]:
    """Every part or rate without a price, by the name that the lines show."""
    return [
        Notice(
            code="price_missing",
            message=f"no price for {name}: money totals are incomplete",
            pointer=join(["alternatives", key]),
        )
        for name in unpriced(lines)
    ]


def unpriced(lines: list[CostLine]) -> list[str]:
    """Names of the lines without a price, each once."""
    return list(
        dict.fromkeys(line.label for line in lines if line.unit_price_usd is None)
    )
