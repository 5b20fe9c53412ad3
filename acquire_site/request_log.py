"""Middleware that adds the request, user and game to log lines and counts requests."""

import contextlib
import logging
import re
import time
from collections.abc import Callable
from http import HTTPStatus
from typing import Any
from uuid import uuid4

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from acquire_site import metrics, telemetry
from acquire_site.health_probes import PROBES
from acquire_site.log_context import log_context

logger = logging.getLogger("acquire.requests")

_NAME = re.compile(r"[\w-]{8,64}")


class RequestLogMiddleware:
    """Gives the request an id for its log lines, and counts it when it is answered.

    Only the pattern of the address is logged: the address itself may be a secret, such as a link to join a
    game.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        started = time.perf_counter()
        known: dict[str, Any] = {"request": _request_id(request)}
        token = log_context.set(known)
        try:
            with telemetry.traced() as tell_trace:
                response = self.get_response(request)
                tell_trace(metrics.known_method(request.method or ""), _route(request), response.status_code)
            seconds = time.perf_counter() - started
            _count(request, response, seconds)
            if settings.ACCESS_LOG:
                response["X-Request-ID"] = known["request"]
                if not _is_answered_probe(request, response):
                    _log_request(request, response, seconds)
            return response
        finally:
            with contextlib.suppress(ValueError):  # when a client hangs up, another context ends it
                log_context.reset(token)

    def process_view(self, request: HttpRequest, view: Any, args: Any, kwargs: dict[str, Any]) -> None:
        known = log_context.get()
        if known is None:
            return
        if (user := getattr(request, "user", None)) is not None and user.is_authenticated:
            known["user"] = user.pk
        if "public_id" in kwargs:
            known["game"] = kwargs["public_id"]
        if "number" in kwargs:
            known["number"] = kwargs["number"]


def _request_id(request: HttpRequest) -> str:
    """The request id from our proxy, or a new one."""
    given = request.headers.get("X-Request-ID", "")
    return given if settings.TRUSTED_PROXIES and _NAME.fullmatch(given) else uuid4().hex


def _count(request: HttpRequest, response: HttpResponse, seconds: float) -> None:
    metrics.count_request(_route(request), request.method or "", response.status_code, seconds)


def _is_answered_probe(request: HttpRequest, response: HttpResponse) -> bool:
    """Return whether a probe was told that all is well.

    The proxy asks each web process every two seconds, so these would be most lines of a quiet site.
    """
    return request.path in PROBES and response.status_code == HTTPStatus.OK


def _log_request(request: HttpRequest, response: HttpResponse, seconds: float) -> None:
    logger.info(
        "%s %s %s",
        metrics.known_method(request.method or ""),
        _route(request),
        response.status_code,
        extra={"facts": {"status": response.status_code, "ms": round(1000 * seconds)}},
    )


def _route(request: HttpRequest) -> str:
    """The pattern that the address matches; "-" if none."""
    match = request.resolver_match
    return f"/{match.route}" if match else "-"
