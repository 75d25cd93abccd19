"""Share links: make, read, revoke."""

from uuid import UUID

from django.http import Http404, HttpResponse, JsonResponse
from drf_spectacular.utils import OpenApiParameter, extend_schema

from calculator import selectors
from calculator.api.base import ApiView, json_response
from calculator.api.documents import SharedDocument, ShareDocument, ShareRequest
from calculator.api.errors import QueryInvalid
from calculator.api.parsers import RawJson, read_model
from calculator.api.v1 import presenting
from calculator.services import sharing
from calculator.spec.problems import problem

COMPARISON = OpenApiParameter(
    "comparison",
    {"type": "string", "format": "uuid"},
    description="Id of the shared comparison: needed to revoke a link that was made "
    "without logging in.",
)


class Shares(ApiView):
    """Make links."""

    parser_classes = [RawJson]

    @extend_schema(
        operation_id="share_create",
        tags=["shares"],
        summary="Make an unguessable link to a comparison",
        request=ShareRequest,
        responses={201: ShareDocument},
    )
    def post(self, request):
        """Make a link to a comparison that you may open."""
        asked = read_model(ShareRequest, request.data)
        comparison = selectors.comparison_for(asked.comparison, self.owner_key)
        if comparison is None:
            raise problem(
                "/comparison", "comparison_unknown", "there is no such comparison"
            )
        link = sharing.create(
            comparison, owner_key=self.owner_key, expires_in_days=asked.expires_in_days
        )
        document = presenting.share_document(request, link)
        response = json_response(document, status=201)
        response["Location"] = document.api_url
        return response


class ShareDetail(ApiView):
    """Read or revoke a link."""

    def known_parameters(self) -> frozenset[str]:
        """Revoking may name the comparison."""
        return frozenset({"comparison"} if self.request.method == "DELETE" else ())

    @extend_schema(
        operation_id="share_read",
        tags=["shares"],
        summary="Read the snapshot behind a link",
        responses={200: SharedDocument},
    )
    def get(self, request, token: str):
        """Answer with the stored snapshot; revoked and expired links are not there."""
        link = sharing.resolve(token)
        if link is None:
            raise Http404
        expires_at = link.expires_at and link.expires_at.isoformat()
        body = {**presenting.snapshot(link.comparison), "expires_at": expires_at}
        response = JsonResponse(body)
        response["Cache-Control"] = "private, no-cache"
        response["X-Robots-Tag"] = "noindex"
        response["Referrer-Policy"] = "no-referrer"
        return response

    @extend_schema(
        operation_id="share_revoke",
        tags=["shares"],
        summary="Revoke a link",
        parameters=[COMPARISON],
        responses={204: None},
    )
    def delete(self, request, token: str):
        """End the link for everybody."""
        is_ended = sharing.revoke(
            token, owner_key=self.owner_key, comparison_id=_comparison_id(request)
        )
        if not is_ended:
            raise Http404
        return HttpResponse(status=204)


def _comparison_id(request) -> UUID | None:
    text = request.query_params.get("comparison")
    try:
        return UUID(text) if text is not None else None
    except ValueError:
        raise QueryInvalid("comparison must be the id of a comparison.") from None
