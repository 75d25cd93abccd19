"""Busy share by tokens per GPU and step, one line a network: the 87 % against 23 % claim."""

from __future__ import annotations

from calculator import formatting
from calculator.spec.claims import SweepPoint
from frontend.figures.base import Figure, Record, Spec, Table, base_spec, legend

KINDS = {
    "sharded": (
        "busy_sharded",
        "Busy share of 70B, fully sharded and recomputed",
        "the weights travel in every micro-batch, so ports and tokens per GPU decide",
    ),
    "fastest": (
        "busy_fastest",
        "Busy share of 70B with the fastest strategy that fits",
        "tensor and pipeline parallelism keep most traffic inside the node",
    ),
}
NAMES = tuple(name for name, _, _ in KINDS.values())


def figures(points: list[SweepPoint]) -> list[Figure]:
    """One figure a kind of strategy."""
    made = (figure(kind, points) for kind in KINDS)
    return [found for found in made if found is not None]


def figure(kind: str, points: list[SweepPoint]) -> Figure | None:
    """Lines of one kind of strategy, None without points."""
    name, title, why = KINDS[kind]
    known = [p for p in points if p.strategy == kind and p.busy_share is not None]
    if not known:
        return None
    networks = list(dict.fromkeys(point.network for point in known))
    summary = f"{_ends(known, networks)}: {why}."
    return Figure(
        name=name,
        title=title,
        summary=summary,
        spec=_spec(summary, networks),
        records=[_record(point) for point in known],
        table=_table(known, networks),
        legend=legend(networks),
    )


def _ends(points: list[SweepPoint], networks: list[str]) -> str:
    """Span of each network, from the smallest batch to the largest."""
    spans = []
    for network in networks:
        found = [p for p in points if p.network == network]
        first, last = found[0].busy_share, found[-1].busy_share
        spans.append(
            f"{network} {formatting.percent(first, digits=0)} to "
            f"{formatting.percent(last, digits=0)}"
        )
    return "8 nodes of 8 H100, from small to large steps. " + "; ".join(spans)


def _record(point: SweepPoint) -> Record:
    return {
        "network": point.network,
        "tokens": point.tokens_per_gpu,
        "busy": point.busy_share,
        "tokens_shown": formatting.number(point.tokens_per_gpu),
        "busy_shown": formatting.percent(point.busy_share),
        "mfu_shown": formatting.percent(point.mfu),
    }


def _spec(summary: str, networks: list[str]) -> Spec:
    return base_spec(summary=summary) | {
        "height": 300,
        "mark": {"type": "line", "strokeWidth": 2.5, "point": {"size": 45}},
        "encoding": {
            "x": {
                "field": "tokens",
                "type": "quantitative",
                "scale": {"type": "log", "base": 2},
                "title": "Tokens per GPU and step",
                "axis": {"format": ",d", "grid": False, "labelOverlap": True},
            },
            "y": {
                "field": "busy",
                "type": "quantitative",
                "scale": {"domain": [0, 1]},
                "title": "GPU-busy share",
                "axis": {"format": "%", "tickCount": 5},
            },
            "color": {
                "field": "network",
                "type": "nominal",
                "sort": networks,
                "scale": {"domain": networks},
                "legend": {
                    "orient": "bottom",
                    "title": None,
                    "columns": 3,
                    "symbolType": "stroke",
                },
            },
            "tooltip": [
                {"field": "network", "title": "Network of a node"},
                {"field": "tokens_shown", "title": "Tokens per GPU"},
                {"field": "busy_shown", "title": "Busy"},
                {"field": "mfu_shown", "title": "MFU"},
            ],
        },
    }


def _table(points: list[SweepPoint], networks: list[str]) -> Table:
    found = {(p.tokens_per_gpu, p.network): p.busy_share for p in points}
    sizes = sorted({point.tokens_per_gpu for point in points})
    return Table(
        columns=["Tokens per GPU and step", *networks],
        rows=[
            [
                formatting.number(size),
                *(formatting.percent(found.get((size, name))) for name in networks),
            ]
            for size in sizes
        ],
    )
