"""The headline table: one row a number, one column an alternative."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from calculator import formatting
from calculator.spec.pointers import join
from calculator.spec.result import AlternativeResult, ResultV1

Text = Callable[[float | None], str]


@dataclass(frozen=True)
class Metric:
    """How one headline number is shown; ``better`` is "lower", "higher" or ""."""

    name: str
    label: str
    unit: str
    text: Text
    better: str
    meaning: str
    is_money: bool = False
    group: str = ""


METRICS = (
    Metric(
        "levelised_usd_per_million_tokens",
        "Cost per million tokens, levelised",
        "USD / 10⁶ tokens",
        formatting.short_money,
        "lower",
        "Present value of all costs over present value of all useful tokens. Useful "
        "tokens are those kept after failures, in the hours that have a job.",
        is_money=True,
        group="Cost",
    ),
    Metric(
        "undiscounted_usd_per_million_tokens",
        "Same, undiscounted",
        "USD / 10⁶ tokens",
        formatting.short_money,
        "lower",
        "All costs over all useful tokens, without discounting either.",
        is_money=True,
    ),
    Metric(
        "usd_per_gpu_hour",
        "Cost per GPU-hour",
        "USD / GPU-hour",
        formatting.short_money,
        "lower",
        "All costs over the GPU-hours that have a job.",
        is_money=True,
    ),
    Metric(
        "tco_usd",
        "Total cost over the horizon",
        "USD",
        formatting.short_money,
        "lower",
        "Everything paid from month 0 to the horizon, resale subtracted.",
        is_money=True,
    ),
    Metric(
        "capex_usd",
        "Of it paid at the start",
        "USD",
        formatting.short_money,
        "",
        "Hardware, spares, freight, duty, tax and installation at month 0.",
        is_money=True,
    ),
    Metric(
        "run_cost_usd",
        "Cost of one training run",
        "USD",
        formatting.short_money,
        "lower",
        "Levelised cost per token times the tokens of one run.",
        is_money=True,
    ),
    Metric(
        "tokens_per_s_per_gpu",
        "Throughput",
        "tokens / s / GPU",
        formatting.si,
        "higher",
        "Tokens of the global batch over step time and GPUs.",
        group="Speed",
    ),
    Metric(
        "step_time_s",
        "Step time",
        "per optimizer step",
        formatting.seconds,
        "lower",
        "One optimizer step: compute, exposed communication, bubble and stalls.",
    ),
    Metric(
        "time_to_train_days",
        "Time to train",
        "calendar days",
        formatting.days,
        "lower",
        "Tokens of one run over tokens per second, stretched by goodput.",
    ),
    Metric(
        "busy_share",
        "GPU-busy share",
        "of step time",
        formatting.percent,
        "higher",
        "Part of a step in which kernels compute; what dashboards call utilisation.",
        group="Utilisation",
    ),
    Metric(
        "mfu",
        "MFU",
        "of dense peak",
        formatting.percent,
        "higher",
        "Model FLOP (no recompute) over time and the dense peak of the number format.",
    ),
    Metric(
        "goodput",
        "Goodput",
        "of wall clock",
        formatting.percent,
        "higher",
        "Progress kept over wall-clock time: checkpoints, failures, restarts, lost work.",
    ),
)


SPEED_METRICS = frozenset({"tokens_per_s_per_gpu", "step_time_s", "time_to_train_days"})
"""Numbers that are off by as much as predicted speed is."""


@dataclass(frozen=True)
class Cell:
    """One number of one alternative."""

    key: str
    pointer: str
    text: str
    is_known: bool
    range_text: str = ""
    delta: str = ""
    delta_sense: str = ""
    is_best: bool = False
    is_incomplete: bool = False


@dataclass(frozen=True)
class Row:
    """One headline number of all alternatives."""

    metric: Metric
    cells: list[Cell]


def rows(result: ResultV1) -> list[Row]:
    """Headline rows in reading order; rows that nobody has are left out."""
    made = (Row(metric, _cells(metric, result)) for metric in METRICS)
    return [row for row in made if any(cell.is_known for cell in row.cells)]


def value_of(alternative: AlternativeResult, name: str) -> float | None:
    """One headline number."""
    value: float | None = getattr(alternative.headline, name)
    return value


def _cells(metric: Metric, result: ResultV1) -> list[Cell]:
    values = {
        key: value_of(result.alternatives[key], metric.name) for key in result.order
    }
    best = _best(metric, result, values)
    return [
        _cell(metric, result, key, values, is_best=key in best) for key in result.order
    ]


def _best(
    metric: Metric, result: ResultV1, values: dict[str, float | None]
) -> set[str]:
    """Alternatives with the best shown number, if they differ at all."""
    fair = {
        key: value
        for key, value in values.items()
        if value is not None
        and not (metric.is_money and result.alternatives[key].status == "incomplete")
    }
    if not metric.better or len(fair) < 2:
        return set()
    texts = {key: metric.text(value) for key, value in fair.items()}
    pick = min if metric.better == "lower" else max
    winner = texts[pick(fair, key=lambda key: fair[key])]
    found = {key for key, text in texts.items() if text == winner}
    return found if len(found) < len(fair) else set()


def _cell(
    metric: Metric,
    result: ResultV1,
    key: str,
    values: dict[str, float | None],
    *,
    is_best: bool,
) -> Cell:
    alternative, value = result.alternatives[key], values[key]
    delta, sense = _delta(metric, value, values.get(result.base))
    return Cell(
        key=key,
        pointer=join(["result", "alternatives", key, "headline", metric.name]),
        text=metric.text(value),
        is_known=value is not None,
        range_text=_range(metric, alternative),
        delta="" if key == result.base else delta,
        delta_sense=sense,
        is_best=is_best,
        is_incomplete=metric.is_money and alternative.status == "incomplete",
    )


def _range(metric: Metric, alternative: AlternativeResult) -> str:
    """Low to high, or the error of predicted speed, where the result states them."""
    headline = alternative.headline
    if metric.name in SPEED_METRICS and alternative.throughput is not None:
        return f"± {formatting.percent(alternative.throughput.p90_error_fraction, digits=0)}"
    low = headline.levelised_low_usd_per_million_tokens
    high = headline.levelised_high_usd_per_million_tokens
    is_levelised = metric.name == "levelised_usd_per_million_tokens"
    if not is_levelised or low is None or high is None:
        return ""
    return f"{metric.text(low)} to {metric.text(high)}"


def _delta(metric: Metric, value: float | None, base: float | None) -> tuple[str, str]:
    """Difference against the base in words, and whether it is better or worse."""
    if value is None or base is None or base == 0:
        return "", ""
    if metric.text(value) == metric.text(base):
        return "same", ""
    sense = ""
    if metric.better:
        sense = "better" if (value < base) == (metric.better == "lower") else "worse"
    return _difference(metric, value, base), sense


def _difference(metric: Metric, value: float, base: float) -> str:
    """Shares differ in points, the rest in percent, or as a multiple from twice on."""
    sign = "+" if value > base else "−"
    if metric.text is formatting.percent:
        return f"{sign}{formatting.number(abs(value - base) * 100, digits=1)} points"
    ratio = value / base
    if ratio >= 2:
        return f"{formatting.number(ratio, digits=1)}×"
    return f"{sign}{formatting.percent(abs(ratio - 1))}"
