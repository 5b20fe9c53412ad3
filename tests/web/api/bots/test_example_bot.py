"""The example of docs/example_bot.py, run as it is, plays a whole game against a person."""

import socket
import subprocess
import sys
import time
from typing import Any

import pytest

from accounts.models import User
from games.models import Game, LogEntry
from games.web.api.bots import decision_stream
from tests.support.games import NewGame
from tests.support.played_site import ROOT
from tests.web.api.bots.conftest import Bot, play_one

# The test server iterates over waiting answers in a thread; a real one does not.
pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.filterwarnings("ignore:StreamingHttpResponse must consume"),
]

# Seconds for a whole game on the busiest machine.
LONGEST = 400


def test_example_joins_plays_to_the_end_and_stops(
    live_server: Any, create: NewGame, bob: User, greedy: Bot, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.ACCOUNT_RATE_LIMITS = {**settings.ACCOUNT_RATE_LIMITS, "program": ""}
    monkeypatch.setattr(decision_stream, "NOW_AND_THEN", 0.2)
    game = create(bob, programs=True, most=2, start="full")
    program = subprocess.Popen(
        [sys.executable, str(ROOT / "docs" / "example_bot.py"), live_server.url, greedy.text, "1"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        _play_bobs_part(game, bob, program)
        said, _nothing = program.communicate(timeout=LONGEST)
    finally:
        program.kill()
    game.refresh_from_db()
    assert (game.status, game.ending) == (Game.Status.FINISHED, "")
    assert (program.returncode, said) == (0, "")
    made = LogEntry.objects.filter(game=game, user=greedy.user, kind=LogEntry.Kind.MOVE)
    assert made.count() > 20


def _play_bobs_part(game: Game, bob: User, program: "subprocess.Popen[str]") -> None:
    until = time.monotonic() + LONGEST
    while True:
        # Check before reading the game: the program may make the last move in between.
        stopped = program.poll() is not None
        now = Game.objects.get(pk=game.pk)
        if now.is_finished:
            return
        assert not stopped, f"stopped at version {now.version}: {program.communicate()[0]}"
        assert time.monotonic() < until, f"still at version {now.version}"
        if now.waiting_for_id == bob.pk:
            play_one(now)
        else:
            time.sleep(0.02)


def test_example_asks_again_when_the_site_hangs_up() -> None:
    with socket.create_server(("127.0.0.1", 0)) as site:
        program = subprocess.Popen(
            [
                sys.executable,
                str(ROOT / "docs" / "example_bot.py"),
                f"http://127.0.0.1:{site.getsockname()[1]}",
                "x",
            ],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        try:
            site.accept()[0].close()
            again, _address = site.accept()
            again.recv(10_000)
            again.sendall(b'HTTP/1.0 401 No\r\n\r\n{"problem": "Make a new one."}')
            again.close()
            said, _nothing = program.communicate(timeout=LONGEST)
        finally:
            program.kill()
    assert (program.returncode, said) == (1, "games: Make a new one.\n")


def test_example_prints_a_refusal_and_stops(live_server: Any, greedy: Bot) -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "docs" / "example_bot.py"), live_server.url, "no token"],
        capture_output=True,
        text=True,
        timeout=LONGEST,
    )
    assert done.returncode == 1 and "Create a new one." in done.stdout
