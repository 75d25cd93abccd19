"""Accelerators by the names that published runs give them.

Rates, memory and links of the devices that the price book also lists are the same
numbers (a test compares them). ``recalled`` marks vendor datasheet figures without a
retrievable reference.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from calculator.engine.training.inputs import GpuSpec
from calculator.engine.units import GIGA, TERA

STAS = (
    "stas00/ml-engineering, compute/accelerator and network, 2026-08 (commit 744d01e); "
    "number of SMs recalled from the vendor's datasheet"
)
RECALLED = "vendor datasheet, recalled"
EXPORT = (
    "vendor datasheet, recalled: export variant with reduced NVLink, else as its base"
)


@dataclass(frozen=True, slots=True)
class Accelerator:
    """One entry of the table.

    ``slug`` is the price book's where it lists the device. ``tdp_w`` is the power that
    the measured rates hold at [W]; ``fp4_flop_per_s`` the dense fp4 peak, 0 for none.
    ``platform_gbps_per_gpu`` is the scale-out rate of the vendor's reference system, one
    direction [Gb/s]; ``rack_gpus`` the scale-up domain of a rack system, 0 for none.
    """

    slug: str
    pattern: str
    spec: GpuSpec
    source: str
    tdp_w: float
    platform_gbps_per_gpu: float
    fp4_flop_per_s: float = 0.0
    rack_gpus: int = 0


def _entry(
    slug: str,
    pattern: str,
    rates_tflops: tuple[float, float, float, float],
    memory_gb: float,
    memory_gbytes_per_s: float,
    scaleup_gbytes_per_s: float,
    n_sm: int,
    tdp_w: float,
    platform_gbps: float,
    source: str = STAS,
    *,
    exp: float = 16.0,
    fp4_tflops: float = 0.0,
    rack_gpus: int = 0,
) -> Accelerator:
    """Rates: dense bf16 (fp16 before Ampere), dense fp8, measured bf16, measured fp8."""
    bf16, fp8, measured_bf16, measured_fp8 = (rate * TERA for rate in rates_tflops)
    spec = GpuSpec(
        name=slug,
        peak_bf16_flop_per_s=bf16,
        peak_fp8_flop_per_s=fp8,
        mamf_bf16_flop_per_s=measured_bf16,
        mamf_fp8_flop_per_s=measured_fp8,
        hbm_bytes=memory_gb * GIGA,
        hbm_bytes_per_s=memory_gbytes_per_s * GIGA,
        scaleup_bytes_per_s=scaleup_gbytes_per_s * GIGA,
        n_sm=n_sm,
        exp_per_clock_per_sm=exp,
    )
    return Accelerator(
        slug, pattern, spec, source, tdp_w, platform_gbps, fp4_tflops * TERA, rack_gpus
    )


_H100 = (989.0, 1979.0, 794.5, 1402.6)
_H200 = (989.0, 1979.0, 794.5, 1453.4)
_A100 = (312.0, 0.0, 271.2, 0.0)

ACCELERATORS: tuple[Accelerator, ...] = (
    # rack and newest parts first: the first pattern that matches wins
    _entry(
        "gb300",
        r"GB300",
        (2500, 5000, 0, 0),
        288,
        8000,
        900,
        152,
        1400,
        800,
        exp=32.0,
        fp4_tflops=15000,
        rack_gpus=72,
    ),
    _entry(
        "gb200",
        r"GB200",
        (2500, 5000, 1822, 3615.6),
        186,
        8000,
        900,
        152,
        1200,
        400,
        fp4_tflops=10000,
        rack_gpus=72,
    ),
    _entry(
        "b300-sxm",
        r"B300",
        (2250, 4500, 1769, 3353.3),
        288,
        8000,
        900,
        148,
        1000,
        800,
        exp=32.0,
        fp4_tflops=13500,
    ),
    _entry(
        "b200-sxm",
        r"B200",
        (2250, 4500, 1745, 3432.5),
        180,
        8000,
        900,
        148,
        1000,
        400,
        fp4_tflops=9000,
    ),
    _entry("h200-sxm", r"H200", _H200, 141, 4800, 450, 132, 700, 400),
    _entry(
        "gh200",
        r"GH200",
        _H100,
        96,
        4000,
        450,
        132,
        700,
        400,
        RECALLED,
    ),
    _entry("h20", r"H20(?!0)", (148, 296, 0, 0), 96, 4000, 450, 78, 500, 400, RECALLED),
    _entry(
        "h800-pcie",
        r"H800.*PCIE",
        (756, 1513, 0, 0),
        80,
        2000,
        0,
        114,
        350,
        200,
        EXPORT,
    ),
    _entry("h800-sxm", r"H800", _H100, 80, 3350, 200, 132, 700, 400, EXPORT),
    _entry(
        "h100-nvl",
        r"H100.*NVL(?!\d)",
        (835, 1671, 0, 0),
        94,
        3900,
        300,
        132,
        400,
        200,
        RECALLED,
    ),
    _entry(
        "h100-pcie",
        r"H100.*PCIE",
        (756, 1513, 0, 0),
        80,
        2000,
        300,
        114,
        350,
        200,
    ),
    _entry(
        "h100-hbm2e",
        r"H100.*HBM2E",
        _H100,
        96,
        2400,
        450,
        132,
        700,
        400,
        "torchtitan, arXiv:2410.06511: H100 with 96 GB HBM2e at 2.4 TB/s; rates as the H100",
    ),
    _entry("h100-sxm", r"H100", _H100, 80, 3350, 450, 132, 700, 400),
    _entry("a800-pcie", r"A800.*PCIE", _A100, 80, 1935, 0, 108, 300, 100, EXPORT),
    _entry("a800-sxm", r"A800", _A100, 80, 2000, 200, 108, 400, 100, EXPORT),
    _entry(
        "a100-pcie-40gb",
        r"A100.*PCIE.*40 ?GB|A100.*40 ?GB.*PCIE",
        (312, 0, 0, 0),
        40,
        1555,
        0,
        108,
        250,
        25,
        RECALLED,
    ),
    _entry(
        "a100-pcie-80gb",
        r"A100.*PCIE",
        (312, 0, 0, 0),
        80,
        1935,
        0,
        108,
        300,
        25,
        RECALLED,
    ),
    _entry(
        "a100-sxm-40gb",
        r"A100.*(40 ?GB|P4D(?!E))",
        (312, 0, 0, 0),
        40,
        1555,
        300,
        108,
        400,
        200,
    ),
    _entry("a100-sxm-80gb", r"A100", _A100, 80, 2000, 300, 108, 400, 200),
    _entry(
        "v100-pcie",
        r"V100.*PCIE",
        (112, 0, 0, 0),
        16,
        900,
        0,
        80,
        250,
        12.5,
        RECALLED,
    ),
    _entry(
        "v100-sxm3", r"V100.*SXM3", (125, 0, 0, 0), 32, 980, 150, 80, 350, 50, RECALLED
    ),
    _entry("v100-sxm2", r"V100", (125, 0, 0, 0), 16, 900, 150, 80, 300, 50, RECALLED),
    _entry(
        "mi355x",
        r"MI355X?",
        (2500, 5000, 1565, 0),
        288,
        8000,
        535.5,
        256,
        1400,
        400,
        fp4_tflops=10100,
    ),
    _entry(
        "mi350x",
        r"MI350X?",
        (2300, 4600, 0, 0),
        288,
        8000,
        535.5,
        256,
        1000,
        400,
        RECALLED,
        fp4_tflops=9200,
    ),
    _entry(
        "mi325x", r"MI325X?", (1307, 2610, 784.9, 0), 256, 6000, 448, 304, 1000, 400
    ),
    _entry("mi300x", r"MI300X", (1307, 2610, 668.4, 0), 192, 5300, 448, 304, 750, 400),
    _entry(
        "mi250x", r"MI250X", (383, 0, 0, 0), 128, 3277, 350, 220, 560, 100, RECALLED
    ),
    _entry("mi250", r"MI250", (362, 0, 0, 0), 128, 3277, 300, 208, 560, 100, RECALLED),
    _entry("l40s", r"L40S", (362, 733, 0, 0), 48, 864, 0, 142, 350, 100, RECALLED),
    _entry("l40", r"L40(?!S)", (181, 362, 0, 0), 48, 864, 0, 142, 300, 100, RECALLED),
    _entry("l4", r"L4(?!\d)", (121, 242, 0, 0), 24, 300, 0, 58, 72, 25, RECALLED),
    _entry("a40", r"A40(?!\d)", (149.7, 0, 0, 0), 48, 696, 0, 84, 300, 25, RECALLED),
    _entry(
        "rtx-a6000",
        r"(RTX.?)?A6000",
        (154.8, 0, 0, 0),
        48,
        768,
        0,
        84,
        300,
        25,
        RECALLED,
    ),
    _entry("a10g", r"A10G", (70, 0, 0, 0), 24, 600, 0, 72, 300, 12.5, RECALLED),
    _entry("a10", r"A10(?!\d)", (125, 0, 0, 0), 24, 600, 0, 72, 150, 12.5, RECALLED),
    _entry(
        "rtx-4090",
        r"(RTX.?)?4090",
        (165, 330, 0, 0),
        24,
        1008,
        0,
        128,
        450,
        12.5,
        RECALLED,
    ),
    _entry(
        "rtx-3090", r"(RTX.?)?3090", (71, 0, 0, 0), 24, 936, 0, 82, 350, 12.5, RECALLED
    ),
    _entry("t4", r"T4(?!\d)", (65, 0, 0, 0), 16, 320, 0, 40, 70, 12.5, RECALLED),
    _entry("p100-sxm2", r"P100", (21.2, 0, 0, 0), 16, 732, 80, 56, 300, 25, RECALLED),
)
_PATTERNS = tuple(
    (re.compile(rf"(?<![A-Z0-9]){entry.pattern}"), entry) for entry in ACCELERATORS
)
_MEMORY = re.compile(r"(?<![\d.])(\d{2,3}) ?GB(?![\w/])")
_POWER = re.compile(r"(?<![\d.])(\d{2,4}) ?W(?!\w)")


def accelerator(name: str) -> Accelerator | None:
    """Return the table's entry for a published name, with what the name itself states.

    A stated memory size replaces the table's. A stated power limit below the rated one
    slows the matrix units by its cube root: dynamic power grows with clock times voltage
    squared, and voltage with the clock.

    Parameters
    ----------
    name : str
        As written, for example "H100-SXM-96GB HBM2e 500W" or "NVIDIA A100 40GB PCIe".
    """
    text = name.upper()
    entry = next((e for pattern, e in _PATTERNS if pattern.search(text)), None)
    return None if entry is None else _as_stated(entry, name, text)


def _as_stated(entry: Accelerator, name: str, text: str) -> Accelerator:
    spec = replace(entry.spec, name=name)
    memory, power = _MEMORY.search(text), _POWER.search(text)
    if memory:
        spec = replace(spec, hbm_bytes=float(memory[1]) * GIGA)
    if power and 0.0 < float(power[1]) < entry.tdp_w:
        slower = (float(power[1]) / entry.tdp_w) ** (1.0 / 3.0)
        spec = replace(
            spec,
            mamf_bf16_flop_per_s=spec.mamf_bf16_flop_per_s * slower,
            mamf_fp8_flop_per_s=spec.mamf_fp8_flop_per_s * slower,
        )
    return replace(entry, spec=spec)
