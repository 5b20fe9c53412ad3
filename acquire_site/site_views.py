"""Views of the whole site: robots, manifest, icon and errors."""

import sys

from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

# Seconds after which clients should try again.
BUSY = 5
TOO_MANY = 60

CACHE_SECONDS = 24 * 3600

_READING = {"GET", "HEAD", "OPTIONS"}

_NOT_FOR_ROBOTS = ("/accounts/", "/admin/", "/play/", "/settings/")


@require_safe
@cache_control(max_age=CACHE_SECONDS, public=True)
def robots(request: HttpRequest) -> HttpResponse:
    """Tell search engines to skip personal pages and the many pages of a game."""
    lines = ["User-agent: *", *(f"Disallow: {path}" for path in _NOT_FOR_ROBOTS), "Disallow: /games/*/*/"]
    return HttpResponse("\n".join([*lines, ""]), content_type="text/plain; charset=utf-8")


@require_safe
@cache_control(max_age=CACHE_SECONDS, public=True)
def manifest(request: HttpRequest) -> HttpResponse:
    """The web app manifest."""
    icons = [
        {"src": static("games/img/icon.svg"), "sizes": "any", "type": "image/svg+xml"},
        {"src": static("games/img/icon-192.png"), "sizes": "192x192", "type": "image/png"},
        {"src": static("games/img/icon-512.png"), "sizes": "512x512", "type": "image/png"},
    ]
    about = {
        "name": _("Acquire by correspondence"),
        "short_name": _("Acquire"),
        "description": _("The board game of hotel chains and mergers, one move at a time."),
        "start_url": reverse("home"),
        "scope": reverse("home"),
        "display": "standalone",
        "background_color": "#f4f1ea",
        "theme_color": "#fffdf9",
        "icons": icons,
    }
    return JsonResponse(about, content_type="application/manifest+json")


@require_safe
@cache_control(max_age=CACHE_SECONDS, public=True)
def favicon(request: HttpRequest) -> HttpResponse:
    """The icon at its default address, for clients that have not read a page."""
    return redirect(static("games/img/icon.svg"))


def too_many_requests(request: HttpRequest) -> HttpResponse:
    """429: a rate limit was reached; says when to try again."""
    return _error_page(request, "429.html", 429, retry_after=TOO_MANY)


def server_error(request: HttpRequest) -> HttpResponse:
    """500, or 503 if the database was away, too busy or too slow. Makes no query."""
    # Django calls this while it handles the exception.
    if isinstance(sys.exc_info()[1], OperationalError | InterfaceError):
        return too_busy(request)
    return _error_page(request, "500.html", 500)


def too_busy(request: HttpRequest) -> HttpResponse:
    """503: nothing was done, and the client should try again soon. Makes no query."""
    return _error_page(request, "503.html", 503, retry_after=BUSY)


def _error_page(request: HttpRequest, template: str, status: int, retry_after: int = 0) -> HttpResponse:
    """Render a standalone page; htmx, which asks for a part of a page, gets only its sentence."""
    if request.headers.get("HX-Request") == "true":
        answer = HttpResponse(_SENTENCES[status](), status=status, content_type="text/plain; charset=utf-8")
    elif status == 429:
        answer = render(request, template, status=status)
    else:
        is_form = request.method not in _READING
        answer = HttpResponse(render_to_string(template, {"is_form": is_form}), status=status)
    if retry_after:
        answer["Retry-After"] = str(retry_after)
    return answer


_SENTENCES = {
    429: lambda: _("Too many requests. Wait a minute, then try again."),
    500: lambda: _("Something went wrong on our side. Reload the page to see what was saved."),
    503: lambda: _("The site is very busy, so nothing was saved. Try again in a few seconds."),
}
