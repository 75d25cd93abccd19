"""Where a JSON Pointer leads in the JSON Schema of a document."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from pydantic import BaseModel

from calculator.spec import pointers
from calculator.spec.scenario import ComparisonV1


def unit_of(pointer: str, model: type[BaseModel] = ComparisonV1) -> str:
    """Unit of the field at ``pointer`` with a leading space, or nothing."""
    schema = field_schema(pointer, model)
    name = (schema or {}).get("x-unit", "1")
    return "" if name == "1" else f" {name}"


@lru_cache(maxsize=4096)
def field_schema(
    pointer: str, model: type[BaseModel] = ComparisonV1
) -> dict[str, Any] | None:
    """JSON Schema of the field that ``pointer`` addresses, if there is one."""
    root = _schema(model)
    nodes = [root]
    for part in pointers.split(pointer):
        nodes = [child for node in nodes for child in _children(node, part, root)]
    leaves = [leaf for node in nodes for leaf in _branches(node, root)]
    return next(
        (leaf for leaf in leaves if "x-unit" in leaf), leaves[0] if leaves else None
    )


CHOICES = ("anyOf", "oneOf", "allOf")


@lru_cache(maxsize=16)
def _schema(model: type[BaseModel]) -> dict[str, Any]:
    return model.model_json_schema()


def _branches(node: dict[str, Any], root: dict[str, Any]) -> list[dict[str, Any]]:
    if "$ref" in node:
        return _branches(root["$defs"][node["$ref"].rsplit("/", 1)[1]], root)
    options = node.get("anyOf") or node.get("oneOf") or node.get("allOf")
    if options:
        shared = {key: value for key, value in node.items() if key not in CHOICES}
        leaves = [leaf for option in options for leaf in _branches(option, root)]
        return [{**shared, **leaf} for leaf in leaves]
    return [node]


def _children(
    node: dict[str, Any], part: str, root: dict[str, Any]
) -> list[dict[str, Any]]:
    found = []
    for branch in _branches(node, root):
        if part in branch.get("properties", {}):
            found.append(branch["properties"][part])
        elif isinstance(branch.get("additionalProperties"), dict):
            found.append(branch["additionalProperties"])
        elif "patternProperties" in branch:
            found.extend(branch["patternProperties"].values())
        elif branch.get("type") == "array" and isinstance(branch.get("items"), dict):
            found.append(branch["items"])
    return found
