"""Site switches: turning them, and their effect on pages."""

from datetime import timedelta
from io import StringIO

import pytest
import time_machine
from django.core.exceptions import ValidationError
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import AuditEntry, SiteSwitch, User
from accounts.moderation.switch_actions import SWITCH_ACTIONS
from accounts.operator import site_switches
from accounts.refusals import RegistrationClosed
from accounts.web.operator import switch_middleware
from tests.support import wording
from tests.support.clients import client_of
from tests.support.members import PASSWORD, log_in, sign_up
from tests.support.staff_actions import perform_action

pytestmark = pytest.mark.django_db

Kind = SiteSwitch.Kind
HOUR = timedelta(hours=1)


def turn(kind, state="on", **values):
    target = SiteSwitch.objects.get(kind=kind)
    action = SWITCH_ACTIONS[f"turn-{state}"]
    return perform_action(action, target, None, "We try it.", **values)


@pytest.fixture
def member(client):
    user = User.objects.create_user("hugo", password=PASSWORD)
    client.force_login(user)
    client.get("/")
    return client


# -- Turning ---------------------------------------------------------------------------------------


def test_all_switches_exist_and_are_off():
    assert {switch.kind for switch in SiteSwitch.objects.all()} == set(Kind.values)
    assert not any(site_switches.is_on(kind) for kind in Kind)


def test_turning_is_audited():
    turn(Kind.NOTICE, text="New rules tomorrow.")
    entry = AuditEntry.objects.get()
    assert (entry.action, entry.reason) == ("turn-on", "We try it.")
    assert entry.details == {"switch": "notice", "text": "New rules tomorrow."}


def test_notice_needs_text():
    with pytest.raises(ValidationError, match="Enter the text of the notice"):
        turn(Kind.NOTICE)
    assert not site_switches.is_on(Kind.NOTICE)


def test_switch_ends_at_its_time():
    turn(Kind.GAMES, until=timezone.now() + HOUR)
    assert site_switches.is_on(Kind.GAMES)
    with time_machine.travel(timezone.now() + HOUR - timedelta(seconds=2), tick=False):
        assert site_switches.is_on(Kind.GAMES)
    with time_machine.travel(timezone.now() + HOUR + timedelta(seconds=1), tick=False):
        assert not site_switches.is_on(Kind.GAMES)


def test_switch_without_end_stays_on():
    turn(Kind.GAMES)
    with time_machine.travel(timezone.now() + timedelta(days=400), tick=False):
        assert site_switches.is_on(Kind.GAMES)
    turn(Kind.GAMES, "off")
    assert not site_switches.is_on(Kind.GAMES)


def test_other_process_sees_switch_after_cache_time(settings):
    assert not site_switches.is_on(Kind.GAMES)
    SiteSwitch.objects.filter(kind=Kind.GAMES).update(since=timezone.now())  # as another process would
    assert not site_switches.is_on(Kind.GAMES)
    settings.SWITCH_CACHE_SECONDS = 0
    assert site_switches.is_on(Kind.GAMES)


def test_only_administrator_turns_switch_in_admin(admin_client):
    address = f"/admin/accounts/siteswitch/{SiteSwitch.objects.get(kind=Kind.NOTICE).pk}/act/turn-on/"
    form = {"text": "Hello.", "until": "", "reason": "To greet.", "confirm": "Do it", "form": "0" * 32}
    assert admin_client.post(address, form).status_code == 302
    assert site_switches.is_on(Kind.NOTICE)
    assert admin_client.get("/admin/accounts/siteswitch/").status_code == 200
    moderator = client_of(User.objects.create_user("vera", is_staff=True))
    assert moderator.post(address, form).status_code in (403, 404)


def test_command_turns_and_lists_switches():
    def run(*arguments):
        said = StringIO()
        call_command("turn_switch", *arguments, stdout=said)
        return said.getvalue()

    assert run().count("off") == len(Kind)
    assert "on until 2041-05-17 18:30 UTC" in run(
        "reading", "on", "--until", "2041-05-17 18:30", "--reason", "The disk is changed."
    )
    assert AuditEntry.objects.get().by_name == "the shell"
    assert "off" in run("reading", "off", "--reason", "Done.")
    with pytest.raises(CommandError, match=wording.ENTER_A_REASON):
        run("games", "on")
    with pytest.raises(CommandError, match="This switch is off"):
        run("games", "off", "--reason", "So.")


# -- Notice ----------------------------------------------------------------------------------------


def test_notice_is_on_all_pages_as_plain_text(member):
    turn(Kind.NOTICE, text="<b>New</b> rules tomorrow.")
    for address in ("/", "/rules/", "/settings/", "/contact/", "/nowhere/"):
        assert "&lt;b&gt;New&lt;/b&gt; rules tomorrow." in member.get(address).content.decode()


def test_switches_are_cached(member):
    with CaptureQueriesContext(connection) as queries:
        member.get("/")
        member.get("/")
    assert not [query for query in queries if "accounts_siteswitch" in query["sql"]]


# -- Registration ----------------------------------------------------------------------------------


def test_closed_registration_refuses_sign_up(client):
    turn(Kind.REGISTRATION, text="Come back on Monday.")
    for page in (client.get("/accounts/signup/"), sign_up(client, "marta")):
        assert page.status_code == 403
        assert "Sign-up and guest play are closed right now. Try again later." in page.content.decode()
        assert "Come back on Monday." in page.content.decode()
    assert not User.objects.exists()


@pytest.mark.parametrize("address", ["/play/", "/games/practice/"])
def test_closed_registration_refuses_guests(client, address):
    turn(Kind.REGISTRATION)
    page = client.post(address, FORMS[address])
    assert page.status_code == 403
    assert "Sign-up and guest play are closed right now. Try again later." in page.content.decode()
    assert not User.objects.exists()


def test_missing_registration_check_is_detected(client, monkeypatch):
    """Sabotage twin: guests are created without looking at the switch."""
    turn(Kind.REGISTRATION)
    monkeypatch.setattr("accounts.membership.guests.check_registration", lambda: None)
    client.post("/play/", FORMS["/play/"])
    assert User.objects.filter(is_guest=True).exists()


def test_member_plays_on_while_registration_is_closed(member):
    turn(Kind.REGISTRATION)
    assert member.post("/play/", FORMS["/play/"]).status_code == 302
    with pytest.raises(RegistrationClosed):
        site_switches.check_registration()


FORMS = {
    "/play/": {"preset": "classic", "opponents": 2, "level": "random"},
    "/games/practice/": {
        **{"preset": "classic", "who_1": "person", "name_1": "Ann"},
        **{"who_2": "person", "name_2": "Ben"},
    },
}


# -- Read-only -------------------------------------------------------------------------------------


def test_read_only_site_refuses_forms_with_sentence(member):
    turn(Kind.READING, until=timezone.now() + HOUR)
    answer = member.post("/play/", FORMS["/play/"])
    assert answer.status_code == 503
    assert wording.SITE_IS_READ_ONLY in answer.content.decode()
    assert "This ends on" in answer.content.decode()
    assert 3500 < int(answer.headers["Retry-After"]) <= 3600
    assert wording.SITE_IS_READ_ONLY in member.get("/").content.decode()


def test_partial_request_gets_plain_sentence(member):
    turn(Kind.READING)
    answer = member.post("/play/", FORMS["/play/"], headers={"HX-Request": "true"})
    assert (answer.status_code, answer.headers["Content-Type"]) == (503, "text/plain; charset=utf-8")
    assert "<" not in answer.content.decode()


def test_staff_can_log_in_and_work_on_read_only_site(client):
    User.objects.create_superuser("head", password=PASSWORD)
    turn(Kind.READING)
    log_in(client, "head")
    assert client.get("/admin/").status_code == 200
    address = f"/admin/accounts/siteswitch/{SiteSwitch.objects.get(kind=Kind.READING).pk}/act/turn-off/"
    client.post(address, {"reason": "Done.", "confirm": "Do it", "form": "1" * 32})
    assert not site_switches.is_on(Kind.READING)


def test_admin_address_does_not_bypass_read_only(member):
    turn(Kind.READING)
    assert member.post("/admin/accounts/sitepage/add/", {"slug": "terms"}).status_code == 503


def test_missing_read_only_check_is_detected(member, monkeypatch):
    """Sabotage twin: every request is let through."""
    turn(Kind.READING)
    monkeypatch.setattr(switch_middleware, "_is_let_through", lambda request: True)
    assert member.post("/play/", FORMS["/play/"]).status_code == 302
