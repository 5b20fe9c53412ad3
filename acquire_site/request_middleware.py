"""Middleware for every request."""

import secrets
from collections.abc import Callable, Iterator
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.admin.options import TO_FIELD_VAR
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from acquire_site.site_views import too_busy

# Bytes; the length of an answer varies by this much at random.
MAX_PADDING = 100


def read_forms_as_utf8(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Read forms as UTF-8 whatever charset they claim: browsers send no other, and some codecs fail."""

    def middleware(request: HttpRequest) -> HttpResponse:
        if request.content_params and "charset" in request.content_params:
            request.encoding = "utf-8"
        return get_response(request)

    return middleware


def set_permissions_policy(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Tell browsers that no page needs a camera, a microphone or similar features."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        response["Permissions-Policy"] = settings.PERMISSIONS_POLICY
        return response

    return middleware


def pad_pages(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Give each HTML answer a header of random length; see docs/decisions/compressed_pages.md."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if response.headers.get("Content-Type", "").startswith("text/html"):
            response["X-Padding"] = secrets.token_urlsafe(MAX_PADDING)[: secrets.randbelow(MAX_PADDING) + 1]
        return response

    return middleware


def refuse_when_full(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Answer 503 to a request whose turn did not come in time; see acquire_site.asgi_handler."""

    def middleware(request: HttpRequest) -> HttpResponse:
        return too_busy(request) if hasattr(request, "came_too_late") else get_response(request)

    return middleware


def render_405(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Replace the empty response to a wrong method with a page."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if response.status_code == HTTPStatus.METHOD_NOT_ALLOWED and not response.content:
            response.content = render(request, "405.html").content
        return response

    return middleware


def refuse_nul_bytes(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Answer 400 to text with a NUL byte, which no text needs and PostgreSQL cannot store."""

    def middleware(request: HttpRequest) -> HttpResponse:
        if any("\0" in text for text in _texts(request)):
            raise BadRequest("The request holds a NUL byte.")
        return get_response(request)

    return middleware


class RejectBadAdminFilters:
    """Answer 400 to unknown choices in admin filters, which Django would query for."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, view: Any, args: Any, kwargs: Any) -> None:
        if not request.resolver_match or request.resolver_match.app_name != "admin":
            return
        if "" in request.GET.getlist(TO_FIELD_VAR) + request.POST.getlist(TO_FIELD_VAR):
            raise BadRequest("The column by which a row is looked for has no name.")
        chosen = request.POST.getlist(ACTION_CHECKBOX_NAME)
        if not all(key.isascii() and key.isdigit() and len(key) < 19 for key in chosen):
            raise BadRequest("What was chosen in a list is no row of it.")


def _texts(request: HttpRequest) -> Iterator[str]:
    yield request.path
    yield from request.COOKIES.values()
    for form in (request.GET, request.POST):
        for name, values in form.lists():
            yield name
            yield from map(str, values)
