"""Cursor pages in a stable order, with bounds that are told, not silently applied."""

from django.core.exceptions import ValidationError
from django.db import DataError
from drf_spectacular.utils import OpenApiParameter
from rest_framework.pagination import CursorPagination

from calculator.api.errors import QueryInvalid

MAX_PAGE_SIZE = 100
PAGING = [
    OpenApiParameter("cursor", str, description="From next or previous."),
    OpenApiParameter(
        "page_size", {"type": "integer", "minimum": 1, "maximum": MAX_PAGE_SIZE}
    ),
]


class Pages(CursorPagination):
    """``?cursor=`` and ``?page_size=`` (1 to 100)."""

    page_size = 50
    page_size_query_param = "page_size"
    max_page_size = MAX_PAGE_SIZE
    ordering = "slug"

    def get_page_size(self, request):
        """Size asked for, refused when out of bounds."""
        text = request.query_params.get(self.page_size_query_param)
        if text is None:
            return self.page_size
        if not (text.isascii() and text.isdigit() and len(text) <= 4):
            raise QueryInvalid("page_size must be a whole number.")
        if not 1 <= int(text) <= MAX_PAGE_SIZE:
            raise QueryInvalid(f"page_size must be 1 to {MAX_PAGE_SIZE}, got {text}.")
        return int(text)

    def paginate_queryset(self, queryset, request, view=None):
        """Page of rows; a cursor that was not made here is refused."""
        try:
            return super().paginate_queryset(queryset, request, view)
        except (ValidationError, DataError, ValueError, OverflowError):
            raise QueryInvalid("cursor is not one that this list gave out.") from None

    def decode_cursor(self, request):
        """Position asked for."""
        encoded = request.query_params.get(self.cursor_query_param)
        if encoded is not None and "\x00" in encoded:
            raise QueryInvalid("cursor is not one that this list gave out.")
        return super().decode_cursor(request)


class NewestFirst(Pages):
    """Pages of rows that have a time."""

    ordering = ("-created_at", "id")
