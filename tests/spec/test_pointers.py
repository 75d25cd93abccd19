"""JSON Pointers address every leaf."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calculator.spec import pointers

documents = st.recursive(
    st.integers() | st.text(),
    lambda inner: (
        st.lists(inner, min_size=1, max_size=3)
        | st.dictionaries(st.text(), inner, min_size=1, max_size=3)
    ),
    max_leaves=10,
)


@given(documents)
def test_walk_and_get_agree(document):
    for pointer, value in pointers.walk(document):
        assert pointers.get(document, pointer) == value


@given(documents)
def test_replace_changes_one_place_and_leaves_the_original(document):
    before = dict(pointers.walk(document))
    target = next(iter(before))
    changed = pointers.replace(document, target, "new value")
    after = dict(pointers.walk(changed))
    assert after[target] == "new value"
    assert {k: v for k, v in after.items() if k != target} == {
        k: v for k, v in before.items() if k != target
    }
    assert dict(pointers.walk(document)) == before


@given(st.lists(st.text()))
def test_join_and_split_are_inverse(parts):
    assert pointers.split(pointers.join(parts)) == parts


def test_a_missing_place_names_the_pointer():
    with pytest.raises(KeyError, match="/a/b"):
        pointers.get({"a": {}}, "/a/b")
    with pytest.raises(ValueError, match="starts with"):
        pointers.split("a")
