"""Views of notification preferences, endpoints, unsubscribing and bounces."""

import hmac
import json
from collections.abc import Callable
from functools import wraps
from hashlib import sha256
from pathlib import Path
from typing import Any

from allauth.core import ratelimit
from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.staticfiles import finders
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.http.request import RawPostDataException
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games.models import Endpoint, Game
from games.models.invitation import MAX_ADDRESS_LENGTH
from games.notifications import endpoints, preferences
from games.notifications.outbox import settle
from games.refusals import TooManyEndpoints
from games.web.notifications import endpoint_delivery as short
from games.web.notifications import mail_delivery, public_http, unsubscribe, web_push
from games.web.notifications.game_level_form import LEVELS, GameLevelForm
from games.web.requests import Request
from games.web.settings.kind_choices import KindChoice, KindForm
from games.web.settings.settings_pages import page

WEBHOOKS = [choice for choice in Endpoint.Kind.choices if choice[0] != Endpoint.Kind.PUSH]


def members_only(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Refuse guests, who get no notifications."""

    @wraps(view)
    def guarded(request: Request, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.user.is_guest:
            raise PermissionDenied
        return view(request, *args, **kwargs)

    return require_POST(login_required(guarded))


class RateLimited(Exception):
    """The user has to wait before trying again."""


def _often_enough() -> str:
    return _("You have tried too often. Try again in an hour.")


def _too_often(request: Request) -> HttpResponse:
    """Render the settings page with status 429 and the time to wait."""
    messages.error(request, _often_enough())
    answer = page(request, status=429)
    answer["Retry-After"] = "3600"
    return answer


def _back(request: Request, problem: str, success: str) -> HttpResponse:
    if problem:
        messages.error(request, problem)
    else:
        messages.success(request, success)
    return redirect(f"{reverse('settings')}#notices")


# -- Preferences ---------------------------------------------------------------------------------------


@members_only
def kind(request: Request) -> HttpResponse:
    """Save whether the member wants one kind of notification on one channel."""
    form = KindForm(request.POST)
    if not form.is_valid():
        return _back(request, _("This kind of notification does not exist. Choose again."), "")
    chosen = form.cleaned_data
    kind, channel = chosen["changed"]
    choice = KindChoice(kind, channel, wanted=(kind, channel) in chosen["kinds"])
    preferences.set_wanted(request.user, choice.kind, choice.channel, wanted=choice.wanted)
    context = {"choice": choice, "undone": chosen["undo"]}
    return render(request, "games/notifications/_kind_saved.html", context)


@members_only
def attention(request: Request, public_id: str) -> HttpResponse:
    """Save the notification level of a game that the member plays."""
    game = get_object_or_404(Game, public_id=public_id, seats__user=request.user)
    form = GameLevelForm(request.POST)
    if not form.is_valid():
        if request.htmx:
            return render(request, "games/settings/_choice_refused.html", status=422)
        messages.error(request, _("This choice does not exist. Choose again."))
        return redirect(game)
    level, before = form.cleaned_data["level"], preferences.game_level(request.user, game)
    preferences.set_game_level(request.user, game, level)
    if request.htmx:
        context = {
            "game": game,
            "levels": LEVELS,
            "level": level,
            "before": before,
            "undone": form.cleaned_data["undo"],
        }
        return render(request, "games/notifications/_game_level_saved.html", context)
    messages.success(request, _("Saved."))
    return redirect(game)


# -- Mail ----------------------------------------------------------------------------------------------


@members_only
def send_test_mail(request: Request) -> HttpResponse:
    """Send the member a test mail."""
    if not ratelimit.consume(request, action="try-notices"):
        return _too_often(request)
    problem = mail_delivery.send_trial(request.user)
    return _back(
        request,
        problem and _("We could not send the email. {problem}").format(problem=problem),
        _("We have sent the email. Check your inbox and your spam folder."),
    )


@csrf_exempt
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def stop_mail(request: HttpRequest, token: str) -> HttpResponse:
    """Stop mail by a link in a mail: POST does so without a log-in, GET asks first."""
    try:
        stop = unsubscribe.read(token)
    except unsubscribe.BadLink:
        return render(request, "games/notifications/unsubscribe.html", {"bad": True}, status=404)
    if request.method == "POST":
        unsubscribe.apply_unsubscribe(stop)
    everything = "" if stop.scope == unsubscribe.ALL else unsubscribe.link(unsubscribe.ALL, user=stop.user)
    context = {"stop": stop, "done": request.method == "POST", "everything": everything}
    return render(request, "games/notifications/unsubscribe.html", context)


@csrf_exempt
@require_POST
def bounces(request: HttpRequest) -> HttpResponse:
    """Receive a report, signed with the site's key, of addresses that refuse mail.

    The body is `{"address": …, "reason": …}` or a list of these; the header `X-Signature` is `sha256=`
    and the HMAC of the body in hexadecimal.
    """
    if not settings.MAIL_BOUNCE_KEY:
        raise Http404
    try:
        body = request.body
    except RawPostDataException:
        # The body of a form was parsed before this view.
        return HttpResponse(status=400)
    signed = hmac.new(settings.MAIL_BOUNCE_KEY.encode(), body, sha256).hexdigest()
    given = request.headers.get("X-Signature", "")
    if not hmac.compare_digest(f"sha256={signed}".encode(), given.encode()):
        raise PermissionDenied
    try:
        reports = _reports(json.loads(body))
    except (ValueError, KeyError, TypeError):
        return HttpResponse(status=400)
    for address, reason in reports:
        settle.stop_mail(address, reason)
    return HttpResponse(status=204)


def _reports(body: Any) -> list[tuple[str, str]]:
    reports = body if isinstance(body, list) else [body]
    found = [(report["address"], report.get("reason") or _("The email bounced.")) for report in reports]
    if not all(_is_text(part) for report in found for part in report):
        raise ValueError
    if any(len(address) > MAX_ADDRESS_LENGTH for address, _reason in found):
        raise ValueError
    return found


def _is_text(part: object) -> bool:
    """Return whether the value is text that the database can hold. Raises ValueError for a lone surrogate."""
    return isinstance(part, str) and bool(part.encode()) and "\x00" not in part


# -- Endpoints -----------------------------------------------------------------------------------------


class WebhookForm(forms.Form):
    kind = forms.ChoiceField(choices=WEBHOOKS)
    url = forms.CharField(max_length=public_http.MAX_URL_LENGTH)
    name = forms.CharField(max_length=60, required=False)


class BrowserForm(forms.Form):
    url = forms.CharField(max_length=public_http.MAX_URL_LENGTH)
    public = forms.CharField(max_length=120)
    auth = forms.CharField(max_length=40)
    name = forms.CharField(max_length=60, required=False)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        try:
            web_push.check_keys(cleaned.get("public", ""), cleaned.get("auth", ""))
        except ValueError as error:
            raise forms.ValidationError(str(error)) from error
        return cleaned


@members_only
def add_webhook(request: Request) -> HttpResponse:
    """Add a webhook of the member."""
    form = WebhookForm(request.POST)
    if not form.is_valid():
        return _back(request, _("Choose a type and enter its address."), "")
    try:
        problem = _add(request, form.cleaned_data)
    except RateLimited:
        return _too_often(request)
    return _back(request, problem, _("Added. Send a test message to check that it works."))


@members_only
def add_browser(request: Request) -> HttpResponse:
    """Add the browser of the member as an endpoint; answers 204, or a status and a sentence."""
    if not web_push.is_on():
        raise Http404
    form = BrowserForm(request.POST)
    if not form.is_valid():
        return HttpResponse(
            _("The browser gave no address for notifications. Try again or use another browser."), status=422
        )
    facts = {**form.cleaned_data, "kind": Endpoint.Kind.PUSH}
    try:
        problem, status = _add(request, facts), 422
    except RateLimited:
        problem, status = _often_enough(), 429
    if problem:
        return HttpResponse(problem, status=status, content_type="text/plain; charset=utf-8")
    return HttpResponse(status=204)


def _trouble_with(url: str) -> str:
    """Return why nothing can be sent to the URL, in a sentence, or ""."""
    try:
        public_http.check(url)
    except public_http.ForbiddenAddress as error:
        return _("You cannot use this address: {why}").format(why=error)
    except OSError:
        return _("We cannot find this address. Check it for typos.")
    return ""


def _add(request: Request, facts: dict[str, Any]) -> str:
    """Add an endpoint of the member; return why it was not added, or "". Raises RateLimited."""
    # Every attempt counts, because each one resolves a name.
    if not ratelimit.consume(request, action="add-endpoint"):
        raise RateLimited
    if trouble := _trouble_with(facts["url"]):
        return trouble
    try:
        endpoints.add(request.user, **facts)
    except TooManyEndpoints as error:
        return str(error.message)
    return ""


@members_only
def try_endpoint(request: Request, pk: int) -> HttpResponse:
    """Send a test message to an endpoint of the member; one that is accepted revives it."""
    endpoint = get_object_or_404(Endpoint, pk=pk, user=request.user)
    if not ratelimit.consume(request, action="try-notices"):
        return _too_often(request)
    problem = short.send_trial(endpoint)
    if not problem:
        endpoints.revive(endpoint)
    return _back(
        request,
        problem and _("The server rejected the message. {problem}").format(problem=problem),
        _("The server accepted the test message."),
    )


@members_only
def remove_endpoint(request: Request, pk: int) -> HttpResponse:
    """Delete an endpoint of the member."""
    get_object_or_404(Endpoint, pk=pk, user=request.user).delete()
    return _back(request, "", _("Removed."))


@require_safe
def push_worker(request: HttpRequest) -> HttpResponse:
    """The service worker that shows messages; served at the root, because its URL limits its scope."""
    found = finders.find("games/js/push-worker.js")
    if not web_push.is_on() or found is None:
        raise Http404
    return HttpResponse(
        Path(found).read_bytes(), content_type="text/javascript", headers={"Cache-Control": "no-cache"}
    )
