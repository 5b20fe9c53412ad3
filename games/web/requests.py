"""The request type of the views, and what several of them do with a request."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, resolve_url
from django_htmx.http import HttpResponseClientRedirect
from django_htmx.middleware import HtmxDetails

from accounts.models import User


class Request(HttpRequest):
    """A request after all middleware; views that need a member use `login_required`."""

    htmx: HtmxDetails
    user: User


def whole_number(text: str, *, max_digits: int = 9) -> int | None:
    """Return the number that a parameter gives in plain digits, or None for anything else."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= max_digits else None


def page_redirect(request: Request, to: Any, *args: Any) -> HttpResponse:
    """Redirect the whole page, also if a script asked for a part of it."""
    url = resolve_url(to, *args)
    return HttpResponseClientRedirect(url) if request.htmx else redirect(url)


def missing_page(request: Request) -> HttpResponse:
    """Answer for something that is gone: to a script's request the page loads again, and says so itself.

    Raises Http404 for all other requests.
    """
    if request.htmx:
        return HttpResponseClientRedirect(request.path)
    raise Http404
