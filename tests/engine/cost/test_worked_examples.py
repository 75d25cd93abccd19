"""The worked examples of the methodology pages are what the engine computes."""

from dataclasses import replace
from pathlib import Path

import pytest

from calculator.engine.cost.cashflow import owning_ledger, renting_ledger
from tests.engine.cost.examples import ON_DEMAND, OWNED, RESERVED

PAGES = Path(__file__).parents[3] / "docs" / "methodology"


def flow(ledger, key, month):
    return f"{next(row for row in ledger.rows if row.key == key).usd[month]:,.2f}"


def cells(page, label):
    """Numbers of the first table row that starts with ``label``."""
    for line in (PAGES / page).read_text(encoding="utf-8").splitlines():
        if line.startswith(f"| {label}") or line.startswith(f"| **{label}"):
            return [
                cell.strip(" *").split(" ")[0]
                for cell in line.strip("|").split("|")[1:]
            ]
    raise LookupError(f"{page} has no row {label!r}")


@pytest.mark.parametrize(
    "key",
    ["energy", "demand_charge", "space", "support", "software", "insurance", "staff"],
)
def test_the_owned_example_lists_the_ledgers_months(key):
    ledger = owning_ledger(OWNED)
    label = key.replace("_", " ") + ":"
    assert cells("cost-per-token.md", label) == [
        flow(ledger, key, 1),
        flow(ledger, key, 13),
    ]


def test_the_owned_example_ends_in_the_ledgers_results():
    ledger = owning_ledger(OWNED)
    assert cells("cost-per-token.md", "NPV**")[-1] == f"{ledger.npv_usd:,.2f}"
    results = {
        "levelised:": f"{ledger.levelised_usd_per_million_tokens:.4f}",
        "undiscounted:": f"{ledger.undiscounted_usd_per_million_tokens:.4f}",
        "USD per GPU-hour:": f"{ledger.usd_per_gpu_hour:.4f}",
        "equivalent annual:": f"{ledger.equivalent_annual_cost_usd:,.2f}",
    }
    for label, number in results.items():
        assert cells("cost-per-token.md", label) == [number]


def test_the_depreciation_example_is_the_ledgers():
    taxed = replace(OWNED, tax_rate_fraction=0.25, depreciation="macrs_5")
    ledger = owning_ledger(taxed)
    rows = {
        "relief a month in year 1": flow(ledger, "tax_relief_depreciation", 1),
        "relief a month in year 2": flow(ledger, "tax_relief_depreciation", 13),
        "relief on the loss": flow(ledger, "tax_on_residual", 24),
    }
    for label, number in rows.items():
        assert ["-" + cell for cell in cells("owning.md", label)] == [number]
    assert cells("owning.md", "TCO after tax") == [f"{ledger.tco_usd:,.2f}"]


@pytest.mark.parametrize("key", ["instances", "storage", "egress", "support", "staff"])
def test_the_rented_example_lists_the_ledgers_months(key):
    on_demand, reserved = renting_ledger(ON_DEMAND), renting_ledger(RESERVED)
    wanted = [
        flow(ledger, key, month)
        for ledger in (on_demand, reserved)
        for month in (1, 13)
    ]
    assert cells_of_example(key) == wanted


def cells_of_example(key):
    """The monthly table stands after the table that explains the rows."""
    text = (PAGES / "renting.md").read_text(encoding="utf-8")
    example = text[text.index("## Worked example") :]
    line = next(line for line in example.splitlines() if line.startswith(f"| {key} |"))
    return [cell.strip() for cell in line.strip("|").split("|")[1:]]


def test_the_rented_example_ends_in_the_ledgers_results():
    pair = (renting_ledger(ON_DEMAND), renting_ledger(RESERVED))
    assert cells("renting.md", "TCO [USD]") == [
        f"{ledger.tco_usd:,.2f}" for ledger in pair
    ]
    assert cells("renting.md", "NPV [USD]") == [
        f"{ledger.npv_usd:,.2f}" for ledger in pair
    ]
    assert cells("renting.md", "levelised") == [
        f"{ledger.levelised_usd_per_million_tokens:.4f}" for ledger in pair
    ]


def test_the_commitment_example_is_the_ledgers():
    long = replace(RESERVED, minimum_months=36, upfront_fraction=0.5)
    ledger = renting_ledger(long)
    text = (PAGES / "renting.md").read_text(encoding="utf-8")
    for key, month in (("prepaid", 0), ("instances", 1), ("commitment_tail", 24)):
        assert flow(ledger, key, month) in text
