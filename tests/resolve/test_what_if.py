"""One argument changes one field; what it changes is told."""

import pytest
from django.core.management import CommandError, call_command

from calculator.exports import delta
from calculator.resolve.whatif import apply_settings, changes, read_setting
from calculator.services import previews
from calculator.spec.examples_index import load
from calculator.spec.problems import SpecError, validate_comparison

pytestmark = pytest.mark.django_db


def result(*settings):
    document = validate_comparison(load("reference")).model_dump(mode="json")
    return previews.preview(validate_comparison(apply_settings(document, settings)))


@pytest.fixture
def before(db):
    return result()


def relative(before, after, name, key="own-infiniband"):
    found = {
        (c.alternative, c.name): c.fraction for c in changes(before, after, [name])
    }
    return found[key, name]


@pytest.mark.parametrize(
    ("text", "pointer", "value"),
    [
        ("/a/b=3", "/a/b", 3),
        ("/a=0.5", "/a", 0.5),
        ("/a=copper", "/a", "copper"),
        ("/a=null", "/a", None),
        ("/a=x=y", "/a", "x=y"),
        ("/a=true", "/a", True),
    ],
)
def test_a_setting_is_a_pointer_and_a_value(text, pointer, value):
    assert read_setting(text) == (pointer, value)


@pytest.mark.parametrize("text", ["/a", "a=3", "", "=3"])
def test_a_setting_without_pointer_or_value_is_refused(text):
    with pytest.raises(SpecError):
        read_setting(text)


@pytest.mark.parametrize(
    "text", ["/workload/nonsense=1", "/alternatives/*/nonsense=1", "/nowhere/at/all=1"]
)
def test_a_field_that_does_not_exist_is_refused_by_name(text):
    with pytest.raises(SpecError) as refusal:
        apply_settings(load("reference"), [text])
    assert refusal.value.problems[0].code == "field_unknown"
    assert "nonsense" in str(refusal.value) or "nowhere" in str(refusal.value)


@pytest.mark.parametrize(
    "setting",
    [
        "/alternatives/*/fabric/link_degradation_fraction=0.125",
        "/workload/slowest_gpu_slowdown_fraction=0.05",
        "/alternatives/*/fabric/media=copper",
        "/assumptions/reliability/spare_policy=wait",
    ],
)
def test_each_what_if_slows_training_from_one_argument(before, setting):
    after = result(setting)
    assert relative(before, after, "time_to_train_days") > 0.0


def test_a_slow_gpu_slows_owned_and_rented_alike(before):
    after = result("/workload/slowest_gpu_slowdown_fraction=0.05")
    for key in before.order:
        assert 0.03 < relative(before, after, "step_time_s", key) < 0.0527


def test_nfs_starves_images_but_not_text(before):
    text = result("/alternatives/*/storage/read_gbytes_per_s=3")
    assert relative(before, text, "step_time_s") == 0.0
    # 1 GB/s per GPU: 64 GPUs ask for 64 GB/s at about 1,280 tokens/s each
    images = result(
        "/alternatives/*/storage/read_gbytes_per_s=3",
        "/workload/bytes_read_per_token=780000",
    )
    assert relative(before, images, "step_time_s") == pytest.approx(
        64 / 3 - 1, rel=0.05
    )


def test_copper_needs_no_optics_and_says_where_it_does_not_reach(before):
    after = result("/alternatives/own-infiniband/fabric/media=copper")
    own = after.alternatives["own-infiniband"]
    assert before.alternatives["own-infiniband"].cluster.fabric.n_transceivers > 0
    assert own.cluster.fabric.n_transceivers == 0
    assert "copper_beyond_reach" in [n.code for n in own.notices]
    assert after.alternatives["own-ethernet"] == before.alternatives["own-ethernet"]


def test_copper_within_reach_is_not_slower(before):
    near = "/assumptions/facility/copper_reach_m=100"
    short = result(near)
    copper = result(near, "/alternatives/own-infiniband/fabric/media=copper")
    assert relative(short, copper, "step_time_s") == 0.0


def test_elastic_needs_no_spares_where_waiting_does(before):
    none = "/assumptions/finance/node_spares_fraction=0"
    waiting = result(none)
    elastic = result(none, "/assumptions/reliability/spare_policy=elastic")
    assert relative(before, waiting, "goodput") < -0.02
    assert relative(waiting, elastic, "goodput") > 0.0
    assert relative(before, elastic, "capex_usd") < 0.0


def test_spares_are_those_of_the_bill(before):
    throughput = before.alternatives["own-infiniband"].throughput
    assert before.alternatives["own-infiniband"].cluster.n_spare_nodes == 1
    assert 0.9 < throughput.spare_available_fraction < 1.0
    assert throughput.spare_wait_s == pytest.approx(24 * 3600.0)
    rented = before.alternatives["rent-p5"].throughput
    assert rented.spare_available_fraction == 0.0
    assert rented.spare_wait_s == pytest.approx(30 * 60.0)


def test_failures_of_a_month_are_given_by_class(before):
    throughput = before.alternatives["own-infiniband"].throughput
    total = sum(part.value for part in throughput.failures)
    assert total == pytest.approx(throughput.failures_per_month)
    assert total == pytest.approx(3.789e-3 * 8 * 365 / 12)
    assert throughput.lost_work_s > 0.0
    assert 10 * 60.0 < throughput.restart_s < 20 * 60.0


def test_the_delta_shows_both_numbers_and_both_verdicts(before):
    setting = "/workload/slowest_gpu_slowdown_fraction=0.05"
    text = delta.render(before, result(setting), [setting])
    assert setting in text
    assert "step time" in text
    assert "%)" in text
    assert "before: " in text
    assert "after:  " in text
    assert "goodput  " not in text  # it does not change


def test_the_command_prints_what_one_argument_changes(capsys):
    call_command("compare", "reference", "--set", "/workload/seq_len=8192")
    printed = capsys.readouterr().out
    assert printed.startswith("What if /workload/seq_len=8192")
    assert "tokens/s per GPU" in printed


def test_the_command_refuses_a_wrong_setting_at_its_field():
    with pytest.raises(CommandError) as refusal:
        call_command("compare", "reference", "--set", "/workload/seq_len=1")
    assert "/workload/seq_len" in str(refusal.value)
    assert refusal.value.returncode == 2
