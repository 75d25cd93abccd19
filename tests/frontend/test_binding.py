"""Posted fields and documents are two forms of the same thing."""

from __future__ import annotations

import json
import random
import string

import pytest
from django.http import QueryDict
from hypothesis import given
from hypothesis import strategies as st

from calculator.spec import examples_index
from calculator.spec.problems import SpecError, validate_comparison
from calculator.spec.scenario import ComparisonV1
from frontend.forms import binding, numbers, state


def posted(fields: dict[str, list[str]]) -> QueryDict:
    query = QueryDict(mutable=True)
    for key, values in fields.items():
        query.setlist(key, values)
    return query


def full(document: dict) -> dict:
    return validate_comparison(document).model_dump(mode="json")


def with_plain_base(document: dict) -> dict:
    """The form always names a base; naming the first is the same as naming none."""
    return {**document, "base": document["base"] or document["order"][0]}


@pytest.mark.parametrize("name", examples_index.names())
def test_every_example_survives_the_form(name):
    document = full(examples_index.load(name))
    read_back = full(binding.to_document(posted(binding.to_posted(document))))
    assert with_plain_base(read_back) == with_plain_base(document)


@pytest.mark.parametrize("name", examples_index.names())
def test_every_example_survives_its_link(name):
    document = full(examples_index.load(name))
    code = state.encode(binding.without_defaults(document))
    assert code
    assert full(state.decode(code)) == document


def test_a_link_leaves_defaults_out():
    document = full(examples_index.load("reference"))
    short = binding.without_defaults(document)
    assert "assumptions" not in short
    document["assumptions"]["use"]["occupancy_fraction"] = 0.5
    changed = binding.without_defaults(document)
    assert changed["assumptions"] == {"use": {"occupancy_fraction": 0.5}}


def test_an_empty_optional_field_means_computed_and_an_empty_required_one_is_missing():
    fields = binding.to_posted(full(examples_index.load("reference")))
    fields["/workload/strategy/tp"] = [""]
    fields["/alternatives/own-infiniband/n_nodes"] = [""]
    document = binding.to_document(posted(fields))
    assert "tp" not in document["workload"]["strategy"]
    with pytest.raises(SpecError) as refused:
        validate_comparison(document)
    problems = {(p.pointer, p.code) for p in refused.value.problems}
    assert ("/alternatives/own-infiniband/n_nodes", "field_missing") in problems


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("0", "out_of_bounds"),
        ("1000000000000", "out_of_bounds"),
        ("NaN", "wrong_type"),
        ("many", "wrong_type"),
        ("-3", "out_of_bounds"),
        ("8.5", "wrong_type"),
    ],
)
def test_a_bad_number_of_nodes_is_named(text, code):
    fields = binding.to_posted(full(examples_index.load("reference")))
    fields["/alternatives/own-infiniband/n_nodes"] = [text]
    with pytest.raises(SpecError) as refused:
        validate_comparison(binding.to_document(posted(fields)))
    (problem,) = refused.value.problems
    assert problem.pointer == "/alternatives/own-infiniband/n_nodes"
    assert problem.code == code


def test_a_switched_off_fabric_is_absent_whatever_its_fields_say():
    fields = binding.to_posted(full(examples_index.load("reference")))
    fields["/alternatives/own-infiniband/fabric"] = [binding.ABSENT]
    document = binding.to_document(posted(fields))
    assert "fabric" not in document["alternatives"]["own-infiniband"]


def test_an_unticked_switch_is_false_not_its_default():
    document = full(examples_index.load("reference"))
    document["workload"]["model"] = {
        "kind": "custom", "label": "Mine", "layers": 80, "hidden": 8192, "ffn": 28672,
        "heads": 64, "kv_heads": 8, "head_dim": 128, "vocab": 32000,
        "is_gated_mlp": False,
    }  # fmt: skip
    document = full(document)
    read_back = full(binding.to_document(posted(binding.to_posted(document))))
    assert read_back["workload"]["model"]["is_gated_mlp"] is False


SCALARS = [None, True, 0, -1, 1.5, float("nan"), "", "own", "rent", "a/~é"]
JSON = st.recursive(
    st.sampled_from(SCALARS),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(
        st.sampled_from(
            ["kind", "own", "rent", "fabric", "workload", "model", "alternatives",
             "order", "base", "name", "assumptions", "use"]
        ),
        inner,
        max_size=4,
    ),
    max_leaves=12,
)  # fmt: skip


@given(st.dictionaries(st.sampled_from(list(ComparisonV1.model_fields)), JSON))
def test_any_object_in_a_link_still_opens_as_a_form(document):
    fields = binding.to_posted(document)
    assert all(isinstance(v, str) for values in fields.values() for v in values)
    binding.without_defaults(binding.to_document(posted(fields)))


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_shown_number_reads_back_the_same(value):
    assert numbers.parse(numbers.shown(value)) == value


@pytest.mark.parametrize(
    ("typed", "value"),
    [
        ("$180k", 180_000),
        ("1.4T", 1_400_000_000_000),
        ("70B", 70_000_000_000),
        ("10%", 0.1),
        ("12.5 %", 0.125),
        ("1,400", 1400),
        ("-3", -3),
        ("1,4", "1,4"),
        ("", ""),
        ("9" * 400, "9" * 400),
    ],
)
def test_numbers_are_read_as_people_write_them(typed, value):
    assert numbers.parse(typed) == value


@pytest.mark.parametrize("code", ["", "x", "%%%", "eJw", "A" * 5000])
def test_a_damaged_link_is_refused(code):
    with pytest.raises(state.StateError):
        state.decode(code)


def test_a_link_that_unpacks_to_too_much_is_refused():
    bomb = state.encode({"name": "a" * 900_000})
    assert bomb
    with pytest.raises(state.StateError, match="large"):
        state.decode(bomb)


def test_a_document_too_large_for_a_link_has_none():
    document = json.loads(json.dumps(examples_index.load("reference")))
    letters = random.Random(1).choices(string.printable, k=9000)
    document["description"] = "".join(letters)
    assert state.encode(document) == ""


def test_a_post_of_very_many_alternatives_is_read_in_part():
    keys = [f"a{number}" for number in range(1000)]
    read = binding.to_document(posted({"/order": keys}))
    assert len(read["alternatives"]) == binding.MOST_ALTERNATIVES
