"""What accounts does around a request."""

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone

from accounts.models import User

# What a guest may do with the account's pages: everything else begins with becoming a member.
_FOR_GUESTS = {"account_login", "account_signup", "account_logout", "account_confirm_email"}
_OF_ACCOUNTS = ("account_", "mfa_", "usersessions_")


def remember_last_seen(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Once a day and session: note that the user was here, and let the session last longer."""

    def middleware(request: HttpRequest) -> HttpResponse:
        if request.user.is_authenticated:
            today = timezone.localdate()
            if request.session.get("seen") != today.isoformat():
                request.session["seen"] = today.isoformat()
                User.objects.filter(pk=request.user.pk, last_seen__lt=today).update(last_seen=today)
        return get_response(request)

    return middleware


def use_time_zone(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Let times be written as the clocks of whoever asks show them."""

    def middleware(request: HttpRequest) -> HttpResponse:
        if not request.user.is_authenticated:
            return get_response(request)
        with timezone.override(request.user.zone):
            return get_response(request)

    return middleware


class GuestsRegisterFirst:
    """Lead guests to the sign-up from the pages of accounts: a guest has no address and no password."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, view: Any, args: Any, kwargs: Any) -> HttpResponse | None:
        name = (request.resolver_match and request.resolver_match.url_name) or ""
        if not name.startswith(_OF_ACCOUNTS) or name in _FOR_GUESTS:
            return None
        if request.user.is_authenticated and request.user.is_guest:
            return redirect("account_signup")
        return None
