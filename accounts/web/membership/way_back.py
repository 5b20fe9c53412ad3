"""The page to which a log-in leads back."""

from urllib.parse import urlencode, urlsplit

from django.conf import settings
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest
from django.shortcuts import resolve_url
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme

# Pages that lead to the log-in themselves: whoever is there is on the way to somewhere else.
_OF_ACCOUNTS = ("account_", "mfa_", "usersessions_")


def way_back(request: HttpRequest) -> str:
    """The address, on this site, of the page that its reader sees; "" if a log-in need not lead there."""
    if is_of_accounts(request):
        return asked_way_back(request)
    if request.method in ("GET", "HEAD"):
        return request.get_full_path()
    return page_before(request)


def is_of_accounts(request: HttpRequest) -> bool:
    """Return whether the page is about logging in, or about the account itself."""
    name = (request.resolver_match and request.resolver_match.url_name) or ""
    return name.startswith(_OF_ACCOUNTS)


def asked_way_back(request: HttpRequest) -> str:
    """The address in `next`, or "" if it is missing or on another site."""
    address = request.POST.get(REDIRECT_FIELD_NAME) or request.GET.get(REDIRECT_FIELD_NAME) or ""
    return address if url_has_allowed_host_and_scheme(address, allowed_hosts=None) else ""


def page_before(request: HttpRequest) -> str:
    """The page of this site whose form or link made the request, or ""."""
    try:
        came_from = urlsplit(request.headers.get("HX-Current-URL") or request.headers.get("Referer", ""))
        is_ours = came_from.netloc == request.get_host()
    except (ValueError, DisallowedHost):
        return ""  # the page that refuses the request asks, too
    if not is_ours:
        return ""
    address = came_from._replace(scheme="", netloc="").geturl()
    # A path that begins with two slashes would lead to another site.
    return address if url_has_allowed_host_and_scheme(address, allowed_hosts=None) else ""


def login_address(back: str) -> str:
    """The address of the log-in that leads to `back`."""
    return with_way_back(reverse(settings.LOGIN_URL), back)


def with_way_back(path: str, back: str) -> str:
    """The path with `back` as `next`, which is left out if log-ins lead there anyway."""
    if back in ("", resolve_url(settings.LOGIN_REDIRECT_URL)):
        return path
    return f"{path}?{urlencode({REDIRECT_FIELD_NAME: back})}"
