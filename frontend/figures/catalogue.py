"""All figures of a result. A new one is a module with NAME and figure(), listed here."""

from __future__ import annotations

from calculator.spec.result import ResultV1
from frontend.figures import cumulative_cost, stacked_cost, step_time
from frontend.figures.base import Figure

MODULES = (stacked_cost, step_time, cumulative_cost)
NAMES = tuple(module.NAME for module in MODULES)


def figures(result: ResultV1) -> list[Figure]:
    """Figures that this result has data for."""
    made = (module.figure(result) for module in MODULES)
    return [figure for figure in made if figure is not None]


def figure(name: str, result: ResultV1) -> Figure | None:
    """One figure by name, None if it is unknown or has no data."""
    return next(
        (module.figure(result) for module in MODULES if name == module.NAME), None
    )
