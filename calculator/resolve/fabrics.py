"""A fabric sizing document to its size. PURE."""

from __future__ import annotations

from dataclasses import replace

from calculator.engine.cluster.inputs import FabricRequest
from calculator.engine.cluster.topology import auto_topology, size_fabric
from calculator.engine.errors import EngineError
from calculator.spec.fabric import FabricSizeV1, FabricSizingV1
from calculator.spec.pointers import join
from calculator.spec.problems import Problem, SpecError


def size(spec: FabricSizingV1) -> FabricSizeV1:
    """Count switches and cables.

    Raises
    ------
    SpecError
        Where the ports cannot be joined as asked.
    """
    try:
        found = size_fabric(_request(spec))
    except EngineError as error:
        field = "hosts_per_node" if error.field == "endpoints_per_node" else error.field
        pointer = join([field]) if field in FabricSizingV1.model_fields else ""
        raise SpecError(
            [Problem(pointer=pointer, code=error.code, message=error.message)]
        ) from None
    values = {name: getattr(found, name) for name in FabricSizeV1.model_fields}
    return FabricSizeV1.model_validate({**values, "notes": list(found.notes)})


def _request(spec: FabricSizingV1) -> FabricRequest:
    values = spec.model_dump(exclude={"schema_version", "hosts_per_node", "topology"})
    request = FabricRequest(
        topology="rail_optimised" if spec.topology == "auto" else spec.topology,
        endpoints_per_node=spec.hosts_per_node,
        **values,
    )
    if spec.topology == "auto":
        return replace(request, topology=auto_topology(request))
    return request
