"""The settings: choices of members and guests, and their effect."""

from datetime import UTC, datetime

import pytest
from django.template import Context, Template
from django.test import RequestFactory
from django.utils import timezone

from accounts.models import User
from accounts.web.membership.member_middleware import use_time_zone
from tests.support.members import PASSWORD


@pytest.fixture
def marta(client, db):
    user = User.objects.create_user("marta", "marta@example.org", PASSWORD)
    client.force_login(user)
    return user


@pytest.fixture
def guest(client, db):
    user = User.objects.create_user("Guest-2345", is_guest=True)
    client.force_login(user)
    return user


def again(user):
    return User.objects.get(pk=user.pk)


def send(client, section, **fields):
    return client.post(f"/settings/{section}/", fields)


# -- The page --------------------------------------------------------------------------------------


def test_visitor_is_led_to_log_in(client, db):
    assert client.get("/settings/").headers["Location"] == "/accounts/login/?next=/settings/"


@pytest.mark.parametrize(
    "address", ["profile", "display", "mail", "browser", "mail-again", "export", "delete"]
)
def test_visitor_cannot_change_settings(client, db, address):
    assert client.post(f"/settings/{address}/", {}).headers["Location"].startswith("/accounts/login/")


def test_page_has_all_settings(client, marta):
    page = client.get("/settings/").content.decode()
    fields = ["username", "time_zone", "theme", "patterns", "confirm_placing", "confirm_sending"]
    for field in (*fields, "mail_mode", "mail_delay"):
        assert f'name="{field}"' in page
    for link in ("email/", "password/change/", "2fa/", "sessions/"):
        assert f'href="/accounts/{link}"' in page
    assert 'href="/settings/export/"' in page and 'href="/settings/delete/"' in page


def test_unknown_section_is_not_found(client, marta):
    assert send(client, "nonsense").status_code == 404


# -- Name and time zone ----------------------------------------------------------------------------


def test_name_and_time_zone_are_stored(client, marta):
    answer = send(client, "profile", username="theo", time_zone="Europe/Lisbon")
    assert answer.headers["Location"] == "/settings/#profile"
    assert (again(marta).username, again(marta).time_zone) == ("theo", "Europe/Lisbon")


def test_taken_name_stores_nothing(client, marta):
    User.objects.create_user("theo")
    answer = send(client, "profile", username="Theo", time_zone="Europe/Lisbon")
    assert answer.status_code == 422
    assert "taken" in answer.content.decode()
    assert (again(marta).username, again(marta).time_zone) == ("marta", "")


def test_page_keeps_own_name_after_error(client, marta):
    answer = send(client, "profile", username="x")
    assert "<span>marta</span>" in answer.content.decode()


def test_reserved_name_can_be_kept(client, db):
    head = User.objects.create_user("admin")
    client.force_login(head)
    assert send(client, "profile", username="admin", time_zone="Asia/Tokyo").status_code == 302
    assert again(head).time_zone == "Asia/Tokyo"


def test_name_changes_are_limited(client, marta):
    answers = [send(client, "profile", username=f"marta-{letter}").status_code for letter in "abcdefg"]
    assert answers == [302] * 5 + [429] * 2


def test_unknown_time_zone_is_refused(client, marta):
    assert send(client, "profile", username="marta", time_zone="Europe/Atlantis").status_code == 422


def test_old_time_zone_name_stays_in_list(client, marta):
    User.objects.update(time_zone="Asia/Calcutta")
    page = client.get("/settings/").content.decode()
    assert '<option value="Asia/Calcutta" selected>' in page


def test_times_are_shown_in_time_zone_of_member(marta):
    marta.time_zone = "Asia/Kolkata"
    noon = datetime(2026, 11, 20, 12, tzinfo=UTC)
    request = RequestFactory().get("/")
    request.user = marta
    written = use_time_zone(lambda _: Template("{{ noon|date:'H:i e' }}").render(Context({"noon": noon})))  # type: ignore[arg-type, return-value]
    assert written(request) == "17:30 IST"
    assert timezone.get_current_timezone_name() == "UTC"


def test_unset_time_zone_is_that_of_site(marta):
    assert str(marta.tzinfo) == "UTC"


# -- The table -------------------------------------------------------------------------------------


def test_display_choices_are_stored(client, marta):
    def chosen():
        user = again(marta)
        return user.theme, user.patterns, user.confirm_placing, user.confirm_sending

    send(client, "display", theme="dark", patterns="on", confirm_placing="on", confirm_sending="on")
    assert chosen() == ("dark", True, True, True)
    send(client, "display", theme="system")
    assert chosen() == ("system", False, False, False)


def test_page_uses_chosen_colours(client, marta):
    plain = client.get("/").content.decode()
    assert "data-theme=" not in plain.partition("<body")[0]
    send(client, "display", theme="dark", patterns="on")
    page = client.get("/").content.decode().partition("<head>")[0]
    assert 'data-theme="dark"' in page and 'class="patterns"' in page


def test_section_does_not_change_others(client, marta):
    User.objects.update(theme="dark", time_zone="Europe/Lisbon", mail_mode="off")
    send(client, "mail", mail_mode="digest", mail_delay="9", digest_hour="20")
    kept = again(marta)
    assert (kept.theme, kept.time_zone, kept.username) == ("dark", "Europe/Lisbon", "marta")
    assert (kept.mail_mode, kept.mail_delay, kept.digest_hour) == ("digest", 9, 20)


# -- Mail ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["at once", "delayed", "digest", "off"])
def test_mail_mode_is_stored(client, marta, mode):
    assert send(client, "mail", mail_mode=mode, mail_delay="120", digest_hour="0").status_code == 302
    assert again(marta).mail_mode == mode


@pytest.mark.parametrize(
    "fields",
    [
        {"mail_mode": "hourly"},
        {"mail_delay": "0"},
        {"mail_delay": "121"},
        {"mail_delay": "x"},
        {"digest_hour": "24"},
        {"digest_hour": "-1"},
    ],
)
def test_invalid_mail_settings_are_refused(client, marta, fields):
    good = {"mail_mode": "off", "mail_delay": "5", "digest_hour": "8"}
    assert send(client, "mail", **{**good, **fields}).status_code == 422
    assert again(marta).mail_mode == "delayed"


def test_stopped_address_can_be_tried_again(client, marta):
    User.objects.update(mail_stopped="The mailbox is full.")
    assert "The mailbox is full." in client.get("/settings/").content.decode()
    client.post("/settings/mail-again/")
    assert again(marta).mail_stopped == ""
    assert "The mailbox is full." not in client.get("/settings/").content.decode()


# -- Guesses by the browser ------------------------------------------------------------------------


def test_new_account_takes_zone_and_theme_of_browser(client, marta):
    assert "data-new" in client.get("/").content.decode()
    assert client.post("/settings/browser/", {"zone": "Europe/Lisbon", "theme": "dark"}).status_code == 204
    assert (again(marta).time_zone, again(marta).theme) == ("Europe/Lisbon", "dark")
    page = client.get("/").content.decode()
    assert "data-new" not in page
    assert 'data-time-zone="Europe/Lisbon"' in page


def test_guess_does_not_replace_choice(client, marta):
    User.objects.update(time_zone="Asia/Tokyo")
    client.post("/settings/browser/", {"zone": "Europe/Lisbon"})
    assert again(marta).time_zone == "Asia/Tokyo"


def test_missing_guess_changes_nothing(client, marta):
    User.objects.update(theme="dark", patterns=True)
    client.post("/settings/browser/", {"zone": "Europe/Lisbon"})
    assert (again(marta).theme, again(marta).patterns) == ("dark", True)
    client.post("/settings/browser/", {"patterns": "off"})
    assert (again(marta).theme, again(marta).patterns) == ("dark", False)


@pytest.mark.parametrize(
    "told", [{"zone": "../etc/passwd"}, {"zone": "x" * 500}, {"theme": "pink"}, {"patterns": "2"}]
)
def test_invalid_guess_is_refused(client, marta, told):
    assert client.post("/settings/browser/", told).status_code == 422
    assert (again(marta).time_zone, again(marta).theme) == ("", "system")


# -- Guests ----------------------------------------------------------------------------------------


def test_guest_can_choose_colours_and_time_zone(client, guest):
    page = client.get("/settings/").content.decode()
    assert 'name="theme"' in page
    send(client, "display", theme="light")
    send(client, "profile", time_zone="Asia/Tokyo")
    assert (again(guest).theme, again(guest).time_zone) == ("light", "Asia/Tokyo")


def test_guest_cannot_change_name_and_mail(client, guest):
    page = client.get("/settings/").content.decode()
    assert 'name="username"' not in page and 'name="mail_mode"' not in page
    assert "/accounts/email/" not in page
    assert send(client, "mail", mail_mode="off").status_code == 404
    send(client, "profile", username="theo", time_zone="")
    assert again(guest).username == "Guest-2345"
