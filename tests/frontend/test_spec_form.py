"""The form shows every input of the document, with its unit, bounds and source."""

from __future__ import annotations

import pytest

from calculator.spec import examples_index
from calculator.spec.problems import Problem, validate_comparison
from frontend.forms import actions, binding, describe, spec_form
from frontend.forms.describe import Branches, Group, Leaf
from tests.frontend import fakes


def fields_of(name: str = "reference") -> binding.Fields:
    document = validate_comparison(examples_index.load(name)).model_dump(mode="json")
    return binding.to_posted(document)


def form_of(fields=None, problems=(), **more) -> spec_form.SpecForm:
    return spec_form.build(
        fields or fields_of(),
        list(problems),
        fakes.CHOICES,
        more.pop("starters", {}),
        **more,
    )


def leaves(node) -> list[Leaf]:
    if isinstance(node, Leaf):
        return [node]
    children = node.groups.values() if isinstance(node, Branches) else node.children
    return [leaf for child in children for leaf in leaves(child)]


ALL_LEAVES = [
    *leaves(describe.comparison()),
    *leaves(describe.option("own")),
    *leaves(describe.option("rent")),
]


@pytest.mark.parametrize("leaf", ALL_LEAVES, ids=lambda leaf: leaf.name)
def test_every_input_has_label_help_and_if_a_number_a_unit(leaf):
    assert leaf.label
    assert not leaf.label.endswith(("fraction", "usd", "gbps"))
    assert leaf.help
    assert leaf.unit or not leaf.is_number


def test_each_number_states_its_bounds():
    for section in form_of().assumptions:
        for field in section.all_fields():
            assert field.bounds or not field.leaf.is_number


def test_the_source_of_a_default_is_known_to_the_form():
    (finance,) = (s for s in form_of().assumptions if s.pointer.endswith("finance"))
    by_name = {field.leaf.name: field for field in finance.all_fields()}
    assert by_name["discount_rate_fraction"].leaf.source == "planning-assumption"
    assert by_name["horizon_months"].leaf.source == "epoch-training-cost-2026"


def test_a_changed_value_is_no_default_any_more():
    fields = fields_of() | {"/assumptions/use/occupancy_fraction": ["0.5"]}
    (use,) = (s for s in form_of(fields).assumptions if s.pointer.endswith("use"))
    occupancy = use.fields[0]
    assert not occupancy.is_default
    assert occupancy.default == "0.8"


def test_a_problem_stands_at_its_field_and_opens_what_hides_it():
    problem = Problem(
        pointer="/assumptions/finance/duty_fraction",
        code="out_of_bounds",
        message="duty_fraction must be at most 1, got 3",
    )
    (finance,) = (
        s
        for s in form_of(problems=[problem]).assumptions
        if s.pointer.endswith("finance")
    )
    (duty,) = (f for f in finance.advanced if f.leaf.name == "duty_fraction")
    assert duty.errors == ["Duty must be at most 1, got 3"]
    assert finance.is_advanced_open


def test_a_value_the_catalog_does_not_have_stays_visible():
    fields = fields_of() | {"/alternatives/rent-p5/offer": ["gone-cloud"]}
    rent = form_of(fields).alternatives[-1]
    (offer,) = (f for f in rent.section.fields if f.leaf.name == "offer")
    assert ("gone-cloud", "gone-cloud (unknown)") in offer.choices


def test_an_absent_fabric_shows_the_starter_ready_to_switch_on():
    fields = fields_of("single-node")
    starters = {"/fabric/switch": ["qm9700"]}
    absent = [
        section
        for alternative in form_of(fields, starters=starters).alternatives
        for section in alternative.section.sections
        if section.is_optional and not section.is_given
    ]
    assert absent
    for section in absent:
        (switch,) = (f for f in section.fields if f.leaf.name == "switch")
        assert switch.value == "qm9700"


def test_one_card_is_open_the_first_or_the_one_asked_for():
    opened = [a.key for a in form_of().alternatives if a.is_open]
    assert opened == ["own-infiniband"]
    opened = [a.key for a in form_of(focus="rent-p5").alternatives if a.is_open]
    assert opened == ["rent-p5"]


def document() -> dict:
    return validate_comparison(examples_index.load("reference")).model_dump(mode="json")


def test_a_copy_stands_beside_its_original_under_a_new_key():
    changed, key = actions.apply(document(), "copy:own-ethernet", {})
    assert changed["order"] == ["own-infiniband", "own-ethernet", key, "rent-p5"]
    assert changed["alternatives"][key]["label"].endswith("(copy)")
    assert validate_comparison(changed)


def test_removing_the_base_makes_the_first_the_base():
    start = document() | {"base": "rent-p5"}
    changed, _ = actions.apply(start, "remove:rent-p5", {})
    assert validate_comparison(changed).base_key == "own-infiniband"


def test_moving_keeps_the_base():
    changed, _ = actions.apply(document(), "later:own-infiniband", {})
    assert changed["order"][0] == "own-ethernet"
    assert validate_comparison(changed).base_key == "own-infiniband"


def test_the_last_alternative_stays_and_a_ninth_does_not_come():
    starters = {"rent": document()["alternatives"]["rent-p5"]}
    doc = document()
    for _ in range(9):
        doc, _ = actions.apply(doc, "add:rent", starters)
    assert len(doc["order"]) == 8
    for key in list(doc["order"]):
        doc, _ = actions.apply(doc, f"remove:{key}", {})
    assert len(doc["order"]) == 1


@pytest.mark.parametrize("action", ["fly:own", "remove:nobody", "add:nothing", "::"])
def test_an_unknown_action_changes_nothing(action):
    assert actions.apply(document(), action, {}) == (document(), "")


def test_groups_are_told_from_leaves():
    kinds = {type(child) for child in describe.comparison().children}
    assert kinds == {Leaf, Group}
