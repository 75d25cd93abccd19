"""Every refusal in one shape: RFC 9457 application/problem+json."""

import logging
from http import HTTPStatus

from django.core.exceptions import PermissionDenied, RequestDataTooBig
from django.http import Http404, HttpResponse, UnreadablePostError
from rest_framework import exceptions
from rest_framework.views import set_rollback

from calculator.api.documents import PROBLEM_MEDIA_TYPE, ProblemDocument
from calculator.services.errors import ServiceError
from calculator.spec.problems import Problem, SpecError

logger = logging.getLogger(__name__)

TITLES = {
    "invalid_document": "The document is not valid",
    "malformed_json": "The body is not JSON",
    "document_too_large": "The body is too large",
    "query_invalid": "A query parameter is not valid",
    "header_invalid": "A header is not valid",
    "bad_request": "The request cannot be understood",
    "not_authenticated": "You are not logged in",
    "forbidden": "You may not do this",
    "not_found": "There is nothing here",
    "method_not_allowed": "This address does not know the method",
    "unsupported_media_type": "The body has the wrong media type",
    "idempotency_conflict": "The idempotency key was used before",
    "job_finished": "The job has finished",
    "throttled": "Too many requests",
    "internal_error": "Something went wrong on our side",
}

# Codes of a body that could not be read at all, and their status; the rest is 422.
UNREADABLE = {"malformed_json": 400, "document_too_large": 413}

STATUS_CODES = {
    400: "bad_request",
    401: "not_authenticated",
    403: "forbidden",
    404: "not_found",
    405: "method_not_allowed",
    413: "document_too_large",
    415: "unsupported_media_type",
    429: "throttled",
}


class QueryInvalid(exceptions.APIException):
    """A query parameter is unknown or out of bounds."""

    status_code = 400
    default_code = "query_invalid"


class HeaderInvalid(exceptions.APIException):
    """A request header cannot be used."""

    status_code = 400
    default_code = "header_invalid"


def exception_handler(exc: Exception, context: dict) -> HttpResponse:
    """Answer any exception of a view; unexpected ones are logged and told generically."""
    set_rollback()
    request_id = getattr(context["request"], "request_id", "")
    status, code, detail, errors = _describe(exc)
    response = problem_response(
        status=status, code=code, detail=detail, errors=errors, request_id=request_id
    )
    for name, value in _headers(exc).items():
        response[name] = value
    return response


def problem_response(
    *,
    status: int,
    code: str,
    detail: str,
    request_id: str,
    errors: list[Problem] | None = None,
) -> HttpResponse:
    """Make the response of a problem."""
    document = ProblemDocument(
        type=f"urn:clusterquote:error:{code}",
        title=TITLES.get(code, HTTPStatus(status).phrase),
        status=status,
        detail=detail,
        code=code,
        errors=errors or [],
        request_id=request_id,
    )
    return HttpResponse(
        document.model_dump_json(), status=status, content_type=PROBLEM_MEDIA_TYPE
    )


def _describe(exc: Exception) -> tuple[int, str, str, list[Problem]]:
    """Status, code, one sentence, and the things to mend."""
    if isinstance(exc, SpecError):
        return _describe_spec_error(exc)
    if isinstance(exc, ServiceError):
        return 409, exc.code, str(exc), []
    if isinstance(exc, Http404):
        return 404, "not_found", TITLES["not_found"] + ".", []
    if isinstance(exc, PermissionDenied):
        return 403, "forbidden", TITLES["forbidden"] + ".", []
    if isinstance(exc, RequestDataTooBig):
        return 413, "document_too_large", TITLES["document_too_large"] + ".", []
    if isinstance(exc, UnreadablePostError):
        return 400, "bad_request", "The body ended before its announced length.", []
    if isinstance(exc, exceptions.APIException):
        return _describe_api_exception(exc)
    logger.error("unhandled exception in the API", exc_info=exc)
    return 500, "internal_error", "Quote the request id if you report this.", []


def _describe_spec_error(exc: SpecError) -> tuple[int, str, str, list[Problem]]:
    first, more = exc.problems[0], len(exc.problems) - 1
    status = UNREADABLE.get(first.code, 422)
    code = first.code if first.code in UNREADABLE else "invalid_document"
    tail = f" (and {more} more)" if more else ""
    return status, code, f"{first.message}{tail}", exc.problems


def _describe_api_exception(
    exc: exceptions.APIException,
) -> tuple[int, str, str, list[Problem]]:
    code = (
        exc.default_code
        if isinstance(exc, QueryInvalid | HeaderInvalid)
        else STATUS_CODES.get(exc.status_code, "bad_request")
    )
    return exc.status_code, code, _sentence(exc.detail), []


def _sentence(detail: object) -> str:
    """Flatten DRF's details to text."""
    if isinstance(detail, dict):
        return "; ".join(f"{key}: {_sentence(value)}" for key, value in detail.items())
    if isinstance(detail, list):
        return " ".join(_sentence(value) for value in detail)
    return str(detail)


def _headers(exc: Exception) -> dict[str, str]:
    wait = getattr(exc, "wait", None)
    return {"Retry-After": str(max(1, round(wait)))} if wait is not None else {}
