"""Time of the lobby with 100,000 games against 100, in a PostgreSQL of its own."""

import contextlib
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from random import Random
from statistics import median
from time import perf_counter
from typing import Any
from urllib.parse import urlsplit

from tests.support.measured_site import create_tables, site_environment
from tests.tools import available_services
from tests.tools.postgres_server import Postgres
from tests.tools.run_tests import ROOT

FEW, MANY = 100, 100_000
WARM_UP, ROUNDS = 5, 60
MEMBERS = 5_000

# Of a hundred games: open, running and finished ones, enough to fill every list of the page.
OPEN, RUNNING, FINISHED = 35, 35, 30


def lobby() -> Iterator[tuple[str, float | str, str]]:
    """Queries and milliseconds of a member's lobby, and the ratio of the two sizes.

    Two sites of different size are asked in turn, so that a busy machine slows both.
    """
    found = available_services.find("postgres")
    if found.path is None:
        yield "lobby_100k_ratio", f"skipped: {found.reason}", "x"
        return
    with contextlib.ExitStack() as stack:
        url = stack.enter_context(Postgres(found.path)).url
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        few, many = (stack.enter_context(Site(url, folder, games)) for games in (FEW, MANY))
        times = [(few.look(), many.look()) for _ in range(WARM_UP + ROUNDS)][WARM_UP:]
        yield "lobby_queries", many.ask("queries"), "queries"
        yield "lobby_100k_ms", median(slow for _, slow in times), "ms"
        yield "lobby_100k_ratio", median(slow / fast for fast, slow in times), "x"


class Site:
    """A process with a database of this number of games, which loads its lobby on request."""

    def __init__(self, url: str, folder: str, games: int) -> None:
        name = f"games_{games}"
        database_url = urlsplit(url)._replace(path=f"/{name}").geturl()
        self._environment = site_environment(folder, database_url)
        with contextlib.closing(_connect(url)) as connection:
            connection.execute(f"CREATE DATABASE {name}")
        self._games = games

    def __enter__(self) -> "Site":
        command = [sys.executable, "-m", "tests.bench.bench_lobby", str(self._games)]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True, "bufsize": 1}
        self._process = subprocess.Popen(command, cwd=ROOT, env=self._environment, **pipes)
        return self

    def __exit__(self, *error: object) -> None:
        self._process.stdin.close()
        self._process.wait(30)

    def look(self) -> float:
        """Milliseconds of one request."""
        return self.ask("look")

    def ask(self, what: str) -> float:
        print(what, file=self._process.stdin)
        if not (answer := self._process.stdout.readline()):
            raise RuntimeError("The lobby could not be measured.")
        return float(answer)


def _connect(url: str) -> Any:
    import psycopg

    return psycopg.connect(url, autocommit=True)


# -- In the process of a site --------------------------------------------------------------------------


def serve(games: int) -> None:
    """Fill the database of the settings, then answer "look" and "queries", line by line."""
    create_tables()
    from django.conf import settings
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext

    reader = _fill(games)
    settings.ALLOWED_HOSTS = ["testserver"]
    client = Client()
    client.force_login(reader)
    # Three invitations, five waiting games, ten others, and full pages of the lists.
    page = client.get("/").content
    assert page.count(b"<article") == 3 + 5 + 10 + 24 + 6 + 6, page
    for line in sys.stdin:
        with (
            CaptureQueriesContext(connection) if line == "queries\n" else contextlib.nullcontext() as captured
        ):
            began = perf_counter()
            client.get("/")
            took = (perf_counter() - began) * 1e3
        print(took if captured is None else len(captured), flush=True)


# -- Games ---------------------------------------------------------------------------------------------


def _fill(games: int) -> Any:
    """Create the games and their members; return the reader, who has some of every kind."""
    reader = _fill_few()
    if games > FEW:
        _fill_up(reader, games)
    return reader


def _fill_few() -> Any:
    from django.utils import timezone

    from accounts.models import User
    from games.models import Game, Invitation, Seat

    reader = User.objects.create_user("reader")
    names = (f"member{number:05}" for number in range(MEMBERS))
    members = User.objects.bulk_create([User(username=name, password="!") for name in names])
    state, now = _state(), timezone.now()
    games = []
    for number in range(FEW):
        kind = "open" if number < OPEN else "running" if number < OPEN + RUNNING else "finished"
        dealt = kind != "open"
        game = Game(
            system="acquire", preset="classic", options={"tiers": "1962"}, host=members[number],
            status=kind, min_players=2, max_players=4, seats_taken=3, seconds_per_move=86400,
            opened=now, last_change_at=now,
        )  # fmt: skip
        if dealt:
            game.state, game.seed, game.seed_hash, game.started = state, b"s" * 32, "c" * 64, now
        if kind == "finished":
            game.finished = now
        games.append(game)
    Game.objects.bulk_create(games)
    seats = [
        Seat(game=game, number=number, user=members[(3 * game.pk + number) % MEMBERS], ended=game.finished)
        for game in games
        for number in range(3)
    ]
    Seat.objects.bulk_create(seats)
    running, over = games[OPEN : OPEN + RUNNING], games[OPEN + RUNNING :]
    for game in [*running[:5], *running[5:15], *over[:20]]:
        game.seats.filter(number=0).update(user=reader)
    Game.objects.filter(pk__in=[game.pk for game in running[:5]]).update(
        waiting_for=reader, seat_to_move=0, decision_kind="place", deadline=now
    )
    Game.objects.filter(pk__in=[game.pk for game in running[5:]]).update(seat_to_move=1, decision_kind="buy")
    for game in games[:3]:
        Invitation.objects.create(game=game, user=reader, invited_by=game.host)
    return reader


def _fill_up(reader: Any, games: int) -> None:
    """Copy the first games until there are enough; the reader has a thousand finished ones."""
    from django.db import connection

    from games.models import Game, Seat

    own = {"id", "public_id", "invite_code", "opened", "last_change_at", "started", "finished"}
    own |= {"waiting_for_id", "deadline"}
    columns = [column.column for column in Game._meta.concrete_fields]
    kept = ", ".join(f'"{name}"' for name in columns if name not in own)
    asked = "CASE WHEN status = 'running' THEN 1 ELSE seat_to_move END"
    copied = kept.replace('"seat_to_move"', asked)
    own_seat = {"id", "game_id", "user_id", "ended"}
    seat_columns = [column.column for column in Seat._meta.concrete_fields]
    kept_seat = ", ".join(f'"{name}"' for name in seat_columns if name not in own_seat)
    made_seat = ", ".join(f'made."{name}"' for name in seat_columns if name not in own_seat)
    with connection.cursor() as cursor:
        cursor.execute(
            f"""
            INSERT INTO games_game (public_id, invite_code, opened, last_change_at, started, finished, {kept})
            SELECT lpad(n::text, 10, '0'), lpad(n::text, 16, '0'), opened - n * interval '7 seconds',
                   last_change_at - n * interval '7 seconds', started - n * interval '7 seconds',
                   finished - n * interval '7 seconds', {copied}
            FROM generate_series({FEW + 1}, {games}) AS n
            JOIN (SELECT *, row_number() OVER (ORDER BY id) AS place FROM games_game) AS made
            ON made.place = 1 + n % {FEW}
            """  # noqa: S608 - columns and numbers of our own
        )
        cursor.execute(
            f"""
            INSERT INTO games_seat (game_id, user_id, ended, {kept_seat})
            SELECT game.id, %s + (3 * game.id + made.number) %% {MEMBERS}, game.finished, {made_seat}
            FROM games_game AS game, (SELECT * FROM games_seat WHERE game_id = %s) AS made
            WHERE game.id > {FEW}
            """,  # noqa: S608
            [reader.pk + 1, Game.objects.earliest("pk").pk],
        )
        cursor.execute(
            """
            UPDATE games_seat SET user_id = %s WHERE number = 0 AND game_id IN (
                SELECT id FROM games_game WHERE status = 'finished' ORDER BY id LIMIT 1000
            )
            """,
            [reader.pk],
        )
        cursor.execute("ANALYZE")


def _state() -> dict[str, Any]:
    """The state of a game after a hundred moves."""
    from games.engine.rules.acquire import rule_system as acquire

    rng = Random(1)
    state = acquire.deal(acquire.PRESETS["classic"], 3, rng.randbytes(32))
    for _ in range(100):
        acquire.apply(state, rng.choice(acquire.legal_moves(state)))
    return acquire.state_to_json(state)


if __name__ == "__main__":
    serve(int(sys.argv[1]))
