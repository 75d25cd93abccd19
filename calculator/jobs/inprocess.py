"""The embedded courier: one worker thread in the serving process."""

import logging
import threading
from concurrent.futures import Future, ThreadPoolExecutor

from django.db import connections

logger = logging.getLogger(__name__)

_lock = threading.Lock()
_executor: ThreadPoolExecutor | None = None


def submit(job_id: str) -> Future:
    """Queue a job for the worker thread."""
    return _pool().submit(_work, job_id)


def shut_down() -> None:
    """Wait for what is queued and end the thread."""
    while (executor := _taken_away()) is not None:
        executor.shutdown(wait=True)


def _taken_away() -> ThreadPoolExecutor | None:
    global _executor
    with _lock:
        executor, _executor = _executor, None
    return executor


def _pool() -> ThreadPoolExecutor:
    """Start the thread at the first job: at import the wrong process would own it."""
    global _executor
    with _lock:
        if _executor is None:
            _executor = ThreadPoolExecutor(1, thread_name_prefix="jobs")
            _executor.submit(_recover)
        return _executor


def _recover() -> None:
    """Bring back what an earlier process left behind."""
    from calculator.services import jobs

    try:
        jobs.reap()
    except Exception:
        logger.exception("lost jobs could not be looked for")
    finally:
        connections.close_all()


def _work(job_id: str) -> None:
    """Run one job; if even that fails the lease brings it back."""
    from calculator.services import jobs

    try:
        jobs.run(job_id)
    except Exception:
        logger.exception("job %s could not be run", job_id)
    finally:
        connections.close_all()
