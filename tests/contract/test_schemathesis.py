"""Generated requests against the whole API: no 5xx, nothing undocumented."""

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings
from schemathesis.specs.openapi.checks import positive_data_acceptance

from calculator.api import openapi
from calculator.config.wsgi import application
from tests import factories

EXAMPLES_PER_OPERATION = 25

# What a schema cannot say: that one part of a document must fit another.
ACROSS_FIELDS = {
    "order_mismatch",
    "base_unknown",
    "comparison_unknown",
    "out_of_domain",
    "out_of_bounds",  # a limit that another field sets: layers, heads, experts
    "plan_infeasible",
    "topology_unsupported",
}

# Nor what a visitor owns, nor what a table inside a text must look like.
PRIVATE = {("/workload/stack_profile", "reference_unknown"), ("/csv", "invalid")}

pytestmark = pytest.mark.django_db

# As generated, answered by the application itself.
schema = schemathesis.openapi.from_dict(openapi.document())
schema.app = application


@pytest.fixture(autouse=True)
def _product(settings, monkeypatch):
    settings.API_THROTTLE_RATES = {"previews": "", "writes": "", "reads": ""}
    settings.JOB_RUNNER = "inline"
    factories.stub_evaluation(monkeypatch)
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)  # the test's transaction is in there
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@schema.parametrize()
@hypothesis_settings(
    max_examples=EXAMPLES_PER_OPERATION,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)
def test_the_api_keeps_its_description(case):
    case.call_and_validate(
        headers={"Accept-Encoding": "identity"},  # the client does not unpack
        additional_checks=[valid_documents_are_refused_across_fields_only],
        excluded_checks=[positive_data_acceptance],
    )


def valid_documents_are_refused_across_fields_only(context, response, case):
    """A request that fits the schema is refused only for what no schema can say."""
    if not case.meta.generation.mode.is_positive or response.status_code < 400:
        return
    if response.status_code == 422:
        codes = {
            error["code"]
            for error in response.json()["errors"]
            if (error["pointer"], error["code"]) not in PRIVATE
        }
        assert codes <= ACROSS_FIELDS, response.text
    else:
        assert response.status_code in (400, 404, 409), response.text
        if response.status_code == 400:
            assert "cursor" in response.json()["detail"], response.text
