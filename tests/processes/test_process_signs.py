"""Each process shows that it lives, and with which key and program."""

import os
import threading
import time
from datetime import timedelta
from pathlib import Path

import pytest
from django.conf import settings
from django.db import DatabaseError
from django.utils import timezone

from games import sweeper
from games.clocks import machine_clock
from games.models import ProcessSign
from games.processes import process_signs
from games.processes.process_signs import Pulse, SigningThread, SignOfLife
from games.processes.refused_requests import RefusedRequests

pytestmark = pytest.mark.django_db


@pytest.fixture
def sign() -> SignOfLife:
    return SignOfLife(ProcessSign.Kind.WORKER, ["celery", "bots"])


def test_sign_tells_what_the_process_is(sign: SignOfLife) -> None:
    sign.show()
    found = ProcessSign.objects.get()
    assert (found.kind, found.queue_names, found.host) == ("worker", ["bots", "celery"], process_signs.host())
    assert found.memory_bytes > 1_000_000
    assert found.version and len(found.build) == 16


def test_process_has_one_sign_which_is_renewed(sign: SignOfLife) -> None:
    sign.show()
    ProcessSign.objects.update(at=timezone.now() - timedelta(hours=1))
    sign.show()
    assert timezone.now() - ProcessSign.objects.get().at < timedelta(minutes=1)


def test_sign_that_was_deleted_is_written_anew(sign: SignOfLife) -> None:
    sign.show()
    ProcessSign.objects.all().delete()
    sign.show()
    assert ProcessSign.objects.count() == 1


def test_process_that_ends_as_it_should_leaves_no_sign(sign: SignOfLife) -> None:
    sign.show()
    sign.end()
    assert not ProcessSign.objects.exists()


def test_first_sign_of_a_process_ends_those_of_the_dead_on_its_machine(sign: SignOfLife) -> None:
    facts = {"queues": "bots", "start_ticks": 1, "version": "1", "build": "1", "key_mark": "1"}
    facts |= {"kind": "worker", "started": timezone.now(), "at": timezone.now()}
    ProcessSign.objects.create(host=process_signs.host(), pid=2**22 + 1, **facts)
    ProcessSign.objects.create(host="another machine", pid=2**22 + 1, **facts)
    frozen = facts | {"start_ticks": process_signs.start_ticks(os.getppid())}
    ProcessSign.objects.create(host=process_signs.host(), pid=os.getppid(), **frozen)
    sign.show()
    left = ProcessSign.objects.values_list("host", "pid")
    assert set(left) == {
        ("another machine", 2**22 + 1),
        (process_signs.host(), os.getppid()),
        (process_signs.host(), os.getpid()),
    }


def test_database_that_is_away_does_not_stop_the_process(
    sign: SignOfLife, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(**_: object) -> None:
        raise DatabaseError

    monkeypatch.setattr(ProcessSign.objects, "create", fail)
    sign.show()
    assert not ProcessSign.objects.exists()


def test_sign_shows_the_time_of_the_database(sign: SignOfLife, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine_clock, "database_offset", lambda: timedelta(hours=2))
    sign.show()
    found = ProcessSign.objects.get()
    assert found.clock_ahead_seconds == 7200
    assert found.at < timezone.now() - timedelta(minutes=119)


def test_start_of_a_process_tells_it_from_others() -> None:
    assert process_signs.start_ticks(os.getpid()) >= process_signs.start_ticks(os.getppid()) > 0


def test_old_signs_are_deleted(sign: SignOfLife) -> None:
    sign.show()
    assert process_signs.delete_old_signs(timezone.now()) == {"signs of processes": 0}
    assert process_signs.delete_old_signs(timezone.now() + timedelta(days=2)) == {"signs of processes": 1}


def test_mark_of_a_key_is_equal_for_the_same_key_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    first = process_signs.key_mark()
    assert process_signs.key_mark() == first
    assert first not in settings.SECRET_KEY
    monkeypatch.setattr(settings, "SECRET_KEY", "another key")
    assert process_signs.key_mark() != first


def test_build_is_another_when_a_file_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "games"
    folder.mkdir()
    (folder / "rules.py").write_text("x = 1")
    monkeypatch.setattr(process_signs, "_ROOT", tmp_path)
    first = process_signs.build.__wrapped__()
    assert process_signs.build.__wrapped__() == first
    (folder / "rules.py").write_text("x = 2")
    assert process_signs.build.__wrapped__() != first


def test_loop_that_stands_still_shows_no_life() -> None:
    pulse = Pulse(patience_seconds=60)
    assert pulse()
    assert not Pulse(patience_seconds=0)()


class Recorded:
    """A sign that counts how often it is shown."""

    def __init__(self) -> None:
        self.shown = 0
        self.ended = threading.Event()

    def show(self) -> None:
        self.shown += 1

    def end(self) -> None:
        self.ended.set()


@pytest.mark.parametrize("works", [True, False])
def test_thread_shows_life_as_long_as_the_process_works(works: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "SIGN_OF_LIFE_SECONDS", 0.01)
    monkeypatch.setattr(SigningThread, "_with_connection", lambda self, work: work())
    sign = Recorded()
    thread = SigningThread(sign, lambda: works)  # type: ignore[arg-type]
    thread.start()
    until = time.monotonic() + (10 if works else 0.2)
    while time.monotonic() < until and sign.shown < 3:
        time.sleep(0.01)
    thread.end(patience_seconds=10)
    assert sign.ended.is_set()
    assert (sign.shown >= 3) == works


def test_refused_request_is_shown_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "SIGN_OF_LIFE_SECONDS", 1000)
    monkeypatch.setattr(process_signs, "MIN_PAUSE_SECONDS", 0.01)
    monkeypatch.setattr(SigningThread, "_with_connection", lambda self, work: work())
    sign, refused = Recorded(), RefusedRequests()
    thread = SigningThread(sign, lambda: True, refused.noted)  # type: ignore[arg-type]
    thread.start()
    for number in (1, 2):
        until = time.monotonic() + 10
        while sign.shown < number and time.monotonic() < until:
            time.sleep(0.01)
        assert sign.shown == number
        refused.note()
    thread.end(patience_seconds=10)
    assert sign.ended.is_set()


def test_sweeper_shows_life_in_each_round_until_it_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    stop = threading.Event()

    def stop_after_this_round() -> int:
        shown.append(ProcessSign.objects.get().kind)
        stop.set()
        return 0

    shown: list[str] = []
    monkeypatch.setattr(sweeper, "sweep", stop_after_this_round)
    monkeypatch.setattr(sweeper, "close_old_connections", lambda: None)
    sweeper.sweep_forever(stop)
    assert shown == ["sweeper"]
    assert not ProcessSign.objects.exists()
