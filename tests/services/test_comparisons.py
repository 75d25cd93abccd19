"""Saving: prices fixed at once, nothing saved on refusal, nothing computed twice."""

import pytest

from calculator.models import Comparison, Job
from calculator.services import comparisons, jobs, previews
from calculator.services.errors import IdempotencyConflict
from calculator.spec.canonical import sha256
from calculator.spec.problems import SpecError, problem
from calculator.spec.result import parse_result
from tests import factories

pytestmark = pytest.mark.django_db

ALICE, BOB = "user:1", "user:2"


@pytest.fixture(autouse=True)
def _inline(settings, evaluation):
    settings.JOB_RUNNER = "inline"


def create(owner_key=ALICE, idempotency_key="", **changes):
    return comparisons.create(
        spec=factories.make_comparison_spec(**changes),
        owner_key=owner_key,
        idempotency_key=idempotency_key,
    )


def test_saving_queues_a_job_with_the_prices_of_that_moment(monkeypatch):
    job = create()
    monkeypatch.setattr(
        previews, "_snapshot", lambda spec: factories.make_snapshot(price_usd=1.0)
    )
    jobs.run(job.pk)
    comparison = Comparison.objects.get()
    assert comparison.prices["prices"]["q-1"]["mid"] == 180_000.0
    assert comparison.prices_hash == job.prices_hash


def test_the_job_is_sent_when_the_transaction_commits(
    django_capture_on_commit_callbacks,
):
    with django_capture_on_commit_callbacks(execute=True):
        job = create()
        assert not Comparison.objects.exists()
    job.refresh_from_db()
    assert job.state == Job.State.SUCCEEDED
    assert job.comparison == Comparison.objects.get()


def test_an_unknown_reference_saves_nothing(monkeypatch):
    def refuse(spec):
        raise problem("/alternatives/own/node_design", "reference_unknown", "no")

    monkeypatch.setattr(previews, "_snapshot", refuse)
    with pytest.raises(SpecError):
        create()
    assert not Job.objects.exists()


def test_the_stored_hashes_are_those_of_the_stored_documents(evaluation, monkeypatch):
    def with_awkward_numbers(spec, snapshot, *, progress=None):
        result = factories.make_result(spec)
        line = factories.make_line(amount_usd=-0.0, quantity=1e22, unit_price_usd=1e-7)
        own = result.alternatives["own"].model_copy(update={"lines": [line]})
        return result.model_copy(
            update={"alternatives": {**result.alternatives, "own": own}}
        )

    monkeypatch.setattr(previews, "_evaluate", with_awkward_numbers)
    jobs.run(create().pk)
    stored = Comparison.objects.get()
    assert sha256(parse_result(stored.result)) == stored.result_hash
    assert sha256(factories.make_comparison_spec()) == stored.spec_hash


def test_an_equal_finished_comparison_is_not_computed_again(evaluation):
    jobs.run(create().pk)
    again = create()
    assert again.state == Job.State.SUCCEEDED
    assert again.comparison == Comparison.objects.get()
    assert len(evaluation) == 1


@pytest.mark.parametrize(
    "change", ["owner", "document", "prices", "engine"], ids=lambda c: f"other {c}"
)
def test_a_comparison_that_differs_is_computed(evaluation, monkeypatch, change):
    jobs.run(create().pk)
    if change == "prices":
        monkeypatch.setattr(
            previews, "_snapshot", lambda spec: factories.make_snapshot(price_usd=1.0)
        )
    if change == "engine":
        monkeypatch.setattr(comparisons, "ENGINE_VERSION", "999")
    again = create(
        owner_key=BOB if change == "owner" else ALICE,
        name="Another" if change == "document" else "Two ways to train 70B",
    )
    assert again.state == Job.State.QUEUED


def test_two_jobs_for_one_comparison_store_it_once():
    first, second = create(), create()
    assert first.pk != second.pk
    jobs.run(first.pk)
    jobs.run(second.pk)
    second.refresh_from_db()
    assert second.comparison == Comparison.objects.get()


def test_the_same_key_and_document_give_the_same_job():
    assert create(idempotency_key="k").pk == create(idempotency_key="k").pk
    assert Job.objects.count() == 1


def test_the_same_key_with_another_document_is_refused():
    create(idempotency_key="k")
    with pytest.raises(IdempotencyConflict):
        create(idempotency_key="k", name="Another")
    assert Job.objects.count() == 1


def test_keys_of_two_owners_do_not_meet():
    assert create(ALICE, "k").pk != create(BOB, "k").pk


def test_a_key_taken_between_look_and_save_gives_the_earlier_job(monkeypatch):
    earlier = create(idempotency_key="k")
    look = comparisons._job_with_key
    answers = iter([None])
    monkeypatch.setattr(
        comparisons, "_job_with_key", lambda *args: next(answers, look(*args))
    )
    assert create(idempotency_key="k").pk == earlier.pk


def test_copying_to_a_draft_gives_a_document_that_validates():
    comparison = factories.make_comparison(ALICE)
    document = comparisons.copy_to_draft(comparison)
    document["name"] = "Changed"
    assert factories.make_comparison_spec(**document).name == "Changed"
    assert comparison.name == "Two ways to train 70B"
