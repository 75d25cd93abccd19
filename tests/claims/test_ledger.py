"""The ledger over the bundled catalog: complete, live, and traceable."""

from __future__ import annotations

import csv
import dataclasses
from pathlib import Path

import pytest

from calculator.claims import evidence, judge, registry, scenarios
from calculator.claims.world import World
from calculator.spec.problems import validate_comparison

WANTED = {
    "node-price", "eight-nodes", "sixty-four-nodes", "four-nodes", "node-power", "power-64",
    "liquid-cooling", "busy-87-23", "busy-85-25", "sync-100g", "busy-40-60", "idle-25g",
    "eight-slower-than-four", "training-triples", "ethernet-small-models", "one-node-60b",
    "one-node-70b", "shard-grad-op", "limit-all-gathers", "leaf-eight-nodes",
    "never-two-nodes", "copper-optics", "nfs-demand", "three-days", "gpu-spread",
    "nic-failure", "slow-link", "failures-per-month", "used-a100", "b200-fp8", "mi300x",
    "h100-prices-fall", "three-tiers", "infiniband-pays-back", "scale-4-8",
}  # fmt: skip


def by_id(ledger):
    return {found.id: found for found in ledger.claims}


def test_every_claim_of_the_reference_cluster_is_there(ledger):
    ids = [claim.id for claim in registry.CLAIMS]
    assert len(ids) == len(set(ids))
    assert set(ids) >= WANTED
    assert [found.id for found in ledger.claims] == ids


def test_a_claim_is_computed_or_says_why_not(ledger):
    for found in ledger.claims:
        assert found.verdict_text, found.id
        if found.verdict != "not_tested":
            assert any(r.checks and not r.reason for r in found.readings), found.id


def test_one_reading_of_a_judged_claim_takes_the_words_as_they_stand():
    for claim in registry.CLAIMS:
        if claim.readings and not claim.untested:
            assert sum(reading.is_plain for reading in claim.readings) == 1, claim.id


def test_labels_of_readings_differ_within_a_claim():
    for claim in registry.CLAIMS:
        labels = [reading.label for reading in claim.readings]
        assert len(labels) == len(set(labels)), claim.id


def test_every_reading_answers_every_number_of_its_claim(ledger):
    for found in ledger.claims:
        for reading in found.readings:
            if not reading.reason:
                assert all(c.value is not None for c in reading.checks), reading.label


def test_87_against_23_needs_unequal_ports(ledger):
    found = by_id(ledger)["busy-87-23"]
    assert found.verdict == "under_reading"
    assert "8 ports of 400G against 1 port of 200G" in found.verdict_text
    plain = next(reading for reading in found.readings if reading.is_plain)
    assert not plain.holds


def test_power_is_contradicted_by_the_catalog(ledger):
    found = by_id(ledger)
    assert found["node-power"].verdict == "contradicted"
    assert found["node-power"].readings[0].checks[0].value > 5.6
    assert found["liquid-cooling"].verdict == "contradicted"


def test_two_tiers_join_128_nodes(ledger):
    tiers = by_id(ledger)["three-tiers"].readings[0].checks[0]
    assert (tiers.value, tiers.holds) == (2.0, False)


def test_a_dearer_used_gpu_moves_the_verdict_on_the_node_price(world):
    row = world.snapshot.price("h100-sxm-used")
    dearer = row.model_copy(update={"low": row.mid, "mid": row.high})
    prices = {**world.snapshot.prices, "2026-12:h100-sxm-used": dearer}
    changed = World(world.snapshot.model_copy(update={"prices": prices}), world.history)
    claim = next(c for c in registry.CLAIMS if c.id == "node-price")
    before, after = judge.finding(claim, world), judge.finding(claim, changed)
    assert before.verdict == "under_reading"
    assert after.verdict == "contradicted"


def test_more_draw_of_a_node_is_seen_at_once(world):
    design = world.snapshot.designs["hgx-h100-dealer"]
    modest = design.model_copy(update={"mean_training_kw": 4.5})
    designs = {**world.snapshot.designs, "hgx-h100-dealer": modest}
    changed = World(
        world.snapshot.model_copy(update={"designs": designs}), world.history
    )
    claim = next(c for c in registry.CLAIMS if c.id == "node-power")
    assert judge.finding(claim, changed).verdict == "reproduced"


def test_a_falling_price_would_reproduce_the_premise(world):
    path = sorted(world.history["market-h100-list"], key=lambda row: -(row.mid or 0))
    changed = World(world.snapshot, {"market-h100-list": path})
    claim = next(c for c in registry.CLAIMS if c.id == "h100-prices-fall")
    assert judge.finding(claim, world).verdict == "contradicted"
    assert judge.finding(claim, changed).verdict == "reproduced"


def test_a_comparison_behind_a_number_gives_that_number(ledger, world):
    found = by_id(ledger)["busy-87-23"]
    reading = found.readings[found.deciding_reading]
    spec = validate_comparison(reading.comparison)
    result = World(world.snapshot, {}).compare(reading.comparison)
    shares = {c.key: c.value for c in reading.checks}
    for key in spec.order:
        assert result.alternatives[key].headline.busy_share == shares[key]


def test_more_bandwidth_is_never_less_busy_when_fully_sharded(ledger):
    at = {
        (p.network, p.tokens_per_gpu): p.busy_share
        for p in ledger.sweep
        if p.strategy == "sharded"
    }
    sizes = sorted({size for _, size in at})
    order = [
        scenarios.network_label(network)
        for network in (scenarios.ETH_1X100, scenarios.ETH_1X200, scenarios.IB_1X400,
                        scenarios.IB_8X400)
    ]  # fmt: skip
    for size in sizes:
        shares = [at[name, size] for name in order]
        assert shares == sorted(shares), size


def test_equal_comparisons_are_evaluated_once(world):
    document = scenarios.comparison("one", {"a": scenarios.own(scenarios.IB_8X400, 4)})
    renamed = {**document, "name": "two"}
    assert world.compare(document) is world.compare(renamed)


def test_evidence_has_citations_and_belongs_to_a_claim():
    path = Path(evidence.__file__).with_name("evidence.csv")
    with path.open(newline="", encoding="utf-8") as handle:
        rows = list(csv.DictReader(handle))
    ids = {claim.id for claim in registry.CLAIMS}
    for row in rows:
        assert row["claim"] in ids
        assert row["publisher"]
        assert row["reference"]
        assert float(row["low"]) <= float(row["high"])


def test_no_claim_holds_a_result():
    """A claim has no field for what our model says."""
    fields = {field.name for field in dataclasses.fields(registry.CLAIMS[0])}
    assert fields == {
        "id", "topic", "title", "statement", "quantities", "readings", "evidence", "untested",
    }  # fmt: skip


@pytest.mark.parametrize("claim", registry.CLAIMS, ids=lambda claim: claim.id)
def test_quantities_are_bounds_in_order(claim):
    for quantity in claim.quantities:
        assert quantity.low is not None or quantity.high is not None
        if quantity.low is not None and quantity.high is not None:
            assert quantity.low <= quantity.high
