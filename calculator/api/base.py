"""What all views of the API share."""

from django.http import HttpResponse
from pydantic import BaseModel
from rest_framework.views import APIView

from calculator.api.errors import QueryInvalid
from calculator.services.owners import owner_key_of


class ApiView(APIView):
    """Parse, call one service, render."""

    throttle_scopes = {"POST": "writes", "DELETE": "writes"}
    query_parameters: frozenset[str] = frozenset()
    http_method_names = ["get", "head", "post", "put", "patch", "delete"]

    def initial(self, request, *args, **kwargs):
        """Refuse query parameters that would be ignored: a typo must not widen a list."""
        super().initial(request, *args, **kwargs)
        if request.method not in self.allowed_methods:
            return  # answered with 405 next, whatever the query
        unknown = sorted(set(request.query_params) - self.known_parameters())
        if unknown:
            raise QueryInvalid(f"{unknown[0]!r} is not a query parameter here.")

    def known_parameters(self) -> frozenset[str]:
        """Query parameters that this view reads."""
        return self.query_parameters

    def throttle_scope_of(self, request) -> str:
        """Scope that the request counts against."""
        return self.throttle_scopes.get(request.method, "reads")

    @property
    def owner_key(self) -> str:
        """Who asks."""
        return owner_key_of(self.request)


def json_response(document: BaseModel, *, status: int = 200) -> HttpResponse:
    """Response with a document as its body."""
    return HttpResponse(
        document.model_dump_json(), status=status, content_type="application/json"
    )
