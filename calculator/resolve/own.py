"""An owned alternative as engine inputs."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import cast

from calculator.engine.cluster.bill import spare_nodes
from calculator.engine.cluster.inputs import (
    BillRequest,
    DesignLine,
    FabricRequest,
    FabricSize,
)
from calculator.engine.cluster.topology import auto_topology, size_fabric
from calculator.engine.cost.depreciation import residual_fraction
from calculator.engine.cost.inputs import OwningInputs
from calculator.engine.errors import EngineError
from calculator.engine.evaluate import OwnAlternative
from calculator.engine.numeric import Numeric
from calculator.engine.training.inputs import Transport
from calculator.engine.units import KILO, MONTHS_PER_YEAR
from calculator.resolve import hardware, references
from calculator.resolve.prices import price_samples, samples
from calculator.resolve.refusals import refusal
from calculator.resolve.training import training_inputs
from calculator.spec.hardware import FabricChoice
from calculator.spec.options import OwnOption
from calculator.spec.pointers import join
from calculator.spec.problems import problem
from calculator.spec.scenario import ComparisonV1
from catalog.attributes import SwitchAttributes
from catalog.documents import ComponentRow, DesignRow, PriceSnapshot, price_key

NODE_QUOTE = "node-quote"
"""Component key of a node priced by the buyer's own quote."""


def own_alternative(
    spec: ComparisonV1, snapshot: PriceSnapshot, key: str
) -> OwnAlternative:
    """Everything that decides one owned cluster.

    Raises
    ------
    SpecError
        At the field that asks for something impossible.
    """
    option = cast(OwnOption, spec.alternatives[key])
    design = snapshot.designs[option.node_design]
    check_storage(option, snapshot, key)
    check_fabric(option, snapshot, key)
    request = fabric_request(option, design, snapshot, key)
    try:
        size = size_fabric(request) if request else None
    except EngineError as error:
        raise refusal(error, key=key, kind="own") from None
    chosen = option.fabric
    network = hardware.network(
        n_nodes=option.n_nodes,
        gpus_per_node=design.gpus_per_node,
        ports_per_node=chosen.ports_per_node if chosen else 1,
        port_gbps=chosen.port_gbps if chosen else 1.0,
        transport=cast(Transport, chosen.transport) if chosen else "tcp",
        n_tiers=size.n_tiers if size else 0,
        oversubscription=_oversubscription(chosen),
        link_degradation_fraction=_worst_link(spec, chosen, size),
    )
    storage = hardware.storage(
        read_gbytes_per_s=option.storage.read_gbytes_per_s,
        write_gbytes_per_s=option.storage.write_gbytes_per_s,
    )
    return OwnAlternative(
        training=training_inputs(
            spec,
            snapshot,
            gpu=hardware.gpu_spec(snapshot.components[design.gpu]),
            network=network,
            storage=storage,
            n_spare_nodes=spare_nodes(
                option.n_nodes, spec.assumptions.finance.node_spares_fraction
            ),
        ),
        fabric=request,
        bill=bill_request(spec, option, design, snapshot),
        unit_price_usd=unit_prices(option, design, snapshot),
        watts=_watts(option, snapshot),
        node_mean_kw=design.mean_training_kw,
        node_idle_kw=design.idle_kw,
        node_rated_kw=design.rated_kw,
        ledger=owning_inputs(spec, option.n_nodes * design.gpus_per_node),
    )


def _worst_link(
    spec: ComparisonV1, fabric: FabricChoice | None, size: FabricSize | None
) -> float:
    """Slowest link over nominal: a degraded one, or copper that does not reach."""
    if fabric is None:
        return 1.0
    facility = spec.assumptions.facility
    lengths = (
        facility.node_leaf_length_m,
        facility.leaf_spine_length_m,
        facility.spine_core_length_m,
    )
    longest = max(lengths[: size.n_tiers], default=0.0) if size else 0.0
    if fabric.media == "copper" and longest > facility.copper_reach_m:
        copper = fabric.copper_beyond_reach_fraction
        return min(fabric.link_degradation_fraction, copper)
    return fabric.link_degradation_fraction


def _oversubscription(fabric: FabricChoice | None) -> float:
    if fabric is None:
        return 1.0
    return fabric.leaf_oversubscription * fabric.pod_oversubscription


def check_storage(option: OwnOption, snapshot: PriceSnapshot, key: str) -> None:
    """Refuse a storage part that is something else.

    Raises
    ------
    SpecError
        At the field at fault.
    """
    place = join(["alternatives", key, "storage"])
    for name, kind in (
        ("product", "storage"),
        ("switch", "switch"),
        ("cable", "cable"),
    ):
        _part(snapshot, getattr(option.storage, name), kind, f"{place}/{name}")


def check_fabric(option: OwnOption, snapshot: PriceSnapshot, key: str) -> None:
    """Refuse a fabric that is absent, of another transport or faster than its parts.

    Raises
    ------
    SpecError
        At the field at fault.
    """
    place = join(["alternatives", key, "fabric"])
    fabric = option.fabric
    if fabric is None:
        if option.n_nodes > 1:
            raise problem(
                place,
                "fabric_missing",
                f"fabric is required: {option.n_nodes} nodes cannot train one model "
                "without a network between them; only 1 node can",
            )
        return
    switch = hardware.switch_attributes(
        _part(snapshot, fabric.switch, "switch", f"{place}/switch")
    )
    nic = hardware.nic_attributes(_part(snapshot, fabric.nic, "nic", f"{place}/nic"))
    if (fabric.transport == "infiniband") != (switch.transport == "infiniband"):
        raise problem(
            f"{place}/transport",
            "transport_mismatch",
            f"transport {fabric.transport} does not run on {fabric.switch}, "
            f"which speaks {switch.transport}",
        )
    switch_gbps = fabric.switch_port_gbps or switch.port_gbps
    for name, limit in ((fabric.nic, nic.port_gbps), (fabric.switch, switch_gbps)):
        if fabric.port_gbps > limit:
            raise problem(
                f"{place}/port_gbps",
                "out_of_bounds",
                f"port_gbps must be at most {limit:g} Gb/s, the port rate of {name}, "
                f"got {fabric.port_gbps:g}",
            )
    _check_links(fabric, snapshot, place)


def _check_links(fabric: FabricChoice, snapshot: PriceSnapshot, place: str) -> None:
    """Refuse cables and modules slower than the port: they would cheapen it unseen."""
    cable = hardware.cable_attributes(
        _part(snapshot, fabric.copper_cable, "cable", f"{place}/copper_cable")
    )
    module = hardware.transceiver_attributes(
        _part(snapshot, fabric.transceiver, "transceiver", f"{place}/transceiver")
    )
    for field, limit in (
        ("copper_cable", cable.links * cable.rate_gbps),
        ("transceiver", module.ports * module.port_gbps),
    ):
        if fabric.port_gbps > limit:
            raise problem(
                f"{place}/{field}",
                "out_of_bounds",
                f"{getattr(fabric, field)} carries at most {limit:g} Gb/s, "
                f"a port has {fabric.port_gbps:g} Gb/s",
            )


def _part(snapshot: PriceSnapshot, slug: str, kind: str, place: str) -> ComponentRow:
    row = snapshot.components[slug]
    if row.kind != kind:
        raise problem(place, "wrong_kind", f"{slug} is a {row.kind}, not a {kind}")
    return row


def fabric_request(
    option: OwnOption, design: DesignRow, snapshot: PriceSnapshot, key: str
) -> FabricRequest | None:
    """What the fabric must join; ``None`` for a single node."""
    fabric = option.fabric
    if fabric is None or option.n_nodes == 1:
        return None
    switch = hardware.switch_attributes(snapshot.components[fabric.switch])
    request = FabricRequest(
        topology="rail_optimised" if fabric.topology == "auto" else fabric.topology,
        n_nodes=option.n_nodes,
        gpus_per_node=design.gpus_per_node,
        ports_per_node=fabric.ports_per_node,
        port_gbps=fabric.port_gbps,
        switch_ports=fabric.switch_ports or switch.ports,
        switch_port_gbps=fabric.switch_port_gbps or switch.port_gbps,
        max_breakout=fabric.max_breakout or switch.max_breakout,
        n_tiers=fabric.n_tiers,
        leaf_oversubscription=fabric.leaf_oversubscription,
        pod_oversubscription=fabric.pod_oversubscription,
        redundant_spines=fabric.redundant_spines,
        fabric_manager_ports=fabric.fabric_manager_ports,
        reserved_node_positions=fabric.reserved_node_positions,
        uplink_gbps=fabric.uplink_gbps,
        n_planes=fabric.n_planes,
        endpoints_per_node=fabric.hosts_per_node,
    )
    if fabric.topology != "auto":
        return request
    try:
        return replace(request, topology=auto_topology(request))
    except EngineError as error:
        raise refusal(error, key=key, kind="own") from None


def bill_request(
    spec: ComparisonV1, option: OwnOption, design: DesignRow, snapshot: PriceSnapshot
) -> BillRequest:
    """Everything that turns the node design and the fabric into quantities."""
    facility, finance = spec.assumptions.facility, spec.assumptions.finance
    fabric = option.fabric if option.n_nodes > 1 else None
    nic = hardware.nic_attributes(snapshot.components[fabric.nic]) if fabric else None
    optic = (
        hardware.transceiver_attributes(snapshot.components[fabric.transceiver])
        if fabric
        else None
    )
    switch = _switch(fabric.switch, snapshot) if fabric else None
    management = _switch(references.MANAGEMENT_SWITCH, snapshot)
    return BillRequest(
        n_nodes=option.n_nodes,
        gpus_per_node=design.gpus_per_node,
        node_lines=_node_lines(option, design),
        node_rated_kw=design.rated_kw,
        node_rack_units=design.rack_units,
        fabric=None,
        nic="" if fabric is None or design.includes_nics else fabric.nic,
        nics_per_node=(
            math.ceil(fabric.ports_per_node / nic.ports) if fabric and nic else 0
        ),
        switch=fabric.switch if fabric else "",
        copper_cable=fabric.copper_cable if fabric else "",
        transceiver=fabric.transceiver if fabric else "",
        fibre_cable=references.FIBRE,
        transceiver_ports=min(optic.ports, nic.ports) if optic and nic else 1,
        switch_transceiver_ports=(
            min(optic.ports, switch.cage_ports) if optic and switch else 1
        ),
        node_leaf_length_m=facility.node_leaf_length_m,
        leaf_spine_length_m=facility.leaf_spine_length_m,
        spine_core_length_m=facility.spine_core_length_m,
        copper_reach_m=facility.copper_reach_m,
        management_switch=references.MANAGEMENT_SWITCH,
        management_switch_ports=management.ports,
        management_ports_per_node=1,
        storage_switch=option.storage.switch,
        storage_switch_ports=_switch(option.storage.switch, snapshot).ports,
        storage_ports_per_node=option.storage.ports_per_node if fabric else 0,
        storage_cable=option.storage.cable,
        storage=option.storage.product,
        storage_tb=option.storage.capacity_tb,
        rack=references.RACK,
        rack_kw_limit=facility.rack_kw_limit,
        rack_units=facility.rack_units,
        pdu="",  # the rack's price holds its power distribution
        pdus_per_rack=2,
        cooling=references.LIQUID_COOLING if design.is_liquid_cooled else "",
        node_spares_fraction=finance.node_spares_fraction,
        network_spares_fraction=finance.network_spares_fraction,
        links_per_copper_cable=_links_per_cable(fabric, snapshot),
        is_all_copper=fabric is not None and fabric.media == "copper",
        switch_kw=(switch.power_w or 0.0) / KILO if switch else 0.0,
        switch_rack_units=switch.rack_units if switch else 0.0,
    )


def _links_per_cable(fabric: FabricChoice | None, snapshot: PriceSnapshot) -> int:
    if fabric is None:
        return 1
    return hardware.cable_attributes(snapshot.components[fabric.copper_cable]).links


def _switch(slug: str, snapshot: PriceSnapshot) -> SwitchAttributes:
    return hardware.switch_attributes(snapshot.components[slug])


def _node_lines(option: OwnOption, design: DesignRow) -> tuple[DesignLine, ...]:
    if option.node_price_usd is not None:
        return (DesignLine(component=NODE_QUOTE, quantity=1),)
    return tuple(
        DesignLine(component=line.component, quantity=line.quantity)
        for line in design.lines
    )


def unit_prices(
    option: OwnOption, design: DesignRow, snapshot: PriceSnapshot
) -> dict[str, Numeric | None]:
    """Price column of every component, discounted; the design's own book comes first."""
    factor = 1.0 - option.purchase_discount_fraction
    prices: dict[str, Numeric | None] = {
        slug: price_samples(snapshot.price(slug), factor=factor)
        for slug in snapshot.components
        if price_key(snapshot.price_book, slug) in snapshot.prices
    }
    for line in design.lines:
        row = snapshot.price(line.component, design.price_book)
        prices[line.component] = price_samples(row, factor=factor)
    if option.node_price_usd is not None:
        prices[NODE_QUOTE] = samples(option.node_price_usd) * factor
    return prices


def _watts(option: OwnOption, snapshot: PriceSnapshot) -> dict[str, float]:
    """Draw of the parts outside the nodes; node parts are inside the node's own power."""
    watts = {
        slug: hardware.power_w(snapshot.components[slug])
        for slug in powered_parts(option)
    }
    return {slug: value for slug, value in watts.items() if value is not None}


def powered_parts(option: OwnOption) -> list[str]:
    """Parts outside the nodes that draw power, the storage system included."""
    slugs = [references.MANAGEMENT_SWITCH, option.storage.product]
    fabric = option.fabric
    if fabric is not None and option.n_nodes > 1:
        slugs += [fabric.switch, fabric.transceiver, option.storage.switch]
    return list(dict.fromkeys(slugs))


def owning_inputs(spec: ComparisonV1, n_gpus: int) -> OwningInputs:
    """The ledger's template; hardware, power and tokens come from the evaluation."""
    facility, finance = spec.assumptions.facility, spec.assumptions.finance
    people, use = spec.assumptions.people, spec.assumptions.use
    residual = finance.residual_fraction
    if residual is None:
        years = finance.horizon_months / MONTHS_PER_YEAR
        residual = float(residual_fraction(years))
    return OwningInputs(
        horizon_months=finance.horizon_months,
        n_gpus=n_gpus,
        hardware=(),
        freight_fraction=finance.freight_fraction,
        duty_fraction=finance.duty_fraction,
        sales_tax_fraction=finance.sales_tax_fraction,
        installation_fraction=finance.installation_fraction,
        mean_it_kw=0.0,
        idle_it_kw=0.0,
        rated_it_kw=0.0,
        pue=facility.pue,
        energy_price_usd_per_kwh=facility.energy_price_usd_per_kwh,
        demand_charge_usd_per_kw_month=facility.demand_charge_usd_per_kw_month,
        space_usd_per_kw_month=facility.space_usd_per_kw_month,
        support_rate_fraction=finance.support_rate_fraction,
        software_usd_per_gpu_year=finance.software_usd_per_gpu_year,
        n_staff_fte=people.own_fte,
        staff_usd_per_fte_year=people.usd_per_fte_year,
        insurance_rate_fraction=finance.insurance_rate_fraction,
        energy_escalation_rate_fraction=finance.energy_escalation_rate_fraction,
        space_escalation_rate_fraction=finance.space_escalation_rate_fraction,
        staff_escalation_rate_fraction=finance.staff_escalation_rate_fraction,
        service_escalation_rate_fraction=finance.service_escalation_rate_fraction,
        discount_rate_fraction=finance.discount_rate_fraction,
        tax_rate_fraction=finance.tax_rate_fraction,
        depreciation=finance.depreciation,
        depreciation_months=finance.horizon_months,
        bonus_depreciation_fraction=finance.bonus_depreciation_fraction,
        residual_fraction=residual,
        occupancy=use.occupancy_fraction,
        useful_tokens_per_s=0.0,
    )
