"""What all alternatives share: place and power, money, people, use, reliability."""

from __future__ import annotations

from typing import Literal

from calculator.spec import fields as f
from calculator.spec.base import Cited, Pinned, SpecModel


class Facility(SpecModel):
    """Where owned nodes stand and what their power costs."""

    energy_price_usd_per_kwh: f.UsdPerKwh = Cited(
        0.0826, "Energy price at the meter.", source="epoch-training-cost-2026"
    )
    pue: f.Pue = Cited(
        1.3, "Facility power over IT power, annual mean.", source="uptime-2024"
    )
    demand_charge_usd_per_kw_month: f.UsdPerKwMonth = Cited(
        0.0,
        "Charge on the month's highest power.",
        source="planning-assumption",
        advanced=True,
    )
    space_usd_per_kw_month: f.UsdPerKwMonth = Cited(
        184.0,
        "Colocation per contracted kW, power not included.",
        source="cbre-h1-2025",
    )
    rack_kw_limit: f.Kilowatt = Cited(
        41.0,
        "Most power one rack may draw: four nodes of 10.2 kW; most halls allow 10-30 kW.",
        source="planning-assumption",
    )
    rack_units: f.RackUnits = Cited(
        48, "Height of one rack.", source="planning-assumption", advanced=True
    )
    node_leaf_length_m: f.Metres = Cited(
        10.0,
        "Typical cable from node to leaf.",
        source="planning-assumption",
        advanced=True,
    )
    leaf_spine_length_m: f.Metres = Cited(
        30.0,
        "Typical cable from leaf to spine.",
        source="planning-assumption",
        advanced=True,
    )
    spine_core_length_m: f.Metres = Cited(
        50.0,
        "Typical cable from spine to core.",
        source="planning-assumption",
        advanced=True,
    )
    copper_reach_m: f.Metres = Cited(
        3.0,
        "Longest copper cable; optics beyond.",
        source="planning-assumption",
        advanced=True,
    )


class Finance(SpecModel):
    """Capital, taxes, prices over time."""

    horizon_months: f.Months = Cited(
        60,
        "Months compared; service life of a server.",
        source="epoch-training-cost-2026",
    )
    discount_rate_fraction: f.DiscountRate = Cited(
        0.11, "Cost of capital (WACC), nominal.", source="planning-assumption"
    )
    freight_fraction: f.Fraction = Cited(
        0.02,
        "Freight over hardware price.",
        source="planning-assumption",
        advanced=True,
    )
    duty_fraction: f.Fraction = Cited(
        0.0,
        "Import duty over price and freight.",
        source="planning-assumption",
        advanced=True,
    )
    sales_tax_fraction: f.Fraction = Cited(
        0.07, "Sales tax on hardware.", source="planning-assumption"
    )
    installation_fraction: f.Fraction = Cited(
        0.03,
        "Installation and commissioning over hardware price.",
        source="planning-assumption",
        advanced=True,
    )
    node_spares_fraction: f.Fraction = Cited(
        0.03,
        "Spare nodes over training nodes, rounded up to whole nodes.",
        source="planning-assumption",
    )
    network_spares_fraction: f.Fraction = Cited(
        0.02,
        "Spare switches, cables, optics, rounded up.",
        source="planning-assumption",
        advanced=True,
    )
    support_rate_fraction: f.Fraction = Cited(
        0.06,
        "Hardware support a year over hardware price.",
        source="planning-assumption",
    )
    insurance_rate_fraction: f.Fraction = Cited(
        0.005,
        "Insurance a year over hardware price.",
        source="planning-assumption",
        advanced=True,
    )
    software_usd_per_gpu_year: f.UsdPerGpuYear = Cited(
        500.0, "Cluster manager and scheduler licences.", source="planning-assumption"
    )
    residual_fraction: f.Fraction | None = Pinned(
        "Resale value at the horizon over purchase price; the price-performance curve "
        "10^(-0.14 years) when absent."
    )
    tax_rate_fraction: f.TaxRate = Cited(
        0.0,
        "Income tax rate for the depreciation shield; 0 compares before tax.",
        source="planning-assumption",
    )
    depreciation: Literal["none", "straight_line", "macrs_5"] = Cited(
        "straight_line",
        "Tax depreciation schedule.",
        source="planning-assumption",
        advanced=True,
    )
    bonus_depreciation_fraction: f.Fraction = Cited(
        0.0,
        "Share written off in the first year.",
        source="planning-assumption",
        advanced=True,
    )
    energy_escalation_rate_fraction: f.RateFraction = Cited(
        0.02, "Energy price growth.", source="planning-assumption", advanced=True
    )
    space_escalation_rate_fraction: f.RateFraction = Cited(
        0.03, "Colocation price growth.", source="planning-assumption", advanced=True
    )
    staff_escalation_rate_fraction: f.RateFraction = Cited(
        0.03, "Staff cost growth.", source="planning-assumption", advanced=True
    )
    service_escalation_rate_fraction: f.RateFraction = Cited(
        0.02,
        "Growth of support, software and insurance cost.",
        source="planning-assumption",
        advanced=True,
    )
    rental_escalation_rate_fraction: f.RateFraction = Cited(
        0.0,
        "Rental price growth; list prices fell to 2025 and rose in 2026.",
        source="planning-assumption",
        advanced=True,
    )


class People(SpecModel):
    """Who runs it."""

    own_fte: f.Fte = Cited(
        1.0, "Engineers for an owned cluster.", source="sesamedisk-2026"
    )
    rent_fte: f.Fte = Cited(
        0.5, "Engineers for a rented cluster.", source="planning-assumption"
    )
    usd_per_fte_year: f.UsdPerFteYear = Cited(
        220_000.0, "Fully loaded cost of one engineer.", source="planning-assumption"
    )


class Use(SpecModel):
    """How much of the calendar has work."""

    occupancy_fraction: f.Fraction = Cited(
        0.8, "Share of calendar hours with a job.", source="planning-assumption"
    )
    mean_session_h: f.Hours = Cited(
        72.0,
        "Typical unbroken rental of on-demand instances, for billing increments.",
        source="planning-assumption",
        advanced=True,
    )


class Reliability(SpecModel):
    """Failures, checkpoints, restarts."""

    failures_per_kilo_node_day: f.FailuresPerKiloNodeDay = Cited(
        3.789,
        "Unexpected interruptions of an 8-GPU node, all causes; scaled by GPUs.",
        source="llama3-herd",
    )
    restart_minutes: f.Minutes = Cited(
        10.0,
        "From failure to training again on the same nodes, reload included.",
        source="megascale",
    )
    node_swap_minutes: f.Minutes = Cited(
        5.0,
        "Replacing a failed node by a spare at hand, on top of the restart; only "
        "failures that take a node out.",
        source="megascale",
    )
    spare_policy: Literal["spares", "elastic", "wait"] = Cited(
        "spares",
        "When a node is out: take a spare and wait only if none is left; train on with "
        "fewer nodes where spares run out (elastic); or wait for its repair.",
        source="planning-assumption",
    )
    repair_hours: f.RepairHours = Cited(
        48.0,
        "Mean time until a failed node of an owned cluster is back as a spare.",
        source="planning-assumption",
    )
    provider_replacement_minutes: f.Minutes = Cited(
        30.0,
        "Time in which a rental provider replaces a failed node.",
        source="planning-assumption",
        advanced=True,
    )
    checkpoint_interval_minutes: f.PositiveMinutes | None = Pinned(
        "Time between checkpoints; the optimum when absent."
    )
    checkpoint_blocking_fraction: f.Fraction = Cited(
        0.25,
        "Share of a checkpoint's write that stops training; 1 is synchronous.",
        source="planning-assumption",
        advanced=True,
    )
    planned_downtime_fraction: f.Downtime = Cited(
        0.01, "Planned maintenance.", source="planning-assumption", advanced=True
    )


class Assumptions(SpecModel):
    """Shared by all alternatives."""

    facility: Facility = Cited(Facility(), "Place and power.", source="computed")
    finance: Finance = Cited(Finance(), "Money.", source="computed")
    people: People = Cited(People(), "Staff.", source="computed")
    use: Use = Cited(Use(), "Occupancy.", source="computed")
    reliability: Reliability = Cited(Reliability(), "Failures.", source="computed")
