"""Jobs: claimed once, renewed while they work, finished once.

Every change of state is a compare-and-set on the row, so that a second delivery, a late
worker or a cancellation can never overwrite what happened first.
"""

import logging
import uuid
from datetime import datetime, timedelta
from functools import partial

from django.conf import settings
from django.db import transaction
from django.db.models import F, QuerySet
from django.utils import timezone

from calculator import selectors
from calculator.jobs import dispatch
from calculator.models import Job
from calculator.services import previews
from calculator.services.errors import AlreadyFinished
from calculator.services.freezing import freeze
from calculator.spec.problems import SpecError
from calculator.spec.result import ResultV1
from calculator.spec.scenario import ComparisonV1
from catalog.documents import PriceSnapshot

logger = logging.getLogger(__name__)

State = Job.State


class Cancelled(Exception):
    """Somebody asked to stop."""


class LeaseLost(Exception):
    """The job was taken for lost and belongs to another attempt now."""


def enqueue(job: Job) -> Job:
    """Save a new job and hand it to a courier once it is committed."""
    if job.state == State.QUEUED:
        job.lease_until = _lease()
    job.save(force_insert=True)
    if job.state == State.QUEUED:
        _dispatch_on_commit(job.pk)
    return job


def run(job_id: uuid.UUID | str) -> bool:
    """Do the job if it waits; a second delivery finds nothing to claim.

    Returns
    -------
    bool
        True if this call did the work, whatever came of it.
    """
    job = _claim(job_id)
    if job is None:
        return False
    try:
        _succeed(job, _compute(job))
    except Cancelled:
        _finish(job, State.CANCELLED)
    except LeaseLost:
        logger.warning("job %s: attempt %s lost its lease", job.pk, job.attempt)
    except SpecError as error:
        _fail_with(job, error)
    except Exception:
        logger.exception("job %s failed", job.pk)
        _fail(
            job, "internal_error", f"Something went wrong on our side (job {job.pk})."
        )
    return True


def cancel(job_id: uuid.UUID | str, owner_key: str) -> Job | None:
    """Ask a job to stop: at once if it waits, between stages if it runs.

    Raises
    ------
    AlreadyFinished
        If it had succeeded or failed. A cancelled job may be cancelled again.
    """
    if selectors.job_for(job_id, owner_key) is None:
        return None
    waiting = Job.objects.filter(pk=job_id, state=State.QUEUED)
    if not waiting.update(**_ended(State.CANCELLED), cancel_requested=True):
        Job.objects.filter(pk=job_id, state=State.RUNNING).update(cancel_requested=True)
    job = selectors.job_for(job_id, owner_key)
    if job is not None and job.state in {State.SUCCEEDED, State.FAILED}:
        raise AlreadyFinished(job.state)
    return job


def follow(job_id: uuid.UUID | str, owner_key: str) -> Job | None:
    """Job as it stands now; one whose worker died is put right before it is shown."""
    job = selectors.job_for(job_id, owner_key)
    if job is None or not _overdue(Job.objects.filter(pk=job.pk)).exists():
        return job
    reap()
    return selectors.job_for(job_id, owner_key)


def reap() -> int:
    """Requeue, cancel or fail jobs whose lease ran out; how many were touched."""
    overdue = _overdue(Job.objects.defer("spec", "prices"))
    return sum(_put_right(job) for job in overdue)


def _overdue(jobs: QuerySet[Job]) -> QuerySet[Job]:
    return jobs.filter(
        state__in=[State.QUEUED, State.RUNNING], lease_until__lt=timezone.now()
    )


def _put_right(job: Job) -> bool:
    """One lost job: cancelled if asked, failed after too many attempts, else sent again."""
    seen = Job.objects.filter(
        pk=job.pk, state=job.state, attempt=job.attempt, lease_until=job.lease_until
    )
    if job.cancel_requested:
        return bool(seen.update(**_ended(State.CANCELLED)))
    if job.state == State.RUNNING and job.attempt >= settings.JOB_MAX_ATTEMPTS:
        logger.error("job %s: given up after %s attempts", job.pk, job.attempt)
        return bool(
            seen.update(
                **_ended(State.FAILED),
                error_code="worker_lost",
                error_message=f"The work was begun {job.attempt} times and each time its "
                f"worker stopped (job {job.pk}).",
            )
        )
    is_ours = bool(
        seen.update(state=State.QUEUED, stage="", progress=0.0, lease_until=_lease())
    )
    if is_ours:
        _dispatch_on_commit(job.pk)
    return is_ours


def _claim(job_id: uuid.UUID | str) -> Job | None:
    """Compare-and-set from queued to running."""
    claimed = Job.objects.filter(pk=job_id, state=State.QUEUED).update(
        state=State.RUNNING,
        attempt=F("attempt") + 1,
        started_at=timezone.now(),
        lease_until=_lease(),
    )
    return Job.objects.get(pk=job_id) if claimed else None


def _compute(job: Job) -> ResultV1:
    _report(job, "prices", 0.0)
    return previews.evaluate(
        ComparisonV1.model_validate(job.spec),
        PriceSnapshot.model_validate(job.prices),
        progress=partial(_report, job),
    )


def _report(job: Job, stage: str, progress: float) -> None:
    """Show progress, renew the lease, and stop if asked to."""
    still_ours = _held(job).update(
        stage=stage, progress=min(max(progress, 0.0), 1.0), lease_until=_lease()
    )
    if not still_ours:
        raise LeaseLost
    if _held(job).filter(cancel_requested=True).exists():
        raise Cancelled


def _succeed(job: Job, result: ResultV1) -> None:
    """Comparison and success in one transaction, or neither."""
    with transaction.atomic():
        comparison = freeze(job, result)
        done = _held(job).filter(cancel_requested=False)
        if not done.update(
            **_ended(State.SUCCEEDED), progress=1.0, comparison=comparison
        ):
            raise _reason_not_done(job)


def _reason_not_done(job: Job) -> Exception:
    return Cancelled() if _held(job).exists() else LeaseLost()


def _fail_with(job: Job, error: SpecError) -> None:
    first = error.problems[0]
    problems = [problem.model_dump() for problem in error.problems]
    _fail(job, first.code, first.message, errors=problems)


def _fail(
    job: Job, code: str, message: str, *, errors: list[dict[str, str]] | None = None
) -> None:
    _finish(
        job,
        State.FAILED,
        error_code=code,
        error_message=message,
        errors=errors or [],
    )


def _finish(job: Job, state: Job.State, **fields: object) -> None:
    _held(job).update(**_ended(state), **fields)


def _held(job: Job) -> QuerySet[Job]:
    """The job's row while this attempt holds it."""
    return Job.objects.filter(pk=job.pk, state=State.RUNNING, attempt=job.attempt)


def _ended(state: Job.State) -> dict[str, object]:
    return {"state": state, "finished_at": timezone.now(), "lease_until": None}


def _lease() -> datetime:
    return timezone.now() + timedelta(seconds=settings.JOB_LEASE_S)


def _dispatch_on_commit(job_id: uuid.UUID) -> None:
    """Deliver after commit; if the courier is out of reach the lease brings it back."""

    def deliver() -> None:  # robust needs a function with a name, not a partial
        dispatch.send(str(job_id))

    transaction.on_commit(deliver, robust=True)
