"""Jobs: claimed once, renewed, cancelled, reaped, finished once."""

from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from calculator.models import Comparison, Job
from calculator.services import jobs, previews
from calculator.services.errors import AlreadyFinished
from calculator.spec.problems import Problem, SpecError
from tests import factories

pytestmark = pytest.mark.django_db

State = Job.State
ALICE, BOB = "user:1", "user:2"


@pytest.fixture
def sent(monkeypatch):
    """Ids handed to the courier."""
    ids = []
    monkeypatch.setattr("calculator.jobs.dispatch.send", ids.append)
    return ids


def evaluate_with(monkeypatch, act):
    """Let ``act(progress)`` happen in the midst of the evaluation."""

    def evaluate(spec, snapshot, *, progress=None):
        act(progress)
        return factories.make_result(spec)

    monkeypatch.setattr(previews, "_evaluate", evaluate)


def later(seconds):
    return time_machine.travel(timezone.now() + timedelta(seconds=seconds), tick=False)


def test_a_job_runs_once_however_often_it_is_delivered(evaluation):
    job = factories.make_job(ALICE)
    assert [jobs.run(job.pk) for _ in range(3)] == [True, False, False]
    assert len(evaluation) == 1
    job.refresh_from_db()
    assert (job.state, job.attempt, job.progress) == (State.SUCCEEDED, 1, 1.0)
    assert job.comparison == Comparison.objects.get()
    assert job.started_at <= job.finished_at
    assert job.is_finished


def test_a_job_that_is_not_there_is_not_run(evaluation):
    assert not jobs.run("00000000-0000-4000-8000-000000000000")


def test_progress_is_visible_while_the_job_runs(monkeypatch, settings):
    job = factories.make_job()
    seen = []

    def act(progress):
        for stage, fraction in (("throughput", 0.2), ("cost", 0.7)):
            progress(stage, fraction)
            seen.append(Job.objects.values_list("state", "stage", "progress").get())

    evaluate_with(monkeypatch, act)
    jobs.run(job.pk)
    assert seen == [("running", "throughput", 0.2), ("running", "cost", 0.7)]


def test_progress_renews_the_lease(monkeypatch, settings):
    job = factories.make_job()
    leases = []

    def act(progress):
        with later(100):
            progress("cost", 0.5)
        leases.append(Job.objects.get().lease_until)

    evaluate_with(monkeypatch, act)
    start = timezone.now()
    jobs.run(job.pk)
    assert leases[0] > start + timedelta(seconds=settings.JOB_LEASE_S + 99)


def test_a_waiting_job_is_cancelled_at_once(evaluation):
    job = factories.make_job(ALICE)
    assert jobs.cancel(job.pk, ALICE).state == State.CANCELLED
    assert not jobs.run(job.pk)
    assert not evaluation


def test_a_running_job_is_cancelled_between_stages(monkeypatch):
    job = factories.make_job(ALICE)

    def act(progress):
        assert jobs.cancel(job.pk, ALICE).state == State.RUNNING
        progress("cost", 0.7)
        pytest.fail("the job went on")

    evaluate_with(monkeypatch, act)
    assert jobs.run(job.pk)
    job.refresh_from_db()
    assert job.state == State.CANCELLED
    assert not Comparison.objects.exists()


def test_a_cancellation_after_the_last_stage_still_counts(monkeypatch):
    job = factories.make_job(ALICE)
    evaluate_with(monkeypatch, lambda progress: jobs.cancel(job.pk, ALICE))
    jobs.run(job.pk)
    job.refresh_from_db()
    assert job.state == State.CANCELLED
    assert not Comparison.objects.exists()


def test_a_finished_job_cannot_be_cancelled(evaluation):
    job = factories.make_job(ALICE)
    jobs.run(job.pk)
    with pytest.raises(AlreadyFinished):
        jobs.cancel(job.pk, ALICE)


def test_cancelling_twice_is_cancelling(evaluation):
    job = factories.make_job(ALICE)
    jobs.cancel(job.pk, ALICE)
    assert jobs.cancel(job.pk, ALICE).state == State.CANCELLED


def test_a_stranger_cannot_cancel(evaluation):
    job = factories.make_job(ALICE)
    assert jobs.cancel(job.pk, BOB) is None
    assert jobs.run(job.pk)


def test_a_refusal_by_the_model_fails_the_job_with_its_code(monkeypatch):
    job = factories.make_job()
    problems = [
        Problem(pointer="/workload", code="plan_infeasible", message="fits nowhere"),
        Problem(pointer="", code="other", message="more"),
    ]

    def refuse(progress):
        raise SpecError(problems)

    evaluate_with(monkeypatch, refuse)
    jobs.run(job.pk)
    job.refresh_from_db()
    assert (job.state, job.error_code) == (State.FAILED, "plan_infeasible")
    assert job.error_message == "fits nowhere"
    assert [error["pointer"] for error in job.errors] == ["/workload", ""]


def test_an_unexpected_failure_tells_the_user_the_job_and_the_log_the_cause(
    monkeypatch, caplog
):
    job = factories.make_job()

    def fail(progress):
        raise RuntimeError("/secret/path")

    evaluate_with(monkeypatch, fail)
    assert jobs.run(job.pk)
    job.refresh_from_db()
    assert (job.state, job.error_code) == (State.FAILED, "internal_error")
    assert str(job.pk) in job.error_message
    assert "secret" not in job.error_message
    assert "/secret/path" in caplog.text


def test_comparison_and_success_are_written_together_or_not_at_all(
    evaluation, monkeypatch
):
    job = factories.make_job()

    def fail_after_freezing(state):
        if state == State.SUCCEEDED:
            raise RuntimeError("the power went out")
        return {"state": state}

    monkeypatch.setattr(jobs, "_ended", fail_after_freezing)
    jobs.run(job.pk)
    assert not Comparison.objects.exists()


def claimed(**fields):
    return factories.make_job(
        ALICE,
        state=State.RUNNING,
        attempt=fields.pop("attempt", 1),
        lease_until=timezone.now() + timedelta(seconds=60),
        **fields,
    )


def test_a_job_within_its_lease_is_left_alone(sent):
    job = claimed()
    assert jobs.reap() == 0
    job.refresh_from_db()
    assert job.state == State.RUNNING


def test_a_job_of_a_dead_worker_is_sent_again(
    sent, evaluation, django_capture_on_commit_callbacks
):
    job = claimed(stage="cost", progress=0.7)
    with later(61), django_capture_on_commit_callbacks(execute=True):
        assert jobs.reap() == 1
        job.refresh_from_db()
        assert (job.state, job.stage, job.progress) == (State.QUEUED, "", 0.0)
    assert sent == [str(job.pk)]
    assert jobs.run(job.pk)
    job.refresh_from_db()
    assert (job.state, job.attempt) == (State.SUCCEEDED, 2)


def test_a_job_whose_workers_keep_dying_is_given_up(sent, settings):
    settings.JOB_MAX_ATTEMPTS = 3
    job = claimed(attempt=3)
    with later(61):
        assert jobs.reap() == 1
    job.refresh_from_db()
    assert (job.state, job.error_code) == (State.FAILED, "worker_lost")
    assert "3 times" in job.error_message


def test_a_job_that_was_to_be_cancelled_is_not_begun_again(sent):
    job = claimed(cancel_requested=True)
    with later(61):
        jobs.reap()
    job.refresh_from_db()
    assert job.state == State.CANCELLED


def test_a_job_whose_delivery_was_lost_is_sent_again_once_a_lease(
    sent, settings, django_capture_on_commit_callbacks
):
    with django_capture_on_commit_callbacks():
        job = jobs.enqueue(
            Job(spec={}, prices={}, spec_hash="a", prices_hash="b", owner_key=ALICE)
        )
    with (
        later(settings.JOB_LEASE_S + 1),
        django_capture_on_commit_callbacks(execute=True),
    ):
        assert [jobs.reap(), jobs.reap()] == [1, 0]
    assert sent == [str(job.pk)]


def test_a_late_worker_does_not_overwrite_the_attempt_that_replaced_it(
    monkeypatch, sent
):
    job = factories.make_job(ALICE)

    def act(progress):
        if Job.objects.get().attempt > 1:
            return
        with later(1000):
            jobs.reap()
            assert jobs.run(job.pk)
        progress("cost", 0.7)
        pytest.fail("the first attempt went on")

    evaluate_with(monkeypatch, act)
    jobs.run(job.pk)
    job.refresh_from_db()
    assert (job.state, job.attempt) == (State.SUCCEEDED, 2)
    assert Comparison.objects.count() == 1


def test_following_a_lost_job_puts_it_right(sent):
    job = claimed()
    with later(61):
        assert jobs.follow(job.pk, ALICE).state == State.QUEUED


def test_following_a_job_reads_its_small_columns_only(django_assert_num_queries):
    job = factories.make_job(ALICE)
    with django_assert_num_queries(2):
        followed = jobs.follow(job.pk, ALICE)
    assert followed.get_deferred_fields() == {"spec", "prices"}


def test_a_strangers_job_cannot_be_followed():
    assert jobs.follow(factories.make_job(ALICE).pk, BOB) is None


def test_a_courier_out_of_reach_does_not_lose_the_job(
    monkeypatch, caplog, django_capture_on_commit_callbacks
):
    def fail(job_id):
        raise ConnectionError("no broker")

    monkeypatch.setattr("calculator.jobs.dispatch.send", fail)
    with django_capture_on_commit_callbacks(execute=True):
        job = jobs.enqueue(Job(spec={}, prices={}, spec_hash="a", prices_hash="b"))
    job.refresh_from_db()
    assert job.state == State.QUEUED
    assert job.lease_until is not None


def test_the_command_reaps(sent, capsys):
    from django.core.management import call_command

    claimed()
    with later(61):
        call_command("reap_jobs")
    assert capsys.readouterr().out == "1 jobs put right\n"
