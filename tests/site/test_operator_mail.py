"""Doctor mails its findings to the operator without flooding the mailbox."""

import os
import smtplib
import time
from collections.abc import Callable
from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core import mail
from django.core.management import CommandError, call_command
from django.db import OperationalError

from accounts.models import User
from acquire_site.health import operator_mail, site_report
from games.models import Game, Heartbeat
from games.moderation.site_health import HealthProblem
from tests.support.games import NewGame

pytestmark = pytest.mark.django_db

ADDRESS = "you@acquire.example"


@pytest.fixture(autouse=True)
def folder(settings: Any, tmp_path: Path) -> Path:
    settings.DATA_DIR, settings.EMAIL_URL = tmp_path, "smtp://mail.example"
    settings.SITE_URL, settings.BROKER_URL = "https://acquire.example", ""
    return tmp_path


@pytest.fixture
def find(monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """Let doctor find problems with these names, and return what it prints."""

    def find(*names: str, sample: int = 0) -> str:
        problems = [HealthProblem(name, "It is broken.") for name in names]
        monkeypatch.setattr(site_report, "health_problems", lambda now: problems)
        out = StringIO()
        try:
            call_command("doctor", "--quiet", "--mail", ADDRESS, sample=sample, stdout=out, stderr=out)
        except SystemExit as end:
            assert end.code == 1
        return out.getvalue()

    return find


def test_problems_are_mailed_once_and_their_end(find: Callable[..., str]) -> None:
    find("disk", "backup")
    find("backup", "disk")
    [told] = mail.outbox
    assert (told.to, told.subject) == ([ADDRESS], "Problems on acquire.example")
    assert "disk: It is broken.\n" in told.body
    assert "2 problems found." in told.body
    find()
    find()
    assert [message.subject for message in mail.outbox[1:]] == ["All is well again on acquire.example"]


def test_mails_are_named_after_the_host_of_the_site(find: Callable[..., str], settings: Any) -> None:
    settings.SITE_URL = "https://acquire.example:8443"
    find("disk")
    find()
    for message in mail.outbox:
        assert str(message.message()["Message-ID"]).endswith("@acquire.example>")


def test_problems_are_mailed_once_although_the_data_folder_is_missing(
    find: Callable[..., str], settings: Any, tmp_path: Path
) -> None:
    settings.DATA_DIR = tmp_path / "missing"
    find("disk")
    find("disk")
    assert len(mail.outbox) == 1


def test_new_problem_is_mailed_at_once(find: Callable[..., str]) -> None:
    find("disk")
    find("disk", "backup")
    assert len(mail.outbox) == 2


@pytest.fixture
def no_record(folder: Path) -> Path:
    """Something in the place of the file that records what was mailed."""
    (folder / "doctor-told.new").mkdir()
    return folder


def test_problems_are_mailed_once_although_no_file_records_it(
    find: Callable[..., str], no_record: Path
) -> None:
    assert "could not be sent" not in find("disk")
    find("disk")
    assert [message.subject for message in mail.outbox] == ["Problems on acquire.example"]
    find("disk", "backup")
    assert len(mail.outbox) == 2


def test_damaged_games_that_are_drawn_now_and_then_are_no_news_although_no_file_records_it(
    find: Callable[..., str], no_record: Path
) -> None:
    find("disk")
    find("disk", f"{operator_mail.GAME}wtmf7vkqn4")
    find("disk")
    assert len(mail.outbox) == 1


def test_end_of_problems_is_mailed_once_although_no_file_records_it(
    find: Callable[..., str], no_record: Path
) -> None:
    find("disk")
    find()
    find()
    assert [message.subject for message in mail.outbox[1:]] == ["All is well again on acquire.example"]


def test_problem_that_lasts_is_mailed_every_day_although_no_file_records_it(
    clock: Any, find: Callable[..., str], no_record: Path
) -> None:
    find("disk")
    clock.shift(timedelta(seconds=operator_mail.AGAIN_AFTER_SECONDS + 1))
    find("disk")
    assert len(mail.outbox) == 2


def test_problems_are_mailed_each_time_if_nothing_can_record_it(
    find: Callable[..., str], no_record: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk is full, and the database has stopped because of it."""

    def refuse(*args: Any, **options: Any) -> Any:
        raise OperationalError

    monkeypatch.setattr(Heartbeat.objects, "filter", refuse)
    monkeypatch.setattr(Heartbeat.objects, "update_or_create", refuse)
    find("disk")
    find("disk")
    assert len(mail.outbox) == 2


def test_damaged_game_is_examined_until_it_is_sound(
    find: Callable[..., str], start: NewGame, alice: User, bob: User
) -> None:
    """Others may be drawn from many games; the end of its damage is mailed when it has ended."""
    game = start(alice, bob)
    Game.all_games.filter(pk=game.pk).update(version=7)
    find(sample=1)
    find(sample=0)
    [told] = mail.outbox
    assert f"check_games {game.public_id}" in told.body
    Game.all_games.filter(pk=game.pk).update(version=game.version)
    find(sample=0)
    assert len(mail.outbox) == 2


def test_problem_that_lasts_is_mailed_every_day(find: Callable[..., str], folder: Path) -> None:
    find("disk")
    before = time.time() - operator_mail.AGAIN_AFTER_SECONDS - 1
    os.utime(folder / "doctor-told.json", (before, before))
    find("disk")
    assert len(mail.outbox) == 2


def test_mail_that_could_not_be_sent_is_sent_next_time(
    find: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(message: mail.EmailMessage) -> int:
        raise smtplib.SMTPConnectError(421, "no")

    with monkeypatch.context() as patched:
        patched.setattr(mail.EmailMessage, "send", refuse)
        assert "The email could not be sent (SMTPConnectError)." in find("disk")
    find("disk")
    assert len(mail.outbox) == 1


def test_mail_without_a_server_is_refused(settings: Any, find: Callable[..., str]) -> None:
    settings.EMAIL_URL = ""
    with pytest.raises(CommandError, match="Without EMAIL_URL"):
        find("disk")


def test_mail_about_some_games_is_refused() -> None:
    with pytest.raises(CommandError, match="Name no games"):
        call_command("doctor", "abc", "--mail", ADDRESS)
