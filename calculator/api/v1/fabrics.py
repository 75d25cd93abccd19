"""Fabrics: ports in, switches and cables out, nothing stored."""

from drf_spectacular.utils import extend_schema

from calculator.api.base import ApiView, json_response
from calculator.api.parsers import RawJson, read_model
from calculator.services import fabrics
from calculator.spec.fabric import FabricSizeV1, FabricSizingV1


class Fabrics(ApiView):
    """Size one fabric."""

    parser_classes = [RawJson]
    throttle_scopes = {"POST": "previews"}

    @extend_schema(
        operation_id="size_fabric",
        tags=["comparisons"],
        summary="Size a fabric for any switch, without prices",
        request=FabricSizingV1,
        responses={200: FabricSizeV1},
    )
    def post(self, request):
        """Count switches and cables of every tier."""
        return json_response(fabrics.size(read_model(FabricSizingV1, request.data)))
