"""Bundled examples for pages and API."""

from typing import Any

from calculator.spec import examples_index


def listed() -> list[dict[str, str]]:
    """Name, title and description of each example."""
    return [_summary(name) for name in examples_index.names()]


def get(name: str) -> dict[str, Any] | None:
    """Document of an example, or ``None``."""
    return examples_index.load(name) if name in examples_index.names() else None


def _summary(name: str) -> dict[str, str]:
    document = examples_index.load(name)
    return {
        "name": name,
        "title": document.get("name", name),
        "description": document.get("description", ""),
    }
