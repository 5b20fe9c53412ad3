"""Reauthentication of staff for the admin."""

from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

from allauth.account.adapter import get_adapter
from allauth.account.internal.flows.reauthentication import suspend_request
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.web.membership.recent_login import has_recent_proof
from accounts.web.membership.way_back import way_back

# The admin page that staff asked for before they had a second factor, in the session.
WANTED_KEY = "staff_wanted_page"

# Admin views that are open without reauthentication.
_OPEN_ADMIN_VIEWS = {"login", "logout", "jsi18n"}


class RequireStaffReauthentication:
    """Require a recent password and a second factor for the admin.

    Staff whose password is too old enter it again and then return to the same page; staff without a second
    factor are sent to set one up. Must come after the CSRF middleware, because it saves submitted forms.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, view: Any, args: Any, kwargs: Any) -> HttpResponse | None:
        found = request.resolver_match
        if found is None or found.app_name != "admin" or found.url_name in _OPEN_ADMIN_VIEWS:
            return None
        if not (request.user.is_authenticated and request.user.is_staff):
            return None  # the admin itself redirects them
        if settings.STAFF_TOTP and not _has_second_factor(request.user):
            messages.warning(request, _("Staff need two-factor authentication. Set it up, then come back."))
            request.session[WANTED_KEY] = way_back(request)
            return redirect("mfa_activate_totp")
        request.session.pop(WANTED_KEY, None)
        if has_recent_proof(request):
            return None
        messages.info(request, _("Enter your password again. The admin asks for it from time to time."))
        ways = get_adapter().get_reauthentication_methods(request.user)
        way = ways[0]["url"] if ways else reverse("account_set_password")
        if request.method != "POST":
            return suspend_request(request, way)
        # A form to resume is stored in the session, which must not hold a password.
        if not any("password" in name for name in request.POST):
            suspend_request(request, way)
        # It is resumed, with its query, only at an address without one.
        return redirect(f"{way}?{urlencode({REDIRECT_FIELD_NAME: request.path})}")


def _has_second_factor(user: User) -> bool:
    factors = [Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN]
    return Authenticator.objects.filter(user=user, type__in=factors).exists()
