"""Previews: a comparison in, its result out, nothing stored."""

from drf_spectacular.utils import OpenApiExample, extend_schema

from calculator.api.base import ApiView, json_response
from calculator.api.parsers import RawJson, read_comparison
from calculator.services import previews
from calculator.spec import examples_index
from calculator.spec.result import ResultV1
from calculator.spec.scenario import ComparisonV1

REFERENCE = OpenApiExample(
    "reference", value=examples_index.load("reference"), request_only=True
)


class Previews(ApiView):
    """Compute and answer."""

    parser_classes = [RawJson]
    throttle_scopes = {"POST": "previews"}

    @extend_schema(
        operation_id="preview",
        tags=["comparisons"],
        summary="Evaluate a comparison without saving it",
        request=ComparisonV1,
        responses={200: ResultV1},
        examples=[REFERENCE],
    )
    def post(self, request):
        """Evaluate at today's catalog prices."""
        return json_response(
            previews.preview(read_comparison(request.data), self.owner_key)
        )
