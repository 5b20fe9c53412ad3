"""Bearer authentication of API requests.

These requests need no CSRF token, because no browser sends a bearer token by itself; their cookies are
ignored.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt

from accounts.api_access import api_tokens
from accounts.models import ApiToken
from accounts.refusals import InvalidToken

# Prefix of all API addresses.
ROOT = "/api/v1/"


def ignore_cookies(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware that makes requests below `ROOT` anonymous, whatever cookies they send.

    Responses do not depend on cookies either, so they do not vary on them.
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
    """Return the request's token with its `member`. Raises InvalidToken."""
    kind, _space, text = request.headers.get("Authorization", "").partition(" ")
    if kind.lower() != "bearer":
        raise InvalidToken(
            _("This needs a token. Send it in the Authorization header as “Bearer” followed by the token.")
        )
    return api_tokens.find_token(text.strip(), scope)


def require_token(scope: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Decorate a view to require a token with this scope; sets `request.user` to the token's account."""

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
    """Return the error response: 401, or 403 if the token is valid but lacks the scope."""
    answer = JsonResponse({"problem": error.message}, status=error.status)
    if error.status == 401:
        answer["WWW-Authenticate"] = 'Bearer realm="Acquire"'
    return answer
