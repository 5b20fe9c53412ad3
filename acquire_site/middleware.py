"""What every request must pass."""

from collections.abc import Callable, Iterator
from http import HTTPStatus

from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render


def read_forms_as_utf8(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Read forms as UTF-8 whatever they say: no browser sends another, and some that exist cannot be read."""

    def middleware(request: HttpRequest) -> HttpResponse:
        if request.content_params and "charset" in request.content_params:
            request.encoding = "utf-8"
        return get_response(request)

    return middleware


def explain_wrong_methods(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Put a page with a way on into the empty answer to a wrong method."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if response.status_code == HTTPStatus.METHOD_NOT_ALLOWED and not response.content:
            response.content = render(request, "405.html").content
        return response

    return middleware


def refuse_nul_bytes(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Answer 400 to text with a NUL byte: no sentence holds one, and PostgreSQL cannot store it."""

    def middleware(request: HttpRequest) -> HttpResponse:
        if any("\0" in text for text in _texts(request)):
            raise BadRequest("The request holds a NUL byte.")
        return get_response(request)

    return middleware


def _texts(request: HttpRequest) -> Iterator[str]:
    yield request.path
    yield from request.COOKIES.values()
    for form in (request.GET, request.POST):
        for name, values in form.lists():
            yield name
            yield from map(str, values)
