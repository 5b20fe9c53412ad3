"""Guests: accounts without a password, made by pressing a button."""

from allauth.core import ratelimit
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.auth import login
from django.http import HttpRequest

from accounts.membership.name_changes import GUEST_PREFIX, save_with_code
from accounts.models import User
from accounts.operator.site_switches import check_registration
from accounts.refusals import TooManyGuests


def create_guest(request: HttpRequest) -> User:
    """Make a guest for the visitor's POST request, log it in and return it.

    A user who is logged in already is returned unchanged. Raises TooManyGuests and RegistrationClosed.
    """
    if request.method != "POST":
        raise ValueError("A guest is made by a POST only: a page that is merely read makes no account.")
    if request.user.is_authenticated:
        return request.user
    check_registration()
    if not ratelimit.consume(request, action="guest"):
        raise TooManyGuests
    guest = User(is_guest=True)
    guest.set_unusable_password()
    save_with_code(guest, GUEST_PREFIX)
    login(request, guest)
    request.session.set_expiry(settings.GUEST_SESSION_AGE)
    # Lets the session be listed and ended, as after allauth's log-in.
    UserSession.objects.create_from_request(request)
    return guest
