"""A rented alternative as engine inputs."""

from __future__ import annotations

from typing import cast

from calculator.engine.cost.inputs import RentingInputs
from calculator.engine.evaluate import RentAlternative
from calculator.engine.numeric import FloatArray
from calculator.resolve import hardware
from calculator.resolve.prices import price_samples, samples
from calculator.resolve.training import training_inputs
from calculator.spec.options import RentOption
from calculator.spec.scenario import ComparisonV1
from catalog.documents import OfferRow, PriceSnapshot

TIERS_OF_A_CLOUD = 2
"""Providers do not publish their fabrics' depth; two tiers join up to thousands of nodes."""


def rent_alternative(
    spec: ComparisonV1, snapshot: PriceSnapshot, key: str
) -> RentAlternative:
    """Everything that decides one rented cluster."""
    option = cast(RentOption, spec.alternatives[key])
    offer = snapshot.offers[option.offer]
    network = hardware.network(
        n_nodes=option.n_instances,
        gpus_per_node=offer.gpus_per_instance,
        ports_per_node=offer.ports_per_instance,
        port_gbps=offer.port_gbps,
        transport=offer.transport,
        n_tiers=TIERS_OF_A_CLOUD if option.n_instances > 1 else 0,
    )
    storage = hardware.storage(
        read_gbytes_per_s=option.storage_read_gbytes_per_s,
        write_gbytes_per_s=option.storage_write_gbytes_per_s,
    )
    return RentAlternative(
        training=training_inputs(
            spec,
            snapshot,
            gpu=hardware.gpu_spec(snapshot.components[offer.gpu]),
            network=network,
            storage=storage,
            interruptions_per_node_day=offer.interruptions_per_node_day,
        ),
        ledger=renting_inputs(spec, option, offer, snapshot),
    )


def instance_price(option: RentOption, snapshot: PriceSnapshot) -> FloatArray | None:
    """Price column of one instance-hour: the buyer's own, else the discounted list."""
    if option.usd_per_instance_hour is not None:
        return samples(option.usd_per_instance_hour)
    factor = 1.0 - option.discount_fraction
    return price_samples(snapshot.price(option.offer), factor=factor)


def upfront_fraction(offer: OfferRow) -> float:
    """Share of a term that is paid when it is signed; a capacity block is prepaid."""
    is_prepaid = offer.term == "capacity_block" or offer.payment_option == "all_upfront"
    return 1.0 if is_prepaid else 0.0


def renting_inputs(
    spec: ComparisonV1, option: RentOption, offer: OfferRow, snapshot: PriceSnapshot
) -> RentingInputs:
    """The ledger's template; tokens come from the evaluation."""
    finance, people = spec.assumptions.finance, spec.assumptions.people
    use = spec.assumptions.use
    return RentingInputs(
        horizon_months=finance.horizon_months,
        n_gpus=option.n_instances * offer.gpus_per_instance,
        n_instances=option.n_instances,
        usd_per_instance_hour=instance_price(option, snapshot),
        releases_when_idle=offer.releases_when_idle,
        billing_increment_h=offer.billing_increment_h,
        mean_session_h=use.mean_session_h,
        upfront_fraction=upfront_fraction(offer),
        minimum_months=offer.commitment_months,
        price_escalation_rate_fraction=finance.rental_escalation_rate_fraction,
        storage_tb=option.storage_tb,
        storage_usd_per_tb_month=option.storage_usd_per_tb_month,
        egress_tb_per_month=option.egress_tb_per_month,
        egress_usd_per_tb=option.egress_usd_per_tb,
        support_fraction=option.support_fraction,
        n_staff_fte=people.rent_fte,
        staff_usd_per_fte_year=people.usd_per_fte_year,
        staff_escalation_rate_fraction=finance.staff_escalation_rate_fraction,
        discount_rate_fraction=finance.discount_rate_fraction,
        tax_rate_fraction=finance.tax_rate_fraction,
        occupancy=use.occupancy_fraction,
        useful_tokens_per_s=0.0,
    )
