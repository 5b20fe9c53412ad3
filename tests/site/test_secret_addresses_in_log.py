"""No log line holds an address that is a secret, whatever fails; everyday refusals leave no line."""

import io
import logging
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.core.exceptions import BadRequest, PermissionDenied, SuspiciousOperation
from django.db import OperationalError
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from accounts.mail import login_links
from accounts.models import User
from acquire_site import telemetry
from acquire_site.log_format import SECRET_ADDRESSES, JsonLines, Lines, without_secret_addresses
from tests.support.clients import client_of

pytestmark = pytest.mark.django_db

# Captured texts that anybody may know: names, dates and kinds of pages.
PUBLIC = {
    *("public_id", "name", "slug", "system", "preset", "section", "what", "day", "rest"),
    *("app_label", "url", "id", "object_id", "content_type_id"),
}
SECRET = "a1b2c3-Dd4_e5f6:x.y"


def patterns(resolver: URLResolver, before: str = "/") -> Iterator[tuple[str, URLPattern]]:
    """Every pattern of the site with the whole pattern of its address."""
    for one in resolver.url_patterns:
        route = before + str(one.pattern).removeprefix("^")
        if isinstance(one, URLResolver):
            yield from patterns(one, route)
        else:
            yield route, one


def secret_routes() -> list[tuple[str, URLPattern]]:
    """The patterns that capture a text which not everybody may know."""
    return [
        (route, one)
        for route, one in patterns(get_resolver())
        if set(re.findall(r"<(?:str:|slug:|path:)?(\w+)>", route)) - PUBLIC
    ]


@pytest.fixture(params=["line", "json"])
def paper(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> io.StringIO:
    """All that the site logs, in either format."""
    [stderr] = [one for one in logging.getLogger().handlers if one.get_name() == "stderr"]
    lines = io.StringIO()
    monkeypatch.setattr(stderr, "stream", lines)
    formatter = JsonLines() if request.param == "json" else Lines("{levelname} {name}: {message}", style="{")
    monkeypatch.setattr(stderr, "formatter", formatter)
    return lines


def raised(error: type[Exception]) -> Callable[[HttpRequest], HttpResponse]:
    """A view that fails and quotes its address, as libraries do."""

    def view(request: HttpRequest, **captured: Any) -> HttpResponse:
        logging.getLogger("games").warning("Trouble at %s", request.build_absolute_uri())
        raise error(f"cannot serve {request.get_full_path()}")

    return view


def answered(status: int) -> Callable[[HttpRequest], HttpResponse]:
    def view(request: HttpRequest, **captured: Any) -> HttpResponse:
        return HttpResponse(status=status)

    return view


FAILURES = [
    *map(raised, (RuntimeError, OperationalError, PermissionDenied, SuspiciousOperation, BadRequest)),
    *map(answered, (400, 403, 405, 429, 500, 503)),
]


def test_every_secret_address_is_known() -> None:
    found = {route for route, _ in secret_routes()}
    assert len(found) >= len(SECRET_ADDRESSES)
    assert {route for route in found if not route.startswith(tuple(SECRET_ADDRESSES))} == set()


def test_no_failure_logs_a_secret_address(paper: io.StringIO, monkeypatch: pytest.MonkeyPatch) -> None:
    for prefix in SECRET_ADDRESSES:
        [(_, pattern), *_more] = [found for found in secret_routes() if found[0].startswith(prefix)]
        address = f"{prefix}1-{SECRET}/" if "reset" in prefix else f"{prefix}{SECRET.replace(':x.y', '')}/"
        for view in FAILURES:
            monkeypatch.setattr(pattern, "callback", view)
            client = Client(raise_request_exception=False)
            client.get(address, {"next": address})
            Client(raise_request_exception=False, enforce_csrf_checks=True).post(address)
    assert SECRET[:18] not in paper.getvalue()
    for prefix, rest in SECRET_ADDRESSES.items():
        assert f"{prefix}{rest}" in paper.getvalue()


def test_secret_address_would_be_seen(paper: io.StringIO, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("acquire_site.log_format.without_secret_addresses", lambda text: text)
    [(_, pattern)] = [found for found in secret_routes() if found[0].startswith("/join/")]
    monkeypatch.setattr(pattern, "callback", raised(RuntimeError))
    Client(raise_request_exception=False).get("/join/a1b2c3-Dd4_e5f6/")
    assert "/join/a1b2c3-Dd4_e5f6/" in paper.getvalue()


def test_words_of_a_mail_server_do_not_repeat_a_link(paper: io.StringIO) -> None:
    link = f"https://acquire.example/mail/stop/{SECRET}/"
    try:
        raise OSError(f"554 blocked because of {link}")
    except OSError as error:
        logging.getLogger("games").error("Could not send a mail to user 7", exc_info=error)
    assert "554 blocked because of https://acquire.example/mail/stop/<str:token>/" in paper.getvalue()
    assert SECRET not in paper.getvalue()


def test_address_inside_another_one_is_hidden() -> None:
    text = f"/accounts/login/?next=%2Fjoin%2F{SECRET}%2F&a=1"
    assert without_secret_addresses(text) == "/accounts/login/?next=/join/<slug:code>&a=1"


def test_address_in_an_address_inside_another_one_is_hidden() -> None:
    text = f"/accounts/switch/?next=%2Faccounts%2Flogin%2F%3Fnext%3D%252Fjoin%252F{SECRET}%252F"
    hidden = "/accounts/switch/?next=%2Faccounts%2Flogin%2F%3Fnext%3D/join/<slug:code>"
    assert without_secret_addresses(text) == hidden


@pytest.mark.parametrize(
    "link",
    [
        "/games/abcdefghjk/?for=lena&key={key}#headline",
        "/games/abcdefghjk/?for=lena&amp;key={key}",
        "/games/abcdefghjk/?key={key}&for=lena",
        "/accounts/login/?next=%2Fgames%2Fabcdefghjk%2F%3Ffor%3Dlena%26key%3D{key}",
        "/accounts/switch/?next=%2Flogin%2F%3Fnext%3D%252Fplay%252F%253Ffor%253Dlena%2526key%253D{key}%2526a",
    ],
)
def test_key_of_a_login_link_is_hidden(link: str, alice: User) -> None:
    alice.codes_from_links = True
    key = login_links.link_key(alice)
    assert without_secret_addresses(link.format(key=key)) == link.format(key="<key>")


def test_error_report_holds_no_secret_address() -> None:
    value = f"cannot serve /join/{SECRET}/"
    report = telemetry.scrubbed({"exception": {"values": [{"value": value}]}, "logentry": {"message": value}})
    assert SECRET not in str(report)


@pytest.mark.parametrize(
    "text", ["POST /games/<slug:public_id>/join/ 403", "/join/<slug:code>/", "/mail/stop/"]
)
def test_other_text_stays(text: str) -> None:
    assert without_secret_addresses(text) == text


@pytest.mark.parametrize("path", ["/admin/", "/admin/games/game/", "/admin/desk/"])
def test_member_who_opens_the_admin_leaves_no_line(path: str, paper: io.StringIO, alice: User) -> None:
    answer = client_of(alice).get(path, follow=True)
    assert answer.status_code == 403
    assert paper.getvalue() == ""


def test_everyday_refusals_leave_no_line(paper: io.StringIO, alice: User) -> None:
    member = client_of(alice)
    refused = [
        member.get("/games/abcdefghjk/"),
        member.get("/play/"),
        member.post("/notices/games/abcdefghjk/"),
        Client(enforce_csrf_checks=True).post("/accounts/login/"),
    ]
    assert [answer.status_code for answer in refused] == [404, 405, 404, 403]
    assert paper.getvalue() == ""
