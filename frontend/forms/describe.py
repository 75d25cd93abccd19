"""What a form can ask, read once from the JSON Schema of the comparison document."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

from calculator.spec.scenario import ComparisonV1
from frontend.forms import wording

Schema = dict[str, Any]

MISSING: Any = type("Missing", (), {"__repr__": lambda self: "MISSING"})()


@dataclass(frozen=True)
class Leaf:
    """One input: a number, a choice, a switch, a date or a text."""

    name: str
    label: str
    help: str
    control: str
    unit: str = ""
    default: Any = MISSING
    source: str = ""
    is_advanced: bool = False
    is_optional: bool = False
    minimum: float | None = None
    maximum: float | None = None
    is_minimum_open: bool = False
    options: tuple[str, ...] = ()
    catalog_list: str = ""

    @property
    def is_number(self) -> bool:
        """True for whole and for real numbers."""
        return self.control in {"integer", "number"}


@dataclass(frozen=True)
class Group:
    """Inputs that belong together; an optional one can be absent as a whole."""

    name: str
    label: str
    help: str
    children: tuple[Leaf | Group | Branches, ...]
    is_advanced: bool = False
    is_optional: bool = False
    is_required: bool = False


@dataclass(frozen=True)
class Branches:
    """One of several groups, told apart by ``kind``."""

    name: str
    label: str
    help: str
    groups: dict[str, Group]
    is_advanced: bool = False


Node = Leaf | Group | Branches


@cache
def comparison() -> Group:
    """The whole document; the alternatives stand under their own function."""
    schema = ComparisonV1.model_json_schema()
    keep = ("name", "description", "workload", "assumptions", "pricing")
    root = {**schema, "properties": {k: schema["properties"][k] for k in keep}}
    return _group("comparison", root, root["$defs"])


@cache
def option(kind: str) -> Group | None:
    """The inputs of one kind of alternative, None for an unknown kind."""
    schema = ComparisonV1.model_json_schema()
    union = next(
        iter(schema["properties"]["alternatives"]["patternProperties"].values())
    )
    reference = union["discriminator"]["mapping"].get(kind)
    if reference is None:
        return None
    return _group(
        "option", _resolve({"$ref": reference}, schema["$defs"]), schema["$defs"]
    )


def _resolve(schema: Schema, definitions: Schema) -> Schema:
    """Follow a reference; what stands beside it wins over what it points to."""
    if "$ref" not in schema:
        return schema
    target = definitions[schema["$ref"].rsplit("/", 1)[1]]
    beside = {k: v for k, v in schema.items() if k != "$ref"}
    return {**target, **beside}


def _without_null(schema: Schema) -> tuple[Schema, bool]:
    """The schema of a present value, and whether null is allowed."""
    options = schema.get("anyOf", [])
    present = [item for item in options if item.get("type") != "null"]
    if len(present) != 1 or len(present) == len(options):
        return schema, False
    beside = {k: v for k, v in schema.items() if k != "anyOf"}
    return {**present[0], **beside}, True


def _node(
    name: str, schema: Schema, definitions: Schema, required: bool
) -> Node | None:
    present, is_optional = _without_null(schema)
    full = _resolve(present, definitions)
    if "const" in full:
        return None
    if "discriminator" in full:
        return _branches(name, full, definitions)
    if full.get("type") == "object":
        return _group(name, full, definitions, is_optional, required)
    return _leaf(name, full, is_optional)


def _group(
    name: str,
    schema: Schema,
    definitions: Schema,
    is_optional: bool = False,
    is_required: bool = True,
) -> Group:
    needed = schema.get("required", [])
    children = (
        _node(key, sub, definitions, key in needed)
        for key, sub in schema["properties"].items()
    )
    return Group(
        name=name,
        label=wording.label(name),
        help=schema.get("description", ""),
        children=tuple(child for child in children if child is not None),
        is_advanced=bool(schema.get("x-advanced")),
        is_optional=is_optional,
        is_required=is_required,
    )


def _branches(name: str, schema: Schema, definitions: Schema) -> Branches:
    mapping = schema["discriminator"]["mapping"]
    return Branches(
        name=name,
        label=wording.label(name),
        help=schema.get("description", ""),
        groups={
            kind: _group(kind, _resolve({"$ref": ref}, definitions), definitions)
            for kind, ref in mapping.items()
        },
        is_advanced=bool(schema.get("x-advanced")),
    )


def _leaf(name: str, schema: Schema, is_optional: bool) -> Leaf:
    low = schema.get("exclusiveMinimum", schema.get("minimum"))
    return Leaf(
        name=name,
        label=wording.of_list(schema.get("x-choices", ""), name),
        help=schema.get("description", ""),
        control=_control(schema),
        unit=schema.get("x-unit", ""),
        default=schema.get("default", MISSING),
        source=schema.get("x-default-source", ""),
        is_advanced=bool(schema.get("x-advanced")),
        is_optional=is_optional,
        minimum=low,
        maximum=schema.get("exclusiveMaximum", schema.get("maximum")),
        is_minimum_open="exclusiveMinimum" in schema,
        options=tuple(schema.get("enum", ())),
        catalog_list=schema.get("x-choices", ""),
    )


def _control(schema: Schema) -> str:
    if "enum" in schema or "x-choices" in schema:
        return "choice"
    if schema.get("format") == "date":
        return "date"
    kind = schema.get("type", "string")
    if kind == "string" and schema.get("maxLength", 0) > 500:
        return "area"
    return {"boolean": "flag", "string": "text"}.get(kind, kind)
