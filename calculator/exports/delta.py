"""What a what-if changed, as a terminal table. PURE."""

from __future__ import annotations

from collections.abc import Callable

from calculator import formatting as fmt
from calculator.resolve.whatif import Change, changes
from calculator.spec.result import ResultV1

ROWS: dict[str, tuple[str, Callable[[float | None], str]]] = {
    "levelised_usd_per_million_tokens": (
        "levelised USD / million tokens",
        lambda value: fmt.money(value, digits=3),
    ),
    "tco_usd": ("TCO over the horizon", fmt.short_money),
    "tokens_per_s_per_gpu": ("tokens/s per GPU", fmt.number),
    "busy_share": ("GPU-busy share", fmt.percent),
    "goodput": ("goodput", fmt.percent),
    "step_time_s": ("step time", fmt.seconds),
    "time_to_train_days": ("time to train", fmt.days),
}


def render(before: ResultV1, after: ResultV1, settings: list[str]) -> str:
    """Changed headline numbers of each alternative; what stayed is left out."""
    lines = [f"What if {', '.join(settings)}", ""]
    for key in after.order:
        lines += _of_alternative(key, before, after)
    lines += [f"before: {before.verdict.sentence}", f"after:  {after.verdict.sentence}"]
    return "\n".join(lines)


def _of_alternative(key: str, before: ResultV1, after: ResultV1) -> list[str]:
    found = [c for c in changes(before, after, ROWS) if c.alternative == key]
    moved = [_line(c) for c in found if c.before != c.after]
    result = after.alternatives[key]
    if result.status == "infeasible":
        moved = [f"  cannot run: {result.reason}"]
    return [result.label, *(moved or ["  nothing changes"]), ""]


def _line(change: Change) -> str:
    label, shown = ROWS[change.name]
    fraction = change.fraction
    relative = "" if fraction is None else f"  ({100.0 * fraction:+.2f} %)"
    return f"  {label:32} {shown(change.before):>12} -> {shown(change.after):>12}{relative}"
