"""Backups go to another machine, and their age is known."""

import os
import re
import shutil
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from datetime import time as time_of_day
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import OperationalError, connection
from django.utils import timezone

from accounts.models import User
from acquire_site import metrics
from acquire_site.backup import backup_age, backup_file, carry_away, daily_backups
from acquire_site.management.commands.backup import clock_time
from games.models import Heartbeat
from tests.support.databases_aside import reach_databases_aside
from tests.support.played_site import missing

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db(transaction=True)]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, settings: Any) -> Path:
    if connection.vendor == "postgresql" and not shutil.which("pg_dump"):
        missing("postgres")
    settings.DATA_DIR = tmp_path
    return tmp_path / "backups"


@pytest.fixture
def look_aside(transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    reach_databases_aside(monkeypatch)


def backup(*arguments: str) -> str:
    out = StringIO()
    call_command("backup", *arguments, stdout=out, stderr=out)
    return out.getvalue()


# -- To another machine ----------------------------------------------------------------------------


def test_the_command_gets_each_backup(folder: Path, settings: Any, tmp_path: Path) -> None:
    settings.BACKUP_COMMAND = f'cp "$BACKUP_FILE" {tmp_path}/elsewhere && echo carried away'
    assert "carried away" in backup()
    [made] = backup_file.backups()
    assert (tmp_path / "elsewhere").read_bytes() == made.read_bytes()


def test_a_backup_that_was_not_carried_away_is_not_good(settings: Any) -> None:
    settings.BACKUP_COMMAND = "echo no route to host >&2; exit 3"
    with pytest.raises(CommandError, match=r"(?s)exit code 3.*this machine only.*no route to host"):
        backup()
    assert len(backup_file.backups()) == 1
    assert backup_age.last(backup_age.BACKUP) is None
    settings.BACKUP_COMMAND = "true"
    backup(str(settings.DATA_DIR / f"second{backup_file.suffix()}"))
    assert backup_age.last(backup_age.BACKUP) is not None


def test_a_command_that_hangs_is_ended(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(carry_away, "TIMEOUT_SECONDS", 0.2)
    settings.BACKUP_COMMAND = "sleep 60"
    with pytest.raises(CommandError, match="did not end within"):
        backup()


RESTIC = """#!/bin/sh
echo "$@" >>"$0.called"
[ "$1" != backup ] || cat >"$0.stored"
[ "$1" != "$RESTIC_FAILS_AT" ]
"""


@pytest.fixture
def restic(tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program that stands in for restic, and writes down how it was called."""
    program = tmp_path / "bin" / "restic"
    program.parent.mkdir()
    program.write_text(RESTIC)
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")
    monkeypatch.setenv("RESTIC_REPOSITORY", "/mnt/other/acquire")
    monkeypatch.setenv("RESTIC_PASSWORD_FILE", "/var/lib/acquire/restic-password")
    monkeypatch.setenv("RESTIC_FAILS_AT", "")
    settings.BACKUP_COMMAND = "sh deploy/offsite-backup"
    return program


def test_the_example_gives_the_whole_backup_to_restic(restic: Path) -> None:
    backup()
    [path] = backup_file.backups()
    assert restic.with_name("restic.stored").read_bytes() == path.read_bytes()
    called = restic.with_name("restic.called").read_text().splitlines()
    assert [line.split()[0] for line in called] == ["backup", "forget", "check"]
    assert f"--stdin-filename acquire{backup_file.suffix()}" in called[0]
    assert "--keep-daily 14 --keep-weekly 8 --keep-monthly 12" in called[1]


@pytest.mark.parametrize("step", ["backup", "forget", "check"])
def test_the_example_fails_when_restic_does(restic: Path, monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    monkeypatch.setenv("RESTIC_FAILS_AT", step)
    with pytest.raises(CommandError, match="failed with exit code 1"):
        backup()
    assert restic.with_name("restic.called").read_text().splitlines()[-1].startswith(step)


@pytest.mark.parametrize("name", ["RESTIC_REPOSITORY", "RESTIC_PASSWORD_FILE"])
def test_the_example_says_what_is_missing(restic: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.delenv(name)
    with pytest.raises(CommandError, match=f"{name}: set it to"):
        backup()
    assert not restic.with_name("restic.called").exists()


# -- Age -------------------------------------------------------------------------------------------


def figures() -> dict[str, float]:
    lines = metrics.text().decode().splitlines()
    found = dict(line.split() for line in lines if line.startswith("acquire_backup"))
    return {name: float(value) for name, value in found.items()}


def problems(settings: Any, hours: int = 26) -> list[str]:
    settings.BACKUP_ALARM_HOURS = hours
    return [f"{problem.name}: {problem.sentence}" for problem in backup_age.health_problems(timezone.now())]


def test_the_age_of_the_last_good_backup_is_known(settings: Any) -> None:
    settings.BACKUP_ALARM_HOURS = 26
    assert figures() == {
        "acquire_backup_age_seconds": -1,
        "acquire_backup_alarm_seconds": 26 * 3600,
        "acquire_backup_drill_age_seconds": -1,
        "acquire_backup_drill_failed": 0,
    }
    assert problems(settings) == [
        "backup: There is no backup yet. Schedule this to run every day: manage.py backup"
    ]
    backup()
    assert problems(settings) == []
    Heartbeat.objects.filter(name=backup_age.BACKUP).update(at=timezone.now() - timedelta(hours=27))
    assert 27 * 3600 <= figures()["acquire_backup_age_seconds"] < 28 * 3600
    assert problems(settings) == [
        "backup: The last good backup is 27 hours old. See whether this fails: manage.py backup"
    ]
    assert problems(settings, hours=0) == []


@pytest.mark.parametrize(
    ("name", "command"),
    [(backup_age.BACKUP, "manage.py backup"), (backup_age.DRILL, "manage.py backup --drill")],
)
def test_a_time_in_the_future_is_no_good_backup(name: str, command: str, settings: Any) -> None:
    backup()
    at = timezone.now() + timedelta(hours=1)
    Heartbeat.objects.update_or_create(name=name, defaults={"at": at})
    (sentence,) = problems(settings)
    assert re.match(r"(backup|drill): The last good \1 is dated 3\d\d\d seconds in the future", sentence)
    assert sentence.endswith(f": {command}")
    assert problems(settings, hours=0) == []


def test_a_drill_that_is_no_longer_run_is_a_problem(settings: Any) -> None:
    backup()
    backup_age.record(backup_age.DRILL)
    assert problems(settings) == []
    Heartbeat.objects.filter(name=backup_age.DRILL).update(at=timezone.now() - timedelta(days=9))
    assert problems(settings) == [
        "drill: The last good drill was 9 days ago. Is cron running? See whether this fails: manage.py backup"
        " --drill"
    ]
    assert problems(settings, hours=0) == []


def test_the_doctor_names_an_old_backup(settings: Any) -> None:
    settings.BACKUP_ALARM_HOURS = 26
    out = StringIO()
    with pytest.raises(SystemExit):
        call_command("doctor", stdout=out)
    assert "backup: There is no backup yet." in out.getvalue()
    backup()
    out = StringIO()
    with pytest.raises(SystemExit):  # there is no sweeper
        call_command("doctor", stdout=out)
    assert "backup:" not in out.getvalue()


# -- Drill -----------------------------------------------------------------------------------------


def test_a_drill_restores_the_newest_backup_and_leaves_nothing(
    look_aside: None, alice: User, start: Callable[..., Any], folder: Path
) -> None:
    start(alice, "random")
    folder.mkdir()
    (folder / f"acquire-20200101-030000{backup_file.suffix()}").touch()
    backup()
    User.objects.create_user("later")
    told = backup("--drill")
    assert "Replayed 1 games" in told
    assert "The drill took" in told
    assert figures()["acquire_backup_drill_age_seconds"] >= 0
    assert User.objects.filter(username="later").exists()


def test_a_drill_with_a_bad_backup_fails(look_aside: None, folder: Path) -> None:
    backup()
    [path] = backup_file.backups()
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2])
    with pytest.raises(CommandError, match="The drill failed"):
        backup("--drill")
    assert backup_age.last(backup_age.DRILL) is None


def test_a_drill_that_failed_is_a_problem_until_one_succeeds(
    look_aside: None, folder: Path, settings: Any
) -> None:
    backup()
    with pytest.raises(CommandError, match="The drill failed"):
        backup("--drill", str(folder / "missing"))
    (sentence,) = problems(settings)
    assert sentence.startswith("drill: The last drill failed ")
    assert sentence.endswith(": manage.py backup --drill")
    assert figures()["acquire_backup_drill_failed"] == 1
    backup("--drill")
    assert problems(settings) == []
    assert figures()["acquire_backup_drill_failed"] == 0


def test_a_drill_without_a_backup_says_what_to_do() -> None:
    with pytest.raises(CommandError, match=r"There is no backup in .*Make one: manage\.py backup"):
        backup("--drill")


# -- Each day --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("now", "next_at"),
    [("03:29", "2026-03-01 03:30"), ("03:30", "2026-03-02 03:30"), ("23:59", "2026-03-02 03:30")],
)
def test_a_daily_backup_comes_at_its_time(now: str, next_at: str) -> None:
    at = datetime.fromisoformat(f"2026-03-01 {now}").replace(tzinfo=UTC)
    due = daily_backups.next_time(at, time_of_day(3, 30))
    assert f"{due:%Y-%m-%d %H:%M}" == next_at


def test_a_missed_backup_is_made_at_once(clock: Any) -> None:
    at = (timezone.now() + timedelta(hours=2)).astimezone(UTC).time()
    assert next(daily_backups.due_times(at)) == timezone.now()


def test_a_backup_dated_in_the_future_is_made_again_at_once(clock: Any) -> None:
    Heartbeat.objects.create(name=backup_age.BACKUP, at=timezone.now() + timedelta(days=3))
    at = (timezone.now() + timedelta(hours=2)).astimezone(UTC).time()
    assert next(daily_backups.due_times(at)) == timezone.now()


def test_a_failed_daily_backup_is_due_again_within_the_hour(
    clock: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(time, "sleep", lambda seconds: clock.shift(timedelta(seconds=seconds)))
    due = daily_backups.due_times((timezone.now() + timedelta(hours=12)).astimezone(UTC).time())
    first, again = next(due), next(due)
    assert again - first == daily_backups.RETRY_AFTER
    backup_age.record(backup_age.BACKUP)
    assert next(due) - first > timedelta(hours=11)


def test_a_database_that_is_away_makes_a_backup_no_good_one(
    clock: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(time, "sleep", lambda seconds: clock.shift(timedelta(seconds=seconds)))
    due = daily_backups.due_times(time_of_day(3, 30))
    first = next(due)

    def away(name: str) -> None:
        raise OperationalError

    monkeypatch.setattr(backup_age, "last", away)
    assert next(due) - first <= daily_backups.RETRY_AFTER


def test_a_daily_backup_that_fails_is_not_the_last(
    monkeypatch: pytest.MonkeyPatch, settings: Any, look_aside: None
) -> None:
    monday, sunday = datetime(2026, 3, 2, tzinfo=UTC), datetime(2026, 3, 8, tzinfo=UTC)
    names = [f"acquire-2026030{day}-033000{backup_file.suffix()}" for day in (2, 8)]
    paths = iter(backup_file.folder() / name for name in names)
    monkeypatch.setattr(backup_file, "new_path", lambda: next(paths))

    def days(_: time_of_day) -> Iterator[datetime]:
        settings.BACKUP_COMMAND = "false"
        yield monday
        settings.BACKUP_COMMAND = "true"
        yield sunday

    monkeypatch.setattr(daily_backups, "due_times", days)
    told = backup("--daily", "03:30")
    assert "failed with exit code 1" in told
    assert "The drill took" in told
    assert len(backup_file.backups()) == 2


def test_tries_that_fail_push_out_no_backup_of_another_day(
    monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    def path_of(moment: str) -> Path:
        return backup_file.folder() / f"acquire-{moment}{backup_file.suffix()}"

    kept = [path_of(f"2026030{day}-033000") for day in (1, 2)]
    tries = [path_of(f"20260303-0{hour}3000") for hour in (3, 4, 5)]
    for path in kept:
        backup_file.make(path)
    paths = iter(tries)
    monkeypatch.setattr(backup_file, "new_path", lambda: next(paths))
    monkeypatch.setattr(daily_backups, "due_times", lambda at: [datetime(2026, 3, 3, tzinfo=UTC)] * 3)
    settings.BACKUP_COMMAND = "false"
    backup("--daily", "03:30", "--keep", "2")
    assert backup_file.backups() == [*kept, tries[-1]]


@pytest.mark.parametrize("text", ["", "3", "25:00", "03:30:00", "half past three"])
def test_a_time_of_day_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(Exception, match=r"Write it like 03:30\."):
        clock_time(text)
