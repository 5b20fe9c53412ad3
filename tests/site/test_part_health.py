"""Heartbeat files of workers and sweeper, and what is read from them."""

import os
import subprocess
import threading
import time
from io import StringIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import pytest
from django.core.management import call_command

from acquire_site import worker_signs
from acquire_site.celery import app
from acquire_site.health import part_health
from acquire_site.management.commands import serve
from games import sweeper
from games.processes import heartbeat_files, process_signs


@pytest.fixture(autouse=True)
def folder(settings: Any, tmp_path: Path, redis_url: str) -> Path:
    settings.HEARTBEAT_DIR, settings.BROKER_URL = tmp_path / "heartbeats", redis_url
    return tmp_path / "heartbeats"


def make_old(folder: Path, part: str, seconds: float = 600) -> None:
    then = time.time() - seconds
    os.utime(folder / f"{part}.alive", (then, then))


def end(folder: Path, part: str) -> None:
    """Let the last heartbeat be that of a process that is gone."""
    gone = subprocess.Popen(["true"])
    gone.wait()
    (folder / f"{part}.alive").write_text(str(gone.pid))


def healthy(*parts: str) -> tuple[int, str]:
    output = StringIO()
    with pytest.raises(SystemExit) as ended:
        call_command("healthy", *parts, stdout=output)
    return int(str(ended.value.code)), output.getvalue().strip()


def test_parts_that_go_round_are_healthy() -> None:
    for part in part_health.PARTS:
        heartbeat_files.beat(part)
    assert healthy(*part_health.PARTS) == (0, "")


def test_a_silent_part_is_named_with_how_long(folder: Path) -> None:
    for part in part_health.PARTS:
        heartbeat_files.beat(part)
    make_old(folder, "bots")
    code, text = healthy(*part_health.PARTS)
    assert (code, text) == (1, "bots: has been silent for 600 seconds.")


def test_a_heartbeat_in_the_future_is_no_sign_of_health(folder: Path) -> None:
    heartbeat_files.beat("sweeper")
    make_old(folder, "sweeper", seconds=-600)
    code, text = healthy("sweeper")
    assert (code, text.split(";")[1]) == (1, " the clock was set back.")
    assert part_health.is_stale("sweeper")


def test_a_part_that_has_ended_is_named_at_once(folder: Path) -> None:
    heartbeat_files.beat("sweeper")
    end(folder, "sweeper")
    assert healthy("sweeper") == (1, "sweeper: ended 0 seconds ago and is not running again yet.")
    assert not part_health.is_stale("sweeper"), "the supervisor need not kill what has ended"


def test_a_part_that_never_ran_is_not_healthy() -> None:
    assert healthy("sweeper") == (1, "sweeper: does not run on this machine.")


def test_a_part_that_serve_leaves_out_does_not_run_on_this_machine(
    folder: Path, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    for part in part_health.PARTS:
        heartbeat_files.beat(part)
    end(folder, "mail")
    end(folder, "sweeper")
    settings.DEVELOPMENT = False
    monkeypatch.setattr(serve, "Supervisor", Mock(return_value=Mock(watch=Mock(return_value=0))))
    with pytest.raises(SystemExit):
        call_command("serve", "--only", "pages", "mail")
    assert healthy("bots", "sweeper") == (1, "sweeper: does not run on this machine.")
    assert "mail: ended" in healthy("mail")[1], "serve starts it again"


def test_workers_are_not_blamed_for_a_redis_that_is_away(folder: Path, settings: Any) -> None:
    for part in part_health.PARTS:
        heartbeat_files.beat(part)
        make_old(folder, part)
    settings.BROKER_URL = "redis://127.0.0.1:1/0"
    assert healthy("mail", "bots") == (0, "")
    assert healthy("sweeper")[0] == 1


def test_a_folder_that_cannot_be_written_stops_nothing(settings: Any, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    settings.HEARTBEAT_DIR = tmp_path / "file"
    heartbeat_files.beat("sweeper")
    assert heartbeat_files.age("sweeper") is None
    assert healthy("sweeper") == (
        1,
        "sweeper: cannot show that it runs, because no file can be written into HEARTBEAT_DIR.",
    )
    assert not part_health.is_stale("sweeper"), "what works must not be killed because a disk is full"


def test_a_silent_part_is_not_killed_while_its_disk_takes_no_file(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    heartbeat_files.beat("sweeper")
    make_old(folder, "sweeper")
    assert part_health.is_stale("sweeper")
    monkeypatch.setattr("tempfile.TemporaryFile", Mock(side_effect=OSError(28, "No space left on device")))
    assert not part_health.is_stale("sweeper")
    assert healthy("sweeper") == (1, "sweeper: has been silent for 600 seconds.")


def test_every_round_of_the_sweeper_is_a_heartbeat(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stop = threading.Event()
    monkeypatch.setattr(sweeper, "sweep", stop.set)
    monkeypatch.setattr(sweeper, "close_old_connections", lambda: None)
    monkeypatch.setattr(process_signs, "SignOfLife", lambda kind: Mock())
    sweeper.sweep_forever(stop)
    assert (folder / "sweeper.alive").exists()


@pytest.mark.parametrize(("queues", "parts"), [("celery", ["mail"]), ("bots", ["bots"])])
def test_a_worker_beats_for_the_queue_that_it_serves(folder: Path, queues: str, parts: list[str]) -> None:
    calls: list[Any] = []
    consumer = SimpleNamespace(
        app=SimpleNamespace(amqp=SimpleNamespace(queues=SimpleNamespace(consume_from=[queues]))),
        timer=SimpleNamespace(call_repeatedly=lambda *call: calls.append(call)),
    )
    worker_signs.ShowLife(consumer).start(consumer)
    assert [path.stem for path in folder.iterdir()] == parts
    [(seconds, beat, arguments)] = calls
    make_old(folder, parts[0])
    beat(*arguments)
    assert heartbeat_files.age(parts[0]) < seconds < heartbeat_files.STALE_SECONDS


def test_workers_beat_again_after_they_have_lost_redis() -> None:
    """A lost connection ends all timers of a worker, and starts the steps of the consumer anew."""
    assert worker_signs.ShowLife in app.steps["consumer"]
