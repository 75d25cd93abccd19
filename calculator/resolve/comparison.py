"""The whole way of one comparison: document and prices in, result document out. PURE."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from calculator.engine.errors import EngineError, InfeasiblePlan
from calculator.engine.evaluate import (
    OwnAlternative,
    RentAlternative,
    TrainingInputs,
    TrainingOutcome,
    evaluate_own,
    evaluate_rent,
    evaluate_training,
)
from calculator.engine.version import ENGINE_VERSION
from calculator.resolve.alternatives import (
    infeasible_result,
    own_result,
    rent_result,
    rented_cluster,
)
from calculator.resolve.notices import own_notices, rent_notices
from calculator.resolve.own import own_alternative
from calculator.resolve.prices import speed_samples
from calculator.resolve.provenance import provenance_of_result
from calculator.resolve.refusals import refusal
from calculator.resolve.rent import rent_alternative
from calculator.resolve.verdict import verdict
from calculator.spec.options import OwnOption, RentOption
from calculator.spec.problems import Problem, SpecError
from calculator.spec.result import AlternativeResult, ClusterResult, ResultV1
from calculator.spec.scenario import ComparisonV1
from catalog.documents import PriceSnapshot

Progress = Callable[[str, float], None]
STAGES = ("prices", "throughput", "cost", "result")


def evaluate_comparison(
    spec: ComparisonV1, snapshot: PriceSnapshot, *, progress: Progress | None = None
) -> ResultV1:
    """Evaluate all alternatives and say which way.

    Parameters
    ----------
    spec : ComparisonV1
        What is compared.
    snapshot : PriceSnapshot
        The catalog entries that ``resolve.references.snapshot_request`` asks for.
    progress : callable, optional
        Called with a stage of ``STAGES`` and the finished fraction of all work; may
        raise to cancel.

    Raises
    ------
    SpecError
        Where a field asks for something impossible, or nothing fits anywhere.
    """
    tell = progress or (lambda _stage, _fraction: None)
    tell("prices", 0.0)
    alternatives = _resolved(spec, snapshot)
    outcomes = _trained(alternatives, tell)
    _refuse_if_nothing_fits(spec, outcomes)
    results: dict[str, AlternativeResult] = {}
    for done, (key, alternative) in enumerate(alternatives.items()):
        tell("cost", 0.7 + 0.2 * done / len(alternatives))
        results[key] = _finished(spec, snapshot, key, alternative, outcomes[key])
    tell("result", 0.95)
    finished = verdict(spec, results)
    provenance = provenance_of_result(spec, snapshot, results)
    return ResultV1(
        schema_version="1",
        engine_version=ENGINE_VERSION,
        name=spec.name,
        as_of=snapshot.as_of,
        price_book=snapshot.price_book,
        reporting_currency=snapshot.reporting_currency,
        base=spec.base_key,
        order=spec.order,
        alternatives={key: results[key] for key in spec.order},
        verdict=finished,
        provenance=provenance,
        sources=snapshot.sources,
        notices=[],
    )


def _resolved(
    spec: ComparisonV1, snapshot: PriceSnapshot
) -> dict[str, OwnAlternative | RentAlternative]:
    """Engine inputs of all alternatives; the problems of all of them at once."""
    found: dict[str, OwnAlternative | RentAlternative] = {}
    problems: list[Problem] = []
    for key in spec.order:
        try:
            if isinstance(spec.alternatives[key], OwnOption):
                found[key] = own_alternative(spec, snapshot, key)
            else:
                found[key] = rent_alternative(spec, snapshot, key)
        except SpecError as error:
            problems.extend(error.problems)
    if problems:
        raise SpecError(problems)
    return found


Trained = TrainingOutcome | EngineError


def _trained(
    alternatives: dict[str, OwnAlternative | RentAlternative], tell: Progress
) -> dict[str, Trained]:
    """Throughput of all alternatives; equal clusters are evaluated once."""
    known: dict[TrainingInputs, Trained] = {}
    outcomes: dict[str, Trained] = {}
    for done, (key, alternative) in enumerate(alternatives.items()):
        tell("throughput", 0.1 + 0.6 * done / len(alternatives))
        inputs = alternative.training
        if inputs not in known:
            known[inputs] = _train(inputs)
        outcomes[key] = known[inputs]
    return outcomes


def _train(inputs: TrainingInputs) -> Trained:
    try:
        outcome = evaluate_training(inputs, speed_factors=speed_samples(0.0))
    except EngineError as error:
        return error
    factors = speed_samples(outcome.throughput.p90_error_fraction)
    useful = outcome.throughput.tokens_per_s * outcome.goodput.goodput * factors
    return TrainingOutcome(outcome.throughput, outcome.goodput, useful)


def _finished(
    spec: ComparisonV1,
    snapshot: PriceSnapshot,
    key: str,
    alternative: OwnAlternative | RentAlternative,
    training: Trained,
) -> AlternativeResult:
    option = spec.alternatives[key]
    if isinstance(training, InfeasiblePlan):
        cluster = _cluster(spec, snapshot, key)
        return infeasible_result(spec, key, training.message, cluster)
    try:
        if isinstance(training, EngineError):
            raise training
        if isinstance(alternative, OwnAlternative) and isinstance(option, OwnOption):
            owned = evaluate_own(alternative, training)
            notices = own_notices(spec, option, snapshot, key, owned)
            return own_result(spec, snapshot, key, owned, notices)
        rented = evaluate_rent(cast(RentAlternative, alternative), training)
        notices = rent_notices(cast(RentOption, option), snapshot, key)
        return rent_result(spec, snapshot, key, rented, notices)
    except EngineError as error:
        raise refusal(error, key=key, kind=option.kind) from None


def _cluster(spec: ComparisonV1, snapshot: PriceSnapshot, key: str) -> ClusterResult:
    option = spec.alternatives[key]
    if isinstance(option, RentOption):
        return rented_cluster(option, snapshot)
    design = snapshot.designs[option.node_design]
    return ClusterResult(
        n_nodes=option.n_nodes,
        n_gpus=option.n_nodes * design.gpus_per_node,
        gpu=design.gpu,
        gpus_per_node=design.gpus_per_node,
    )


def _refuse_if_nothing_fits(spec: ComparisonV1, outcomes: dict[str, Trained]) -> None:
    """A workload that runs nowhere is bad input, not a result."""
    found: dict[str, Problem] = {}
    for key, outcome in outcomes.items():
        option = spec.alternatives[key]
        if not isinstance(outcome, EngineError):
            return
        for problem in refusal(outcome, key=key, kind=option.kind).problems:
            message = f"{option.label}: {problem.message}"
            named = problem.model_copy(update={"message": message})
            found.setdefault(problem.pointer, named)
    raise SpecError(list(found.values()))
