"""Permissions: every route in every role, no form without its token, no page that writes.

access.txt tells for each address of addresses.txt what each role is answered: the status, or `login`,
`signup` or `admin` for who is led there first, and a `+` where something was recorded. It is written anew by

    python -m pytest tests/safety/test_route_permissions.py --write-access

and the change must be reviewed: a `+` in a column where none belongs is a hole.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.urls import get_resolver
from django.views.decorators.csrf import csrf_exempt

from tests.safety import site_addresses
from tests.safety.database_changes import NOTED_BY_READING, Watch
from tests.safety.populated_site import ROLES, World, undone
from tests.safety.site_addresses import Address
from tests.support.replaced_views import replaced

pytestmark = [pytest.mark.django_db, pytest.mark.long]

FILE = Path(__file__).with_name("access.txt")

FORM = "application/x-www-form-urlencoded"

# Mail programs and mail servers call these; a signed token or body authorises them.
WITHOUT_TOKEN = {"mail/stop/<str:token>/", "mail/bounces/"}
# Programs send a token of their own; cookies are ignored here, so no form of another site works either.
BY_PROGRAMS = {
    f"api/v1/program/{rest}"
    for rest in (
        *("account", "decisions", "stream", "games", "games/<slug:public_id>"),
        "games/<slug:public_id>/moves/<int:number>",
        *(f"games/<slug:public_id>/{deed}" for deed in ("join", "leave", "concede")),
    )
}
WITHOUT_TOKEN |= BY_PROGRAMS
# These answer 405 to everything but GET.
ONLY_READ = {
    f"api/v1/{rest}"
    for rest in (
        *("openapi.json", "games", "games/<slug:public_id>", "<path:rest>", "players/<str:name>"),
        *("games/<slug:public_id>/positions/<int:number>", "leaderboards/<slug:system>"),
    )
}
WITHOUT_TOKEN |= ONLY_READ

_DOORS = {"/accounts/login/": "login", "/accounts/signup/": "signup", "/admin/login/": "admin"}


@pytest.fixture(scope="module")
def watch(world: World) -> Iterator[Watch]:
    """Watch the database of the module's site."""
    found = Watch()
    with connection.execute_wrapper(found):
        yield found


@pytest.fixture(autouse=True)
def _no_name_lookups(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.web.notifications.public_http._look_up", lambda host, port: ["127.0.0.1"])


def asked(world: World, role: str, address: Address, **headers: str) -> HttpResponse:
    return world.client(role).generic(address.method, address.path, address.form, FORM, headers=headers)  # type: ignore[return-value]


def cell(world: World, watch: Watch, role: str, address: Address) -> str:
    """Return the answer to the role at this address, in the notation of access.txt."""
    with undone():
        watch.begin()
        answer = asked(world, role, address)
        door = _DOORS.get(answer.headers.get("Location", "").partition("?")[0])
        reading = address.method == "GET" or answer.status_code >= 400
        changed = watch.changed() - (NOTED_BY_READING if reading else set())
        return f"{door or answer.status_code}{'+' if changed else ''}"


def matrix(world: World, watch: Watch, asked_for: list[Address]) -> Iterator[str]:
    """Lines of access.txt."""
    yield f"{'':7}{' '.join(f'{role:9}' for role in ROLES)} address"
    for address in asked_for:
        told = address.in_(world)
        cells = " ".join(f"{cell(world, watch, role, told):9}" for role in ROLES)
        yield f"{address.method:6} {cells} {address.path} {address.form}".rstrip()


def paths(world: World) -> list[Address]:
    """One address for every route."""
    return list({told.route: told for told in (one.in_(world) for one in site_addresses.every())}.values())


# -- Roles -----------------------------------------------------------------------------------------


def test_every_route_has_an_address(world: World) -> None:
    known = {address.in_(world).route for address in site_addresses.every()}
    assert site_addresses.routes() - known == set()


def test_every_role_gets_the_recorded_answers(
    world: World, watch: Watch, request: pytest.FixtureRequest
) -> None:
    found = list(matrix(world, watch, site_addresses.every()))
    if request.config.getoption("--write-access"):
        FILE.write_text("\n".join([*found, ""]))
    assert found == FILE.read_text().splitlines()


def test_page_without_its_check_is_detected(world: World, watch: Watch) -> None:
    def open_to_all(request: HttpRequest, **words: Any) -> HttpResponse:
        return HttpResponse("Orders of somebody else.")

    [address] = [one for one in site_addresses.every() if one.path == "/games/{running}/ending/"]
    with replaced("ending", lambda view: open_to_all):
        [_roles, line] = matrix(world, watch, [address])
    assert line not in FILE.read_text().splitlines()


def test_new_route_is_detected(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    known = {address.in_(world).route for address in site_addresses.every()}
    monkeypatch.setattr(get_resolver().url_patterns[-1].pattern, "_route", "a-new-route/")
    assert site_addresses.routes() - known == {"a-new-route/"}


# -- Tokens ----------------------------------------------------------------------------------------


def taken_without_token(world: World, asked_for: list[Address]) -> set[str]:
    """Return routes that accept a form without the token."""
    found = set()
    for address in asked_for:
        for role, method in (("player", "POST"), ("superuser", "POST"), ("anonymous", "DELETE")):
            with undone():
                client = world.client(role, enforce_csrf_checks=True)
                if client.generic(method, address.path, address.form, FORM).status_code != 403:
                    found.add(address.route)
    return found


def test_every_form_needs_its_token(world: World) -> None:
    assert taken_without_token(world, paths(world)) == WITHOUT_TOKEN


def test_form_without_a_token_is_detected(world: World) -> None:
    join = [address for address in paths(world) if address.route == "games/<slug:public_id>/join/"]
    assert taken_without_token(world, join) == set()
    with replaced("join", csrf_exempt):
        assert taken_without_token(world, join) == {"games/<slug:public_id>/join/"}


# -- Reading ---------------------------------------------------------------------------------------


def written_by_reading(world: World, watch: Watch, asked_for: list[Address]) -> set[tuple[str, str]]:
    """Return routes and tables that are written by reading; GET is covered by access.txt."""
    found = set()
    for address in asked_for:
        role = "superuser" if address.path.startswith("/admin/") else "player"
        for method in ("GET", "HEAD", "OPTIONS", "TRACE"):
            with undone():
                watch.begin()
                asked(world, role, Address(method, address.path))
                found |= {(address.route, table) for table in watch.changed() - NOTED_BY_READING}
    return found


def test_reading_changes_no_row(world: World, watch: Watch) -> None:
    assert written_by_reading(world, watch, paths(world)) == set()
    assert [line for line in FILE.read_text().splitlines() if line.startswith("GET") and "+ " in line] == []


def test_page_that_writes_is_detected(world: World, watch: Watch) -> None:
    from accounts.models import ReleasedName

    def remembers(request: HttpRequest, **words: Any) -> HttpResponse:
        ReleasedName.objects.create(skeleton="x")
        return HttpResponse()

    rules = [address for address in paths(world) if address.route == "rules/"]
    with replaced("rules", lambda view: remembers):
        assert written_by_reading(world, watch, rules) == {("rules/", "accounts_releasedname")}
