"""A real Celery worker on PostgreSQL and Redis, started by the test on its database."""

import os
import subprocess
import sys
import threading
import uuid
from pathlib import Path

import pytest
from django.conf import settings as configured
from django.core.management import call_command
from django.db import connection

from calculator.jobs import dispatch
from calculator.models import Comparison, Job
from calculator.services import comparisons
from calculator.spec.examples_index import load
from calculator.spec.problems import validate_comparison

ROOT = Path(__file__).resolve().parents[2]
DEADLINE_S = 90

has_services = (
    configured.DATABASES["default"]["ENGINE"].endswith("postgresql")
    and configured.REDIS_URL
)
pytestmark = [
    pytest.mark.celery,
    pytest.mark.postgres,
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(not has_services, reason="needs DATABASE_URL and REDIS_URL"),
]


def database_url():
    """Address of the test database, as the worker's environment gives it."""
    test = connection.settings_dict
    login = test["USER"] + (f":{test['PASSWORD']}" if test["PASSWORD"] else "")
    return f"postgres://{login}@{test['HOST']}:{test['PORT'] or 5432}/{test['NAME']}"


@pytest.fixture
def worker(settings, tmp_path):
    """A worker on a queue of its own; the output is shown if the test fails."""
    settings.JOB_RUNNER = "celery"
    settings.CELERY_TASK_DEFAULT_QUEUE = f"test-{uuid.uuid4().hex}"
    log = tmp_path / "worker.log"
    command = [sys.executable, "-m", "celery", "-A", "calculator.config", "worker"]
    options = ["--concurrency=2", "--loglevel=INFO", "--without-gossip", "-Q"]
    with log.open("w") as output:
        process = subprocess.Popen(
            [*command, *options, settings.CELERY_TASK_DEFAULT_QUEUE],
            cwd=ROOT,
            env=os.environ
            | {
                "DATABASE_URL": database_url(),
                "REDIS_URL": settings.REDIS_URL,
                "JOB_RUNNER": "celery",
                "DJANGO_SETTINGS_MODULE": "calculator.config.settings",
            },
            stdout=output,
            stderr=subprocess.STDOUT,
        )
        yield process
        process.terminate()
        process.wait(timeout=30)
    sys.stdout.write(log.read_text())


def wait_until(is_reached, worker):
    """Look again until a state is reached; a dead worker or the deadline ends it."""
    again = threading.Event()
    for _ in range(DEADLINE_S * 10):
        if is_reached():
            return
        assert worker.poll() is None, "the worker ended"
        again.wait(0.1)
    pytest.fail("the state was not reached in time")


def finished(*jobs):
    return lambda: all(Job.objects.get(pk=job.pk).is_finished for job in jobs)


@pytest.fixture(autouse=True)
def _prices(transactional_db):
    """Transactional tests empty the tables: load the bundled prices again."""
    call_command("load_pricebook", verbosity=0)


def test_a_saved_comparison_is_computed_by_a_worker(client, worker):
    response = client.post(
        "/api/v1/comparisons", load("reference"), content_type="application/json"
    )
    assert response.status_code == 202
    job = Job.objects.get(pk=response.json()["id"])
    wait_until(finished(job), worker)
    followed = client.get(response["Location"]).json()
    assert (followed["state"], followed["attempt"]) == ("succeeded", 1)
    read = client.get(followed["comparison_url"])
    assert read.json()["result"]["order"] == load("reference")["order"]


def test_jobs_delivered_twice_run_once(worker):
    spec = validate_comparison(load("reference"))
    jobs = [comparisons.create(spec=spec, owner_key=f"user:{n}") for n in range(6)]
    for job in jobs + jobs:
        dispatch.send(str(job.pk))
    last = comparisons.create(spec=spec, owner_key="user:last")
    wait_until(finished(*jobs), worker)
    dispatch.send(str(last.pk))
    wait_until(finished(last), worker)
    assert set(Job.objects.values_list("state", "attempt")) == {("succeeded", 1)}
    assert Comparison.objects.count() == len(jobs) + 1
