"""The couriers: inline, thread, Celery (without a broker)."""

import threading
from datetime import timedelta

import pytest
from django.db import connection, connections
from django.utils import timezone

from calculator.jobs import dispatch, inprocess, tasks
from calculator.models import Comparison, Job
from calculator.services import comparisons, jobs, previews
from tests import factories

State = Job.State


@pytest.fixture
def thread_courier(settings):
    settings.JOB_RUNNER = "thread"
    yield
    inprocess.shut_down()


@pytest.mark.django_db
def test_the_inline_courier_runs_at_once(settings, evaluation):
    settings.JOB_RUNNER = "inline"
    job = factories.make_job()
    dispatch.send(str(job.pk))
    job.refresh_from_db()
    assert job.state == State.SUCCEEDED


@pytest.mark.django_db
def test_the_task_delivers_an_id_and_nothing_else(evaluation):
    job = factories.make_job()
    tasks.run_job(str(job.pk))
    job.refresh_from_db()
    assert job.state == State.SUCCEEDED


@pytest.mark.django_db
def test_the_scheduled_task_reaps(monkeypatch):
    called = []
    monkeypatch.setattr(jobs, "reap", lambda: called.append(True))
    tasks.reap_jobs()
    assert called


def test_celery_gets_the_id_on_the_configured_queue(settings, monkeypatch):
    settings.JOB_RUNNER = "celery"
    settings.CELERY_TASK_DEFAULT_QUEUE = "some-queue"
    sent = []
    monkeypatch.setattr(
        tasks.run_job, "apply_async", lambda args, queue: sent.append((args, queue))
    )
    dispatch.send("an-id")
    assert sent == [(("an-id",), "some-queue")]


def test_a_task_is_acknowledged_after_its_work_and_scheduled_by_its_name(settings):
    assert tasks.run_job.acks_late
    assert tasks.run_job.ignore_result
    [entry] = settings.CELERY_BEAT_SCHEDULE.values()
    assert entry["task"] == tasks.reap_jobs.name


def test_no_thread_is_started_by_importing():
    assert inprocess._executor is None


@pytest.mark.django_db(transaction=True)
def test_the_thread_courier_finishes_what_was_saved(thread_courier, evaluation):
    job = comparisons.create(spec=factories.make_comparison_spec(), owner_key="user:1")
    inprocess.shut_down()
    job.refresh_from_db()
    assert job.state == State.SUCCEEDED
    assert job.comparison == Comparison.objects.get()


@pytest.mark.django_db(transaction=True)
def test_the_worker_thread_leaves_no_connection_open(thread_courier, monkeypatch):
    opened = []

    def run(job_id):
        connection.ensure_connection()
        opened.append(connections["default"])

    monkeypatch.setattr(jobs, "run", run)
    inprocess.submit("an-id").result(timeout=30)
    assert opened[0] is not connection
    assert opened[0].connection is None


@pytest.mark.django_db(transaction=True)
def test_the_worker_thread_survives_a_job_that_cannot_be_run(
    thread_courier, monkeypatch, evaluation, caplog
):
    real = jobs.run

    def fail(job_id):
        raise RuntimeError("database is away")

    monkeypatch.setattr(jobs, "run", fail)
    inprocess.submit("an-id").result(timeout=30)
    monkeypatch.setattr(jobs, "run", real)
    job = factories.make_job()
    inprocess.submit(str(job.pk)).result(timeout=30)
    job.refresh_from_db()
    assert job.state == State.SUCCEEDED
    assert "database is away" in caplog.text


@pytest.mark.django_db(transaction=True)
def test_the_first_job_of_a_process_brings_back_those_of_an_earlier_one(
    thread_courier, evaluation
):
    past = timezone.now() - timedelta(hours=1)
    lost = factories.make_job(
        "user:1", state=State.RUNNING, attempt=1, lease_until=past
    )
    inprocess.submit(str(factories.make_job("user:2").pk))
    inprocess.shut_down()
    lost.refresh_from_db()
    assert (lost.state, lost.attempt) == (State.SUCCEEDED, 2)


@pytest.mark.django_db(transaction=True)
def test_a_job_delivered_to_many_threads_at_once_runs_once(evaluation):
    ids = [factories.make_job(f"user:{number}").pk for number in range(5)]
    barrier = threading.Barrier(4, timeout=30)
    ran = []

    def deliver():
        try:
            barrier.wait()
            ran.extend(job_id for job_id in ids if jobs.run(job_id))
        finally:
            connections.close_all()

    threads = [threading.Thread(target=deliver) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert sorted(ran) == sorted(ids)
    assert len(evaluation) == len(ids)
    assert Comparison.objects.count() == len(ids)
    assert set(Job.objects.values_list("state", "attempt")) == {("succeeded", 1)}


@pytest.mark.django_db(transaction=True)
def test_requests_that_race_with_one_key_make_one_job(settings, evaluation):
    settings.JOB_RUNNER = "inline"
    spec = factories.make_comparison_spec()
    barrier = threading.Barrier(4, timeout=30)
    made = []

    def save():
        try:
            barrier.wait()
            job = comparisons.create(spec=spec, owner_key="u", idempotency_key="k")
            made.append(job.pk)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=save) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert made == [Job.objects.get().pk] * 4
    assert Comparison.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_a_cancellation_from_another_connection_stops_the_thread(
    thread_courier, monkeypatch
):
    begun, go_on = threading.Event(), threading.Event()

    def evaluate(spec, snapshot, *, progress=None):
        begun.set()
        go_on.wait(timeout=30)
        progress("cost", 0.7)
        return factories.make_result(spec)

    monkeypatch.setattr(previews, "_evaluate", evaluate)
    job = factories.make_job("user:1")
    future = inprocess.submit(str(job.pk))
    assert begun.wait(timeout=30)
    jobs.cancel(job.pk, "user:1")
    go_on.set()
    future.result(timeout=30)
    job.refresh_from_db()
    assert job.state == State.CANCELLED
