"""The request's id in every log line and every answer."""

import logging
import re
import uuid
from collections.abc import Callable
from contextvars import ContextVar

from django.http import HttpRequest, HttpResponse

HEADER = "X-Request-ID"
ACCEPTED = re.compile(r"[A-Za-z0-9._-]{8,64}")

_request_id: ContextVar[str] = ContextVar("request_id", default="-")


class RequestIdFilter(logging.Filter):
    """Adds ``request_id`` to log records."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Stamp the record."""
        record.request_id = _request_id.get()
        return True


class RequestIdMiddleware:
    """Takes a well-formed id from the caller, else makes one; sends it back."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer under an id."""
        given = request.headers.get(HEADER, "")
        request.request_id = given if ACCEPTED.fullmatch(given) else uuid.uuid4().hex
        # Not reset: Django logs refusals after the last middleware has returned.
        _request_id.set(request.request_id)
        response = self.get_response(request)
        response[HEADER] = request.request_id
        return response
