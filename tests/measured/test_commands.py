"""The two commands: whole files or one clear error."""

import csv
import io
import json

import pytest
from django.core.management import CommandError, call_command

from calculator.measured import store
from calculator.measured.fit import calibrate, fit_space

from .cases import ROW, bundled_rows, row

COLUMNS = [
    "id",
    "tokens_per_s_per_gpu",
    "step_time_s",
    "mfu",
    "busy_share",
    "fits",
    "stack",
    "note",
]


def csv_text(rows):
    out = io.StringIO(newline="")
    writer = csv.DictWriter(out, list(rows[0]))
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def run(tmp_path, content):
    cases, output = tmp_path / "cases.csv", tmp_path / "out.csv"
    cases.write_bytes(content if isinstance(content, bytes) else content.encode())
    call_command(
        "predict_throughput", str(cases), "-o", str(output), stdout=io.StringIO()
    )
    with output.open(newline="") as stream:
        return list(csv.DictReader(stream))


def test_predictions_have_the_agreed_columns_in_the_files_order(tmp_path):
    found = run(tmp_path, csv_text([row(id="B-2"), row(id="A-1", gpu="none")]))
    assert list(found[0]) == COLUMNS
    assert [r["id"] for r in found] == ["B-2", "A-1"]
    assert float(found[0]["tokens_per_s_per_gpu"]) > 0
    assert found[0]["fits"] == "true"
    assert found[0]["stack"] == "nemo"
    assert found[1]["tokens_per_s_per_gpu"] == ""
    assert found[1]["note"].startswith("refused")


def test_columns_may_be_missing_added_or_reordered(tmp_path):
    few = {k: ROW[k] for k in reversed(ROW)} | {"colour": "red"}
    few.pop("fabric_desc")
    [found] = run(tmp_path, csv_text([few]))
    assert float(found["tokens_per_s_per_gpu"]) > 0


def test_short_and_long_rows_are_taken_cell_by_cell(tmp_path):
    head = "id,layers,hidden,seq_len,num_gpus,gpu,global_batch_seqs\n"
    found = run(tmp_path, head + "A-1,32,4096,4096,8,H100,64,more,cells\nA-2,32\n")
    assert found[0]["tokens_per_s_per_gpu"]
    assert found[1]["note"].startswith("refused")


def test_a_byte_order_mark_is_no_part_of_the_header(tmp_path):
    [found] = run(tmp_path, "\ufeff".encode() + csv_text([row()]).encode())
    assert found["tokens_per_s_per_gpu"]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "lacks the column(s) id"),
        (b"id,layers\nA,1\n", "lacks the column(s) hidden"),
        (b'{"not": "csv"}', "lacks the column(s)"),
        (b"id,gpu\nA,\xff\xfe\n", "not UTF-8"),
        (b"id,gpu\nA,\x00\n", "NUL"),
        (csv_text([row()]).encode("utf-16"), "not UTF-8"),
        (csv_text([row(notes="x" * 2_000_000)]).encode(), "field"),
        (b"id,id,layers,hidden,seq_len,num_gpus,gpu\n", "twice"),
    ],
    ids=["empty", "columns", "json", "latin", "nul", "utf16", "huge-cell", "repeated"],
)
def test_a_file_that_is_no_case_file_is_one_error_and_nothing_is_written(
    tmp_path, content, words
):
    with pytest.raises(CommandError) as error:
        run(tmp_path, content)
    assert words in str(error.value)
    assert error.value.returncode == 2
    assert [p.name for p in tmp_path.iterdir()] == ["cases.csv"]


def test_a_missing_file_or_folder_is_one_error(tmp_path):
    with pytest.raises(CommandError) as error:
        call_command("predict_throughput", str(tmp_path / "no.csv"), "-o", "out.csv")
    assert error.value.returncode == 2
    good = tmp_path / "cases.csv"
    good.write_text(csv_text([row()]))
    with pytest.raises(CommandError) as error:
        call_command(
            "predict_throughput", str(good), "-o", str(tmp_path / "no/out.csv")
        )
    assert error.value.returncode == 2


def test_an_older_prediction_survives_a_failed_run(tmp_path):
    output = tmp_path / "out.csv"
    output.write_text("kept")
    with pytest.raises(CommandError):
        run(tmp_path, b"nonsense")
    assert output.read_text() == "kept"


def small_set():
    """A few dozen comparable runs of three families."""
    kept = []
    for family, every in (("MPT", 20), ("NEMO24", 3), ("SC21", 1)):
        rows = [r for r in bundled_rows() if r["id"].split("-")[0] == family]
        kept.extend(rows[::every])
    return kept


NAMES = ("gemm_efficiency_bf16", "launch_floor_s", "fsdp_interference")


def test_calibration_moves_towards_what_was_measured():
    slow = [
        {**r, "tokens_per_s_per_gpu": str(float(r["tokens_per_s_per_gpu"]) * 0.8)}
        for r in small_set()
    ]
    as_is = calibrate(small_set(), names=NAMES, has_left_out=False)
    slowed = calibrate(slow, names=NAMES, has_left_out=False)
    key = "gemm_efficiency_bf16"
    assert slowed.values[key] < as_is.values[key]
    assert set(as_is.values) == set(NAMES)


def test_fitted_values_keep_their_upper_bounds():
    space = fit_space()
    calibration = calibrate(small_set(), names=NAMES, has_left_out=False)
    assert calibration.values["gemm_efficiency_bf16"] <= 1.0
    assert set(NAMES) <= set(space.names)


def test_calibrate_writes_both_documents_and_dry_run_none(tmp_path):
    data = tmp_path / "runs.csv"
    data.write_text(csv_text(small_set()))
    parameters, residuals = tmp_path / "parameters.json", tmp_path / "residuals.json"
    targets = ["--parameters", str(parameters), "--residuals", str(residuals)]
    out, err = io.StringIO(), io.StringIO()
    dry = ["calibrate", str(data), "--dry-run", "--quick", *targets]
    call_command(*dry, stdout=out, stderr=err)
    assert "MPT" in out.getvalue()
    assert not parameters.exists()
    assert not residuals.exists()
    call_command("calibrate", str(data), *targets, stdout=out, stderr=err)
    written = json.loads(residuals.read_text())
    assert set(written["families"]) == {"MPT", "NEMO24", "SC21"}
    assert written["overall"]["n"] == len(written["runs"])
    assert {len(run) for run in written["runs"]} == {8}
    assert any(run[6] != run[7] for run in written["runs"])
    before = json.loads(store.parameters_path().read_text())
    after = json.loads(parameters.read_text())
    assert after.keys() == before.keys()
    assert after["parameters"].keys() == before["parameters"].keys()
    assert after["fit_date"] == written["fit_date"]
    assert after["residuals"]["p90_error_fraction"] == pytest.approx(
        written["overall"]["left_out_p90"], rel=1e-3
    )


@pytest.mark.parametrize("content", [b"", csv_text([row()]).encode(), b"\xff\xfe"])
def test_calibrate_refuses_files_without_measurements(tmp_path, content):
    data = tmp_path / "runs.csv"
    data.write_bytes(content)
    with pytest.raises(CommandError) as error:
        call_command("calibrate", str(data), "--dry-run", stderr=io.StringIO())
    assert error.value.returncode == 2


def test_quick_never_writes():
    with pytest.raises(CommandError):
        call_command("calibrate", "--quick")
