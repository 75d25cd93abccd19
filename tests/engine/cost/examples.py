"""Complete inputs that tests start from, and the ranges that properties draw from."""

from dataclasses import replace

from hypothesis import strategies as st

from calculator.engine.cost.inputs import CapexLine, OwningInputs, RentingInputs

# Every price and rate is round, so that the expected numbers can be worked by hand.
OWNED = OwningInputs(
    horizon_months=24,
    n_gpus=8,
    hardware=(
        CapexLine("nodes", "compute", "Nodes", 200_000.0),
        CapexLine("switches", "network", "Switches", 40_000.0),
        CapexLine("cables", "network", "Cables", 10_000.0),
    ),
    freight_fraction=0.02,
    duty_fraction=0.10,
    sales_tax_fraction=0.05,
    installation_fraction=0.03,
    mean_it_kw=10.0,
    idle_it_kw=2.0,
    rated_it_kw=12.0,
    pue=1.5,
    energy_price_usd_per_kwh=0.10,
    demand_charge_usd_per_kw_month=5.0,
    space_usd_per_kw_month=100.0,
    support_rate_fraction=0.06,
    software_usd_per_gpu_year=600.0,
    n_staff_fte=0.5,
    staff_usd_per_fte_year=240_000.0,
    insurance_rate_fraction=0.012,
    energy_escalation_rate_fraction=0.02,
    space_escalation_rate_fraction=0.03,
    staff_escalation_rate_fraction=0.04,
    service_escalation_rate_fraction=0.05,
    discount_rate_fraction=0.10,
    tax_rate_fraction=0.0,
    depreciation="straight_line",
    depreciation_months=60,
    bonus_depreciation_fraction=0.0,
    residual_fraction=0.4,
    occupancy=0.8,
    useful_tokens_per_s=10_000.0,
)

ON_DEMAND = RentingInputs(
    horizon_months=24,
    n_gpus=16,
    n_instances=2,
    usd_per_instance_hour=50.0,
    releases_when_idle=True,
    billing_increment_h=1.0,
    mean_session_h=72.0,
    upfront_fraction=0.0,
    minimum_months=0,
    price_escalation_rate_fraction=0.10,
    storage_tb=100.0,
    storage_usd_per_tb_month=140.0,
    egress_tb_per_month=2.0,
    egress_usd_per_tb=90.0,
    support_fraction=0.03,
    n_staff_fte=0.5,
    staff_usd_per_fte_year=240_000.0,
    staff_escalation_rate_fraction=0.04,
    discount_rate_fraction=0.10,
    tax_rate_fraction=0.0,
    occupancy=0.8,
    useful_tokens_per_s=20_000.0,
)

RESERVED = replace(
    ON_DEMAND, releases_when_idle=False, minimum_months=12, upfront_fraction=0.0
)

price = st.floats(0.0, 1e6, allow_subnormal=False)
small_price = st.floats(0.0, 100.0, allow_subnormal=False)
kilowatts = st.floats(0.0, 1e4, allow_subnormal=False)
fraction = st.floats(0.0, 1.0, allow_subnormal=False)
rate = st.floats(-0.5, 1.0, allow_subnormal=False)
used_share = st.floats(0.01, 1.0)
speed = st.floats(1.0, 1e9)


@st.composite
def owning_inputs(draw, **pinned):
    """Any owned cluster that trains something."""
    lines = draw(st.lists(price, min_size=1, max_size=4))
    drawn = {
        "horizon_months": draw(st.integers(1, 80)),
        "n_gpus": draw(st.integers(1, 4096)),
        "hardware": tuple(
            CapexLine(f"line_{i}", f"group_{i % 2}", f"Line {i}", amount)
            for i, amount in enumerate(lines)
        ),
        "pue": draw(st.floats(1.0, 3.0)),
        "depreciation": draw(st.sampled_from(["none", "straight_line", "macrs_5"])),
        "depreciation_months": draw(st.integers(1, 90)),
        "occupancy": draw(used_share),
        "useful_tokens_per_s": draw(speed),
        "n_staff_fte": draw(small_price),
        "staff_usd_per_fte_year": draw(price),
        "software_usd_per_gpu_year": draw(small_price),
    }
    for name in ("mean_it_kw", "idle_it_kw", "rated_it_kw"):
        drawn[name] = draw(kilowatts)
    for name in (
        "energy_price_usd_per_kwh",
        "demand_charge_usd_per_kw_month",
        "space_usd_per_kw_month",
    ):
        drawn[name] = draw(small_price)
    for name in OwningInputs.__dataclass_fields__:
        if name not in drawn:
            drawn[name] = draw(
                rate if "escalation" in name or "discount" in name else fraction
            )
    return OwningInputs(**{**drawn, **pinned})


@st.composite
def renting_inputs(draw, **pinned):
    """Any rented cluster that trains something."""
    drawn = {
        "horizon_months": draw(st.integers(1, 60)),
        "n_gpus": draw(st.integers(1, 4096)),
        "n_instances": draw(st.integers(1, 512)),
        "releases_when_idle": draw(st.booleans()),
        "billing_increment_h": draw(st.sampled_from([0.0, 1 / 60, 1.0, 24.0])),
        "mean_session_h": draw(st.floats(0.1, 1000.0)),
        "upfront_fraction": draw(fraction),
        "minimum_months": draw(st.integers(0, 72)),
        "support_fraction": draw(fraction),
        "tax_rate_fraction": draw(fraction),
        "occupancy": draw(used_share),
        "useful_tokens_per_s": draw(speed),
    }
    for name in RentingInputs.__dataclass_fields__:
        if name not in drawn:
            is_rate = "escalation" in name or "discount" in name
            drawn[name] = draw(rate if is_rate else small_price)
    return RentingInputs(**{**drawn, **pinned})
