"""Which courier brings a job to the service: decided by settings, at each delivery."""

from django.conf import settings


def send(job_id: str) -> None:
    """Hand the id of a committed job to the courier of ``settings.JOB_RUNNER``."""
    _COURIERS[settings.JOB_RUNNER](job_id)


def _inline(job_id: str) -> None:
    from calculator.services import jobs

    jobs.run(job_id)


def _thread(job_id: str) -> None:
    from calculator.jobs import inprocess

    inprocess.submit(job_id)


def _celery(job_id: str) -> None:
    from calculator.jobs.tasks import run_job

    run_job.apply_async((job_id,), queue=settings.CELERY_TASK_DEFAULT_QUEUE)


_COURIERS = {"inline": _inline, "thread": _thread, "celery": _celery}
