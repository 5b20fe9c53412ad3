"""How the addresses for programs are entered, and how they answer: JSON, and each refusal a sentence."""

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

# The limit counts by the minute.
MINUTE = 60


class BotRequest(HttpRequest):
    """A request by the token of a program, whose account is `user`."""

    user: Any
    token: ApiToken


def bot_view(method: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Let a view be asked by programs alone, by this method, and not too often."""

    def decorate(view: Callable[..., Any]) -> Callable[..., Any]:
        @require_token(ApiToken.Scope.PLAY)
        @wraps(view)
        def asked(request: Any, *args: Any, **kwargs: Any) -> Any:
            if request.method != method:
                return problem(
                    _("This address is asked by {method}.").format(method=method), 405, Allow=method
                )
            if site_switches.is_on(SiteSwitch.Kind.PROGRAMS):
                seconds = site_switches.seconds_left(SiteSwitch.Kind.PROGRAMS)
                return problem(site_switches.message(SiteSwitch.Kind.PROGRAMS), 503, wait=seconds or 0)
            if not _may_ask(request):
                sentence = _("Your program asks too often. Let it wait for a decision, or use the stream.")
                return problem(sentence, 429, wait=MINUTE)
            try:
                return view(request, *args, **kwargs)
            except Refusal as error:
                return refused(error)
            except Http404:
                return problem(_("There is no such game here."), 404)

        return asked

    return decorate


def _may_ask(request: BotRequest) -> bool:
    """Whether the program asks no more often than it may; reading counts as well."""
    which = {"app": "allauth.account", "action": "program"}
    return ratelimit.consume(request, user=request.user, limit_get=True, **which) is not None


def problem(sentence: str, status: int, *, wait: int = 0, **headers: str) -> JsonResponse:
    """An answer that tells what is wrong, and after how many seconds to come back if that is known."""
    answer = JsonResponse({"problem": sentence}, status=status, headers=headers)
    refusal_response.add_retry_after(answer, wait)
    return answer


def refused(error: Refusal) -> JsonResponse:
    """The answer to what the table refuses."""
    return problem(str(error.message), error.status, wait=error.retry_after)


def sent(request: HttpRequest, name: str) -> str | None:
    """The text of this name in the JSON object that was sent; None when there is none."""
    try:
        told = json.loads(request.body)
    except (ValueError, RecursionError, RequestDataTooBig, RawPostDataException):  # the last one: a form
        return None
    found = told.get(name) if isinstance(told, dict) else None
    return found if isinstance(found, str) else None
