"""What a client reads once: examples, schemas, the description of the API."""

from typing import Any

from django.http import (
    Http404,
    HttpResponse,
    HttpResponsePermanentRedirect,
    JsonResponse,
)
from django.urls import Resolver404, resolve
from drf_spectacular.utils import OpenApiParameter, extend_schema
from drf_spectacular.views import SpectacularSwaggerSplitView

from calculator.api import openapi
from calculator.api.base import ApiView, json_response
from calculator.api.documents import ExampleList
from calculator.api.v1 import presenting
from calculator.services import examples
from calculator.spec import schema_files

ANY_OBJECT: dict[str, Any] = {"type": "object", "additionalProperties": True}
AN_HOUR = "public, max-age=3600"


class Examples(ApiView):
    """List the examples."""

    @extend_schema(
        operation_id="example_list",
        tags=["reference"],
        summary="List the bundled example comparisons",
        responses={200: ExampleList},
    )
    def get(self, request):
        """Answer with name, title and description of each."""
        rows = [presenting.example_row(request, row) for row in examples.listed()]
        return json_response(ExampleList(results=rows))


class ExampleDetail(ApiView):
    """Read an example."""

    @extend_schema(
        operation_id="example_read",
        tags=["reference"],
        summary="Read an example: a body to send to previews or comparisons",
        responses={200: ANY_OBJECT},
    )
    def get(self, request, name: str):
        """Answer with the document as it is bundled."""
        return _document(examples.get(name))


class SchemaDetail(ApiView):
    """Read a JSON Schema."""

    @extend_schema(
        operation_id="schema_read",
        tags=["reference"],
        summary="Read the JSON Schema of a document",
        parameters=[
            OpenApiParameter(
                "name", str, OpenApiParameter.PATH, enum=["comparison", "result"]
            ),
            OpenApiParameter("version", str, OpenApiParameter.PATH, enum=["1", "v1"]),
        ],
        responses={200: ANY_OBJECT},
    )
    def get(self, request, name: str, version: str):
        """Answer with the frozen schema."""
        return _document(schema_files.frozen(name, version.removeprefix("v")))


class OpenApi(ApiView):
    """Describe the API."""

    @extend_schema(
        operation_id="openapi_read",
        tags=["reference"],
        summary="This description, OpenAPI 3.1",
        responses={200: ANY_OBJECT},
    )
    def get(self, request):
        """Answer with the generated description."""
        return _document(openapi.document())


class Docs(SpectacularSwaggerSplitView):
    """Documentation to click through; its files are served from here, not from a CDN.

    Our own page instead of the package's: that one has a style element, which the
    Content-Security-Policy refuses.
    """

    throttle_classes = ()
    template_name = "calculator/api_docs.html"
    url_name = "api-v1:openapi"
    title = "ClusterQuote API"


class Elsewhere(ApiView):
    """Any other address: a problem document instead of a page."""

    @extend_schema(exclude=True)
    def get(self, request, rest: str):
        """Forgive one trailing slash; all else is not there."""
        path = request.path.rstrip("/")
        if request.path.endswith("/") and _is_known(path):
            query = request.META.get("QUERY_STRING", "")
            return HttpResponsePermanentRedirect(
                f"{path}?{query}" if query else path, preserve_request=True
            )
        raise Http404

    post = put = patch = delete = get

    def known_parameters(self) -> frozenset[str]:
        """Not the place to judge them."""
        return frozenset(self.request.query_params)


def _is_known(path: str) -> bool:
    try:
        return resolve(path).func.cls is not Elsewhere
    except (Resolver404, AttributeError):
        return False


def _document(document: dict[str, Any] | None) -> HttpResponse:
    if document is None:
        raise Http404
    response = JsonResponse(document)
    response["Cache-Control"] = AN_HOUR
    return response
