"""The whole way of a comparison: properties that hold for every example."""

import math

import pytest

from calculator.engine.decision.ranking import rank
from calculator.resolve.references import snapshot_request, unknown_reference
from calculator.resolve.verdict import sentence
from calculator.services import previews
from calculator.spec import pointers
from calculator.spec.examples_index import load, names
from calculator.spec.problems import SpecError, validate_comparison
from catalog.documents import UnknownReference

pytestmark = pytest.mark.django_db


def evaluate(document):
    return previews.preview(validate_comparison(document))


def changed(document, pointer, value):
    return pointers.replace(document, pointer, value)


@pytest.fixture(scope="module")
def reference():
    return load("reference")


@pytest.fixture
def results(request, db):
    return {name: evaluate(load(name)) for name in names()}


def test_every_example_is_a_complete_comparison(results):
    for name, result in results.items():
        assert result.verdict.best in result.order, name
        for key in result.order:
            assert result.alternatives[key].status == "ok", (name, key)


def test_every_number_of_a_result_has_a_provenance(results):
    for name, result in results.items():
        document = result.model_dump(mode="json")
        for pointer, value in pointers.walk(document["alternatives"]):
            if isinstance(value, (int, float)) and not isinstance(value, bool):
                entry = result.provenance_of(f"/result/alternatives{pointer}")
                assert entry is not None, (name, pointer)


def test_every_source_that_provenance_names_is_in_the_result(results):
    for result in results.values():
        for pointer, entry in result.provenance.items():
            assert not entry.source or entry.source in result.sources, (
                pointer,
                entry.source,
            )


def test_no_nan_or_infinity_leaves(results):
    for result in results.values():
        for pointer, value in pointers.walk(result.model_dump(mode="json")):
            assert not isinstance(value, float) or math.isfinite(value), pointer


def test_tables_foot(results):
    for result in results.values():
        for key in result.order:
            column = result.alternatives[key]
            flow, head = column.cash_flow, column.headline
            for month in flow.months:
                rows = sum(row.usd[month] for row in flow.rows)
                assert rows == pytest.approx(flow.total_usd[month], rel=1e-9, abs=1e-6)
            assert sum(flow.total_usd) == pytest.approx(head.tco_usd, rel=1e-9)
            assert sum(c.undiscounted_usd for c in column.costs) == pytest.approx(
                head.tco_usd, rel=1e-9
            )
            assert sum(c.usd_per_million_tokens for c in column.costs) == pytest.approx(
                head.levelised_usd_per_million_tokens, rel=1e-9
            )
            assert sum(p.seconds for p in column.throughput.step) == pytest.approx(
                head.step_time_s, rel=1e-9
            )
            assert sum(p.value for p in column.throughput.goodput) == pytest.approx(1)


def test_lines_are_quantity_times_price(results):
    for result in results.values():
        for key in result.order:
            column = result.alternatives[key]
            for line in column.lines:
                assert line.amount_usd == pytest.approx(
                    line.quantity * line.unit_price_usd
                )


def test_the_range_holds_the_estimate(results):
    for result in results.values():
        for key in result.order:
            head = result.alternatives[key].headline
            assert (
                head.levelised_low_usd_per_million_tokens
                < head.levelised_usd_per_million_tokens
                < head.levelised_high_usd_per_million_tokens
            )


def test_doubling_the_energy_price_raises_owning_only(reference):
    plain = evaluate(reference)
    dear = evaluate(
        changed(reference, "/assumptions/facility/energy_price_usd_per_kwh", 0.1652)
    )
    for key in plain.order:
        before = plain.alternatives[key].headline.tco_usd
        after = dear.alternatives[key].headline.tco_usd
        assert after > before if key.startswith("own") else after == before


def test_permuting_the_alternatives_changes_nothing_but_the_order(reference):
    plain = evaluate(reference)
    turned = evaluate({**reference, "order": list(reversed(reference["order"]))})
    assert turned.order == list(reversed(plain.order))
    assert turned.alternatives == plain.alternatives
    assert turned.verdict == plain.verdict


def test_zero_occupancy_gives_no_cost_per_token_and_says_why(reference):
    result = evaluate(changed(reference, "/assumptions/use/occupancy_fraction", 0.0))
    for key in result.order:
        column = result.alternatives[key]
        assert column.headline.levelised_usd_per_million_tokens is None
        assert "occupancy" in column.reason
    assert result.verdict.best is None


def test_a_buyers_own_quote_replaces_the_parts_of_a_node(reference):
    result = evaluate(
        changed(reference, "/alternatives/own-infiniband/node_price_usd", 123_456.0)
    )
    lines = result.alternatives["own-infiniband"].lines
    nodes = [line for line in lines if line.item == "node-quote"]
    assert nodes
    assert all(
        line.unit_price_usd == 123_456.0 and line.origin == "user" for line in nodes
    )


def test_an_unpublished_price_makes_the_total_incomplete_never_zero(reference):
    document = changed(
        reference, "/alternatives/rent-p5/offer", "aws-p5-48xlarge-savings-1y"
    )
    result = evaluate(document)
    column = result.alternatives["rent-p5"]
    assert column.status == "incomplete"
    assert column.lines[0].amount_usd is None
    assert "rent-p5" in result.verdict.unranked
    assert any(notice.code == "price_missing" for notice in column.notices)


def refused(document):
    with pytest.raises(SpecError) as caught:
        evaluate(document)
    return {p.pointer: p for p in caught.value.problems}


def test_an_unknown_node_design_is_refused_with_a_suggestion(reference):
    place = "/alternatives/own-infiniband/node_design"
    found = refused(changed(reference, place, "hgx-h100-dealr"))
    assert found[place].code == "reference_unknown"
    assert "hgx-h100-dealer" in found[place].message


def test_an_unknown_price_book_is_refused_at_its_field(reference):
    assert "/pricing/price_book" in refused(
        changed(reference, "/pricing/price_book", "none")
    )


def test_several_nodes_need_a_fabric(reference):
    found = refused(changed(reference, "/alternatives/own-infiniband/fabric", None))
    assert found["/alternatives/own-infiniband/fabric"].code == "fabric_missing"


def test_infiniband_does_not_run_on_an_ethernet_switch(reference):
    place = "/alternatives/own-infiniband/fabric"
    found = refused(changed(reference, f"{place}/switch", "sn5600"))
    assert found[f"{place}/transport"].code == "transport_mismatch"


def test_a_port_faster_than_its_adapter_is_refused_with_the_bound(reference):
    place = "/alternatives/own-ethernet/fabric/port_gbps"
    found = refused(changed(reference, place, 400.0))
    assert "at most 200 Gb/s" in found[place].message


def test_a_part_of_another_kind_is_refused(reference):
    place = "/alternatives/own-infiniband/fabric/nic"
    assert refused(changed(reference, place, "qm9700"))[place].code == "wrong_kind"


def test_a_fabric_that_cannot_be_built_is_refused(reference):
    document = changed(reference, "/alternatives/own-infiniband/n_nodes", 16)
    place = "/alternatives/own-infiniband/fabric/topology"
    found = refused(changed(document, place, "single_switch"))
    assert any(pointer.startswith("/alternatives/own-infiniband") for pointer in found)


def test_a_model_that_fits_nowhere_is_refused_with_the_limiting_number(reference):
    model = {"kind": "catalog", "name": "llama-3-405b"}
    document = changed(reference, "/workload/model", model)
    for key, field in (
        ("own-infiniband", "n_nodes"),
        ("own-ethernet", "n_nodes"),
        ("rent-p5", "n_instances"),
    ):
        document = changed(document, f"/alternatives/{key}/{field}", 1)
    found = refused(document)
    assert {p.code for p in found.values()} == {"plan_infeasible"}
    assert all("GB" in p.message for p in found.values())


def test_one_alternative_that_does_not_fit_leaves_the_others(reference):
    document = changed(reference, "/alternatives/rent-p5/n_instances", 1)
    document = changed(
        document, "/workload/model", {"kind": "catalog", "name": "gpt-3-175b"}
    )
    result = evaluate(document)
    column = result.alternatives["rent-p5"]
    assert column.status == "infeasible"
    assert column.headline.tco_usd is None
    assert result.verdict.best in {"own-infiniband", "own-ethernet"}


def test_a_strategy_that_does_not_divide_is_refused_at_its_field(reference):
    found = refused(changed(reference, "/workload/strategy", {"tp": 3}))
    assert any(pointer.startswith("/workload/strategy") for pointer in found)


def test_an_unknown_reference_is_reported_at_every_place_that_names_it(reference):
    document = changed(reference, "/alternatives/own-ethernet/node_design", "zzz")
    document = changed(document, "/alternatives/own-infiniband/node_design", "zzz")
    spec = validate_comparison(document)
    error = unknown_reference(spec, UnknownReference("design", "zzz"))
    assert {p.pointer for p in error.problems} == {
        "/alternatives/own-infiniband/node_design",
        "/alternatives/own-ethernet/node_design",
    }


def test_a_snapshot_request_names_each_entry_once(reference):
    request = snapshot_request(validate_comparison(reference))
    assert request.designs == ("hgx-h100-dealer",)
    assert len(request.components) == len(set(request.components))


def test_progress_runs_through_the_stages_in_order(reference):
    from calculator.resolve.comparison import STAGES, evaluate_comparison
    from catalog.services.snapshots import take_snapshot

    spec = validate_comparison(reference)
    told = []
    evaluate_comparison(
        spec,
        take_snapshot(snapshot_request(spec)),
        progress=lambda stage, fraction: told.append((stage, fraction)),
    )
    stages = list(dict.fromkeys(stage for stage, _ in told))
    assert stages == list(STAGES)
    assert [f for _, f in told] == sorted(f for _, f in told)


def free_rental(document, key):
    option = {
        **document["alternatives"][key],
        "usd_per_instance_hour": 0.0,
        "storage_tb": 0.0,
        "egress_tb_per_month": 0.0,
    }
    changed_people = {"people": {"rent_fte": 0.0}}
    return {
        **document,
        "assumptions": changed_people,
        "alternatives": {**document["alternatives"], key: option},
    }


def test_beside_a_free_alternative_the_price_is_told_not_a_ratio(reference):
    verdict = evaluate(free_rental(reference, "rent-p5")).verdict
    assert verdict.best == "rent-p5"
    assert verdict.margin_fraction is None
    assert "level with" not in verdict.sentence
    assert "next Own, 8 x 400G InfiniBand at $0." in verdict.sentence


def test_the_only_ranked_alternative_says_that_the_others_have_no_cost(reference):
    results = evaluate(reference).alternatives
    ranking = rank({"own-infiniband": 1.0, "rent-p5": None}, {}, {})
    assert "nothing else" not in sentence(ranking, results)
    assert results["rent-p5"].label in sentence(ranking, results)
    alone = rank({"own-infiniband": 1.0}, {}, {})
    only = {"own-infiniband": results["own-infiniband"]}
    assert sentence(alone, only).endswith("nothing else to compare it with.")


def test_occupancy_too_small_for_a_token_is_explained_not_a_crash(reference):
    result = evaluate(changed(reference, "/assumptions/use/occupancy_fraction", 1e-300))
    for column in result.alternatives.values():
        assert "fewer than one" in column.reason
        assert column.headline.run_cost_usd is None


@pytest.mark.parametrize(
    ("field", "part"), [("transceiver", "sfp28-25g"), ("copper_cable", "dac-100g")]
)
def test_a_link_slower_than_its_port_is_refused_not_priced(reference, field, part):
    pointer = f"/alternatives/own-infiniband/fabric/{field}"
    with pytest.raises(SpecError) as caught:
        evaluate(changed(reference, pointer, part))
    (found,) = caught.value.problems
    assert found.pointer == pointer
    assert "400 Gb/s" in found.message
