"""From stored rows to documents of the API."""

from typing import Any

from django.urls import NoReverseMatch, reverse

from calculator.api.documents import (
    ComparisonRow,
    ExampleRow,
    JobDocument,
    JobError,
    ShareDocument,
    StackProfileDocument,
    StackProfileSummary,
)
from calculator.models import Comparison, Job, ShareLink, StackProfile


def api_url(request: Any, operation: str, /, **kwargs: Any) -> str:
    """Absolute address of an operation."""
    return request.build_absolute_uri(reverse(f"api-v1:{operation}", kwargs=kwargs))


def job_document(request: Any, job: Job) -> JobDocument:
    """Present a job."""
    comparison = job.comparison_id
    return JobDocument(
        id=job.pk,
        kind=job.kind,
        state=job.state,
        stage=job.stage,
        progress=job.progress,
        attempt=job.attempt,
        cancel_requested=job.cancel_requested,
        created_at=job.created_at,
        started_at=job.started_at,
        finished_at=job.finished_at,
        url=api_url(request, "job", job_id=job.pk),
        comparison=comparison,
        comparison_url=comparison
        and api_url(request, "comparison", comparison_id=comparison),
        error=_job_error(job),
    )


def _job_error(job: Job) -> JobError | None:
    if not job.error_code:
        return None
    return JobError(code=job.error_code, message=job.error_message, errors=job.errors)


def comparison_row(request: Any, comparison: Comparison) -> ComparisonRow:
    """Present a row of ``selectors.comparison_list``."""
    return ComparisonRow(
        id=comparison.pk,
        name=comparison.name,
        verdict=comparison.verdict,
        created_at=comparison.created_at,
        url=api_url(request, "comparison", comparison_id=comparison.pk),
        spec_hash=comparison.spec_hash,
        prices_hash=comparison.prices_hash,
        result_hash=comparison.result_hash,
        engine_version=comparison.engine_version,
        schema_version=comparison.schema_version,
    )


def snapshot(comparison: Comparison) -> dict[str, Any]:
    """What pages, links and API show of a comparison: stored, not computed again."""
    return {
        "name": comparison.name,
        "created_at": comparison.created_at.isoformat(),
        "spec_hash": comparison.spec_hash,
        "prices_hash": comparison.prices_hash,
        "result_hash": comparison.result_hash,
        "engine_version": comparison.engine_version,
        "schema_version": comparison.schema_version,
        "spec": comparison.spec,
        "result": comparison.result,
    }


def share_document(request: Any, link: ShareLink) -> ShareDocument:
    """Present a link to the one who made it."""
    api = api_url(request, "share", token=link.token)
    return ShareDocument(
        id=link.pk,
        token=link.token,
        url=_page_url(request, link.token) or api,
        api_url=api,
        comparison=link.comparison_id,
        created_at=link.created_at,
        expires_at=link.expires_at,
    )


def stack_profile_summary(request: Any, profile: StackProfile) -> StackProfileSummary:
    """Present a calibration in a list."""
    return StackProfileSummary(**_stack_profile(request, profile))


def stack_profile_document(request: Any, profile: StackProfile) -> StackProfileDocument:
    """Present a calibration to its owner."""
    return StackProfileDocument(
        **_stack_profile(request, profile) | profile.fit, rows=profile.residuals
    )


def _stack_profile(request: Any, profile: StackProfile) -> dict[str, Any]:
    return {
        "id": profile.pk,
        "name": profile.name,
        "created_at": profile.created_at,
        "url": api_url(request, "stack-profile", profile_id=profile.pk),
        "n_fitted": profile.fit["n_fitted"],
        "engine_version": profile.engine_version,
    }


def example_row(request: Any, example: dict[str, str]) -> ExampleRow:
    """Present an example in the list."""
    return ExampleRow(**example, url=api_url(request, "example", name=example["name"]))


def _page_url(request: Any, token: str) -> str:
    """Address of the page for people, where pages are served."""
    try:
        return request.build_absolute_uri(reverse("shared-detail", args=[token]))
    except NoReverseMatch:
        return ""
