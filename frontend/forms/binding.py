"""Posted fields <-> nested document. A field is named by its JSON Pointer."""

from __future__ import annotations

from typing import Any, Protocol

from calculator.spec.pointers import join
from calculator.spec.scenario import MAX_ALTERNATIVES
from frontend.forms import describe, numbers
from frontend.forms.describe import MISSING, Branches, Group, Leaf, Node

Document = dict[str, Any]
Fields = dict[str, list[str]]

MOST_ALTERNATIVES = 2 * MAX_ALTERNATIVES
"""More than can be compared, so that one too many shows as a problem; not so many that a
short link or post makes a page of megabytes."""

GIVEN, ABSENT = "given", "none"


class Posted(Protocol):
    """What is read of a QueryDict."""

    def get(self, key: str, default: Any = None) -> Any:
        """Last value posted under ``key``."""

    def getlist(self, key: str) -> list[str]:
        """All values posted under ``key``."""


def to_document(posted: Posted) -> Document:
    """Nested document of the posted fields; nothing is validated here.

    What cannot be read as a number stays the text that was typed, so that validation can
    name it. An empty field is absent: its default, or "computed", or an error if required.
    """
    document = _read_group(posted, describe.comparison(), "")
    document["schema_version"] = "1"
    keys = list(dict.fromkeys(posted.getlist("/order")))[:MOST_ALTERNATIVES]
    document["alternatives"] = {key: _read_option(posted, key) for key in keys}
    document["order"] = keys
    base = posted.get("/base") or ""
    if base in keys and base != keys[0]:
        document["base"] = base
    return document


def _read_option(posted: Posted, key: str) -> Document:
    pointer = join(["alternatives", key])
    kind = posted.get(f"{pointer}/kind") or ""
    group = describe.option(kind)
    return {"kind": kind} | (_read_group(posted, group, pointer) if group else {})


def _read_group(posted: Posted, group: Group, pointer: str) -> Document:
    pairs = ((n.name, _read(posted, n, f"{pointer}/{n.name}")) for n in group.children)
    return {name: value for name, value in pairs if value is not MISSING}


def _read(posted: Posted, node: Node, pointer: str) -> Any:
    if isinstance(node, Leaf):
        return _read_leaf(posted, node, pointer)
    if isinstance(node, Branches):
        kind = posted.get(f"{pointer}/kind") or ""
        group = node.groups.get(kind)
        return {"kind": kind} | (_read_group(posted, group, pointer) if group else {})
    if node.is_optional and posted.get(pointer) != GIVEN:
        return MISSING
    return _read_group(posted, node, pointer)


def _read_leaf(posted: Posted, leaf: Leaf, pointer: str) -> Any:
    if leaf.control == "flag":
        return posted.get(pointer) is not None
    text = (posted.get(pointer) or "").replace("\r\n", "\n").strip()
    if text == "":
        return MISSING
    return numbers.parse(text) if leaf.is_number else text


def to_posted(document: Document) -> Fields:
    """Fields that a browser would post for ``document`` (the inverse of `to_document`).

    Tolerates anything: what has the wrong shape is left out, what is absent shows its
    default, so that a damaged link still opens as a form with its errors.
    """
    fields: Fields = {}
    _write_group(fields, describe.comparison(), "", document)
    options = _mapping(document.get("alternatives"))
    order = _texts(document.get("order")) or list(options)
    fields["/order"] = [key for key in order if key in options]
    base = document.get("base") or next(iter(fields["/order"]), "")
    fields["/base"] = [numbers.shown(base)]
    for key in fields["/order"]:
        _write_option(fields, join(["alternatives", key]), _mapping(options[key]))
    return fields


def _write_option(fields: Fields, pointer: str, option: Document) -> None:
    kind = numbers.shown(option.get("kind"))
    fields[f"{pointer}/kind"] = [kind]
    group = describe.option(kind)
    if group is not None:
        _write_group(fields, group, pointer, option)


def _mapping(value: Any) -> Document:
    return value if isinstance(value, dict) else {}


def _texts(value: Any) -> list[str]:
    items = value if isinstance(value, list) else []
    return [item for item in items if isinstance(item, str)]


def _write_group(
    fields: Fields, group: Group, pointer: str, document: Document
) -> None:
    for node in group.children:
        value = document.get(node.name, MISSING)
        _write(fields, node, f"{pointer}/{node.name}", value)


def _write(fields: Fields, node: Node, pointer: str, value: Any) -> None:
    if isinstance(node, Leaf):
        _write_leaf(fields, node, pointer, node.default if value is MISSING else value)
    elif isinstance(node, Branches):
        option = _mapping(value)
        kind = numbers.shown(option.get("kind")) or next(iter(node.groups))
        fields[f"{pointer}/kind"] = [kind]
        if kind in node.groups:
            _write_group(fields, node.groups[kind], pointer, option)
    else:
        if node.is_optional:
            fields[pointer] = [GIVEN if isinstance(value, dict) else ABSENT]
        if not node.is_optional or isinstance(value, dict):
            _write_group(fields, node, pointer, _mapping(value))


def _write_leaf(fields: Fields, leaf: Leaf, pointer: str, value: Any) -> None:
    if leaf.control != "flag":
        fields[pointer] = [numbers.shown(None if value is MISSING else value)]
    elif value is True:
        fields[pointer] = ["on"]


def without_defaults(document: Document) -> Document:
    """The document without what equals its default, for links."""
    short = _prune_group(document, describe.comparison())
    for key in ("schema_version", "order", "base"):
        if document.get(key):
            short[key] = document[key]
    short["alternatives"] = {
        key: _prune_option(option)
        for key, option in document.get("alternatives", {}).items()
    }
    if short.get("order") == list(short["alternatives"]):
        del short["order"]
    return short


def _prune_option(option: Document) -> Document:
    group = describe.option(option.get("kind", ""))
    return {"kind": option.get("kind", "")} | (
        _prune_group(option, group) if group else {}
    )


def _prune_group(document: Document, group: Group) -> Document:
    pairs = (
        (node.name, _prune(document[node.name], node))
        for node in group.children
        if node.name in document
    )
    return {name: value for name, value in pairs if value is not MISSING}


def _prune(value: Any, node: Node) -> Any:
    if isinstance(node, Leaf):
        return MISSING if value == node.default or value is None else value
    if value is None:
        return MISSING
    if isinstance(node, Branches):
        group = node.groups.get(value.get("kind", ""))
        return {"kind": value.get("kind", "")} | (
            _prune_group(value, group) if group else {}
        )
    short = _prune_group(value, node)
    return short if short or node.is_required or node.is_optional else MISSING
