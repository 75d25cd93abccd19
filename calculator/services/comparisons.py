"""Comparisons: asked for here, computed by a job, stored once."""

from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from calculator.engine.version import ENGINE_VERSION
from calculator.models import Comparison, Job
from calculator.services import jobs, previews
from calculator.services.errors import IdempotencyConflict
from calculator.services.freezing import storable
from calculator.spec.canonical import sha256
from calculator.spec.scenario import ComparisonV1


def create(*, spec: ComparisonV1, owner_key: str, idempotency_key: str = "") -> Job:
    """Ask for a comparison at today's prices, which stay fixed from here on.

    An equal finished comparison of this owner is not computed again: the job that comes
    back has then succeeded already. The same idempotency key gives the same job.

    Raises
    ------
    SpecError
        If the document names something unknown; nothing is saved.
    IdempotencyConflict
        If the key was used for another document; nothing is saved.
    """
    document = storable(spec)
    earlier = _job_with_key(owner_key, idempotency_key, sha256(document))
    if earlier is not None:
        return earlier
    prices = storable(previews.snapshot_of(spec, owner_key))
    job = Job(
        owner_key=owner_key,
        idempotency_key=idempotency_key,
        spec=document,
        spec_hash=sha256(document),
        prices=prices,
        prices_hash=sha256(prices),
    )
    _point_at_finished(job)
    return _save(job)


def copy_to_draft(comparison: Comparison) -> dict[str, Any]:
    """Document of a comparison, to be changed and saved as another one."""
    return dict(comparison.spec)


def _job_with_key(owner_key: str, key: str, spec_hash: str) -> Job | None:
    if not key:
        return None
    job = Job.objects.filter(owner_key=owner_key, idempotency_key=key).first()
    if job is not None and job.spec_hash != spec_hash:
        raise IdempotencyConflict
    return job


def _point_at_finished(job: Job) -> None:
    """Turn the job into a finished one if its comparison exists."""
    existing = (
        Comparison.objects.filter(
            owner_key=job.owner_key,
            spec_hash=job.spec_hash,
            prices_hash=job.prices_hash,
            engine_version=ENGINE_VERSION,
        )
        .only("id")
        .first()
    )
    if existing is not None:
        job.comparison = existing
        job.state = Job.State.SUCCEEDED
        job.progress = 1.0
        job.finished_at = timezone.now()


def _save(job: Job) -> Job:
    """Save and dispatch; of two requests with one key the later gets the earlier's job."""
    try:
        with transaction.atomic():
            return jobs.enqueue(job)
    except IntegrityError:
        earlier = _job_with_key(job.owner_key, job.idempotency_key, job.spec_hash)
        if earlier is None:
            raise
        return earlier
