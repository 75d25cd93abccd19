"""Stand-ins for evaluation and catalog, for tests of pages that need neither."""

from __future__ import annotations

from typing import Any

from calculator.spec.result import ResultV1
from calculator.spec.scenario import ComparisonV1
from tests.frontend import results

CHOICES = {
    "designs": [("hgx-h100-dealer", "HGX H100, dealer prices")],
    "offers": [("aws-p5-48xlarge-on-demand", "AWS p5.48xlarge, on demand")],
    "models": [("llama-2-70b", "Llama 2 70B")],
    "switches": [("qm9700", "QM9700"), ("sn3700", "SN3700")],
    "nics": [("cx7-400g", "ConnectX-7 400G"), ("cx7-200g-2p", "ConnectX-7 200G")],
    "cables": [("dac-ndr-800g-2x400g", "DAC 800G"), ("dac-200g", "DAC 200G")],
    "transceivers": [("osfp-800g-2x400g", "OSFP 800G"), ("qsfp56-200g", "QSFP56 200G")],
    "storage": [("parallel-file-system", "Parallel file system")],
    "price-books": [("2026-12", "December 2026")],
}


def choices_for(name: str) -> list[tuple[str, str]]:
    return list(CHOICES[name])


def evaluate(spec: ComparisonV1, *args: Any, **kwargs: Any) -> ResultV1:
    """A result whose cost follows the energy price, so that tests see it change."""
    energy = spec.assumptions.facility.energy_price_usd_per_kwh
    options = {
        key: results.alternative(
            option.kind,
            option.label,
            (0.4 + 0.3 * n) * (1 + energy),
            busy=max(0.87 - 0.2 * n, 0.1),
        )
        for n, (key, option) in enumerate((k, spec.alternatives[k]) for k in spec.order)
    }
    return results.result(options, name=spec.name, base=spec.base_key)
