"""Log-in with a code by email: what the session of the browser that asked for one remembers."""

from typing import cast

from allauth.account.models import EmailAddress
from django.http import HttpRequest
from django.utils import timezone

from accounts.mail import account_mails, address_requests, login_codes
from accounts.web.membership import asked_mail

_SESSION_KEY = "login_code"


def ask_for_code(request: HttpRequest, address: str, *, page: str, name: str = "") -> None:
    """Request a code for this address, whether or not it has an account, in place of any earlier request.

    The log-in leads to `page`. `name` is the member's if the visitor knows it.
    """
    if before := request.session.get(_SESSION_KEY):
        address_requests.end_login_request(before["nonce"])
    nonce = login_codes.new_nonce()
    asked_mail.remember_mail(request, account_mails.request_login_code(address, nonce))
    asked_at = timezone.now().timestamp()
    request.session[_SESSION_KEY] = {
        "address": address,
        "nonce": nonce,
        "asked_at": asked_at,
        "page": page,
        "name": name,
    }


def asked_page(request: HttpRequest) -> str:
    """The page from which the code was asked for, to which it leads; "" for none."""
    return cast(str, request.session[_SESSION_KEY].get("page", ""))


def asked_name(request: HttpRequest) -> str:
    """The name of the member for whom a link has asked for the code; "" if an address was typed."""
    return cast(str, request.session[_SESSION_KEY].get("name", ""))


def open_nonce(request: HttpRequest) -> str:
    """The nonce of the code that this browser has asked for, or "" if there is none or its time is over."""
    asked = request.session.get(_SESSION_KEY)
    if not asked or timezone.now().timestamp() - asked["asked_at"] > login_codes.LIFETIME.total_seconds():
        return ""
    return cast(str, asked["nonce"])


def use_code(request: HttpRequest, typed: str) -> EmailAddress | None:
    """Return the address to which this code was mailed, once; None if the code is wrong.

    The address is not looked up before the code is right, so wrong codes tell nothing about it.
    """
    asked = request.session[_SESSION_KEY]
    if not login_codes.is_code(typed, asked["address"], asked["nonce"]):
        return None
    address = login_codes.find_address(asked["address"])
    if address:
        del request.session[_SESSION_KEY]
    return address
