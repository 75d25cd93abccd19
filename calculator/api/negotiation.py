"""Which parser and which renderer a request gets."""

from rest_framework.negotiation import BaseContentNegotiation


class FirstRenderer(BaseContentNegotiation):
    """Each address has one representation, so ``Accept`` is not looked at."""

    def select_parser(self, request, parsers):
        """Parser whose media type is that of the body."""
        content_type = (request.content_type or "").split(";")[0].strip().lower()
        return next((p for p in parsers if p.media_type == content_type), None)

    def select_renderer(self, request, renderers, format_suffix=None):
        """The view's only renderer."""
        return renderers[0], renderers[0].media_type
