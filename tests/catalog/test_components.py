"""Attributes are typed by the component's kind."""

import pytest
from django.core.exceptions import ValidationError

from catalog.models import Component, Source

pytestmark = pytest.mark.django_db


def component(**columns):
    values = {
        "slug": "x",
        "kind": "switch",
        "name": "X",
        "source": Source.objects.first(),
    }
    return Component(**values | columns)


def test_attributes_of_the_right_type_pass():
    good = {"ports": 64, "port_gbps": 400, "transport": "roce"}
    component(attributes=good).full_clean()


@pytest.mark.parametrize(
    ("attributes", "words"),
    [
        ({"ports": 64, "transport": "roce"}, "port_gbps"),
        ({"ports": 0, "port_gbps": 400, "transport": "roce"}, "ports"),
        ({"ports": 64, "port_gbps": 400, "transport": "roce", "hue": 1}, "hue"),
    ],
)
def test_attributes_that_the_kind_does_not_know_are_refused(attributes, words):
    with pytest.raises(ValidationError, match=words):
        component(attributes=attributes).full_clean()


def test_a_slug_has_the_form_that_comparisons_accept():
    with pytest.raises(ValidationError, match="slug"):
        component(slug="Has Spaces", attributes={}, kind="rack").full_clean()
