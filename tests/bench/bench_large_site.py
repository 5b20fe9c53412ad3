"""Times of pages with 100,000 games and 20,000 members against 100 of each, in a PostgreSQL of its own."""

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
MEMBERS = {FEW: 100, MANY: 20_000}
# More reports than the queue shows, and two in a hundred of the members reported.
REPORTS = {FEW: 40, MANY: 400}
# Finished games whose log and review are copied, so that both tables are large.
REVIEWED = {FEW: 1, MANY: 1_000}
WARM_UP, ROUNDS = 5, 60

PAGES = ("lobby", "desk", "leaderboard", "review")
NAMES = [f"{page}_{figure}" for page in PAGES for figure in ("queries", "100k_ms", "100k_ratio")]

# Of a hundred games: open, running and finished ones, enough to fill every list of the page.
OPEN, RUNNING, FINISHED = 35, 35, 30


def large_site() -> Iterator[tuple[str, float | str, str]]:
    """Queries and milliseconds of each page on the large site, and how many times those of the small one.

    Two sites of different size are asked in turn, so that a busy machine slows both.
    """
    found = available_services.find("postgres")
    if found.path is None:
        yield NAMES[0], f"skipped: {found.reason}", "x"
        return
    with contextlib.ExitStack() as stack:
        url = stack.enter_context(Postgres(found.path)).url
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        few, many = (stack.enter_context(Site(url, folder, games)) for games in (FEW, MANY))
        for page in PAGES:
            times = [(few.ask("look", page), many.ask("look", page)) for _ in range(WARM_UP + ROUNDS)]
            del times[:WARM_UP]
            yield f"{page}_queries", many.ask("queries", page), "queries"
            yield f"{page}_100k_ms", median(slow for _, slow in times), "ms"
            yield f"{page}_100k_ratio", median(slow / fast for fast, slow in times), "x"


class Site:
    """A process with a database of this number of games, which loads its pages on request."""

    def __init__(self, url: str, folder: str, games: int) -> None:
        name = f"games_{games}"
        database_url = urlsplit(url)._replace(path=f"/{name}").geturl()
        self._environment = site_environment(folder, database_url)
        with contextlib.closing(_connect(url)) as connection:
            connection.execute(f"CREATE DATABASE {name}")
        self._games = games

    def __enter__(self) -> "Site":
        command = [sys.executable, "-m", "tests.bench.bench_large_site", str(self._games)]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True, "bufsize": 1}
        self._process = subprocess.Popen(command, cwd=ROOT, env=self._environment, **pipes)
        return self

    def __exit__(self, *error: object) -> None:
        self._process.stdin.close()
        self._process.terminate()
        self._process.wait(30)

    def ask(self, what: str, page: str) -> float:
        """Milliseconds of one request for a page ("look"), or the number of its queries ("queries")."""
        print(what, page, file=self._process.stdin)
        if not (answer := self._process.stdout.readline()):
            raise RuntimeError(f"The page {page} could not be measured.")
        return float(answer)


def _connect(url: str) -> Any:
    import psycopg

    return psycopg.connect(url, autocommit=True)


# -- In the process of a site --------------------------------------------------------------------------


def serve(games: int) -> None:
    """Fill the database of the settings, then answer "look PAGE" and "queries PAGE", line by line."""
    create_tables()
    from django.conf import settings
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    from acquire_site.warm_up import warm_up

    settings.ALLOWED_HOSTS = ["testserver"]
    addresses = _fill(games)
    warm_up()
    for client, address, mark, least in addresses.values():
        found = client.get(address).content.count(mark)
        assert found >= least, f"{address} holds {mark!r} {found} times, not {least}."
    for line in sys.stdin:
        what, name = line.split()
        client, address, *_ = addresses[name]
        counted = CaptureQueriesContext(connection) if what == "queries" else contextlib.nullcontext()
        with counted as captured:
            began = perf_counter()
            client.get(address)
            took = (perf_counter() - began) * 1e3
        print(took if captured is None else len(captured), flush=True)


# -- Games ---------------------------------------------------------------------------------------------


Look = tuple[Any, str, bytes, int]


def _fill(games: int) -> dict[str, Look]:
    """Fill the database; return who asks for each page, its address, and what it must hold how many times."""
    from django.test import Client

    from accounts.models import User

    reader = _fill_few(MEMBERS[games])
    if games > FEW:
        _fill_up(reader, games)
    review = _fill_reviews(REVIEWED[games])
    _fill_ratings()
    _fill_reports(REPORTS[games])
    _analyze()
    member, moderator = Client(), Client()
    member.force_login(reader)
    moderator.force_login(User.objects.create_superuser("mona"))
    return {
        # Three invitations, five waiting games, ten others, and full pages of the lists.
        "lobby": (member, "/", b"<article", 3 + 5 + 10 + 24 + 6 + 6),
        "desk": (moderator, "/admin/desk/", b"case-age", 10),
        "leaderboard": (member, "/leaderboard/acquire/", b"<tr", 50),
        "review": (member, f"/games/{review}/review/", b"<li", 10),
    }


def _fill_few(number_of_members: int) -> Any:
    """Create the first games and all members; return the reader, who has some games of every kind."""
    from django.utils import timezone

    from accounts.models import User
    from games.models import Game, Invitation, Seat

    reader = User.objects.create_user("reader")
    names = (f"member{number:05}" for number in range(number_of_members))
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
        Seat(
            game=game,
            number=number,
            user=members[(3 * game.pk + number) % number_of_members],
            ended=game.finished,
        )
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
            SELECT game.id, %s + (3 * game.id + made.number) %% {MEMBERS[games]}, game.finished, {made_seat}
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


def _fill_reviews(games: int) -> str:
    """Play one game to its end and review it; copy its log and review to more games; return its public id."""
    from django.db import connection
    from django.utils import timezone

    from accounts.models import User
    from games.lobby.game_start import start_game
    from games.models import Game, GameReview, LogEntry, MoveAssessment
    from tests.support.games import play_to_the_end

    players = list(User.objects.filter(username__startswith="member").order_by("pk")[:2])
    game = start_game(system="acquire", preset="classic", host=players[0], players=players)
    play_to_the_end(game)
    moves = LogEntry.objects.filter(game=game, kind=LogEntry.Kind.MOVE).order_by("number")
    MoveAssessment.objects.bulk_create(
        MoveAssessment(
            game=game, number=move.number, seat=move.number % 2, best="pass", chance=0.4, best_chance=0.5,
            lead=-100, best_lead=100,
        )
        for move in moves
    )  # fmt: skip
    GameReview.objects.update_or_create(game=game, defaults={"rated": moves.count(), "done": timezone.now()})
    others = Game.objects.filter(status="finished").exclude(pk=game.pk).order_by("pk")[: games - 1]
    with connection.cursor() as cursor:
        for model in (LogEntry, MoveAssessment, GameReview):
            columns = [column.column for column in model._meta.concrete_fields]
            copied = ", ".join(f'"{name}"' for name in columns if name not in {"id", "game_id"})
            cursor.execute(
                f"""
                INSERT INTO {model._meta.db_table} (game_id, {copied})
                SELECT other.id, {copied}
                FROM {model._meta.db_table} AS made, unnest(%s::bigint[]) AS other (id)
                WHERE game_id = %s
                """,  # noqa: S608 - columns of our own
                [[other.pk for other in others], game.pk],
            )
    return Game.objects.get(pk=game.pk).public_id


def _fill_ratings() -> None:
    """Rate every member."""
    from accounts.models import User
    from games.models import Rating

    Rating.objects.all().delete()
    rng = Random(3)
    for user in User.objects.all():
        mu = rng.gauss(25, 4)
        rating = Rating(
            user=user, system="acquire", mu=mu, sigma=2, games=20, wins=5, standing=mu, ranked=True
        )
        rating.save()


def _fill_reports(number: int) -> None:
    """Let members report others, each another one."""
    from accounts.models import User
    from games.models import AbuseReport

    members = list(User.objects.filter(username__startswith="member").order_by("pk")[: number + 1])
    AbuseReport.objects.bulk_create(
        AbuseReport(
            about="person",
            subject=f"person {reported.pk}",
            person=reported,
            by=members[-1],
            called=reported.username,
        )
        for reported in members[:-1]
    )


def _analyze() -> None:
    from django.db import connection

    with connection.cursor() as cursor:
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
