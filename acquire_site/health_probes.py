"""Health probes: /healthz (liveness), /readyz (readiness) and /metrics.

They are answered before the host is checked, because monitors use internal names and addresses.
"""

import hmac
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, JsonResponse

from acquire_site import metrics
from games.realtime import redis_addresses

# Seconds to wait for Redis.
PATIENCE = 0.5

OK = "ok"


def answer_probes(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware that answers the probes and passes on everything else."""

    def middleware(request: HttpRequest) -> HttpResponse:
        if (probe := asked_by(request)) is None:
            return get_response(request)
        answer = probe(request)
        answer["Cache-Control"] = "no-store"
        return answer

    return middleware


def _healthz(request: HttpRequest) -> HttpResponse:
    return HttpResponse("alive\n", content_type="text/plain; charset=utf-8")


def _readyz(request: HttpRequest) -> HttpResponse:
    """503 without the database or with unapplied migrations; the site works without Redis."""
    found = {"database": database(), "redis": hints()}
    if found["database"] == OK:
        found["migrations"] = migrations()
    ready = found["database"] == found.get("migrations") == OK
    degraded = found["redis"] != OK
    status: dict[str, Any] = {"ready": ready, "degraded": degraded, **found}
    return JsonResponse(status, status=200 if ready else 503)


def _metrics(request: HttpRequest) -> HttpResponse:
    return HttpResponse(metrics.text(), content_type="text/plain; version=0.0.4; charset=utf-8")


PROBES = {"/healthz": _healthz, "/readyz": _readyz, "/metrics": _metrics}


def asked_by(request: HttpRequest) -> Callable[[HttpRequest], HttpResponse] | None:
    """Return the view for the request if it is a probe, or None.

    Metrics require the token, because they show when people play.
    """
    if request.method not in {"GET", "HEAD"} or (request.path == "/metrics" and not _has_token(request)):
        return None
    return PROBES.get(request.path)


def _has_token(request: HttpRequest) -> bool:
    token, given = settings.METRICS_TOKEN, request.headers.get("Authorization", "")
    return bool(token) and hmac.compare_digest(given.encode(), f"Bearer {token}".encode())


def database() -> str:
    """Return `OK` when the database answers, or a short reason."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except Exception as error:  # any error means that it does not answer
        return f"does not answer ({type(error).__name__})"
    return OK


def migrations() -> str:
    """Return `OK` when none is missing, or their number; cached, because applied ones stay so."""
    missing = _missing_migrations()
    return OK if not missing else f"{missing} are missing: manage.py migrate"


def _missing_migrations() -> int:
    if (known := _applied.get("known")) is not None:
        return known
    executor = MigrationExecutor(connection)
    missing = len(executor.migration_plan(executor.loader.graph.leaf_nodes()))
    if not missing:
        _applied["known"] = 0
    return missing


_applied: dict[str, int] = {}


def hints() -> str:
    """Return `OK` when every Redis of the site answers, or a short reason."""
    for url in dict.fromkeys([settings.BROKER_URL, *settings.CHANNEL_URLS]):
        if url and (trouble := _redis_trouble(url)):
            return trouble
    return OK if settings.BROKER_URL else "there is none"


def broker() -> str:
    """Return `OK` when the Redis of the tasks answers, or a short reason."""
    return (_redis_trouble(settings.BROKER_URL) or OK) if settings.BROKER_URL else "there is none"


def _redis_trouble(url: str) -> str:
    try:
        redis_addresses.client(url, PATIENCE).ping()
    except Exception as error:
        return f"does not answer ({type(error).__name__})"
    return ""
