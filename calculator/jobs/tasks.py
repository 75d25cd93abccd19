"""Celery tasks: they deliver, nothing else."""

from celery import shared_task

from calculator.services import jobs


@shared_task(acks_late=True, ignore_result=True)
def run_job(job_id: str) -> None:
    """Deliver one job."""
    jobs.run(job_id)


@shared_task(ignore_result=True)
def reap_jobs() -> None:
    """Put lost jobs right."""
    jobs.reap()
