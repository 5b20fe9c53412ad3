"""Lateness of the decisions that the site makes in live games whose players run out of time."""

import contextlib
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from datetime import timedelta
from statistics import quantiles
from threading import Event, Thread
from time import sleep
from typing import Any

from tests.support.measured_site import create_tables, site_environment
from tests.tools import available_services
from tests.tools.postgres_server import Postgres
from tests.tools.run_tests import ROOT

GAMES = 1000
# The time in which all their deadlines run out, one after another.
SPREAD_SECONDS = 60
FIRST_SECONDS = 5


def live_deadlines() -> Iterator[tuple[str, float | str, str]]:
    """Seconds from a deadline to the decision of the site, of which one is forgiven to the network.

    All players of 1,000 live games run out of time within a minute, which is more than a site ever sees. In a
    PostgreSQL of its own, or in SQLite without one.
    """
    found = available_services.find("postgres")
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        url = f"sqlite:///{folder}/bench.sqlite3"
        if found.path is not None:
            url = stack.enter_context(Postgres(found.path)).url
        command = [sys.executable, "-m", "tests.bench.bench_live_deadlines"]
        environment = site_environment(folder, url)
        done = subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True, text=True)
        for name, seconds in json.loads(done.stdout).items():
            yield f"live_deadline_{name}", seconds, "s"


# -- In the process of the site ------------------------------------------------------------------------


def measure() -> dict[str, float]:
    """Let all clocks run out beside a loop of live deadlines; return how late the decisions were."""
    create_tables(only_postgres=False)
    _fill()
    from games.clocks import site_presence
    from games.lobby import ready_check
    from games.play.deadlines.live_deadlines import LiveDeadlines

    stop = Event()
    loop = Thread(target=LiveDeadlines(ready_check.settle).run, args=[stop])
    loop.start()
    for _ in range(int((FIRST_SECONDS + SPREAD_SECONDS + 5) / site_presence.WEB_SIGN_SECONDS)):
        site_presence.show_web()
        sleep(site_presence.WEB_SIGN_SECONDS)
    stop.set()
    loop.join()
    late = _lateness()
    if len(late) != GAMES:
        raise RuntimeError(f"{len(late)} of {GAMES} timeouts were settled.")
    return {"p95": round(quantiles(late, n=20)[-1], 2), "max": round(max(late), 2)}


def _lateness() -> list[float]:
    """Seconds from the deadline of each game to its decision."""
    from games.models import LogEntry

    made = LogEntry.objects.filter(author=LogEntry.Author.HOUSE, number=1, kind="move").select_related("game")
    return [(entry.created_at - entry.game.opened).total_seconds() for entry in made]


def _fill() -> None:
    """Create live games of two people; `opened` keeps the deadline of each."""
    from django.utils import timezone

    from accounts.models import User
    from games.models import Game, Seat
    from games.models.game import new_code, new_public_id

    people = [User.objects.create_user(f"player{number}") for number in range(2)]
    first = _game_of(people)
    seats = list(first.seats.all())
    began = timezone.now() + timedelta(seconds=FIRST_SECONDS)
    games = []
    for number in range(GAMES):
        game = Game.with_secrets.defer(None).get(pk=first.pk)
        game.pk, game.public_id, game.invite_code = None, new_public_id(), new_code()
        game.deadline = game.opened = began + timedelta(seconds=SPREAD_SECONDS * number / GAMES)
        games.append(game)
    games = Game.objects.bulk_create(games)
    Seat.objects.bulk_create(
        Seat(game=game, number=seat.number, user=seat.user, bot_level=seat.bot_level, nickname=seat.nickname)
        for game in games
        for seat in seats
    )
    Game.objects.filter(pk=first.pk).update(deadline=None, time_left=timedelta(minutes=5))


def _game_of(people: list[Any]) -> Any:
    from games.lobby.game_start import start_game

    return start_game(
        system="acquire",
        preset="classic",
        host=people[0],
        players=people,
        pace=120,
        bank=600,
    )


if __name__ == "__main__":
    print(json.dumps(measure()))
