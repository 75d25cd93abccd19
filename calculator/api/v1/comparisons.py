"""Saved comparisons: ask for one, list, read, export."""

import re
from uuid import UUID

from django.http import Http404, HttpResponse, HttpResponseNotModified, JsonResponse
from django.utils.cache import patch_vary_headers
from django.utils.http import parse_etags
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema

from calculator import selectors
from calculator.api.base import ApiView, json_response
from calculator.api.documents import (
    PROBLEM_MEDIA_TYPE,
    ComparisonDocument,
    ComparisonPage,
    JobDocument,
    ProblemDocument,
)
from calculator.api.errors import HeaderInvalid
from calculator.api.pagination import PAGING, NewestFirst
from calculator.api.parsers import RawJson, read_comparison
from calculator.api.v1 import presenting
from calculator.api.v1.previews import REFERENCE
from calculator.exports import registry
from calculator.models import Comparison
from calculator.services import comparisons
from calculator.spec.result import parse_result
from calculator.spec.scenario import ComparisonV1

IDEMPOTENCY_KEY = OpenApiParameter(
    "Idempotency-Key",
    {"type": "string", "pattern": "^[!-~]{1,200}$"},
    OpenApiParameter.HEADER,
    description="Random text of your own. The same key and document give the same job; "
    "the same key with another document is refused with 409.",
)
IF_NONE_MATCH = OpenApiParameter(
    "If-None-Match",
    str,
    OpenApiParameter.HEADER,
    description="ETag that you have; 304 when it is still the one.",
)
ETAG = OpenApiParameter(
    "ETag", str, OpenApiParameter.HEADER, response=[200, 304], description="result_hash"
)
LOCATION = OpenApiParameter(
    "Location",
    {"type": "string", "format": "uri"},
    OpenApiParameter.HEADER,
    response=[202],
    description="The job.",
)
FOREVER = "private, max-age=31536000, immutable"


class Comparisons(ApiView):
    """Ask for a comparison; list your own."""

    parser_classes = [RawJson]

    def known_parameters(self) -> frozenset[str]:
        """Only the list has parameters."""
        is_list = self.request.method in {"GET", "HEAD"}
        return frozenset({"cursor", "page_size"} if is_list else ())

    @extend_schema(
        operation_id="comparison_create",
        tags=["comparisons"],
        summary="Save a comparison: answers with the job that computes it",
        parameters=[IDEMPOTENCY_KEY, LOCATION],
        request=ComparisonV1,
        responses={202: JobDocument, (409, PROBLEM_MEDIA_TYPE): ProblemDocument},
        examples=[REFERENCE],
    )
    def post(self, request):
        """Fix today's prices, queue the job, answer with it."""
        job = comparisons.create(
            spec=read_comparison(request.data),
            owner_key=self.owner_key,
            idempotency_key=_idempotency_key(request),
        )
        document = presenting.job_document(request, job)
        response = json_response(document, status=202)
        response["Location"] = document.url
        return response

    @extend_schema(
        operation_id="comparison_list",
        tags=["comparisons"],
        summary="List your own comparisons, newest first",
        parameters=PAGING,
        responses={200: ComparisonPage},
    )
    def get(self, request):
        """List by cursor."""
        pages = NewestFirst()
        rows = pages.paginate_queryset(
            selectors.comparison_list(self.owner_key), request, self
        )
        document = ComparisonPage(
            next=pages.get_next_link(),
            previous=pages.get_previous_link(),
            results=[presenting.comparison_row(request, row) for row in rows],
        )
        return json_response(document)


class ComparisonDetail(ApiView):
    """Read a comparison."""

    @extend_schema(
        operation_id="comparison_read",
        tags=["comparisons"],
        summary="Read a saved comparison: document, result, hashes",
        parameters=[IF_NONE_MATCH, ETAG],
        responses={200: ComparisonDocument, 304: None},
    )
    def get(self, request, comparison_id: UUID):
        """Answer with what was stored."""
        known = _known_etags(request)
        if known:
            stored = selectors.result_hash_for(comparison_id, self.owner_key)
            if stored is not None and (f'"{stored}"' in known or "*" in known):
                return cached(HttpResponseNotModified(), stored, FOREVER)
        comparison = _comparison(comparison_id, self.owner_key)
        body = {"id": str(comparison.pk), **presenting.snapshot(comparison)}
        return cached(JsonResponse(body), comparison.result_hash, FOREVER)


class ComparisonExport(ApiView):
    """Take a comparison out in another format."""

    @extend_schema(
        operation_id="comparison_export",
        tags=["comparisons"],
        summary="Download a comparison's result",
        parameters=[
            OpenApiParameter(
                "format",
                str,
                OpenApiParameter.PATH,
                enum=sorted(registry.EXPORTERS),
            )
        ],
        responses={
            (200, "application/json"): OpenApiTypes.OBJECT,
            (200, "text/csv"): OpenApiTypes.STR,
        },
    )
    def get(self, request, comparison_id: UUID, format: str):
        """Render the stored result."""
        exporter = registry.exporter_for(format)
        if exporter is None:
            raise Http404
        comparison = _comparison(comparison_id, self.owner_key)
        body = exporter.render(parse_result(comparison.result))
        response = HttpResponse(body, content_type=exporter.media_type)
        response["Content-Disposition"] = (
            f'attachment; filename="comparison-{comparison.pk}.{exporter.identifier}"'
        )
        return cached(response, f"{comparison.result_hash}-{format}", FOREVER)


def cached(response: HttpResponse, tag: str, control: str) -> HttpResponse:
    """Add the headers by which a client keeps an answer."""
    response["ETag"] = f'"{tag}"'
    response["Cache-Control"] = control
    patch_vary_headers(response, ["Cookie"])
    return response


def _comparison(comparison_id: UUID, owner_key: str) -> Comparison:
    comparison = selectors.comparison_for(comparison_id, owner_key)
    if comparison is None:
        raise Http404
    return comparison


def _known_etags(request) -> set[str]:
    header = request.headers.get("If-None-Match", "")
    return {tag.removeprefix("W/") for tag in parse_etags(header)} if header else set()


def _idempotency_key(request) -> str:
    key = request.headers.get("Idempotency-Key")
    if key is None:
        return ""
    if not re.fullmatch(r"[!-~]{1,200}", key):
        raise HeaderInvalid(
            "Idempotency-Key must be 1 to 200 printable ASCII characters, no spaces."
        )
    return key
