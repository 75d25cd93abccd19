"""OpenAPI 3.1 from the pydantic models that do the validation."""

from functools import cache
from typing import Any

from drf_spectacular.drainage import set_override
from drf_spectacular.extensions import OpenApiSerializerExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import ResolvedComponent

from calculator.api.documents import PROBLEM_MEDIA_TYPE, ProblemDocument

ALWAYS = {
    "400": "A parameter, a header or the body cannot be understood.",
    "404": "There is nothing here, or nothing that you may see.",
    "405": "This address does not know the method.",
    "429": "Too many requests; Retry-After says when to come back.",
}
ON_WRITING = {"403": "The session's CSRF token is missing or wrong."}
WITH_BODY = {
    "413": "The body is too large.",
    "415": "The body is not application/json.",
    "422": "The document is not valid; each error names its field by JSON Pointer.",
}


class ModelExtension(OpenApiSerializerExtension):
    """A pydantic model, as it is read in requests and as it is written in responses.

    The two differ: a field with a default may be absent in one and is always there in the
    other. So the components of requests have names of their own.
    """

    target_class = "pydantic.BaseModel"
    match_subclasses = True
    priority = 1

    def get_name(self, auto_schema, direction):
        """Name of the component."""
        set_override(self.target, "suppress_collision_warning", True)
        return self.target.__name__ + _suffix(direction)

    def map_serializer(self, auto_schema, direction):
        """JSON Schema of the model; its parts become components."""
        schema = self.target.model_json_schema(
            mode="validation" if direction == "request" else "serialization",
            ref_template="#/components/schemas/{model}" + _suffix(direction),
        )
        for name, part in schema.pop("$defs", {}).items():
            auto_schema.registry.register_on_missing(
                ResolvedComponent(
                    name=name + _suffix(direction),
                    type=ResolvedComponent.SCHEMA,
                    object=name + _suffix(direction),
                    schema=part,
                )
            )
        return schema


def _suffix(direction: str) -> str:
    return "Input" if direction == "request" else ""


class ApiSchema(AutoSchema):
    """Documents the refusals that every operation can answer with."""

    def _get_response_bodies(self, direction="response"):
        bodies = super()._get_response_bodies(direction)
        for code, description in self._refusals().items():
            if code not in bodies:
                bodies[code] = self._get_response_for_code(
                    ProblemDocument, code, [PROBLEM_MEDIA_TYPE], direction
                ) | {"description": description}
        return dict(sorted(bodies.items()))

    def _refusals(self) -> dict[str, str]:
        refusals = dict(ALWAYS)
        if self.method in {"POST", "PUT", "PATCH", "DELETE"}:
            refusals |= ON_WRITING
        if self.method in {"POST", "PUT", "PATCH"} and self.get_request_serializer():
            refusals |= WITH_BODY
        return refusals


@cache
def document() -> dict[str, Any]:
    """Build the OpenAPI document of version 1 of the API."""
    from drf_spectacular.generators import SchemaGenerator

    from calculator.api.v1 import urls

    generator = SchemaGenerator(patterns=urls.mounted())
    return generator.get_schema(request=None, public=True)
