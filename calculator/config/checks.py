"""Health: is the process alive, and may traffic be sent to it."""

import logging
from collections.abc import Callable

from django.conf import settings
from django.core.cache import cache
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, JsonResponse
from django.views.decorators.http import require_safe

logger = logging.getLogger(__name__)


class NotReady(Exception):
    """A part answers, but not as it should."""


@require_safe
def healthz(request: HttpRequest) -> JsonResponse:
    """Say that the process answers; looks at nothing else."""
    return _uncached(JsonResponse({"status": "ok"}))


@require_safe
def readyz(request: HttpRequest) -> JsonResponse:
    """Say whether the parts that requests need are there: 200, or 503 with their names."""
    states = {name: _state(name, probe) for name, probe in PROBES.items()}
    is_ready = all(state == "ok" for state in states.values())
    body = {"status": "ok" if is_ready else "unavailable", "checks": states}
    return _uncached(JsonResponse(body, status=200 if is_ready else 503))


def _state(name: str, probe: Callable[[], None]) -> str:
    try:
        probe()
    except Exception:
        logger.exception("not ready: %s", name)
        return "unavailable"
    return "ok"


def _database() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")


def _migrations() -> None:
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        raise NotReady("there are migrations to apply")


def _cache() -> None:
    if settings.REDIS_URL:
        cache.set("readyz", "ok", timeout=10)
        if cache.get("readyz") != "ok":
            raise NotReady("the cache does not keep what it is given")


PROBES = {"database": _database, "migrations": _migrations, "cache": _cache}


def _uncached(response: JsonResponse) -> JsonResponse:
    response["Cache-Control"] = "no-store"
    return response
