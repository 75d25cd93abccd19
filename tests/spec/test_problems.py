"""Bad documents become problems with an address, a code and a sentence."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calculator.spec.problems import (
    MAX_DOCUMENT_BYTES,
    SpecError,
    parse_comparison,
    validate_comparison,
)


def document(**changes):
    base = {
        "schema_version": "1",
        "name": "A test",
        "workload": {"model": {"kind": "catalog", "name": "llama-2-70b"}},
        "alternatives": {
            "own": {"kind": "own", "label": "Own", "node_design": "x", "n_nodes": 1},
            "rent": {"kind": "rent", "label": "Rent", "offer": "y", "n_instances": 1},
        },
    }
    return {**base, **changes}


def problems(doc):
    with pytest.raises(SpecError) as caught:
        parse_comparison(json.dumps(doc))
    return {p.pointer: p for p in caught.value.problems}


def own(**changes):
    doc = document()
    doc["alternatives"]["own"].update(changes)
    return doc


def test_a_minimal_document_is_valid_and_ordered_as_given():
    spec = parse_comparison(json.dumps(document()))
    assert spec.order == ["own", "rent"]
    assert spec.base_key == "own"


def test_zero_nodes_are_refused_with_bound_and_unit():
    found = problems(own(n_nodes=0))["/alternatives/own/n_nodes"]
    assert found.code == "out_of_bounds"
    assert found.message == "n_nodes must be at least 1 nodes, got 0"


def test_a_trillion_nodes_are_refused_with_the_upper_bound():
    found = problems(own(n_nodes=10**12))["/alternatives/own/n_nodes"]
    assert "at most 16,384 nodes" in found.message


def test_a_negative_price_is_refused():
    found = problems(own(node_price_usd=-1))["/alternatives/own/node_price_usd"]
    assert found.message == "node_price_usd must be at least 0 USD, got -1"


def test_unknown_fields_and_kinds_are_named():
    doc = own(colour="red")
    doc["alternatives"]["third"] = {"kind": "lease"}
    found = problems(doc)
    assert found["/alternatives/own/colour"].code == "field_unknown"
    assert found["/alternatives/third"].code == "kind_unknown"


def test_all_problems_are_reported_at_once():
    doc = own(n_nodes=0, node_price_usd=-1)
    doc["workload"]["seq_len"] = "long"
    assert set(problems(doc)) == {
        "/alternatives/own/n_nodes",
        "/alternatives/own/node_price_usd",
        "/workload/seq_len",
    }


@pytest.mark.parametrize("text", ["NaN", "Infinity", "-Infinity"])
def test_numbers_that_json_does_not_have_are_refused(text):
    body = json.dumps(own(node_price_usd=0)).replace(
        '"node_price_usd": 0', f'"node_price_usd": {text}'
    )
    with pytest.raises(SpecError) as caught:
        parse_comparison(body)
    assert caught.value.problems[0].code == "malformed_json"
    assert text in caught.value.problems[0].message


def test_a_number_too_large_for_a_float_is_refused():
    body = json.dumps(own(node_price_usd=0)).replace(
        '"node_price_usd": 0', '"node_price_usd": 1e999'
    )
    with pytest.raises(SpecError) as caught:
        parse_comparison(body)
    assert caught.value.problems[0].pointer == "/alternatives/own/node_price_usd"


@pytest.mark.parametrize(
    "body", [b"", b"{", b"[1,", b"\xff\xfe", b'{"a": 1, "a": 2}', b"[" * 100_000]
)
def test_malformed_json_is_one_clear_problem(body):
    with pytest.raises(SpecError) as caught:
        parse_comparison(body)
    assert [p.code for p in caught.value.problems] == ["malformed_json"]


def test_a_huge_document_is_refused_before_it_is_read():
    with pytest.raises(SpecError) as caught:
        parse_comparison(b" " * (MAX_DOCUMENT_BYTES + 1))
    assert caught.value.problems[0].code == "document_too_large"


def test_integral_floats_count_as_integers_but_fractions_do_not():
    assert (
        parse_comparison(json.dumps(own(n_nodes=8.0))).alternatives["own"].n_nodes == 8
    )
    assert "/alternatives/own/n_nodes" in problems(own(n_nodes=8.5))


def test_the_order_must_name_each_alternative_once():
    assert problems(document(order=["own"]))["/order"].code == "order_mismatch"
    assert problems(document(base="third"))["/base"].code == "base_unknown"


def test_nine_alternatives_are_one_too_many():
    doc = document()
    rent = doc["alternatives"]["rent"]
    doc["alternatives"] = {f"r{i}": rent for i in range(9)}
    assert problems(doc)["/alternatives"].code == "out_of_bounds"


def test_control_characters_in_names_are_refused():
    assert "/name" in problems(document(name="a\x00b"))


def test_a_part_of_the_document_named_like_a_union_branch_keeps_its_address():
    doc = document()
    doc["alternatives"]["own"]["kind"] = "own"
    doc["alternatives"] = {
        "own": {**doc["alternatives"]["own"], "storage": {"capacity_tb": -1}}
    }
    assert "/alternatives/own/storage/capacity_tb" in problems(doc)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3)
    ),
    max_leaves=10,
)


@given(json_values)
def test_any_json_is_valid_or_explained(value):
    found = explained(value)
    assert found is None or (found and all(p.message for p in found))


def explained(value):
    """Problems of a document, ``None`` for a valid one; anything else is a traceback."""
    try:
        validate_comparison(value)
    except SpecError as error:
        return error.problems
    return None


def custom(**changes):
    shape = {
        "kind": "custom",
        "label": "Mine",
        "layers": 32,
        "hidden": 4096,
        "ffn": 14336,
        "heads": 32,
        "kv_heads": 8,
        "head_dim": 128,
        "vocab": 32000,
        "n_experts": 8,
        "experts_per_token": 2,
        "moe_ffn": 1408,
    }
    return document(workload={"model": shape | changes})


def test_a_plausible_mixture_of_experts_is_valid():
    assert parse_comparison(json.dumps(custom())).workload.model.n_experts == 8


@pytest.mark.parametrize(
    ("changes", "field", "bound"),
    [
        ({"kv_heads": 5}, "kv_heads", "divide the 32 heads"),
        ({"kv_heads": 64}, "kv_heads", "divide the 32 heads"),
        ({"dense_ffn_layers": 33}, "dense_ffn_layers", "at most 32 layers"),
        ({"experts_per_token": 9}, "experts_per_token", "at most the 8 experts"),
        ({"n_experts": 0}, "experts_per_token", "at most the 0 experts"),
        ({"experts_per_token": 0}, "experts_per_token", "at least 1"),
        ({"moe_ffn": 0}, "moe_ffn", "at least 1"),
    ],
)
def test_a_shape_that_no_model_has_is_refused_at_its_field(changes, field, bound):
    found = problems(custom(**changes))[f"/workload/model/{field}"]
    assert found.code == "out_of_bounds"
    assert bound in found.message


@pytest.mark.parametrize(
    ("section", "field", "value"),
    [
        ("finance", "tax_rate_fraction", 1.0),
        ("reliability", "planned_downtime_fraction", 1.0),
        ("reliability", "checkpoint_interval_minutes", 1e-300),
        ("use", "mean_session_h", 1e-300),
    ],
)
def test_values_that_no_cluster_has_are_refused_at_their_field(section, field, value):
    found = problems(document(assumptions={section: {field: value}}))
    assert found[f"/assumptions/{section}/{field}"].code == "out_of_bounds"


def test_a_byte_order_mark_is_passed_over():
    body = b"\xef\xbb\xbf" + json.dumps(document()).encode()
    assert parse_comparison(body).name == "A test"


@pytest.mark.parametrize(
    "body", ['{"a":' * 800 + "1" + "}" * 800, '"\\ud800"', "9" * 5000]
)
def test_what_only_looks_like_json_is_malformed_in_plain_words(body):
    with pytest.raises(SpecError) as caught:
        parse_comparison(body)
    (found,) = caught.value.problems
    assert found.code == "malformed_json"
    assert "sys." not in found.message


def test_an_order_that_fits_nothing_is_told_without_quoting_the_document():
    found = problems(document(order=["own"]))["/order"]
    assert found.message == "order must name each alternative exactly once: own, rent"
