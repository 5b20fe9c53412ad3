"""Limits of attempts to log in: by network address and account together, and by account.

Wrong passwords of a stranger use up the attempts of that stranger's network address at that account. Those
from many use up the attempts of all strangers at the account. Neither concerns a browser in which the member
has been logged in, nor a code by mail. Requests for a code and for a new password are limited in the same
way, by the address that is typed, whether or not it is known. See `ACCOUNT_RATE_LIMITS`.
"""

from allauth.core.internal import ratelimit
from allauth.core.internal.ratelimit import RateLimitUsage
from django.http import HttpRequest

from accounts.web.membership import known_browsers
from accounts.web.membership.known_browsers import account_key

_APP = "allauth.account"


def count_password(request: HttpRequest, login: str) -> RateLimitUsage | None:
    """Count an attempt with a password; None if there were too many. To be rolled back if it was right."""
    return _count(request, "login_failed", login)


def count_code_request(request: HttpRequest, address: str) -> RateLimitUsage | None:
    """Count a request for a code by mail; None if there were too many."""
    return _count(request, "request_login_code", address)


def count_reset_request(request: HttpRequest, address: str) -> RateLimitUsage | None:
    """Count a request for a new password; None if there were too many."""
    return _count(request, "request_password_reset", address)


def count_code(request: HttpRequest, nonce: str) -> bool:
    """Count a code that was typed and return whether there were not too many for what was asked for."""
    return bool(ratelimit.consume(request, app=_APP, action="login_code", key=nonce))


def forget_passwords(request: HttpRequest, login: str) -> None:
    """Forget the wrong passwords of this address and of all strangers, after a reset by mail."""
    for action, key in _stranger_keys(request, "login_failed", login):
        ratelimit.clear(request, app=_APP, action=action, key=key)


def is_page_open(request: HttpRequest) -> bool:
    """Count a form sent to the log-in page and return whether there were not too many.

    A network that many people share must not lock out those among them who are known.
    """
    browser = known_browsers.known_name(request)
    action = "login_page_known" if browser else "login_page"
    return bool(ratelimit.consume(request, app=_APP, action=action, key=browser))


def _count(request: HttpRequest, action: str, login: str) -> RateLimitUsage | None:
    if browser := _known_as(request, login):
        key = f"{account_key(login)}:{browser}"
        return ratelimit.consume(request, app=_APP, action=f"{action}_known", key=key)
    counted = RateLimitUsage(usage=[])
    for step, key in _stranger_keys(request, action, login):
        usage = ratelimit.consume(request, app=_APP, action=step, key=key)
        if usage is None:
            # An attempt refused for its address does not count against the account, and the other way round.
            counted.rollback()
            return None
        counted.usage += usage.usage
    return counted


def _stranger_keys(request: HttpRequest, action: str, login: str) -> list[tuple[str, str]]:
    account = account_key(login)
    return [(action, f"{account}:{ratelimit.get_ip(request)}"), (f"{action}_account", account)]


def _known_as(request: HttpRequest, login: str) -> str:
    """The name of the browser if the member has been logged in there, or of the session if they are now."""
    if request.user.is_authenticated:
        return f"session of {request.user.pk}"
    return known_browsers.known_as(request, login)
