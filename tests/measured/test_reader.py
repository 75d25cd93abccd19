"""Rows become cases: what blank cells mean, what is refused and why."""

import ast
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calculator.measured import reader as reader_module
from calculator.measured.columns import CONFIGURATION_COLUMNS
from calculator.measured.predict import predict
from calculator.measured.reader import read_cases
from calculator.measured.truth import MEASURED_COLUMNS

from .cases import bundled_rows, row

PACKAGE = Path(reader_module.__file__).parent
MEASURING = {
    "truth.py",
    "fit.py",
    "residuals.py",
    "doubts.py",
    "store.py",
    "files.py",
} | {
    "own.py",  # a buyer's own steps: fits to what was measured, by its purpose
}


def one(**changes):
    [prediction] = predict([row(**changes)])
    return prediction


def columns_of(**changes):
    batch = read_cases([row(**changes)])
    assert batch.table is not None, batch.reasons
    return batch.table


def value(column):
    return float(np.ravel(column)[0])


def test_measured_columns_are_not_configuration():
    assert not set(MEASURED_COLUMNS) & set(CONFIGURATION_COLUMNS)


def test_changing_or_removing_the_measured_columns_changes_no_prediction():
    rows = bundled_rows()[::7]
    plain = predict(rows)
    wrong = [{**r, **dict.fromkeys(MEASURED_COLUMNS, "123.4")} for r in rows]
    bare = [{k: v for k, v in r.items() if k in CONFIGURATION_COLUMNS} for r in rows]
    assert predict(wrong) == plain
    assert predict(bare) == plain


def test_sources_and_families_change_no_prediction():
    rows = bundled_rows()[::7]
    plain = [p.tokens_per_s_per_gpu for p in predict(rows)]
    renamed = [
        {**r, "id": f"X{i}-1", "source_title": "other", "source_ref": "other"}
        for i, r in enumerate(rows)
    ]
    assert [p.tokens_per_s_per_gpu for p in predict(renamed)] == plain


@pytest.mark.parametrize(
    "path",
    [p for p in sorted(PACKAGE.glob("*.py")) if p.name not in MEASURING],
    ids=lambda p: p.name,
)
def test_modules_that_predict_name_no_measured_column(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    strings = {
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    assert not strings & set(MEASURED_COLUMNS)


def test_predicting_does_not_depend_on_other_rows():
    rows = bundled_rows()[::40]
    together = predict(rows)
    alone = [predict([r])[0] for r in rows]
    assert [p.note for p in together] == [p.note for p in alone]
    for a, b in zip(together, alone, strict=True):
        assert (a.tokens_per_s_per_gpu is None) == (b.tokens_per_s_per_gpu is None)
        if a.tokens_per_s_per_gpu is not None:
            assert a.tokens_per_s_per_gpu == pytest.approx(b.tokens_per_s_per_gpu)


def test_a_stated_row_is_taken_as_stated():
    table = columns_of(vp="5", cp="2", seq_len="8192")
    s = table.strategy
    assert [value(c) for c in (s.tp, s.pp, s.vp, s.cp, s.dp)] == [4, 4, 5, 2, 2]
    assert value(s.micro_batch) == 1
    assert value(s.n_micro) == 128
    assert value(s.recompute) == 1
    assert [value(c) for c in (s.param_shard, s.grad_shard, s.optimizer_shard)] == [
        1,
        1,
        4,
    ]


@pytest.mark.parametrize(
    ("framework", "degrees"),
    [
        ("llm-foundry/Composer FSDP", [64, 64, 64]),
        ("PyTorch FSDP", [64, 64, 64]),
        ("torchtitan", [64, 64, 64]),
        ("MaxText", [64, 64, 64]),
        ("NeMo/Megatron-Core", [1, 1, 64]),
        ("Megatron-Bridge", [1, 1, 64]),
        ("PyTorch DDP", [1, 1, 1]),
        ("Megatron-DeepSpeed", [1, 1, 1]),
        ("DeepSpeed", [1, 1, 1]),
        ("something new", [1, 1, 64]),
    ],
)
def test_blank_sharding_means_what_the_framework_does(framework, degrees):
    small = {"layers": "16", "hidden": "2048", "ffn": "8192", "heads": "16"}
    table = columns_of(**small, tp="1", pp="1", sharding="", framework=framework)
    s = table.strategy
    assert [
        value(c) for c in (s.param_shard, s.grad_shard, s.optimizer_shard)
    ] == degrees


@pytest.mark.parametrize(
    ("sharding", "degrees"),
    [
        ("zero0", [1, 1, 1]),
        ("ZeRO-2", [1, 64, 64]),
        ("zero3 in node (MiCS 8)", [8, 8, 8]),
        ("hsdp (FSDP 32 x replicate 2)", [32, 32, 32]),
        ("HSDP", [8, 8, 8]),
        ("params+grads sharded over 4, optimizer over 8 (in node)", [4, 4, 8]),
        ("P/G 8, OS 32", [8, 8, 32]),
        (
            "zero1 (params+grads replicated, optimizer sharded over 8 GPUs in node)",
            [1, 1, 8],
        ),
        ("zero3 over 32 GPUs x 2 replicas", [32, 32, 32]),
    ],
)
def test_sharding_cells_are_read(sharding, degrees):
    small = {"layers": "16", "hidden": "2048", "ffn": "8192", "heads": "16"}
    s = columns_of(**small, tp="1", pp="1", sharding=sharding).strategy
    assert [
        value(c) for c in (s.param_shard, s.grad_shard, s.optimizer_shard)
    ] == degrees


def test_a_blank_micro_batch_is_the_whole_batch_of_a_rank_without_accumulation():
    small = {"layers": "16", "hidden": "2048", "ffn": "8192", "heads": "16"}
    common = {**small, "tp": "1", "pp": "1", "micro_batch": ""}
    whole = columns_of(**common, framework="PyTorch FSDP").strategy
    assert (value(whole.micro_batch), value(whole.n_micro)) == (4, 1)
    single = columns_of(**common, framework="Megatron-LM").strategy
    assert value(single.micro_batch) * value(single.n_micro) == 4
    stated = columns_of(**common, framework="Megatron-LM", notes="GA=2").strategy
    assert (value(stated.micro_batch), value(stated.n_micro)) == (2, 2)


def test_a_blank_global_batch_is_one_micro_batch_of_every_rank():
    s = columns_of(global_batch_seqs="", pp="1", tp="8").strategy
    assert (value(s.micro_batch), value(s.n_micro)) == (1, 1)


def test_blank_recompute_is_the_lightest_that_fits():
    light = columns_of(recompute="").strategy
    assert value(light.recompute) == 0
    tight = one(recompute="", micro_batch="4")
    heavy = one(recompute="full", micro_batch="4")
    assert tight.fits
    assert "recompute" in tight.note
    assert tight.tokens_per_s_per_gpu > heavy.tokens_per_s_per_gpu


def test_a_stated_recompute_is_never_replaced():
    full = columns_of(recompute="full").strategy
    assert value(full.recompute) == 2
    assert value(full.recompute_share) == 1
    none = one(recompute="none", micro_batch="4")
    assert none.fits is False


def test_blank_ranks_take_the_fastest_split_that_fits_and_say_so():
    alone = columns_of(tp="", pp="", layers="16", hidden="2048", heads="16", ffn="8192")
    assert value(alone.strategy.tp) * value(alone.strategy.pp) == 1
    split = one(tp="", pp="")
    assert split.fits
    assert "split not stated in full, the fastest taken" in split.note


@pytest.mark.parametrize(
    ("fabric", "gbps", "transport"),
    [
        ("8x400G NDR InfiniBand", "3200", 0),
        ('RoCE (source: "1600 Gbps")', "1600", 1),
        ("AWS EFA 4x100G", "400", 2),
        ("AWS p3.16xlarge Ethernet 25 Gbps (TCP)", "25", 3),
        ("Ethernet, Infiniband", "3200", 0),
        ("", "3200", 0),
        ("", "10", 3),
    ],
)
def test_the_transport_is_read_from_the_fabric(fabric, gbps, transport):
    network = columns_of(fabric_desc=fabric, internode_gbps_per_node=gbps).network
    assert value(network.transport) == transport
    rate = value(network.nics_per_node) * value(network.nic_bytes_per_s)
    assert rate == pytest.approx(float(gbps) * 1e9 / 8)


@pytest.mark.parametrize(
    ("gpu", "gbps"),
    [("H100-SXM-80GB", 3200), ("A100-SXM-80GB", 1600), ("V100-SXM2-16GB", 400)],
)
def test_a_blank_rate_is_that_of_the_reference_system_and_is_said(gpu, gbps):
    changes = {"gpu": gpu, "internode_gbps_per_node": "", "fabric_desc": ""}
    changes |= {"precision": "fp16", "recompute": "full"}
    network = columns_of(**changes).network
    rate = value(network.nics_per_node) * value(network.nic_bytes_per_s)
    assert rate == pytest.approx(gbps * 1e9 / 8)
    batch = read_cases([row(**changes)])
    assert f"{gbps} Gb/s per node assumed" in batch.notes[0]


def test_racks_are_one_scale_up_domain():
    changes = {
        "gpu": "GB200-NVL72",
        "gpus_per_node": "4",
        "internode_gbps_per_node": "1600",
    }
    network = columns_of(**changes).network
    assert value(network.gpus_per_node) == 64
    wide = columns_of(
        **changes, num_gpus="144", tp="1", pp="1", global_batch_seqs="288"
    )
    assert value(wide.network.gpus_per_node) == 72
    rate = value(wide.network.nics_per_node) * value(wide.network.nic_bytes_per_s)
    assert rate == pytest.approx(18 * 1600e9 / 8)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"gpu": "TPU-v5p"}, "gpu 'TPU-v5p' is not known"),
        ({"gpu": ""}, "gpu '' is not known"),
        ({"layers": "nan"}, "layers is 'nan'"),
        ({"layers": "inf"}, "layers is 'inf'"),
        ({"hidden": "-8192"}, "hidden is '-8192'"),
        ({"hidden": "8192.5"}, "whole number"),
        ({"seq_len": "long"}, "seq_len is 'long'"),
        ({"num_gpus": "1000000000000"}, "1,000,000"),
        ({"num_gpus": "0"}, "num_gpus is '0'"),
        ({"num_gpus": ""}, "num_gpus is blank"),
        ({"num_gpus": "9" * 5000}, "num_gpus is '9999"),
        ({"tp": "8", "pp": "16"}, "128 ranks"),
        ({"pp": "41", "num_gpus": "16"}, "ranks"),
        ({"pp": "16", "tp": "1", "layers": "8"}, "8 layers"),
        ({"moe": "many"}, "moe is 'many'"),
        ({"moe": "8/9"}, "experts per token"),
        ({"precision": "int8"}, "precision is 'int8'"),
        ({"precision": "fp8", "gpu": "A100-SXM-80GB"}, "no fp8"),
        ({"precision": "nvfp4"}, "no fp4"),
        ({"sharding": "zeroth"}, "sharding is 'zeroth'"),
        ({"recompute": "perhaps"}, "recompute is 'perhaps'"),
        ({"internode_gbps_per_node": "-1"}, "internode_gbps_per_node"),
        ({"internode_gbps_per_node": "1e309"}, "internode_gbps_per_node"),
        ({"micro_batch": "", "global_batch_seqs": ""}, "neither"),
        ({"kv_heads": "100"}, "more than 64 heads"),
        ({"model": "Llama3 70B LoRA"}, "adapters"),
        ({"id": ""}, "id is blank"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_reason(changes, words):
    prediction = one(**changes)
    assert prediction.tokens_per_s_per_gpu is None
    assert prediction.note.startswith("refused: ")
    assert words in prediction.note
    assert len(prediction.note) < 300


def test_a_repeated_id_is_refused_and_the_first_row_kept():
    first, second = predict([row(), row()])
    assert first.tokens_per_s_per_gpu is not None
    assert "repeats" in second.note


def test_a_bad_row_leaves_its_neighbours_alone():
    rows = [row(id="A-1"), row(id="A-2", layers="x"), row(id="A-3")]
    a, b, c = predict(rows)
    assert b.tokens_per_s_per_gpu is None
    assert a.tokens_per_s_per_gpu == pytest.approx(c.tokens_per_s_per_gpu)


def test_no_rows_give_no_predictions():
    assert predict([]) == []


def test_a_run_a_little_too_large_is_predicted_and_says_by_how_much():
    over = one(
        tp="4", pp="2", micro_batch="2", recompute="none", global_batch_seqs="256"
    )
    sizes = [
        one(recompute="none", micro_batch=str(m), global_batch_seqs="512")
        for m in range(1, 9)
    ]
    shown = [p for p in [over, *sizes] if p.fits is False and p.tokens_per_s_per_gpu]
    gone = [p for p in [over, *sizes] if p.fits is False and not p.tokens_per_s_per_gpu]
    assert gone
    for p in shown:
        assert "more than its" in p.note
    for p in gone:
        assert p.note.startswith("refused: needs")


def test_offloaded_optimizer_states_need_no_device_memory():
    common = {"tp": "1", "pp": "1", "recompute": "full", "framework": "DeepSpeed"}
    kept = one(**common, sharding="zero3", num_gpus="8", global_batch_seqs="8")
    moved = one(
        **common,
        sharding="zero3 with CPU offload of optimizer",
        num_gpus="8",
        global_batch_seqs="8",
    )
    assert kept.fits is None or kept.fits is False
    assert moved.fits


def test_every_figure_is_finite_and_positive_on_the_bundled_runs():
    for p in predict(bundled_rows()):
        if p.tokens_per_s_per_gpu is None:
            assert p.note.startswith("refused: ")
            continue
        for figure in (p.tokens_per_s_per_gpu, p.step_time_s, p.mfu, p.busy_share):
            assert math.isfinite(figure)
            assert figure > 0
        assert p.mfu < 1
        assert p.busy_share <= 1


CELLS = st.one_of(
    st.sampled_from(
        ["", "0", "-1", "nan", "inf", "1e400", "1e6", "7", "64", "0x10", "½"]
    ),
    st.text(max_size=30),
    st.integers(min_value=-10, max_value=10**13).map(str),
    st.floats().map(str),
)


@settings(max_examples=150, deadline=None)
@given(st.dictionaries(st.sampled_from(CONFIGURATION_COLUMNS), CELLS, max_size=6))
def test_no_cell_makes_prediction_crash(changes):
    prediction = one(**changes)
    if prediction.tokens_per_s_per_gpu is None:
        assert prediction.note
    else:
        assert math.isfinite(prediction.tokens_per_s_per_gpu)
        assert prediction.tokens_per_s_per_gpu > 0
