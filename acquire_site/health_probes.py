"""What machines ask: /healthz, is the process alive; /readyz, may it be sent requests; /metrics, figures.

They are answered before anything looks at the host, for they are asked by inner names and addresses.
"""

import functools
import hmac
from collections.abc import Callable
from typing import Any

import redis
from django.conf import settings
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, JsonResponse

from acquire_site import metrics

# Seconds that Redis gets to answer.
PATIENCE = 0.5

OK = "ok"


def answer_probes(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Answer the probes; pass on everything else."""

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
    """503 without the database or with migrations to come; Redis carries hints, so without it all goes on."""
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
    """What answers the request if it is a probe; None for everything else.

    The figures are only for who has the token, as others would learn from them who plays when.
    """
    if request.method not in {"GET", "HEAD"} or (request.path == "/metrics" and not _has_token(request)):
        return None
    return PROBES.get(request.path)


def _has_token(request: HttpRequest) -> bool:
    token, given = settings.METRICS_TOKEN, request.headers.get("Authorization", "")
    return bool(token) and hmac.compare_digest(given.encode(), f"Bearer {token}".encode())


def database() -> str:
    """`OK` when the database answers, else a word about why not."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except Exception as error:  # whatever it is, it does not answer
        return f"does not answer ({type(error).__name__})"
    return OK


def migrations() -> str:
    """`OK` when none is missing, else how many; asked once, for what was applied stays so."""
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
    """`OK` when every Redis of the site answers, else a word about why not."""
    for url in dict.fromkeys([settings.BROKER_URL, *settings.CHANNEL_URLS]):
        if url and (trouble := _redis_trouble(url)):
            return trouble
    return OK if settings.BROKER_URL else "there is none"


def _redis_trouble(url: str) -> str:
    try:
        _redis(url).ping()
    except Exception as error:
        return f"does not answer ({type(error).__name__})"
    return ""


@functools.cache
def _redis(url: str) -> redis.Redis:
    return redis.Redis.from_url(url, socket_timeout=PATIENCE, socket_connect_timeout=PATIENCE)
