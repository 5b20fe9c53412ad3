"""Responses of the public API: JSON, rate limits, CORS headers and problems."""

import hashlib
import json
from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.csrf import csrf_exempt

from accounts.refusals import InvalidToken, Refusal
from accounts.web.api_access import bearer_auth
from games.web import refusal_response
from games.web.api.public import api_throttle

NOT_FOUND, WRONG_METHOD, TOO_MANY = 404, 405, 429

_METHODS = "GET, HEAD, OPTIONS"

# Seconds for which responses about finished games may be cached.
LASTING_SECONDS = 60

NOBODY = AnonymousUser()

View = Callable[..., HttpResponseBase]


class Problem(Refusal):
    """A parameter of the request is wrong; raised with its message."""

    status = 400


def public(view: View) -> View:
    """Make a view part of the public API: rate limited, readable from any origin, problems as JSON."""

    @csrf_exempt
    @wraps(view)
    def asked(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        answer = _answer(view, request, *args, **kwargs)
        patch_vary_headers(answer, ["Authorization"])
        answer["Access-Control-Allow-Origin"] = "*"
        answer["Access-Control-Expose-Headers"] = "ETag, Link, Retry-After"
        return answer

    return asked


def told(request: HttpRequest, data: Any, *, lasting: bool = False) -> HttpResponseBase:
    """Return the data as JSON, or 304 if the client has it; `lasting` data may be cached for a while."""
    body = json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()
    answer = HttpResponse(body, content_type="application/json")
    answer["ETag"] = etag = f'"{hashlib.sha256(body).hexdigest()[:32]}"'
    answer["Cache-Control"] = f"public, max-age={LASTING_SECONDS}" if lasting else "no-cache"
    found = get_conditional_response(request, etag=etag, response=answer)
    assert found is not None
    return found


@public
def api_not_found(request: HttpRequest, rest: str) -> HttpResponseBase:
    """Answer 404 to any other address of the API."""
    raise Http404


def _answer(view: View, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
    if request.method == "OPTIONS":
        headers = {
            "Allow": _METHODS,
            "Access-Control-Allow-Methods": _METHODS,
            "Access-Control-Allow-Headers": "Authorization, If-None-Match",
            "Access-Control-Max-Age": "86400",
        }
        return HttpResponse(status=204, headers=headers)
    if request.method not in ("GET", "HEAD"):
        answer = problem(WRONG_METHOD, _("This address is read-only."))
        answer["Allow"] = _METHODS
        return answer
    try:
        member = _member(request)
    except InvalidToken as error:
        # Requests with invalid tokens count for their IP address.
        return _too_many(api_throttle.seconds_to_wait(request, None)) or bearer_auth.unauthorized_response(
            error
        )
    return _too_many(api_throttle.seconds_to_wait(request, member)) or _told(view, request, *args, **kwargs)


def _told(view: View, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
    try:
        return view(request, *args, **kwargs)
    except Http404:
        return problem(NOT_FOUND, _("This does not exist or is not public."))
    except Refusal as error:
        return problem(error.status, str(error.message))


def problem(status: int, sentence: str) -> HttpResponse:
    """Return a problem as JSON."""
    body = json.dumps({"problem": sentence}, ensure_ascii=False)
    return HttpResponse(
        body, status=status, content_type="application/json", headers={"Cache-Control": "no-store"}
    )


def _member(request: HttpRequest) -> int | None:
    """Return the key of the member whose token was sent, or None without one. Raises InvalidToken."""
    if "Authorization" not in request.headers:
        return None
    return bearer_auth.authenticate(request).member_id


def _too_many(wait: int) -> HttpResponse | None:
    if not wait:
        return None
    sentence = ngettext(
        "Too many requests in one minute. Try again in {n} second.",
        "Too many requests in one minute. Try again in {n} seconds.",
        wait,
    ).format(n=wait)
    return refusal_response.add_retry_after(problem(TOO_MANY, sentence), wait)
