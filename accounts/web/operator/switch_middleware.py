"""Middleware and template context of the site switches."""

from collections.abc import Callable
from typing import Any, Final

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.functional import SimpleLazyObject

from accounts.models import SiteSwitch
from accounts.operator import site_switches
from accounts.web.api_access import bearer_auth

Kind = SiteSwitch.Kind

_READING: Final = {"GET", "HEAD", "OPTIONS", "TRACE"}

# Views that work while the site is read-only: log-in, log-out and stopping mail.
_ALWAYS: Final = {
    *("account_login", "account_logout", "account_reauthenticate", "stop-mail"),
    *("mfa_authenticate", "mfa_reauthenticate", "mfa_reauthenticate_webauthn", "mfa_login_webauthn"),
}


class ReadOnlyMiddleware:
    """While the site is read-only, answer members' forms with 503.

    Staff may still work in the admin and set up the second factor needed there.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, view: Any, args: Any, kwargs: Any) -> HttpResponse | None:
        if request.method in _READING or not site_switches.is_on(Kind.READING) or _is_let_through(request):
            return None
        sentence = site_switches.message(Kind.READING)
        if request.path_info.startswith(bearer_auth.ROOT):
            answer: HttpResponse = JsonResponse({"problem": sentence}, status=503)
        elif request.headers.get("HX-Request") == "true":
            # htmx pages show a plain text in their error line.
            answer = HttpResponse(sentence, status=503, content_type="text/plain; charset=utf-8")
        else:
            answer = render(request, "read_only.html", {"sentence": sentence}, status=503)
        if (seconds := site_switches.seconds_left(Kind.READING)) is not None:
            answer["Retry-After"] = str(seconds)
        return answer


def _is_let_through(request: HttpRequest) -> bool:
    found = request.resolver_match
    if found is None or (not found.namespaces and found.url_name in _ALWAYS):
        return True
    is_staff = request.user.is_authenticated and request.user.is_staff
    return is_staff and (found.app_name == "admin" or str(found.url_name).startswith("mfa_"))


def site_notices(request: HttpRequest) -> dict[str, object]:
    """`site_notices`: the messages of the switches that are on; evaluated only when rendered."""
    return {"site_notices": SimpleLazyObject(_notices)}


def _notices() -> list[str]:
    return [site_switches.message(kind) for kind in (Kind.NOTICE, Kind.READING) if site_switches.is_on(kind)]
