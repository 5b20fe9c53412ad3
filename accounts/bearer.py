"""Programs that come in by a token: who they are, or an answer that says why they are nobody.

Such a request needs no token of a form, for no browser sends it by itself; and its cookies count for nothing.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt

from accounts.models import Token
from accounts.services import NoToken, tokens

# All that is for programs stands below it.
ROOT = "/api/v1/"


def ignore_cookies(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Below `ROOT` nobody is known by a cookie: what a browser sends there by itself opens nothing.

    Nor does an answer depend on cookies, so caches are not told to keep one for each.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        if not request.path_info.startswith(ROOT):
            return get_response(request)
        request.COOKIES = {}
        answer = get_response(request)
        if "Vary" in answer:
            answer["Vary"] = ", ".join(name for name in answer["Vary"].split(", ") if name != "Cookie")
        return answer

    return middleware


def bearer(request: HttpRequest, scope: str = Token.Scope.READ) -> Token:
    """The token that the request shows, with its `member`. Raises NoToken, with a sentence."""
    kind, _space, text = request.headers.get("Authorization", "").partition(" ")
    if kind.lower() != "bearer":
        raise NoToken(_("This needs a token, sent as “Authorization: Bearer” and its text."))
    return tokens.find(text.strip(), scope)


def for_tokens(scope: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Let a view be asked by tokens of this scope only; `request.user` is then whose token it is."""

    def decorate(view: Callable[..., Any]) -> Callable[..., Any]:
        @csrf_exempt
        @never_cache
        @wraps(view)
        def known(request: Any, *args: Any, **kwargs: Any) -> Any:
            try:
                request.token = bearer(request, scope)
            except NoToken as error:
                return refusal(error)
            request.user = request.token.member
            return view(request, *args, **kwargs)

        return known

    return decorate


def refusal(error: NoToken) -> JsonResponse:
    """The answer to who shows no good token: 401, or 403 where the token is good and opens something else."""
    answer = JsonResponse({"problem": error.message}, status=error.status)
    if error.status == 401:
        answer["WWW-Authenticate"] = 'Bearer realm="Acquire"'
    return answer
