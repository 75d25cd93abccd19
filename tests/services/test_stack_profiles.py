"""Private calibrations: whose they are, what is refused, how a comparison uses them."""

import uuid

import pytest

from calculator.engine.training.own_stack import OwnStack
from calculator.models import Comparison, StackProfile
from calculator.services import comparisons, jobs, previews, stack_profiles
from calculator.spec.examples_index import load
from calculator.spec.problems import SpecError, validate_comparison
from tests.measured.own_rows import rows, table

pytestmark = pytest.mark.django_db

ALICE, BOB = "user:1", "user:2"
SLOW = OwnStack(kernel_efficiency=0.8)


def make(owner_key=ALICE, stack=SLOW, name="Ours"):
    text = table(rows(stack, sizes=(8, 64, 256)))
    return stack_profiles.create(name=name, text=text, owner_key=owner_key)


def spec_with(profile):
    document = load("reference")
    document["workload"]["stack_profile"] = str(getattr(profile, "pk", profile))
    return validate_comparison(document)


def test_a_calibration_keeps_rows_factors_and_residuals():
    profile = make()
    stored = StackProfile.objects.get()
    assert stored == profile
    assert stored.fit["kernel_efficiency"] == pytest.approx(0.8, abs=0.1)
    assert stored.fit["after"]["median"] < stored.fit["before"]["median"]
    assert [row["id"] for row in stored.residuals] == ["run 8", "run 64", "run 256"]
    assert stored.rows[0]["gpu"] == "H100"


def test_a_comparison_is_as_slow_as_the_buyers_own_cluster():
    plain = previews.preview(validate_comparison(load("reference")))
    own = previews.preview(spec_with(make()), ALICE)
    for key in plain.order:
        before, after = plain.alternatives[key], own.alternatives[key]
        ratio = (
            after.headline.tokens_per_s_per_gpu / before.headline.tokens_per_s_per_gpu
        )
        assert 0.75 < ratio < 0.95


def test_provenance_says_that_the_factors_are_the_buyers_own_measurement():
    profile = make()
    result = previews.preview(spec_with(profile), ALICE)
    entry = result.provenance[f"/catalog/stack_profiles/{profile.pk}/kernel_efficiency"]
    assert "your own measurement" in entry.label
    assert entry.value == profile.fit["kernel_efficiency"]
    assert entry.method == "own-calibration"


@pytest.mark.parametrize("who", [BOB, ""])
def test_nobody_else_can_use_it(who):
    profile = make()
    with pytest.raises(SpecError) as refusal:
        previews.preview(spec_with(profile), who)
    (problem,) = refusal.value.problems
    assert problem.pointer == "/workload/stack_profile"
    assert problem.code == "reference_unknown"


def test_an_unknown_one_looks_like_somebody_elses():
    made = make()
    messages = []
    for slug in (made.pk, uuid.uuid4()):
        with pytest.raises(SpecError) as refusal:
            previews.preview(spec_with(slug), BOB)
        messages.append(refusal.value.problems[0].message.replace(str(slug), ""))
    assert messages[0] == messages[1]


def test_a_saved_comparison_outlives_the_calibration_without_its_rows(settings):
    settings.JOB_RUNNER = "inline"
    profile = make(name="Secret cluster")
    job = comparisons.create(spec=spec_with(profile), owner_key=ALICE)
    stack_profiles.delete(profile)
    jobs.run(job.pk)
    saved = Comparison.objects.get()
    kept = saved.prices["stack_profiles"][str(job.spec["workload"]["stack_profile"])]
    assert kept["n_rows"] == 3
    assert "run 64" not in str(saved.prices) + str(saved.result)
    assert not StackProfile.objects.exists()


def test_without_a_calibration_the_snapshot_has_none():
    snapshot = previews.snapshot_of(validate_comparison(load("reference")), ALICE)
    assert snapshot.stack_profiles == {}


def test_a_calibration_of_an_older_model_is_fitted_again():
    profile = make()
    fit = dict(profile.fit)
    StackProfile.objects.update(
        engine_version="0.0.1", fit={**fit, "step_overhead_s": 99}
    )
    previews.preview(spec_with(profile), ALICE)
    profile.refresh_from_db()
    assert profile.engine_version != "0.0.1"
    assert profile.fit["step_overhead_s"] == pytest.approx(fit["step_overhead_s"])


def test_tabs_and_blank_names_are_fine():
    text = table([{**row, "id": ""} for row in rows(SLOW, sizes=(8, 64))])
    read = stack_profiles.read_rows("\ufeff" + text.replace(",", "\t") + "\n\n")
    assert [row["id"] for row in read] == ["row 1", "row 2"]
    assert read[1]["num_gpus"] == "64"


HEAD = "layers,gpu,tokens_per_s_per_gpu\n"


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("", "column names"),
        (HEAD, "line of values"),
        ("layers,speed\n1,2\n", "'speed' is not known"),
        ("layers,gpu\n1,H100\n", "tokens_per_s_per_gpu or step_time_s"),
        ("gpu,gpu,step_time_s\n1,2,3\n", "twice"),
        (HEAD + "1,H100,5,6\n", "row 1 has 4 cells"),
        (HEAD + "1,H100,5\n" * 201, "at most 200"),
        (HEAD + "1,H100," + "5" * 200_001, "bytes"),
        (HEAD + "1,H\x00,5\n", "control characters"),
        (HEAD + '1,"H100,5\n', "row 1"),
        (HEAD + "32,H999,5\n", "'H999' is not known"),
    ],
)
def test_a_table_that_cannot_be_used_is_refused_with_its_reason(text, word):
    with pytest.raises(SpecError) as refusal:
        stack_profiles.create(name="x", text=text, owner_key=ALICE)
    problem = refusal.value.problems[0]
    assert problem.pointer == "/csv"
    assert word in problem.message
    assert not StackProfile.objects.exists()


def test_there_is_an_end_to_how_many_one_owner_keeps(monkeypatch):
    monkeypatch.setattr(stack_profiles, "MAX_PROFILES", 1)
    make()
    make(owner_key=BOB)
    with pytest.raises(SpecError, match="delete one"):
        make()
