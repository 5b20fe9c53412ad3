"""Health probes: /healthz (liveness), /readyz (readiness) and /metrics.

They are answered before the host is checked, because monitors use internal names and addresses.
"""

import hmac
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse

from acquire_site import metrics
from acquire_site.health import service_health
from acquire_site.health.service_health import OK


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
    found = {"database": service_health.database(), "redis": service_health.hints()}
    if found["database"] == OK:
        found["migrations"] = service_health.migrations()
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
