"""Previews: compute and answer, store nothing."""

from collections.abc import Callable

from calculator.resolve.comparison import evaluate_comparison
from calculator.resolve.references import snapshot_request, unknown_reference
from calculator.services import stack_profiles
from calculator.spec.result import ResultV1
from calculator.spec.scenario import ComparisonV1
from catalog.documents import PriceSnapshot, UnknownReference
from catalog.services.snapshots import take_snapshot

Progress = Callable[[str, float], None]


def preview(spec: ComparisonV1, owner_key: str = "") -> ResultV1:
    """Evaluate with today's catalog and the owner's calibrations.

    Raises
    ------
    SpecError
        If a reference is unknown or the comparison asks for the impossible.
    """
    return evaluate(spec, snapshot_of(spec, owner_key))


def snapshot_of(spec: ComparisonV1, owner_key: str = "") -> PriceSnapshot:
    """Copy of all that the comparison uses from the catalog and the owner's calibrations.

    Raises
    ------
    SpecError
        If it names something that the catalog or the owner does not have.
    """
    snapshot = _snapshot(spec)
    profiles = stack_profiles.rows_of(spec, owner_key)
    return snapshot.model_copy(update={"stack_profiles": profiles})


def evaluate(
    spec: ComparisonV1, snapshot: PriceSnapshot, *, progress: Progress | None = None
) -> ResultV1:
    """Evaluate with fixed prices.

    Raises
    ------
    SpecError
        If the comparison asks for the impossible.
    """
    return _evaluate(spec, snapshot, progress=progress)


def _snapshot(spec: ComparisonV1) -> PriceSnapshot:
    try:
        return take_snapshot(snapshot_request(spec))
    except UnknownReference as error:
        raise unknown_reference(spec, error) from None


def _evaluate(
    spec: ComparisonV1, snapshot: PriceSnapshot, *, progress: Progress | None = None
) -> ResultV1:
    return evaluate_comparison(spec, snapshot, progress=progress)
