"""Sanctions: begin, end, mail, appeals, and what remains open to suspended members."""

import io
import json
import zipfile
from datetime import UTC, datetime, timedelta

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Appeal, Sanction, User, sanction
from accounts.moderation import sanctions
from accounts.moderation.sanctions import (
    MAX_APPEALS,
    lift,
    notify_ended_sanctions,
    open_appeals,
    read_warning,
    reply,
)
from accounts.refusals import Refusal
from games.sweeper import sweep
from tests.support import wording
from tests.support.clients import client_of, forget_log_in
from tests.support.members import PASSWORD, log_in

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)


@pytest.fixture
def vera():
    return User.objects.create_user("vera", is_staff=True)


@pytest.fixture
def at_home(client, marta):
    """Marta's browser, logged in."""
    log_in(client, "marta")
    return client


@pytest.fixture
def impose(marta, vera, django_capture_on_commit_callbacks):
    """A function that imposes a sanction on Marta and runs what follows the commit."""

    def do(kind, reason="Be kind.", until=None):
        with django_capture_on_commit_callbacks(execute=True):
            return sanctions.impose(marta, kind, reason=reason, by=vera, until=until)

    return do


def fresh(user):
    return User.objects.get(pk=user.pk)


# -- Beginning and end -----------------------------------------------------------------------------


@pytest.mark.parametrize("kind, column", [("mute", "is_muted"), ("suspension", "is_suspended")])
def test_sanction_ends_at_its_time(impose, marta, time_machine, kind, column):
    time_machine.move_to(timezone.now(), tick=False)
    sanction = impose(kind, until=timezone.now() + HOUR)
    assert getattr(fresh(marta), column)
    time_machine.shift(HOUR - timedelta(seconds=1))
    assert getattr(fresh(marta), column)
    assert sanction.ended is None
    time_machine.shift(timedelta(seconds=1))
    assert not getattr(fresh(marta), column)
    assert sanction.ended == sanction.until
    assert not Sanction.objects.active().exists()


@pytest.mark.parametrize("kind, column", [("mute", "is_muted"), ("ban", "is_suspended")])
def test_sanction_without_end_holds_until_lifted(impose, marta, vera, time_machine, kind, column):
    impose(kind)
    time_machine.move_to(timezone.now() + timedelta(days=2_000))
    assert getattr(fresh(marta), column)
    lift(marta, kind, reason="Long ago.", by=vera)
    assert not getattr(fresh(marta), column)


def test_new_sanction_replaces_one_of_same_kind(impose, marta):
    first = impose("mute", until=timezone.now() + 2 * HOUR)
    second = impose("mute", until=timezone.now() + HOUR)
    first.refresh_from_db()
    assert first.lifted
    assert fresh(marta).muted_until == second.until


def test_longer_of_suspension_and_ban_counts(impose, marta, vera):
    short = impose("suspension", until=timezone.now() + HOUR)
    impose("ban")
    assert fresh(marta).suspended_until == sanction.NO_END
    lift(marta, "ban", reason="A mistake.", by=vera)
    assert fresh(marta).suspended_until == short.until


def test_repeated_sanction_is_refused(impose):
    impose("mute")
    with pytest.raises(Refusal, match="The same sanction already applies"):
        impose("mute")


def test_end_in_past_is_refused(impose):
    with pytest.raises(Refusal, match="must be in the future"):
        impose("mute", until=timezone.now())


def test_only_active_sanction_can_be_lifted(marta, vera):
    with pytest.raises(Refusal, match=wording.NO_SANCTION_OF_THIS_KIND):
        lift(marta, "ban", reason="x", by=vera)


# -- Mail ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "kind, words",
    [
        ("warning", wording.READ_THE_WARNING),
        ("mute", "You cannot write in chats until"),
        ("suspension", "You cannot play, chat or invite until"),
        ("ban", wording.NO_LONGER_PLAYS_HERE),
    ],
)
def test_sanction_is_mailed_with_reason(impose, kind, words):
    impose(kind, reason="Rude <words> & more.", until=timezone.now() + HOUR if kind != "ban" else None)
    [letter] = mail.outbox
    assert letter.to == ["marta@example.org"]
    assert words in letter.body
    assert "Rude <words> & more." in letter.body
    assert "/accounts/standing/" in letter.body
    assert "vera" not in letter.body


def test_mail_names_end_in_time_zone_of_member(impose, marta, time_machine):
    marta.time_zone = "Asia/Tokyo"
    marta.save()
    time_machine.move_to("2031-05-01T10:00:00+00:00", tick=False)
    impose("mute", until=timezone.now() + HOUR)
    assert "until 1 May 2031, 20:00" in mail.outbox[0].body


def test_lifting_is_mailed_with_reason(impose, marta, vera, django_capture_on_commit_callbacks):
    impose("mute")
    with django_capture_on_commit_callbacks(execute=True):
        lift(marta, "mute", reason="You were provoked.", by=vera)
    assert "You can chat again." in mail.outbox[1].body
    assert "You were provoked." in mail.outbox[1].body


def test_end_by_time_is_mailed_once(impose, time_machine, django_capture_on_commit_callbacks):
    impose("suspension", until=timezone.now() + HOUR)
    with django_capture_on_commit_callbacks(execute=True):
        assert notify_ended_sanctions(timezone.now()) == 0
        time_machine.move_to(timezone.now() + HOUR)
        assert [notify_ended_sanctions(timezone.now()) for _ in range(2)] == [1, 0]
    assert len(mail.outbox) == 2
    assert "You can play again." in mail.outbox[1].body


def test_mail_about_end_names_other_sanction(impose, time_machine, django_capture_on_commit_callbacks):
    impose("suspension", until=timezone.now() + HOUR)
    impose("ban")
    time_machine.move_to(timezone.now() + HOUR)
    with django_capture_on_commit_callbacks(execute=True):
        notify_ended_sanctions(timezone.now())
    assert "You can play again." not in mail.outbox[-1].body
    assert "Another one still applies" in mail.outbox[-1].body


def test_lifted_sanction_is_not_announced_again(
    impose, marta, vera, time_machine, django_capture_on_commit_callbacks
):
    impose("mute", until=timezone.now() + HOUR)
    lift(marta, "mute", reason="Fine.", by=vera)
    time_machine.move_to(timezone.now() + HOUR)
    assert notify_ended_sanctions(timezone.now()) == 0


def test_sweeper_mails_ends(impose, time_machine, django_capture_on_commit_callbacks):
    impose("mute", until=timezone.now() + HOUR)
    time_machine.move_to(timezone.now() + HOUR)
    with django_capture_on_commit_callbacks(execute=True):
        sweep()
    assert "You can chat again." in mail.outbox[-1].body


def test_rolled_back_sanction_is_not_mailed(marta, vera, django_capture_on_commit_callbacks):
    with (
        django_capture_on_commit_callbacks(execute=True),
        pytest.raises(ZeroDivisionError),
        transaction.atomic(),
    ):
        sanctions.impose(marta, "ban", reason="x", by=vera)
        raise ZeroDivisionError
    assert mail.outbox == []
    assert not fresh(marta).is_suspended


def test_member_without_address_gets_no_mail(impose):
    EmailAddress.objects.all().delete()
    impose("ban")
    assert mail.outbox == []


# -- Standing page ---------------------------------------------------------------------------------


def test_page_shows_reason_and_end(impose, at_home):
    impose("mute", reason="Rude <b>words</b>.", until=timezone.now() + HOUR)
    page = at_home.get("/accounts/standing/").content.decode()
    assert wording.YOU_ARE_MUTED in page
    assert "Rude &lt;b&gt;words&lt;/b&gt;." in page
    assert "Until " in page
    assert "vera" not in page


def test_page_without_sanction_says_so(at_home):
    assert (
        "Your account has no warnings or restrictions." in at_home.get("/accounts/standing/").content.decode()
    )


def test_sanction_is_hidden_from_others(impose, at_home):
    impose("mute", reason="Very rude.")
    other = client_of(User.objects.create_user("theo"))
    assert "Very rude." not in other.get("/accounts/standing/").content.decode()
    assert Client().get("/accounts/standing/").status_code == 302


def test_warning_is_confirmed_by_button(impose, at_home, marta):
    warning = impose("warning")
    assert wording.READ_THE_WARNING in at_home.get("/").content.decode()
    answer = at_home.post(f"/accounts/standing/{warning.pk}/read/")
    assert answer.headers["Location"] == "/accounts/standing/"
    assert not fresh(marta).has_unread_warning
    assert wording.READ_THE_WARNING not in at_home.get("/").content.decode()


def test_standing_page_has_no_banner(impose, at_home):
    impose("warning")
    leads = "The moderators have warned you."
    assert leads not in at_home.get("/accounts/standing/").content.decode()
    assert leads in at_home.get("/").content.decode()


def test_each_warning_must_be_read(impose, at_home, marta):
    first, second = impose("warning"), impose("warning", reason="Once more.")
    at_home.post(f"/accounts/standing/{first.pk}/read/")
    assert fresh(marta).has_unread_warning
    at_home.post(f"/accounts/standing/{second.pk}/read/")
    assert not fresh(marta).has_unread_warning


def test_warning_of_other_member_is_not_found(impose, marta):
    warning = impose("warning")
    other = client_of(User.objects.create_user("theo"))
    assert other.post(f"/accounts/standing/{warning.pk}/read/").status_code == 404
    assert other.post(f"/accounts/standing/{warning.pk}/answer/", {"text": "x"}).status_code == 404
    assert fresh(marta).has_unread_warning


def test_banner_takes_no_query(impose, at_home):
    at_home.get("/rules/")
    with CaptureQueriesContext(connection) as before:
        at_home.get("/rules/")
    impose("warning")
    with CaptureQueriesContext(connection) as after:
        at_home.get("/rules/")
    assert len(after) == len(before)


# -- Appeals ---------------------------------------------------------------------------------------


def post_appeal(browser, sanction, text):
    return browser.post(f"/accounts/standing/{sanction.pk}/answer/", {"text": text})


def test_appeal_is_stored_and_shown(impose, at_home):
    sanction = impose("mute")
    assert post_appeal(at_home, sanction, "He <i>began</i>.").status_code == 302
    assert Appeal.objects.get().text == "He <i>began</i>."
    page = at_home.get("/accounts/standing/").content.decode()
    assert "He &lt;i&gt;began&lt;/i&gt;." in page
    assert wording.APPEAL_IS_WAITING in page


def test_repeated_appeal_is_stored_once(impose, at_home):
    sanction = impose("mute")
    assert [post_appeal(at_home, sanction, "He began.").status_code for _ in range(2)] == [302, 302]
    assert Appeal.objects.count() == 1


def test_second_appeal_is_refused_and_keeps_text(impose, at_home):
    sanction = impose("mute")
    post_appeal(at_home, sanction, "He began.")
    answer = post_appeal(at_home, sanction, "And he went on.")
    assert answer.status_code == 422
    assert wording.APPEAL_IS_WAITING in answer.content.decode()
    assert "And he went on." in answer.content.decode()


@pytest.mark.parametrize(
    "text, words", [("  ", "Write something first"), ("x" * 2001, "1 character too long")]
)
def test_invalid_appeal_is_explained(impose, at_home, text, words):
    answer = post_appeal(at_home, impose("mute"), text)
    assert answer.status_code == 422
    assert words in answer.content.decode()


def test_line_break_counts_as_one_character(impose, at_home):
    assert post_appeal(at_home, impose("mute"), "\r\n".join("x" * 1000)[:3001]).status_code == 302


def test_appeals_per_sanction_are_limited(impose, at_home, marta, vera):
    sanction = impose("mute")
    for number in range(MAX_APPEALS):
        post_appeal(at_home, sanction, f"Answer {number}")
        reply(marta, "No.", by=vera)
    answer = post_appeal(at_home, sanction, "Once more.")
    assert answer.status_code == 422
    assert "which is the limit" in answer.content.decode()


def test_ended_sanction_takes_no_appeal(impose, at_home, marta, vera):
    sanction = impose("mute")
    lift(marta, "mute", reason="Fine.", by=vera)
    assert (
        "This has ended, so there is nothing to appeal"
        in post_appeal(at_home, sanction, "x").content.decode()
    )


def test_read_warning_takes_appeal(impose, at_home, marta):
    warning = impose("warning")
    read_warning(marta, warning.pk)
    assert post_appeal(at_home, warning, "I did not.").status_code == 302


def test_reply_is_mailed_and_shown(impose, at_home, marta, vera, django_capture_on_commit_callbacks):
    post_appeal(at_home, impose("mute"), "He began.")
    with django_capture_on_commit_callbacks(execute=True):
        reply(marta, "It stands.", by=vera)
    assert "It stands." in mail.outbox[-1].body
    assert "It stands." in at_home.get("/accounts/standing/").content.decode()
    with pytest.raises(Refusal, match=wording.NO_APPEAL_IS_WAITING):
        reply(marta, "Again.", by=vera)


def test_lifting_answers_appeal(impose, at_home, marta, vera):
    post_appeal(at_home, impose("mute"), "He began.")
    lift(marta, "mute", reason="You are right.", by=vera)
    assert Appeal.objects.get().reply == "You are right."
    assert not open_appeals().exists()


# -- Suspended members -----------------------------------------------------------------------------


@pytest.fixture
def suspended(impose, at_home):
    impose("suspension", reason="Three warnings.", until=timezone.now() + HOUR)
    return at_home


@pytest.mark.parametrize("path", ["/", "/games/new/", "/settings/", "/players/marta/", "/admin/"])
def test_suspended_member_is_led_to_reason(suspended, path):
    answer = suspended.get(path)
    assert answer.headers["Location"] == "/accounts/standing/"


def test_form_of_suspended_member_shows_reason(suspended):
    answer = suspended.post("/play/", {"preset": "classic", "opponents": "2", "level": "random"})
    assert answer.status_code == 403
    assert "Three warnings." in answer.content.decode()


def test_open_page_redirects_suspended_member(suspended):
    answer = suspended.get("/games/open/", headers={"HX-Request": "true"})
    assert answer.headers["HX-Redirect"] == "/accounts/standing/"


def test_standing_page_does_not_redirect_to_itself(suspended):
    """The page asks for the number of waiting games by itself."""
    assert suspended.get("/waiting/", headers={"HX-Request": "true"}).status_code in (200, 204)


@pytest.mark.parametrize(
    "path",
    [
        *("/accounts/standing/", "/settings/export/", "/settings/delete/", "/terms/"),
        *("/accounts/not-you/", "/accounts/password/reset/"),
    ],
)
def test_suspended_member_can_open_few_pages(suspended, path):
    answer = suspended.get(path)
    assert answer.headers.get("Location", "").partition("?")[0] in ("", "/accounts/reauthenticate/")


def test_suspended_member_can_export_and_leave(suspended, marta):
    asks = forget_log_in(suspended).get("/settings/delete/").headers["Location"]
    assert suspended.post(asks, {"password": PASSWORD}).headers["Location"] == "/settings/delete/"
    with zipfile.ZipFile(io.BytesIO(suspended.post("/settings/export/").content)) as archive:
        account = json.loads(archive.read("account.json"))
    [told] = account["sanctions"]
    assert (told["kind"], told["reason"]) == ("suspension", "Three warnings.")
    assert "vera" not in json.dumps(account)
    suspended.post("/settings/delete/", {"sure": "on"})
    left = fresh(marta)
    assert not (left.is_active or left.is_suspended or left.sanctions.exists())


def test_suspended_member_can_log_in_to_read_reason(suspended):
    other = Client()
    log_in(other, "marta")
    assert other.get("/").headers["Location"] == "/accounts/standing/"


def test_ended_suspension_opens_site(suspended, time_machine):
    time_machine.move_to(timezone.now() + HOUR)
    assert suspended.get("/").status_code == 200


def test_missing_suspension_check_is_detected(suspended, monkeypatch):
    """Sabotage twin: nobody counts as suspended."""
    monkeypatch.setattr(User, "is_suspended", False)
    assert suspended.get("/").status_code == 200


def test_ban_ends_all_sessions(impose, at_home):
    impose("ban")
    assert at_home.get("/settings/").headers["Location"].startswith("/accounts/login/")


# -- What members are told ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "until"),
    [
        ("suspension", "You cannot play here until 1 May 2099, 12:00 UTC. The reason is below."),
        ("ban", f"{wording.NO_LONGER_PLAYS_HERE} The reason is below."),
    ],
)
def test_log_in_of_who_is_shut_out_says_reason_end_and_how_to_appeal(impose, marta, kind, until):
    end = datetime(2099, 5, 1, 12, tzinfo=UTC) if kind == "suspension" else None
    impose(kind, reason="Two accounts at one table.", until=end)
    browser = Client()
    log_in(browser, "marta")
    page = " ".join(browser.get("/", follow=True).content.decode().split())
    assert until in page
    assert "Two accounts at one table." in page
    assert "write to the moderators under “Appeal”" in page
    assert "Appeal</summary>" in page


@pytest.mark.parametrize(
    ("kind", "end"),
    [("suspension", "until 1 May 2099, 12:00 UTC"), ("ban", wording.BAN_WITHOUT_END)],
)
def test_mail_says_reason_end_and_how_to_appeal(impose, mailoutbox, kind, end):
    impose(
        kind,
        reason="Two accounts at one table.",
        until=datetime(2099, 5, 1, 12, tzinfo=UTC) if kind == "suspension" else None,
    )
    text = mailoutbox[0].body
    for words in (
        end,
        "Two accounts at one table.",
        "you can appeal to the moderators",
        "/accounts/standing/",
    ):
        assert words in text
