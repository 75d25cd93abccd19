"""The closed, frozen model that every part of a document is made of."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, Field


class SpecModel(BaseModel):
    """Closed (unknown fields are errors), frozen, no NaN and no infinity."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


def Cited(
    default: Any,
    description: str,
    *,
    source: str,
    advanced: bool = False,
    choices: str = "",
    title: str | None = None,
) -> Any:
    """Declare a field whose default says where it comes from.

    ``source`` is the slug of a source in the catalog; ``planning-assumption`` marks a
    default that nobody published. ``choices`` names the catalog list that a form offers.
    """
    return Field(
        default,
        title=title,
        description=description,
        json_schema_extra=_extra(source=source, advanced=advanced, choices=choices),
    )


def Asked(
    description: str,
    *,
    advanced: bool = False,
    choices: str = "",
    title: str | None = None,
) -> Any:
    """Declare a required field."""
    return Field(
        title=title,
        description=description,
        json_schema_extra=_extra(source="", advanced=advanced, choices=choices),
    )


def Pinned(description: str, *, title: str | None = None, choices: str = "") -> Any:
    """Declare an optional field whose absence means "computed" (so it needs no source)."""
    return Field(
        None,
        title=title,
        description=description,
        json_schema_extra=_extra(source="computed", advanced=True, choices=choices),
    )


def _extra(*, source: str, advanced: bool, choices: str) -> dict[str, Any]:
    extra: dict[str, Any] = {}
    if source:
        extra["x-default-source"] = source
    if advanced:
        extra["x-advanced"] = True
    if choices:
        extra["x-choices"] = choices
    return extra
