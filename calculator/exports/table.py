"""The result as a terminal table. PURE."""

from __future__ import annotations

from collections.abc import Callable

from calculator import formatting as fmt
from calculator.spec.result import AlternativeResult, ResultV1

Cell = Callable[[AlternativeResult], str]


def _range(result: AlternativeResult) -> str:
    head = result.headline
    low = head.levelised_low_usd_per_million_tokens
    high = head.levelised_high_usd_per_million_tokens
    if low is None or high is None or result.status == "incomplete":
        return fmt.UNKNOWN
    return f"{fmt.money(low, digits=3)} - {fmt.money(high, digits=3)}"


def _money(format_usd: Callable[[AlternativeResult], str]) -> Cell:
    """A money cell that never passes a total without all of its prices for the total."""

    def cell(result: AlternativeResult) -> str:
        text = format_usd(result)
        known = text != fmt.UNKNOWN
        return f"{text} + unknown" if known and result.status == "incomplete" else text

    return cell


def _capex(result: AlternativeResult) -> str:
    text = fmt.short_money(result.headline.capex_usd)
    lacks = any(line.is_capex and line.amount_usd is None for line in result.lines)
    return f"{text} + unknown" if lacks else text


def _fabric(result: AlternativeResult) -> str:
    if result.cluster is None:
        return fmt.UNKNOWN
    fabric = result.cluster.fabric
    if fabric is None:
        return "one node" if result.cluster.n_nodes == 1 else "provider's network"
    return f"{fabric.ports_per_node} x {fabric.port_gbps:g}G {fabric.transport}"


def _switches(result: AlternativeResult) -> str:
    fabric = result.cluster.fabric if result.cluster else None
    return fmt.UNKNOWN if fabric is None else f"{fabric.n_switches} ({fabric.title})"


def _strategy(result: AlternativeResult) -> str:
    return (
        fmt.UNKNOWN if result.throughput is None else result.throughput.strategy.label
    )


ROWS: list[tuple[str, Cell]] = [
    ("levelised USD / million tokens", _money(lambda r: fmt.money(
        r.headline.levelised_usd_per_million_tokens, digits=3))),
    ("  range: prices and throughput", _range),
    ("undiscounted USD / million tokens", _money(lambda r: fmt.money(
        r.headline.undiscounted_usd_per_million_tokens, digits=3))),
    ("USD / GPU-hour with a job", _money(lambda r: fmt.money(
        r.headline.usd_per_gpu_hour, digits=2))),
    ("TCO over the horizon", _money(lambda r: fmt.short_money(r.headline.tco_usd))),
    ("capex", _capex),
    ("tokens/s per GPU", lambda r: fmt.number(r.headline.tokens_per_s_per_gpu)),
    ("MFU", lambda r: fmt.percent(r.headline.mfu)),
    ("GPU-busy share", lambda r: fmt.percent(r.headline.busy_share)),
    ("goodput", lambda r: fmt.percent(r.headline.goodput)),
    ("step time", lambda r: fmt.seconds(r.headline.step_time_s)),
    ("time to train", lambda r: fmt.days(r.headline.time_to_train_days)),
    ("network of a node", _fabric),
    ("switches", _switches),
    ("strategy", _strategy),
]  # fmt: skip
LABEL_WIDTH = max(len(label) for label, _ in ROWS)
COLUMN_WIDTH = 26


def render(result: ResultV1) -> str:
    """Lay the comparison out for a terminal: one column an alternative."""
    columns = [result.alternatives[key] for key in result.order]
    lines = [result.name, f"prices of {result.as_of}, book {result.price_book}", ""]
    lines += _row("", [column.label for column in columns])
    lines.append("-" * (LABEL_WIDTH + (COLUMN_WIDTH + 2) * len(columns)))
    for label, cell in ROWS:
        lines += _row(label, [cell(column) for column in columns])
    lines += ["", result.verdict.sentence]
    lines += [f"! {text}" for text in _remarks(result)]
    return "\n".join(line.rstrip() for line in lines)


def _remarks(result: ResultV1) -> list[str]:
    found = [notice.message for notice in result.notices]
    for key in result.order:
        column = result.alternatives[key]
        if column.reason and column.status != "incomplete":
            found.append(f"{column.label}: {column.reason}")
        found += [f"{column.label}: {notice.message}" for notice in column.notices]
        assumed = sum(line.confidence == "assumption" for line in column.lines)
        if assumed:
            found.append(
                f"{column.label}: {assumed} of {len(column.lines)} cost lines rest on an assumption"
            )
    return found


def _row(label: str, cells: list[str]) -> list[str]:
    """One row, wrapped where a cell is wider than its column."""
    wrapped = [_wrap(cell) for cell in cells]
    height = max(len(cell) for cell in wrapped)
    lines = []
    for index in range(height):
        parts = [cell[index] if index < len(cell) else "" for cell in wrapped]
        head = label if index == 0 else ""
        lines.append(
            head.ljust(LABEL_WIDTH)
            + "".join(f"  {part:>{COLUMN_WIDTH}}" for part in parts)
        )
    return lines


def _wrap(text: str) -> list[str]:
    lines, current = [], ""
    for word in text.split():
        if current and len(current) + 1 + len(word) > COLUMN_WIDTH:
            lines.append(current)
            current = word
        else:
            current = f"{current} {word}".strip()
    return [*lines, current]
