"""A buyer's own software stack: three physical corrections of the global parameters."""

from __future__ import annotations

from dataclasses import dataclass, replace

from calculator.engine.errors import DomainError
from calculator.engine.training.parameters import (
    TRANSPORTS,
    Parameters,
    default_parameters,
)

KERNEL_RATES = (
    "gemm_efficiency_bf16",
    "gemm_efficiency_fp8",
    "attention_efficiency",
    "hbm_efficiency",
)
"""Parameters that the kernel efficiency multiplies: rates of everything a GPU computes."""
LINK_EFFICIENCIES = (
    "scaleup_efficiency",
    "tcp_tail_efficiency",
    *(f"{name}_efficiency" for name in TRANSPORTS),
)
"""Parameters that the communication time divides: what links deliver, 1 at most."""
LATENCIES = (
    "scaleup_latency_s",
    "collective_base_latency_s",
    *(f"{name}_node_latency_s" for name in TRANSPORTS),
)
"""Parameters that the communication time multiplies."""
EFFICIENCY_BOUNDS = (0.2, 2.0)
COMMUNICATION_BOUNDS = (0.2, 5.0)


@dataclass(frozen=True, slots=True)
class OwnStack:
    """How a measured cluster differs from the default model.

    ``kernel_efficiency`` multiplies the rates of all kernels [1]; ``communication_time``
    the time of all communication, and with it the part that kernels do not hide [1];
    ``step_overhead_s`` is added to every step [s].
    """

    kernel_efficiency: float = 1.0
    communication_time: float = 1.0
    step_overhead_s: float = 0.0


def own_parameters(stack: OwnStack, base: Parameters | None = None) -> Parameters:
    """Global parameters with a buyer's corrections.

    Parameters
    ----------
    stack : OwnStack
        The corrections.
    base : Parameters, optional
        What is corrected; the fitted parameters if left out.

    Raises
    ------
    DomainError
        Where a correction is outside its bounds.
    """
    _check(stack)
    p = base or default_parameters()
    changes = {
        name: getattr(p, name) * stack.kernel_efficiency for name in KERNEL_RATES
    }
    for name in LINK_EFFICIENCIES:
        share = getattr(p, name)
        changes[name] = min(share / stack.communication_time, max(share, 1.0))
    for name in LATENCIES:
        changes[name] = getattr(p, name) * stack.communication_time
    changes["step_overhead_s"] = p.step_overhead_s + stack.step_overhead_s
    return replace(p, **changes)


def _check(stack: OwnStack) -> None:
    bounds = {
        "kernel_efficiency": EFFICIENCY_BOUNDS,
        "communication_time": COMMUNICATION_BOUNDS,
        "step_overhead_s": (0.0, float("inf")),
    }
    for field, (low, high) in bounds.items():
        value = getattr(stack, field)
        if not low <= value <= high:
            raise DomainError(
                f"{field} is {value:g}, must be {low:g} to {high:g}", field=field
            )
