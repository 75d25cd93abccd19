"""Documents made by hand, so that the shell is tested apart from the engine."""

import copy
from datetime import date

from calculator.engine.version import ENGINE_VERSION
from calculator.services.freezing import storable
from calculator.spec.canonical import sha256
from calculator.spec.problems import validate_comparison
from calculator.spec.result import (
    AlternativeResult,
    CostLine,
    Headline,
    Ranked,
    ResultV1,
    Verdict,
)
from calculator.spec.scenario import ComparisonV1
from catalog.documents import PriceRow, PriceSnapshot, SourceRow

AS_OF = date(2026, 12, 1)

COMPARISON = {
    "schema_version": "1",
    "name": "Two ways to train 70B",
    "workload": {"model": {"kind": "catalog", "name": "llama-2-70b"}},
    "alternatives": {
        "own": {
            "kind": "own",
            "label": "Eight nodes",
            "node_design": "hgx-h100",
            "n_nodes": 8,
        },
        "rent": {
            "kind": "rent",
            "label": "Rented",
            "offer": "aws-p5.48xlarge",
            "n_instances": 8,
        },
    },
}


def make_comparison_document(**changes):
    """A valid comparison; ``changes`` replace its top-level fields."""
    return {**copy.deepcopy(COMPARISON), **changes}


def make_comparison_spec(**changes) -> ComparisonV1:
    """The same, validated."""
    return validate_comparison(make_comparison_document(**changes))


def make_snapshot(price_usd: float = 180_000.0) -> PriceSnapshot:
    """A snapshot with one price."""
    row = PriceRow(
        quote_id="q-1",
        item="hgx-h100",
        label="Node",
        category="node",
        low=price_usd * 0.9,
        mid=price_usd,
        high=price_usd * 1.1,
        unit="USD/node",
        confidence="low",
        source="a-source",
        price_book="2026-12",
    )
    source = SourceRow(
        slug="a-source",
        kind="press",
        publisher="A publisher",
        title="A page",
        reference="Issue 1",
    )
    return PriceSnapshot(
        as_of=AS_OF,
        price_book="2026-12",
        prices={row.quote_id: row},
        sources={source.slug: source},
    )


def make_result(spec: ComparisonV1) -> ResultV1:
    """A valid result: each alternative costs a dollar more than the one before."""
    costs = {key: 1.0 + place for place, key in enumerate(spec.order)}
    best = spec.order[0]
    return ResultV1(
        schema_version="1",
        engine_version=ENGINE_VERSION,
        name=spec.name,
        as_of=AS_OF,
        price_book=spec.pricing.price_book,
        reporting_currency="USD",
        base=spec.base_key,
        order=spec.order,
        alternatives={
            key: _alternative(spec.alternatives[key], cost)
            for key, cost in costs.items()
        },
        verdict=Verdict(
            best=best,
            ranking=[
                Ranked(
                    alternative=key,
                    place=place,
                    levelised_usd_per_million_tokens=cost,
                    over_best_fraction=cost / costs[best] - 1.0,
                )
                for place, (key, cost) in enumerate(costs.items(), start=1)
            ],
            sentence=f"{spec.alternatives[best].label} is cheapest.",
        ),
        provenance={},
        sources={},
    )


def _alternative(option, cost: float) -> AlternativeResult:
    headline = dict.fromkeys(Headline.model_fields)
    headline["levelised_usd_per_million_tokens"] = cost
    return AlternativeResult(
        kind=option.kind,
        label=option.label,
        status="ok",
        headline=Headline(**headline),
        lines=[make_line()],
    )


def make_line(**changes) -> CostLine:
    """One cost line."""
    fields = {
        "key": "nodes",
        "group": "hardware",
        "label": "Nodes",
        "item": "hgx-h100",
        "quantity": 8.0,
        "unit": "node",
        "unit_price_usd": 180_000.0,
        "amount_usd": 1_440_000.0,
        "period": "one_time",
        "is_capex": True,
        "origin": "quote",
    }
    return CostLine(**fields | changes)


def make_comparison(owner_key: str = "", **changes):
    """A stored comparison."""
    from calculator.models import Comparison

    spec = make_comparison_spec(**changes)
    document, prices = storable(spec), storable(make_snapshot())
    result = storable(make_result(spec))
    return Comparison.objects.create(
        name=spec.name,
        owner_key=owner_key,
        spec=document,
        prices=prices,
        result=result,
        spec_hash=sha256(document),
        prices_hash=sha256(prices),
        result_hash=sha256(result),
        engine_version=ENGINE_VERSION,
        schema_version="1",
    )


def make_job(owner_key: str = "", **fields):
    """A queued job, not handed to any courier."""
    from calculator.models import Job

    document, prices = storable(make_comparison_spec()), storable(make_snapshot())
    defaults = {
        "spec": document,
        "spec_hash": sha256(document),
        "prices": prices,
        "prices_hash": sha256(prices),
    }
    return Job.objects.create(owner_key=owner_key, **{**defaults, **fields})


def stub_evaluation(monkeypatch) -> list[ComparisonV1]:
    """Replace catalog and engine by documents made here; returns the calls made."""
    from calculator.services import previews

    calls = []

    def evaluate(spec, snapshot, *, progress=None):
        calls.append(spec)
        for stage, fraction in (("throughput", 0.2), ("cost", 0.7), ("result", 0.95)):
            if progress:
                progress(stage, fraction)
        return make_result(spec)

    monkeypatch.setattr(previews, "_evaluate", evaluate)
    monkeypatch.setattr(previews, "_snapshot", lambda spec: make_snapshot())
    return calls
