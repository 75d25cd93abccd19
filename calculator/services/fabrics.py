"""Fabric sizing for pages, API and terminal; stores nothing."""

from calculator.resolve import fabrics
from calculator.spec.fabric import FabricSizeV1, FabricSizingV1


def size(spec: FabricSizingV1) -> FabricSizeV1:
    """Count switches and cables of one fabric.

    Raises
    ------
    SpecError
        Where the ports cannot be joined as asked.
    """
    return fabrics.size(spec)
