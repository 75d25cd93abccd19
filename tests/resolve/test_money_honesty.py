"""What a strict reader of the money asks: does it foot, what is missing, who says so."""

import pytest

from calculator.exports.table import render
from calculator.formatting import short_money
from calculator.services import previews
from calculator.spec import pointers
from calculator.spec.examples_index import load, names
from calculator.spec.problems import validate_comparison

pytestmark = pytest.mark.django_db
PER_MONTH = {"monthly": 1, "yearly": 12}
OWN = "/alternatives/own-infiniband"
RENT = "/alternatives/rent-p5"


def evaluate(document, **changes):
    for pointer, value in changes.get("at", {}).items():
        document = pointers.replace(document, pointer, value)
    return previews.preview(validate_comparison(document))


@pytest.fixture(scope="module")
def reference():
    return load("reference")


def notices(column):
    return {notice.code: notice.message for notice in column.notices}


@pytest.mark.parametrize("name", names())
def test_lines_sum_to_the_capex_and_to_the_first_month(name):
    result = evaluate(load(name))
    for key in result.order:
        column = result.alternatives[key]
        bought = sum(line.amount_usd for line in column.lines if line.is_capex)
        running = sum(
            line.amount_usd / PER_MONTH[line.period]
            for line in column.lines
            if line.period in PER_MONTH
        )
        assert bought == pytest.approx(column.headline.capex_usd), key
        assert running == pytest.approx(column.cash_flow.total_usd[1]), key


def test_provider_support_has_a_line_of_its_own(reference):
    result = evaluate(reference, at={f"{RENT}/support_fraction": 0.05})
    column = result.alternatives["rent-p5"]
    [line] = [line for line in column.lines if line.key == "support"]
    flows = {row.key: row.usd for row in column.cash_flow.rows}
    assert line.amount_usd == pytest.approx(flows["support"][1])
    assert line.origin == "user"


def test_a_capacity_block_is_paid_before_it_is_used(reference):
    offer = {f"{RENT}/offer": "aws-p5-48xlarge-capacity-block"}
    flow = evaluate(reference, at=offer).alternatives["rent-p5"].cash_flow
    prepaid = {row.key: row.usd for row in flow.rows}["prepaid"]
    assert prepaid[0] == pytest.approx(8 * 730 * 39.33)
    assert prepaid[-1] == 0.0


def test_power_distribution_is_paid_once_in_the_price_of_the_rack(reference):
    lines = evaluate(reference).alternatives["own-infiniband"].lines
    items = [line.item for line in lines if line.group == "facility"]
    assert items == ["rack-48u"]


def test_the_storage_network_draws_power_beside_infiniband(reference):
    with_network = evaluate(reference).alternatives["own-infiniband"].cluster
    shared = evaluate(reference, at={f"{OWN}/storage/ports_per_node": 0})
    without = shared.alternatives["own-infiniband"].cluster
    assert with_network.mean_it_kw - without.mean_it_kw == pytest.approx(0.250)


def test_unknown_power_is_said_not_taken_for_zero(reference):
    parts = {f"{OWN}/fabric/switch": "q3400", f"{OWN}/fabric/nic": "cx8-800g"}
    column = evaluate(reference, at=parts).alternatives["own-infiniband"]
    said = notices(column)["power_unknown"]
    assert "Q3400" in said
    assert "Parallel file system" in said


def test_spares_that_rounding_made_many_are_said(reference):
    column = evaluate(reference).alternatives["own-infiniband"]
    assert "12.5 %" in notices(column)["spares_rounded"]
    none = {"/assumptions/finance/node_spares_fraction": 0.0}
    column = evaluate(reference, at=none).alternatives["own-infiniband"]
    assert "spares_rounded" not in notices(column)


def test_assumed_interruptions_of_a_spot_offer_are_said(reference):
    offer = {f"{RENT}/offer": "azure-nd96isr-h100-v5-spot"}
    column = evaluate(reference, at=offer).alternatives["rent-p5"]
    assert "0.05" in notices(column)["interruptions_assumed"]


def test_a_catalog_row_that_nobody_published_is_marked_as_an_assumption(reference):
    entries = evaluate(reference).provenance
    assert entries["/catalog/components/dac-200g"].confidence == "assumption"
    assert entries["/catalog/components/h100-sxm"].confidence == ""
    assert "idle at a quarter" in entries["/catalog/designs/hgx-h100-dealer"].label


@pytest.mark.parametrize(
    ("pointer", "value", "key", "name"),
    [
        (f"{RENT}/offer", "gcp-a4-highgpu-8g-on-demand", "rent-p5", "a4-highgpu"),
        (f"{RENT}/offer", "aws-p5-48xlarge-savings-1y", "rent-p5", "savings plan"),
        (f"{OWN}/fabric/switch", "q3400", "own-infiniband", "Q3400"),
    ],
)
def test_a_missing_price_is_named_and_no_partial_total_shows_as_a_total(
    reference, pointer, value, key, name
):
    nic = {f"{OWN}/fabric/nic": "cx8-800g"} if value == "q3400" else {}
    result = evaluate(reference, at={pointer: value, **nic})
    column = result.alternatives[key]
    assert column.status == "incomplete"
    assert name in column.reason
    assert name in notices(column)["price_missing"]
    assert key in result.verdict.unranked
    assert f"unranked for want of a price: {column.label}" in result.verdict.sentence
    assert column.headline.levelised_usd_per_million_tokens is None
    assert column.headline.levelised_low_usd_per_million_tokens is None
    assert column.headline.usd_per_gpu_hour is None
    shown = short_money(column.headline.tco_usd)
    text = render(result)
    assert text.count(shown) == text.count(f"{shown} + unknown") >= 1


def test_a_known_price_shows_without_the_word(reference):
    assert "unknown" not in render(evaluate(reference))


def test_an_absent_input_is_the_products_own_default_never_the_users(reference):
    place = "/spec/assumptions/finance/residual_fraction"
    entry = evaluate(reference).provenance[place]
    assert entry.origin == "default"
    assert "10^(-0.14 years)" in entry.label
    typed = {"/assumptions/finance/residual_fraction": 0.3}
    assert evaluate(reference, at=typed).provenance[place].origin == "user"
