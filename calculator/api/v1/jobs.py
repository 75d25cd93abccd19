"""Jobs: follow and cancel."""

from uuid import UUID

from django.http import Http404
from drf_spectacular.utils import extend_schema

from calculator.api.base import ApiView, json_response
from calculator.api.documents import (
    PROBLEM_MEDIA_TYPE,
    JobDocument,
    ProblemDocument,
)
from calculator.api.v1 import presenting
from calculator.services import jobs


class JobDetail(ApiView):
    """Follow a job."""

    @extend_schema(
        operation_id="job_read",
        tags=["jobs"],
        summary="Follow a job: state, stage, progress, and its comparison when done",
        responses={200: JobDocument},
    )
    def get(self, request, job_id: UUID):
        """Answer with the job as it stands."""
        job = jobs.follow(job_id, self.owner_key)
        if job is None:
            raise Http404
        response = json_response(presenting.job_document(request, job))
        response["Cache-Control"] = "no-store"
        return response


class JobCancel(ApiView):
    """Cancel a job."""

    @extend_schema(
        operation_id="job_cancel",
        tags=["jobs"],
        summary="Ask a job to stop",
        request=None,
        responses={200: JobDocument, (409, PROBLEM_MEDIA_TYPE): ProblemDocument},
    )
    def post(self, request, job_id: UUID):
        """Stop at once if it waits, between stages if it runs."""
        job = jobs.cancel(job_id, self.owner_key)
        if job is None:
            raise Http404
        return json_response(presenting.job_document(request, job))
