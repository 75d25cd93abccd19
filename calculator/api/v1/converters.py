"""Path parts, bounded before any query sees them."""


class Slug:
    """Name of a catalog row, an example or a format."""

    regex = "[a-z0-9][a-z0-9._-]{0,79}"

    def to_python(self, value: str) -> str:
        """Take it as it is."""
        return value

    def to_url(self, value: str) -> str:
        """Write it as it is."""
        return value


class Token(Slug):
    """Token of a share link."""

    regex = "[A-Za-z0-9_-]{16,43}"
