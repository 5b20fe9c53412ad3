"""Views of the API of bot accounts: access, rate limit, and refusals as JSON."""

import json
from collections.abc import Callable
from functools import wraps
from typing import Any

from allauth.core.internal import ratelimit
from django.core.exceptions import RequestDataTooBig
from django.http import Http404, HttpRequest, JsonResponse, RawPostDataException
from django.utils.translation import gettext as _

from accounts.models import ApiToken, SiteSwitch
from accounts.operator import site_switches
from accounts.refusals import Refusal
from accounts.web.api_access.bearer_auth import require_token
from games.web import refusal_response

# The rate limit counts per minute.
MINUTE = 60


class BotRequest(HttpRequest):
    """A request authenticated by the token of a bot account, which is `user`."""

    user: Any
    token: ApiToken


def bot_view(method: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Make a view part of the API of bot accounts, for one HTTP method, with a rate limit."""

    def decorate(view: Callable[..., Any]) -> Callable[..., Any]:
        @require_token(ApiToken.Scope.PLAY)
        @wraps(view)
        def asked(request: Any, *args: Any, **kwargs: Any) -> Any:
            if request.method != method:
                return problem(_("Use {method} for this address.").format(method=method), 405, Allow=method)
            if site_switches.is_on(SiteSwitch.Kind.PROGRAMS):
                seconds = site_switches.seconds_left(SiteSwitch.Kind.PROGRAMS)
                return problem(site_switches.message(SiteSwitch.Kind.PROGRAMS), 503, wait=seconds or 0)
            if not _may_ask(request):
                sentence = _("Your bot sends too many requests. Wait for the next move, or use the stream.")
                return problem(sentence, 429, wait=MINUTE)
            try:
                return view(request, *args, **kwargs)
            except Refusal as error:
                return refused(error)
            except Http404:
                return problem(_("This game does not exist, or your bot has no seat in it."), 404)

        return asked

    return decorate


def _may_ask(request: BotRequest) -> bool:
    """Return whether the bot account is within its rate limit; GET requests count as well."""
    which = {"app": "allauth.account", "action": "program"}
    return ratelimit.consume(request, user=request.user, limit_get=True, **which) is not None


def problem(sentence: str, status: int, *, wait: int = 0, **headers: str) -> JsonResponse:
    """Return a problem as JSON, with the seconds to wait before the next request if they are known."""
    answer = JsonResponse({"problem": sentence}, status=status, headers=headers)
    refusal_response.add_retry_after(answer, wait)
    return answer


def refused(error: Refusal) -> JsonResponse:
    """Return a refusal as JSON."""
    return problem(str(error.message), error.status, wait=error.retry_after)


def sent(request: HttpRequest, name: str) -> str | None:
    """Return the string of this name in the JSON object of the request body, or None."""
    try:
        told = json.loads(request.body)
    except (ValueError, RecursionError, RequestDataTooBig, RawPostDataException):  # the last: form data
        return None
    found = told.get(name) if isinstance(told, dict) else None
    return found if isinstance(found, str) else None
