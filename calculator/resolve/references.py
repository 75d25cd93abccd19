"""Which catalog entries a comparison refers to, and where it names them."""

from __future__ import annotations

from collections.abc import Iterator

from calculator.spec.options import OwnOption, RentOption
from calculator.spec.pointers import join
from calculator.spec.problems import Problem, SpecError
from calculator.spec.scenario import ComparisonV1
from calculator.spec.workload import CatalogModel
from catalog.documents import SnapshotRequest, UnknownReference

FIBRE = "fibre-mpo"
MANAGEMENT_SWITCH = "sn2201"
RACK = "rack-48u"
LIQUID_COOLING = "direct-liquid-cooling"
COMMON_COMPONENTS = (FIBRE, MANAGEMENT_SWITCH, RACK, LIQUID_COOLING)
"""Parts that every owned cluster needs and nobody chooses."""


def named_references(spec: ComparisonV1) -> Iterator[tuple[str, str, str]]:
    """Yield (kind, slug, pointer) of every catalog entry that the comparison names."""
    model = spec.workload.model
    if isinstance(model, CatalogModel):
        yield "model", model.name, "/workload/model/name"
    yield "price-book", spec.pricing.price_book, "/pricing/price_book"
    for key in spec.order:
        option = spec.alternatives[key]
        place = join(["alternatives", key])
        if isinstance(option, RentOption):
            yield "offer", option.offer, f"{place}/offer"
        else:
            yield from _own_references(option, place)


def _own_references(option: OwnOption, place: str) -> Iterator[tuple[str, str, str]]:
    yield "design", option.node_design, f"{place}/node_design"
    for part in ("product", "switch", "cable"):
        slug = getattr(option.storage, part)
        yield "component", slug, f"{place}/storage/{part}"
    if option.fabric is not None:
        for part in ("switch", "nic", "copper_cable", "transceiver"):
            slug = getattr(option.fabric, part)
            yield "component", slug, f"{place}/fabric/{part}"


def snapshot_request(spec: ComparisonV1) -> SnapshotRequest:
    """Collect everything that has to be copied out of the catalog."""
    named: dict[str, dict[str, None]] = {}
    for kind, slug, _ in named_references(spec):
        named.setdefault(kind, {})[slug] = None
    owns = any(isinstance(option, OwnOption) for option in spec.alternatives.values())
    components = (*named.get("component", ()), *(COMMON_COMPONENTS if owns else ()))
    return SnapshotRequest(
        designs=tuple(named.get("design", ())),
        components=tuple(dict.fromkeys(components)),
        offers=tuple(named.get("offer", ())),
        models=tuple(named.get("model", ())),
        sources=default_sources(),
        price_book=spec.pricing.price_book,
        as_of=spec.pricing.as_of,
    )


def default_sources() -> tuple[str, ...]:
    """Slugs of all sources that the defaults of the comparison cite."""
    return _DEFAULT_SOURCES


def _collect_sources() -> tuple[str, ...]:
    found: dict[str, None] = {}
    schema = ComparisonV1.model_json_schema()
    for definition in (schema, *schema["$defs"].values()):
        for entry in definition.get("properties", {}).values():
            source = entry.get("x-default-source")
            if source:
                found[source] = None
    return tuple(sorted(found))


_DEFAULT_SOURCES = _collect_sources()


def unknown_reference(spec: ComparisonV1, error: UnknownReference) -> SpecError:
    """Say at which fields the comparison names something the catalog does not hold."""
    places = [
        pointer
        for kind, slug, pointer in named_references(spec)
        if kind == error.kind and slug == error.slug
    ]
    return SpecError(
        [
            Problem(pointer=place, code="reference_unknown", message=str(error))
            for place in places or [""]
        ]
    )
