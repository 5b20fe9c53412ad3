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

from accounts.api_access import api_tokens
from accounts.api_access.api_tokens import InvalidToken
from accounts.models import ApiToken

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


def authenticate(request: HttpRequest, scope: str = ApiToken.Scope.READ) -> ApiToken:
    """The token that the request shows, with its `member`. Raises NoToken, with a sentence."""
    kind, _space, text = request.headers.get("Authorization", "").partition(" ")
    if kind.lower() != "bearer":
        raise InvalidToken(_("This needs a token, sent as “Authorization: Bearer” and its text."))
    return api_tokens.find_token(text.strip(), scope)


def require_token(scope: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Let a view be asked by tokens of this scope only; `request.user` is then whose token it is."""

    def decorate(view: Callable[..., Any]) -> Callable[..., Any]:
        @csrf_exempt
        @never_cache
        @wraps(view)
        def known(request: Any, *args: Any, **kwargs: Any) -> Any:
            try:
                request.token = authenticate(request, scope)
            except InvalidToken as error:
                return unauthorized_response(error)
            request.user = request.token.member
            return view(request, *args, **kwargs)

        return known

    return decorate


def unauthorized_response(error: InvalidToken) -> JsonResponse:
    """The answer to who shows no good token: 401, or 403 where the token is good and opens something else."""
    answer = JsonResponse({"problem": error.message}, status=error.status)
    if error.status == 401:
        answer["WWW-Authenticate"] = 'Bearer realm="Acquire"'
    return answer
