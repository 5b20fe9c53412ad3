"""Middleware for members: last visit, time zone, registration and suspension."""

from collections.abc import Callable
from datetime import date
from functools import partial
from typing import Any, cast

from django.conf import settings
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django_htmx.http import HttpResponseClientRedirect

from accounts.membership.session_store import SessionStore
from accounts.models import User
from accounts.models.write_if_free import write_if_free
from accounts.moderation import linked_accounts
from accounts.web.membership import known_browsers
from accounts.web.moderation import standing_page

# Views for whoever has lost an account to somebody else, or its password, however they are logged in here.
_OPEN_TO_ALL = {
    *("account_not_you", "account_reset_password", "account_reset_password_done"),
    *("account_reset_password_from_key", "account_reset_password_from_key_done"),
}

# Views open to suspended members: to read why, appeal, export data, delete the account and stop mail.
_OPEN_TO_SUSPENDED = {
    *_OPEN_TO_ALL,
    *("standing", "standing-read", "standing-answer", "page", "export", "delete-account", "account_logout"),
    *("account_reauthenticate", "mfa_reauthenticate", "mfa_reauthenticate_webauthn", "account_confirm_email"),
    # Requested by every page, this one included.
    *("waiting-count", "settings-browser", "manifest", "robots", "stop-mail"),
}

# Account views open to guests; all others require registration.
_OPEN_TO_GUESTS = {
    *_OPEN_TO_ALL,
    *("account_login", "mfa_login_webauthn", "account_signup", "account_logout"),
    *("account_confirm_email", "account_email_verification_sent"),
    *("account_request_login_code", "account_confirm_login_code", "account_mail_login_code"),
    "account_mail_delay",
}
_OF_ACCOUNTS = ("account_", "mfa_", "usersessions_")


def remember_last_seen(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware that records the visit and renews the session, once a day and session."""

    def middleware(request: HttpRequest) -> HttpResponse:
        user, today = request.user, timezone.localdate()
        if not user.is_authenticated or request.session.get("seen") == today.isoformat():
            return get_response(request)
        browser = request.COOKIES.get(settings.BROWSER_COOKIE_NAME, "")
        if not linked_accounts.is_browser(browser):
            browser = linked_accounts.new_browser_id()
        address = request.META.get("REMOTE_ADDR", "")
        # Without the lock the next request records it.
        if not write_if_free(partial(_record_visit, user, today, browser, address)):
            return get_response(request)
        response = get_response(request)
        # After a log-out the session is no longer theirs.
        if request.user == user:
            cast(SessionStore, request.session).renew(seen=today.isoformat())
        return _with_cookies(request, response, user, browser)

    return middleware


@transaction.atomic
def _record_visit(user: User, today: date, browser: str, address: str) -> None:
    """Record the day, the browser and the network."""
    User.objects.filter(pk=user.pk, last_seen__lt=today).update(last_seen=today)
    linked_accounts.record_access(user, browser=browser, address=address)


def _with_cookies(request: HttpRequest, response: HttpResponse, user: User, browser: str) -> HttpResponse:
    """Set the cookies that identify the browser, and return the response."""
    response.set_cookie(
        settings.BROWSER_COOKIE_NAME,
        browser,
        max_age=linked_accounts.KEPT,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )
    if not user.is_guest:
        known_browsers.remember(request, response, user)
    return response


def use_time_zone(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Middleware that activates the user's time zone."""

    def middleware(request: HttpRequest) -> HttpResponse:
        if not request.user.is_authenticated:
            return get_response(request)
        with timezone.override(request.user.tzinfo):
            return get_response(request)

    return middleware


class RequireRegistration:
    """Redirect guests from the account pages to the sign-up: they have no address and no password."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, view: Any, args: Any, kwargs: Any) -> HttpResponse | None:
        name = (request.resolver_match and request.resolver_match.url_name) or ""
        if not name.startswith(_OF_ACCOUNTS) or name in _OPEN_TO_GUESTS:
            return None
        if request.user.is_authenticated and request.user.is_guest:
            return redirect("account_signup")
        return None


class BlockSuspendedUsers:
    """Redirect suspended members to the page with the reason, from all but a few pages."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(self, request: Any, view: Any, args: Any, kwargs: Any) -> HttpResponse | None:
        match = request.resolver_match
        if not (request.user.is_authenticated and request.user.is_suspended):
            return None
        if not match.namespaces and match.url_name in _OPEN_TO_SUSPENDED:
            return None
        if request.htmx:
            return HttpResponseClientRedirect(reverse("standing"))
        if request.method in ("GET", "HEAD"):
            return redirect("standing")
        return standing_page.page(request, status=403)
