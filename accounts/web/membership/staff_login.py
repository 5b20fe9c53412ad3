"""What staff proves before it is let into the admin."""

import time
from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

from allauth.account.adapter import get_adapter
from allauth.account.internal.flows.login import get_authentication_records
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

# What must answer before one has proved anything.
_DOORS_OF_THE_ADMIN = {"login", "logout", "jsi18n"}


class RequireStaffReauthentication:
    """Let staff into the admin with a password of the last minutes, and with a second factor set up.

    Who entered the password too long ago is asked for it and goes on where they were; who has no second
    factor is led to where one is set up. It comes after what looks at forms, for a form is taken up again.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, view: Any, args: Any, kwargs: Any) -> HttpResponse | None:
        found = request.resolver_match
        if found is None or found.app_name != "admin" or found.url_name in _DOORS_OF_THE_ADMIN:
            return None
        if not (request.user.is_authenticated and request.user.is_staff):
            return None  # the admin itself sends them away
        if settings.STAFF_TOTP and not _has_second_factor(request.user):
            messages.warning(request, _("Staff logs in with a second factor. Set one up, then come back."))
            return redirect("mfa_activate_totp")
        if _logged_in_recently(request):
            return None
        messages.info(request, _("The admin asks for your password again from time to time."))
        ways = get_adapter().get_reauthentication_methods(request.user)
        way = ways[0]["url"] if ways else reverse("account_set_password")
        if any("password" in name for name in request.POST):
            # What is taken up again is kept in the session until then, where no password belongs.
            return redirect(f"{way}?{urlencode({REDIRECT_FIELD_NAME: request.path})}")
        return suspend_request(request, way)


def _has_second_factor(user: User) -> bool:
    factors = [Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN]
    return Authenticator.objects.filter(user=user, type__in=factors).exists()


def _logged_in_recently(request: HttpRequest) -> bool:
    """Whether the password, or what stands for it, was given in this session not long ago."""
    records = get_authentication_records(request, request.user)
    newest = max((record.get("at", 0) for record in records), default=0)
    return bool(time.time() - newest < settings.STAFF_REAUTH_SECONDS)
