"""Browsers in which a member has been logged in, known by a signed cookie.

The cookie opens nothing. It only counts the wrong passwords of this browser apart from those of strangers, so
that nobody is locked out by what others type. It holds for the password that the member had then.
"""

import secrets
import unicodedata
from collections.abc import Iterator
from datetime import timedelta

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.core import signing
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.crypto import constant_time_compare, salted_hmac

from accounts.models import User

KEPT = timedelta(days=180)

# A family may share a browser.
MAX_MEMBERS = 5

_SALT = "accounts.known_browsers"

# Key of the member, a random name of the browser, and what stands for the member's password.
_Row = tuple[int, str, str]


def remember(request: HttpRequest, response: HttpResponseBase, user: User) -> None:
    """Set the cookie by which this browser is known for the member from now on."""
    rows = _rows(request)
    name = next((name for key, name, _stamp in rows if key == user.pk), "") or secrets.token_urlsafe(9)
    others = [row for row in rows if row[0] != user.pk]
    response.set_cookie(
        settings.KNOWN_BROWSER_COOKIE_NAME,
        signing.dumps([(user.pk, name, _stamp(user)), *others][:MAX_MEMBERS], salt=_SALT),
        max_age=KEPT,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def known_as(request: HttpRequest, login: str) -> str:
    """The name of this browser if the account with this name or address was used in it, else "".

    Asks the database only about members whom the cookie names, so it tells a stranger nothing about names.
    """
    return next((name for user, name in _known(request) if account_key(login) in _logins(user)), "")


def is_passkey_known(request: HttpRequest) -> bool:
    """Return whether a member who has been logged in in this browser can log in with a passkey alone.

    The cookie tells a stranger nothing: it stands for browsers in which the password was right.
    """
    known = [user.pk for user, _name in _known(request)]
    keys = Authenticator.objects.filter(user__in=known, type=Authenticator.Type.WEBAUTHN) if known else ()
    return any(key.wrap().is_passwordless for key in keys)


def known_name(request: HttpRequest) -> str:
    """The name of this browser if some member has been logged in here, else ""."""
    return next((name for _key, name, _stamp in _rows(request)), "")


def account_key(login: str) -> str:
    """The name or address by which attempts are counted, however it is spelled.

    Databases take some letters for the same that are not: without this, each spelling would have attempts of
    its own.
    """
    return unicodedata.normalize("NFKC", login.strip()).casefold()


def _known(request: HttpRequest) -> Iterator[tuple[User, str]]:
    """The members who have been logged in here with the password they have now, and the browser's name."""
    rows = {key: (name, stamp) for key, name, stamp in _rows(request)}
    for user in User.objects.filter(pk__in=rows, is_active=True) if rows else ():
        name, stamp = rows[user.pk]
        if constant_time_compare(stamp, _stamp(user)):
            yield user, name


def _rows(request: HttpRequest) -> list[_Row]:
    cookie = request.COOKIES.get(settings.KNOWN_BROWSER_COOKIE_NAME, "")
    try:
        rows = signing.loads(cookie, salt=_SALT, max_age=KEPT) if cookie else []
    except signing.BadSignature:
        return []
    return [(key, name, stamp) for key, name, stamp in rows]


def _stamp(user: User) -> str:
    """A mark that changes with the password: a cookie from an old one does not help to guess the new one."""
    return salted_hmac(_SALT, user.password).hexdigest()[:16]


def _logins(user: User) -> set[str]:
    addresses = EmailAddress.objects.filter(user=user).values_list("email", flat=True)
    return {account_key(login) for login in (user.username, user.email, *addresses) if login}
