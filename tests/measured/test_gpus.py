"""The table of accelerators agrees with the price book and reads published names."""

import csv
from pathlib import Path

import pytest

from calculator.measured.gpus import ACCELERATORS, accelerator

from .cases import bundled_rows

BOOK = (
    Path(__file__).resolve().parents[2]
    / "catalog/data/pricebooks/2026-12/components.csv"
)
FIELDS = {
    "peak_bf16_tflops": ("peak_bf16_flop_per_s", 1e12),
    "peak_fp8_tflops": ("peak_fp8_flop_per_s", 1e12),
    "mamf_bf16_tflops": ("mamf_bf16_flop_per_s", 1e12),
    "mamf_fp8_tflops": ("mamf_fp8_flop_per_s", 1e12),
    "hbm_gb": ("hbm_bytes", 1e9),
    "hbm_gbytes_per_s": ("hbm_bytes_per_s", 1e9),
    "scaleup_gbytes_per_s": ("scaleup_bytes_per_s", 1e9),
    "n_sm": ("n_sm", 1),
    "exp_per_clock_per_sm": ("exp_per_clock_per_sm", 1),
}


def book():
    with BOOK.open(encoding="utf-8", newline="") as stream:
        rows = [r for r in csv.DictReader(stream) if r["kind"] == "gpu"]
    return {
        r["slug"]: dict(pair.split("=") for pair in r["attributes"].split("; "))
        for r in rows
    }


def test_the_table_lists_every_gpu_of_the_price_book():
    assert set(book()) <= {entry.slug for entry in ACCELERATORS}


@pytest.mark.parametrize("slug", sorted(book()))
def test_shared_devices_have_the_price_books_numbers(slug):
    [entry] = [e for e in ACCELERATORS if e.slug == slug]
    for name, text in book()[slug].items():
        if name in FIELDS:
            field, scale = FIELDS[name]
            assert getattr(entry.spec, field) == pytest.approx(float(text) * scale), (
                name
            )
        elif name == "tdp_w":
            assert entry.tdp_w == float(text)


@pytest.mark.parametrize("entry", ACCELERATORS, ids=lambda e: e.slug)
def test_every_entry_has_a_source_and_positive_figures(entry):
    assert entry.source
    assert entry.spec.peak_bf16_flop_per_s > 0
    assert entry.spec.hbm_bytes > 0
    assert entry.spec.hbm_bytes_per_s > 0
    assert entry.spec.n_sm > 0
    assert entry.tdp_w > 0
    assert entry.platform_gbps_per_gpu > 0


@pytest.mark.parametrize(
    ("name", "slug", "gigabytes"),
    [
        ("V100-SXM2-16GB", "v100-sxm2", 16),
        ("V100-SXM3-32GB", "v100-sxm3", 32),
        ("Tesla V100 PCIe 32GB", "v100-pcie", 32),
        ("A100-SXM-40GB (p4d)", "a100-sxm-40gb", 40),
        ("A100", "a100-sxm-80gb", 80),
        ("NVIDIA A100 80GB PCIe", "a100-pcie-80gb", 80),
        ("A100-PCIE-40GB", "a100-pcie-40gb", 40),
        ("A800-SXM-80GB", "a800-sxm", 80),
        ("H800-SXM-80GB", "h800-sxm", 80),
        ("H100 PCIe", "h100-pcie", 80),
        ("H100-SXM-96GB HBM2e 500W", "h100-hbm2e", 96),
        ("H100 80GB HBM3", "h100-sxm", 80),
        ("H20-96GB", "h20", 96),
        ("H200-SXM-141GB", "h200-sxm", 141),
        ("GH200 96GB", "gh200", 96),
        ("B200-SXM-180GB", "b200-sxm", 180),
        ("GB200-NVL72", "gb200", 186),
        ("B300-SXM-270GB", "b300-sxm", 270),
        ("GB300-NVL72", "gb300", 288),
        ("MI300X", "mi300x", 192),
        ("AMD Instinct MI325X", "mi325x", 256),
        ("MI350X", "mi350x", 288),
        ("MI355X", "mi355x", 288),
        ("L40S", "l40s", 48),
        ("RTX 3090", "rtx-3090", 24),
    ],
)
def test_published_names_are_read(name, slug, gigabytes):
    entry = accelerator(name)
    assert entry is not None
    assert entry.slug == slug
    assert entry.spec.hbm_bytes == gigabytes * 1e9


@pytest.mark.parametrize(
    "name", ["", "TPU-v5p", "Gaudi2", "H1000", "XA100X", "Trainium"]
)
def test_other_names_are_not_known(name):
    assert accelerator(name) is None


def test_every_gpu_of_the_bundled_runs_is_known():
    assert all(accelerator(name) for name in {r["gpu"] for r in bundled_rows()})


def test_a_lower_power_limit_slows_the_matrix_units_by_its_cube_root():
    full, capped = accelerator("H100 HBM2e"), accelerator("H100 HBM2e 350W")
    ratio = capped.spec.mamf_bf16_flop_per_s / full.spec.mamf_bf16_flop_per_s
    assert ratio == pytest.approx(0.5 ** (1 / 3))
    assert capped.spec.peak_bf16_flop_per_s == full.spec.peak_bf16_flop_per_s
