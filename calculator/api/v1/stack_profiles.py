"""Private calibrations: made from measured steps, read and deleted by their owner."""

from uuid import UUID

from django.http import Http404, HttpResponse
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema

from calculator import selectors
from calculator.api.base import ApiView, json_response
from calculator.api.documents import (
    StackProfileDocument,
    StackProfilePage,
    StackProfileRequest,
)
from calculator.api.pagination import PAGING, NewestFirst
from calculator.api.parsers import RawJson, read_model
from calculator.api.v1 import presenting
from calculator.models import StackProfile
from calculator.services import stack_profiles

EXAMPLE = OpenApiExample(
    "two steps",
    value={
        "name": "Our eight nodes",
        "csv": "layers,hidden,ffn,heads,kv_heads,vocab,seq_len,global_batch_seqs,"
        "micro_batch,num_gpus,gpus_per_node,gpu,tp,pp,sharding,recompute,precision,"
        "tokens_per_s_per_gpu\n"
        "80,8192,32768,64,64,50368,2048,4096,8,512,8,H100-SXM-80GB,1,1,zero3,full,bf16,"
        "1007\n"
        "80,8192,32768,64,64,50368,2048,2048,8,256,8,H100-SXM-80GB,1,1,zero3,full,bf16,"
        "1035\n",
    },
    request_only=True,
)
LOCATION = OpenApiParameter(
    "Location",
    {"type": "string", "format": "uri"},
    OpenApiParameter.HEADER,
    response=[201],
    description="The calibration.",
)


class StackProfiles(ApiView):
    """Make one; list your own."""

    parser_classes = [RawJson]
    throttle_scopes = {"POST": "previews"}

    def known_parameters(self) -> frozenset[str]:
        """Only the list has parameters."""
        is_list = self.request.method in {"GET", "HEAD"}
        return frozenset({"cursor", "page_size"} if is_list else ())

    @extend_schema(
        operation_id="stack_profile_create",
        tags=["stack profiles"],
        summary="Calibrate the speed model to measured steps of your own cluster",
        parameters=[LOCATION],
        request=StackProfileRequest,
        responses={201: StackProfileDocument},
        examples=[EXAMPLE],
    )
    def post(self, request):
        """Fit at most three physical factors and keep them privately."""
        asked = read_model(StackProfileRequest, request.data)
        profile = stack_profiles.create(
            name=asked.name, text=asked.csv, owner_key=self.owner_key
        )
        document = presenting.stack_profile_document(request, profile)
        response = json_response(document, status=201)
        response["Location"] = document.url
        return response

    @extend_schema(
        operation_id="stack_profile_list",
        tags=["stack profiles"],
        summary="List your own calibrations, newest first",
        parameters=PAGING,
        responses={200: StackProfilePage},
    )
    def get(self, request):
        """List by cursor."""
        pages = NewestFirst()
        rows = pages.paginate_queryset(
            selectors.stack_profiles_visible_to(self.owner_key), request, self
        )
        document = StackProfilePage(
            next=pages.get_next_link(),
            previous=pages.get_previous_link(),
            results=[presenting.stack_profile_summary(request, row) for row in rows],
        )
        return json_response(document)


class StackProfileDetail(ApiView):
    """Read or delete one."""

    @extend_schema(
        operation_id="stack_profile_read",
        tags=["stack profiles"],
        summary="Read a calibration: factors, errors, rows",
        responses={200: StackProfileDocument},
    )
    def get(self, request, profile_id: UUID):
        """Answer with the stored calibration, if it is yours."""
        profile = self._profile(profile_id)
        response = json_response(presenting.stack_profile_document(request, profile))
        response["Cache-Control"] = "private, no-cache"
        return response

    @extend_schema(
        operation_id="stack_profile_delete",
        tags=["stack profiles"],
        summary="Delete a calibration with its measurements",
        responses={204: None},
    )
    def delete(self, request, profile_id: UUID):
        """Delete it; saved comparisons keep the factors that they used."""
        stack_profiles.delete(self._profile(profile_id))
        return HttpResponse(status=204)

    def _profile(self, profile_id: UUID) -> StackProfile:
        profile = selectors.stack_profile_for(profile_id, self.owner_key)
        if profile is None:
            raise Http404
        return profile
