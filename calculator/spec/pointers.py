"""JSON Pointer (RFC 6901): the one address of a number."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any


def join(parts: Sequence[str | int]) -> str:
    """Make a pointer from its parts.

    >>> join(["alternatives", "own", "n_nodes"])
    '/alternatives/own/n_nodes'
    """
    return "".join("/" + str(p).replace("~", "~0").replace("/", "~1") for p in parts)


def split(pointer: str) -> list[str]:
    """Parts of a pointer; ``""`` is the whole document.

    Raises
    ------
    ValueError
        If a non-empty pointer does not start with a slash.
    """
    if pointer == "":
        return []
    if not pointer.startswith("/"):
        raise ValueError(f"a JSON Pointer starts with '/', got {pointer!r}")
    return [p.replace("~1", "/").replace("~0", "~") for p in pointer[1:].split("/")]


def get(document: Any, pointer: str) -> Any:
    """Value at ``pointer``.

    Raises
    ------
    KeyError
        If there is no such place.
    """
    value = document
    for part in split(pointer):
        try:
            value = value[int(part)] if isinstance(value, list) else value[part]
        except (KeyError, IndexError, TypeError, ValueError) as error:
            raise KeyError(pointer) from error
    return value


def replace(document: Any, pointer: str, value: Any) -> Any:
    """Copy of ``document`` with ``value`` at ``pointer`` (missing objects are made)."""
    parts = split(pointer)
    if not parts:
        return value
    head, rest = parts[0], join(parts[1:])
    if isinstance(document, list):
        copy = list(document)
        copy[int(head)] = replace(copy[int(head)], rest, value)
        return copy
    base = dict(document) if isinstance(document, dict) else {}
    base[head] = replace(base.get(head), rest, value)
    return base


def walk(document: Any, prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Every leaf with its pointer; empty objects and arrays are leaves."""
    if isinstance(document, dict) and document:
        for key, value in document.items():
            yield from walk(value, prefix + join([key]))
    elif isinstance(document, list) and document:
        for index, value in enumerate(document):
            yield from walk(value, prefix + join([index]))
    else:
        yield prefix, document
