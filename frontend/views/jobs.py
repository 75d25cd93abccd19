"""Work under way: its progress, its end, its cancellation."""

from __future__ import annotations

import uuid
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from calculator.models import Job
from calculator.services import jobs, owners
from calculator.services.errors import AlreadyFinished
from frontend import quoting

STAGES = {
    "prices": "taking prices",
    "throughput": "predicting throughput",
    "cost": "adding up costs",
    "result": "writing the result",
}


@never_cache
@require_safe
def detail(request: HttpRequest, job_id: uuid.UUID) -> HttpResponse:
    """Progress page; a finished job leads to its comparison."""
    job = _visible(request, job_id)
    if job.state == Job.State.SUCCEEDED and job.comparison_id:
        return redirect("comparison-detail", job.comparison_id)
    return render(request, "frontend/jobs/detail.html", _context(job))


@never_cache
@require_safe
def status(request: HttpRequest, job_id: uuid.UUID) -> HttpResponse:
    """The part of the page that changes, for polling."""
    job = _visible(request, job_id)
    response = render(request, "frontend/jobs/_status.html", _context(job))
    if job.state == Job.State.SUCCEEDED and job.comparison_id:
        response["HX-Redirect"] = reverse("comparison-detail", args=[job.comparison_id])
    return response


@require_POST
def cancel(request: HttpRequest, job_id: uuid.UUID) -> HttpResponse:
    """Ask the job to stop."""
    try:
        job = jobs.cancel(job_id, owners.owner_key_of(request))
    except AlreadyFinished:
        return redirect("job-detail", job_id)
    if job is None:
        raise Http404
    return redirect("job-detail", job_id)


def _visible(request: HttpRequest, job_id: uuid.UUID) -> Job:
    job = jobs.follow(job_id, owners.owner_key_of(request))
    if job is None:
        raise Http404
    return job


def _context(job: Job) -> dict[str, Any]:
    return {
        "job": job,
        "is_finished": job.is_finished,
        "name": job.spec.get("name", "Comparison"),
        "stage": STAGES.get(job.stage, job.stage.replace("_", " ")),
        "edit_url": quoting.edit_url(job.spec) or reverse("quote-edit"),
    }
