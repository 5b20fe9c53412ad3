"""The settings: choices of members and guests, and their effect."""

import re
from datetime import UTC, datetime

import pytest
from allauth.account.models import EmailAddress
from django.template import Context, Template
from django.test import RequestFactory
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from accounts.web.membership.member_middleware import use_time_zone
from games.models import Channel, Kind, MutedKind
from games.notifications import delivery_history
from tests.support import wording
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


def rename(client, name):
    return client.post("/settings/name/", {"username": name})


def choose(client, name, value=""):
    """Make one choice as a script does; a box that is off sends nothing."""
    fields = {"changed": name, **({name: value} if value else {})}
    return client.post("/settings/choices/", fields, headers={"HX-Request": "true"})


ALL = {
    "time_zone": "Europe/Lisbon",
    "theme": "dark",
    "patterns": "on",
    "coach_marks": "off",
    "confirm_placing": "on",
    "square_names": "on",
    "mail_mode": "digest",
    "mail_delay": "9",
    "digest_hour": "20",
    "quiet_nights": "on",
}


def send_all(client, **others):
    """Send the whole form as a browser without scripts does."""
    return client.post("/settings/choices/", {**ALL, **others})


# -- The page --------------------------------------------------------------------------------------


def test_visitor_is_led_to_log_in(client, db):
    assert client.get("/settings/").headers["Location"] == "/accounts/login/?next=/settings/"


@pytest.mark.parametrize("address", ["name", "choices", "browser", "mail-again", "export", "delete"])
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


# -- Choices ---------------------------------------------------------------------------------------


def test_choice_is_saved_at_once_and_can_be_undone(client, marta):
    for name, value in ALL.items():
        before = getattr(again(marta), name)
        toast = choose(client, name, value).content.decode()
        saved = getattr(again(marta), name)
        assert saved != before and "Saved." in toast, name
        undo = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', toast))
        assert set(undo) == {"changed", name, "undo"}
        undone = client.post("/settings/choices/", undo, headers={"HX-Request": "true"}).content.decode()
        assert getattr(again(marta), name) == before, name
        assert wording.CHANGE_UNDONE in undone
        [control] = re.findall(rf'<(?:input|select)[^>]* name="{name}"[^>]*>', undone)
        assert f'id="id_{name}"' in control and 'hx-swap-oob="true"' in control


def test_choice_after_midnight_can_be_undone(client, marta):
    User.objects.update(digest_hour=0)
    toast = choose(client, "digest_hour", "7").content.decode()
    undo = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', toast))
    client.post("/settings/choices/", undo)
    assert again(marta).digest_hour == 0


def test_choice_that_guests_do_not_have_is_refused(client, marta):
    User.objects.update(is_guest=True)
    post = {"changed": "mail_mode", "mail_mode": "off", "theme": "dark"}
    assert client.post("/settings/choices/", post).status_code == 422
    assert again(marta).theme == "system"


def test_choice_saves_nothing_else(client, marta):
    """Two pages of a member may be open, and each shows what was true when it was loaded."""
    User.objects.update(theme="dark", patterns=True)
    client.post("/settings/choices/", {"changed": "sounds", "sounds": "on", "theme": "light"})
    assert (again(marta).theme, again(marta).patterns, again(marta).sounds) == ("dark", True, True)


def test_refused_choice_says_so_and_changes_nothing(client, marta):
    answer = choose(client, "theme", "pink")
    assert answer.status_code == 422
    assert 'class="toast"' in answer.content.decode() and "<h1" not in answer.content.decode()
    assert again(marta).theme == "system"


def test_page_without_scripts_has_one_form_for_all_choices(client, marta):
    page = client.get("/settings/").content.decode()
    assert page.count('id="choices"') == 1
    assert not re.search(r"<button[^>]*>\s*Save\s*<", page)
    for name in (*ALL, "confirm_sending", "sounds", "codes_from_links", "kinds"):
        assert re.search(rf'<(input|select)[^>]* name="{name}"[^>]* form="choices"', page), name


def test_all_choices_are_saved_together_without_scripts(client, marta):
    answer = send_all(client, kinds=["decision:mail", "finished:browser"])
    assert answer.headers["Location"] == "/settings/"
    saved = again(marta)
    assert (saved.time_zone, saved.theme, saved.mail_delay) == ("Europe/Lisbon", "dark", 9)
    assert (saved.patterns, saved.confirm_placing, saved.confirm_sending) == (True, True, False)
    wanted = {(Kind.DECISION, Channel.MAIL), (Kind.FINISHED, Channel.BROWSER)}
    assert delivery_history.wanted_kinds(saved) == wanted


def test_unknown_kind_of_notification_saves_nothing(client, marta):
    assert send_all(client, kinds=["everything"]).status_code == 422
    assert again(marta).theme == "system" and not MutedKind.objects.exists()


# -- Name and time zone ----------------------------------------------------------------------------


def test_name_is_stored(client, marta):
    assert rename(client, "theo").headers["Location"] == "/settings/#profile"
    assert again(marta).username == "theo"


def test_taken_name_stores_nothing(client, marta):
    User.objects.create_user("theo")
    answer = rename(client, "Theo")
    assert answer.status_code == 422
    assert "taken" in answer.content.decode()
    assert again(marta).username == "marta"


def test_page_keeps_own_name_after_error(client, marta):
    assert "<span>marta</span>" in rename(client, "x").content.decode()


def test_reserved_name_can_be_kept(client, db):
    head = User.objects.create_user("admin")
    client.force_login(head)
    assert rename(client, "admin").status_code == 302


def test_name_changes_are_limited(client, marta):
    answers = [rename(client, f"marta-{letter}").status_code for letter in "abcdefg"]
    assert answers == [302] * 5 + [429] * 2


def test_unknown_time_zone_is_refused(client, marta):
    assert choose(client, "time_zone", "Europe/Atlantis").status_code == 422


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


# -- Tips ------------------------------------------------------------------------------------------


def test_tips_that_are_turned_on_are_all_shown_again(client, marta):
    User.objects.update(coach_marks="off", read_coach_marks="place buy ")
    choose(client, "coach_marks", "on")
    assert (again(marta).coach_marks, again(marta).read_coach_marks) == ("on", "")


def test_another_choice_shows_no_tip_again(client, marta):
    User.objects.update(coach_marks="on", read_coach_marks="place buy ")
    choose(client, "coach_marks", "off")
    choose(client, "theme", "dark")
    send_all(client, coach_marks="first game")
    assert again(marta).read_coach_marks == "place buy "


# -- The table -------------------------------------------------------------------------------------


def test_page_uses_chosen_colours(client, marta):
    plain = client.get("/").content.decode()
    assert "data-theme=" not in plain.partition("<body")[0]
    choose(client, "theme", "dark")
    choose(client, "patterns", "on")
    page = client.get("/").content.decode().partition("<head>")[0]
    assert 'data-theme="dark"' in page and 'class="patterns"' in page


def test_names_on_squares_and_sounds_are_stored_and_shown(client, marta):
    choose(client, "square_names", "on")
    choose(client, "sounds", "on")
    assert (again(marta).square_names, again(marta).sounds) == (True, True)
    assert 'class=" square-names sounds"' in client.get("/").content.decode().partition("<head>")[0]
    choose(client, "square_names")
    assert (again(marta).square_names, again(marta).sounds) == (False, True)


def test_browser_of_a_new_account_reports_its_switches(client, marta):
    sent = {"zone": "Europe/Lisbon", "square_names": "on", "sounds": "off", "patterns": ""}
    assert client.post(reverse("settings-browser"), sent).status_code == 204
    assert (again(marta).square_names, again(marta).sounds, again(marta).patterns) == (True, False, False)


def test_only_visitors_find_the_switches_of_the_account_at_the_foot(client, marta, settings):
    here = 'data-setting="sounds"'
    assert here not in client.get("/").content.decode()
    client.logout()
    assert here in client.get("/").content.decode()


# -- Mail ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["at once", "delayed", "digest", "off"])
def test_mail_mode_is_stored(client, marta, mode):
    assert choose(client, "mail_mode", mode).status_code == 200
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
    assert send_all(client, **fields).status_code == 422
    assert again(marta).mail_mode == "delayed"


def test_times_of_emails_follow_a_choice(client, marta):
    EmailAddress.objects.create(user=marta, email=marta.email, verified=True, primary=True)
    shown = choose(client, "mail_mode", "digest").content.decode()
    assert '<div id="mail-schedule" hx-swap-oob="true">' in shown and "When emails arrive" in shown


def test_own_delay_stays_in_the_list(client, marta):
    User.objects.update(mail_delay=9)
    page = client.get("/settings/").content.decode()
    assert '<option value="9" selected>9 minutes</option>' in page
    assert '<option value="120">120 minutes</option>' in page


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
    choose(client, "theme", "light")
    choose(client, "time_zone", "Asia/Tokyo")
    assert (again(guest).theme, again(guest).time_zone) == ("light", "Asia/Tokyo")


def test_guest_cannot_change_name_and_mail(client, guest):
    page = client.get("/settings/").content.decode()
    assert 'name="username"' not in page and 'name="mail_mode"' not in page
    assert "/accounts/email/" not in page
    choose(client, "mail_mode", "off")
    send_all(client, kinds=[])
    assert (again(guest).mail_mode, again(guest).theme) == ("delayed", "dark")
    assert not MutedKind.objects.exists()
    assert rename(client, "theo").status_code == 404
    assert again(guest).username == "Guest-2345"
