"""The settings: what members choose, and where it shows."""

from datetime import UTC, datetime

import pytest
from django.template import Context, Template
from django.test import RequestFactory
from django.utils import timezone

from accounts.models import User
from accounts.web.membership.member_middleware import use_time_zone

PASSWORD = "a long enough secret"


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


def test_strangers_are_led_to_the_log_in(client, db):
    assert client.get("/settings/").headers["Location"] == "/accounts/login/?next=/settings/"


@pytest.mark.parametrize(
    "address", ["profile", "display", "mail", "browser", "mail-again", "export", "delete"]
)
def test_strangers_change_nothing(client, db, address):
    assert client.post(f"/settings/{address}/", {}).headers["Location"].startswith("/accounts/login/")


def test_one_page_has_everything(client, marta):
    page = client.get("/settings/").content.decode()
    fields = ["username", "time_zone", "theme", "patterns", "confirm_placing", "confirm_sending"]
    for field in (*fields, "mail_mode", "mail_delay"):
        assert f'name="{field}"' in page
    for link in ("email/", "password/change/", "2fa/", "sessions/"):
        assert f'href="/accounts/{link}"' in page
    assert 'href="/settings/export/"' in page and 'href="/settings/delete/"' in page


def test_a_part_that_does_not_exist_is_not_found(client, marta):
    assert send(client, "nonsense").status_code == 404


# -- Name and time zone ----------------------------------------------------------------------------


def test_a_member_changes_name_and_time_zone(client, marta):
    answer = send(client, "profile", username="theo", time_zone="Europe/Lisbon")
    assert answer.headers["Location"] == "/settings/#profile"
    assert (again(marta).username, again(marta).time_zone) == ("theo", "Europe/Lisbon")


def test_a_name_that_is_taken_is_refused_and_nothing_else_is_stored(client, marta):
    User.objects.create_user("theo")
    answer = send(client, "profile", username="Theo", time_zone="Europe/Lisbon")
    assert answer.status_code == 422
    assert "taken" in answer.content.decode()
    assert (again(marta).username, again(marta).time_zone) == ("marta", "")


def test_the_page_about_a_faulty_name_still_calls_one_by_the_own_name(client, marta):
    answer = send(client, "profile", username="x")
    assert "<span>marta</span>" in answer.content.decode()


def test_whoever_is_called_like_the_site_may_keep_the_name(client, db):
    head = User.objects.create_user("admin")
    client.force_login(head)
    assert send(client, "profile", username="admin", time_zone="Asia/Tokyo").status_code == 302
    assert again(head).time_zone == "Asia/Tokyo"


def test_a_name_changes_five_times_a_day_and_no_more(client, marta):
    answers = [send(client, "profile", username=f"marta-{letter}").status_code for letter in "abcdefg"]
    assert answers == [302] * 5 + [429] * 2


def test_a_time_zone_that_does_not_exist_is_refused(client, marta):
    assert send(client, "profile", username="marta", time_zone="Europe/Atlantis").status_code == 422


def test_a_time_zone_with_an_old_name_stays_in_the_list(client, marta):
    User.objects.update(time_zone="Asia/Calcutta")
    page = client.get("/settings/").content.decode()
    assert '<option value="Asia/Calcutta" selected>' in page


def test_times_are_those_of_the_members_clock(marta):
    marta.time_zone = "Asia/Kolkata"
    noon = datetime(2026, 11, 20, 12, tzinfo=UTC)
    request = RequestFactory().get("/")
    request.user = marta
    written = use_time_zone(lambda _: Template("{{ noon|date:'H:i e' }}").render(Context({"noon": noon})))  # type: ignore[arg-type, return-value]
    assert written(request) == "17:30 IST"
    assert timezone.get_current_timezone_name() == "UTC"


def test_an_unknown_time_zone_is_the_sites(marta):
    assert str(marta.tzinfo) == "UTC"


# -- The table -------------------------------------------------------------------------------------


def test_the_choices_about_the_table_are_stored(client, marta):
    def chosen():
        user = again(marta)
        return user.theme, user.patterns, user.confirm_placing, user.confirm_sending

    send(client, "display", theme="dark", patterns="on", confirm_placing="on", confirm_sending="on")
    assert chosen() == ("dark", True, True, True)
    send(client, "display", theme="system")
    assert chosen() == ("system", False, False, False)


def test_the_page_comes_in_the_colours_that_were_chosen(client, marta):
    plain = client.get("/").content.decode()
    assert "data-theme=" not in plain.partition("<body")[0]
    send(client, "display", theme="dark", patterns="on")
    page = client.get("/").content.decode().partition("<head>")[0]
    assert 'data-theme="dark"' in page and 'class="patterns"' in page


def test_a_part_stores_nothing_of_the_others(client, marta):
    User.objects.update(theme="dark", time_zone="Europe/Lisbon", mail_mode="off")
    send(client, "mail", mail_mode="digest", mail_delay="9", digest_hour="20")
    kept = again(marta)
    assert (kept.theme, kept.time_zone, kept.username) == ("dark", "Europe/Lisbon", "marta")
    assert (kept.mail_mode, kept.mail_delay, kept.digest_hour) == ("digest", 9, 20)


# -- Mail ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["at once", "delayed", "digest", "off"])
def test_mail_comes_as_one_wishes(client, marta, mode):
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
def test_wishes_out_of_bounds_are_refused(client, marta, fields):
    good = {"mail_mode": "off", "mail_delay": "5", "digest_hour": "8"}
    assert send(client, "mail", **{**good, **fields}).status_code == 422
    assert again(marta).mail_mode == "delayed"


def test_a_stopped_address_is_told_of_and_tried_again_at_a_press(client, marta):
    User.objects.update(mail_stopped="The mailbox is full.")
    assert "The mailbox is full." in client.get("/settings/").content.decode()
    client.post("/settings/mail-again/")
    assert again(marta).mail_stopped == ""
    assert "The mailbox is full." not in client.get("/settings/").content.decode()


# -- What the browser tells ------------------------------------------------------------------------


def test_a_new_account_asks_the_browser_where_it_is(client, marta):
    assert "data-new" in client.get("/").content.decode()
    assert client.post("/settings/browser/", {"zone": "Europe/Lisbon", "theme": "dark"}).status_code == 204
    assert (again(marta).time_zone, again(marta).theme) == ("Europe/Lisbon", "dark")
    page = client.get("/").content.decode()
    assert "data-new" not in page
    assert 'data-time-zone="Europe/Lisbon"' in page


def test_a_guess_does_not_replace_a_choice(client, marta):
    User.objects.update(time_zone="Asia/Tokyo")
    client.post("/settings/browser/", {"zone": "Europe/Lisbon"})
    assert again(marta).time_zone == "Asia/Tokyo"


def test_what_is_not_told_stays_as_it_is(client, marta):
    User.objects.update(theme="dark", patterns=True)
    client.post("/settings/browser/", {"zone": "Europe/Lisbon"})
    assert (again(marta).theme, again(marta).patterns) == ("dark", True)
    client.post("/settings/browser/", {"patterns": "off"})
    assert (again(marta).theme, again(marta).patterns) == ("dark", False)


@pytest.mark.parametrize(
    "told", [{"zone": "../etc/passwd"}, {"zone": "x" * 500}, {"theme": "pink"}, {"patterns": "2"}]
)
def test_a_browser_that_talks_nonsense_is_not_believed(client, marta, told):
    assert client.post("/settings/browser/", told).status_code == 422
    assert (again(marta).time_zone, again(marta).theme) == ("", "system")


# -- Guests ----------------------------------------------------------------------------------------


def test_a_guest_chooses_colours_and_a_time_zone(client, guest):
    page = client.get("/settings/").content.decode()
    assert 'name="theme"' in page
    send(client, "display", theme="light")
    send(client, "profile", time_zone="Asia/Tokyo")
    assert (again(guest).theme, again(guest).time_zone) == ("light", "Asia/Tokyo")


def test_a_guest_has_no_name_to_change_and_no_mail(client, guest):
    page = client.get("/settings/").content.decode()
    assert 'name="username"' not in page and 'name="mail_mode"' not in page
    assert "/accounts/email/" not in page
    assert send(client, "mail", mail_mode="off").status_code == 404
    send(client, "profile", username="theo", time_zone="")
    assert again(guest).username == "Guest-2345"
