"""What the buttons of the form do to the alternatives. Documents in, documents out."""

from __future__ import annotations

import re
from typing import Any

from calculator.spec.scenario import MAX_ALTERNATIVES
from frontend.forms.binding import Document


def apply(document: Document, action: str, starters: Document) -> tuple[Document, str]:
    """Do ``verb:subject``; returns the new document and the alternative to go to.

    An action that is not possible (a ninth alternative, removing the last one, an unknown
    name) changes nothing.
    """
    verb, _, subject = action.partition(":")
    order = list(document["order"])
    if verb == "add" and subject in starters:
        return _insert(document, len(order), subject, starters[subject])
    if subject not in order:
        return document, ""
    if verb == "copy":
        return _copy(document, subject)
    if verb == "remove" and len(order) > 1:
        return _remove(document, subject)
    if verb in {"earlier", "later"}:
        return _move(document, subject, -1 if verb == "earlier" else 1)
    return document, ""


def _copy(document: Document, key: str) -> tuple[Document, str]:
    option = dict(document["alternatives"][key])
    option["label"] = f"{option.get('label', key)} (copy)"[:120]
    return _insert(document, document["order"].index(key) + 1, key, option)


def _insert(
    document: Document, place: int, stem: str, option: dict[str, Any]
) -> tuple[Document, str]:
    order = list(document["order"])
    if len(order) >= MAX_ALTERNATIVES:
        return document, ""
    key = free_key(stem, order)
    order.insert(place, key)
    return _with(document, order, {**document["alternatives"], key: option}), key


def _remove(document: Document, key: str) -> tuple[Document, str]:
    place = document["order"].index(key)
    order = [other for other in document["order"] if other != key]
    rest = {k: v for k, v in document["alternatives"].items() if k != key}
    return _with(document, order, rest), order[min(place, len(order) - 1)]


def _move(document: Document, key: str, by: int) -> tuple[Document, str]:
    order = list(document["order"])
    place = order.index(key)
    order.insert(max(0, place + by), order.pop(place))
    return _with(document, order, document["alternatives"]), key


def _with(document: Document, order: list[str], options: Document) -> Document:
    """Keep the base that was meant, if it is still there."""
    base = document.get("base") or next(iter(document["order"]), "")
    changed = {
        **document,
        "order": order,
        "alternatives": {key: options[key] for key in order},
    }
    changed.pop("base", None)
    if base in order and base != order[0]:
        changed["base"] = base
    return changed


def free_key(stem: str, taken: list[str]) -> str:
    """A key that is not taken, made from ``stem``.

    >>> free_key("own", ["own", "own-2"]), free_key("own-2", ["own-2"])
    ('own-3', 'own-3')
    """
    if stem not in taken:
        return stem
    root = re.sub(r"-\d+$", "", stem)[:58]
    numbered = (f"{root}-{n}" for n in range(2, len(taken) + 3))
    return next(key for key in numbered if key not in taken)
