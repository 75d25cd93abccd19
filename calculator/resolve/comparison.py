"""The whole way of one comparison: document and prices in, result document out. PURE."""

from __future__ import annotations

from collections.abc import Callable

from calculator.engine.cost.power import check_node_power
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
from calculator.resolve.own import own_alternative
from calculator.resolve.prices import speed_samples
from calculator.resolve.provenance import provenance_of_result
from calculator.resolve.refusals import refusal
from calculator.resolve.rent import rent_alternative
from calculator.resolve.verdict import verdict
from calculator.spec.options import OwnOption, RentOption
from calculator.spec.problems import Problem, SpecError
from calculator.spec.result import AlternativeResult, ClusterResult, Notice, ResultV1
from calculator.spec.scenario import ComparisonV1
from catalog.attributes import GpuAttributes
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
    kind = spec.alternatives[key].kind
    if isinstance(training, InfeasiblePlan):
        cluster = _cluster(spec, snapshot, key)
        return infeasible_result(spec, key, training.message, cluster)
    try:
        if isinstance(training, EngineError):
            raise training
        notices = _notices(spec, snapshot, key)
        if isinstance(alternative, OwnAlternative):
            owned = evaluate_own(alternative, training)
            return own_result(spec, snapshot, key, owned, notices)
        rented = evaluate_rent(alternative, training)
        return rent_result(spec, snapshot, key, rented, notices)
    except EngineError as error:
        raise refusal(error, key=key, kind=kind) from None


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


def _notices(spec: ComparisonV1, snapshot: PriceSnapshot, key: str) -> list[Notice]:
    """What a reader must know about an alternative beside its numbers."""
    option = spec.alternatives[key]
    if isinstance(option, RentOption):
        return _offer_notices(option, snapshot, key)
    design = snapshot.designs[option.node_design]
    gpu = GpuAttributes.model_validate(snapshot.components[design.gpu].attributes)
    found = _copper_notices(spec, option, key)
    warning = check_node_power(
        node_kw=design.rated_kw, gpu_tdp_w=gpu.tdp_w, n_gpus=design.gpus_per_node
    )
    if warning:
        pointer = f"/alternatives/{key}/node_design"
        found.append(Notice(code="node_power_low", message=warning, pointer=pointer))
    return found


def _copper_notices(spec: ComparisonV1, option: OwnOption, key: str) -> list[Notice]:
    """Say where all-copper cabling asks for cables longer than copper reaches."""
    fabric = option.fabric
    if fabric is None or fabric.media != "copper" or option.n_nodes == 1:
        return []
    reach = spec.assumptions.facility.copper_reach_m
    return [
        Notice(
            code="copper_beyond_reach",
            message=(
                f"all links are copper; those longer than {reach:g} m are priced as "
                f"copper, where none may be sold, and run at "
                f"{fabric.copper_beyond_reach_fraction:.0%} of their rate"
            ),
            pointer=f"/alternatives/{key}/fabric/media",
        )
    ]


def _offer_notices(
    option: RentOption, snapshot: PriceSnapshot, key: str
) -> list[Notice]:
    offer = snapshot.offers[option.offer]
    if offer.network_source != "planning-assumption":
        return []
    return [
        Notice(
            code="network_assumed",
            message=(
                f"{offer.provider} does not publish this offer's network; "
                f"{offer.ports_per_instance} x {offer.port_gbps:g} Gb/s is assumed"
            ),
            pointer=f"/alternatives/{key}/offer",
        )
    ]


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
