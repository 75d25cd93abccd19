"""The result document itself."""

from calculator.spec.result import ResultV1


class JsonDocument:
    """ResultV1 as indented JSON."""

    identifier = "json"
    media_type = "application/json"

    def render(self, result: ResultV1) -> bytes:
        """Write the whole document."""
        return (result.model_dump_json(indent=2) + "\n").encode()
