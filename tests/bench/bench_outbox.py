"""Mails per second that one worker composes and hands to a mail server."""

import contextlib
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from random import Random
from statistics import median
from time import monotonic, perf_counter, sleep
from typing import Any

from tests.support.measured_site import create_tables, site_environment
from tests.tools import available_services
from tests.tools.postgres_server import Postgres
from tests.tools.run_tests import ROOT

MAILS = 150
ROUNDS = 3
MOVES = 60


def outbox() -> Iterator[tuple[str, float | str, str]]:
    """Mails per second, each about a decision in a game of another person.

    In a PostgreSQL of its own, or in SQLite without one; the mail server is another process.
    """
    found = available_services.find("postgres")
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        url = f"sqlite:///{folder}/bench.sqlite3"
        if found.path is not None:
            url = stack.enter_context(Postgres(found.path)).url
        port = stack.enter_context(_mail_server())
        environment = site_environment(folder, url, EMAIL_URL=f"smtp://127.0.0.1:{port}")
        command = [sys.executable, "-m", "tests.bench.bench_outbox"]
        done = subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True, text=True)
        yield "outbox_per_second", float(done.stdout), "mails/s"


@contextlib.contextmanager
def _mail_server() -> Iterator[int]:
    """A mail server that accepts and drops everything; its port."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    command = f"-m aiosmtpd --nosetuid --listen 127.0.0.1:{port} --class aiosmtpd.handlers.Sink"
    with subprocess.Popen([sys.executable, *command.split()]) as server:
        try:
            _wait_for(port)
            yield port
        finally:
            server.terminate()


def _wait_for(port: int) -> None:
    ends = monotonic() + 20
    while monotonic() < ends:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        sleep(0.05)
    raise RuntimeError("The mail server does not answer.")


# -- In the process of the site ------------------------------------------------------------------------


def measure() -> float:
    """Fill the empty database of the settings, send, and return mails per second."""
    create_tables(only_postgres=False)
    _fill()
    return MAILS / median(_round() for _ in range(ROUNDS))


def _round() -> float:
    """Seconds to send all mails."""
    from django.utils import timezone

    from games.models import DeliveryAttempt, Notification
    from games.web.notifications import delivery

    DeliveryAttempt.objects.all().delete()
    now = timezone.now()
    Notification.objects.update(state="waiting", due=now, made=now, attempts=0, message_id="", settled=None)
    began = perf_counter()
    sent = delivery.deliver(600)
    took = perf_counter() - began
    if sent != MAILS:
        raise RuntimeError(f"{sent} mails were sent instead of {MAILS}.")
    return took


def _fill() -> None:
    """Create people, each asked in a game that is a copy of the first."""
    from allauth.account.models import EmailAddress
    from django.utils import timezone

    from accounts.models import User
    from games.models import Game, Kind, LogEntry, Notification, Seat
    from games.models.game import new_code, new_public_id

    first = _game_of(User.objects.create_user("first"))
    seats, moves = list(first.seats.all()), list(first.moves.all())
    people = User.objects.bulk_create(
        [
            User(username=f"player{number}", password="!", skeleton=f"player{number}")
            for number in range(MAILS)
        ]
    )
    EmailAddress.objects.bulk_create(
        EmailAddress(user=user, email=f"{user.username}@mail.example", primary=True, verified=True)
        for user in people
    )
    for user in people:
        game = Game.with_secrets.get(pk=first.pk)
        game.pk, game.public_id, game.invite_code, game.waiting_for = None, new_public_id(), new_code(), user
        game.save(force_insert=True)
        Seat.objects.bulk_create(
            Seat(
                game=game,
                number=seat.number,
                user=user if seat.user_id else None,
                bot_level=seat.bot_level,
                nickname=seat.nickname,
            )
            for seat in seats
        )
        LogEntry.objects.bulk_create(
            LogEntry(
                game=game,
                number=move.number,
                seat=move.seat,
                text=move.text,
                events=move.events,
                author=move.author,
                user=user if move.user_id else None,
                created_at=move.created_at,
            )
            for move in moves
        )
        Notification.objects.create(
            user=user, game=game, kind=Kind.DECISION, version=game.version, due=timezone.now()
        )


def _game_of(user: Any) -> Any:
    """A game of the user and three bots, in which the user is asked after some moves."""
    from games.lobby.game_start import start_game
    from games.models import Game
    from games.play.play_move import play_move

    game = start_game(
        system="acquire", preset="classic", host=user, players=[user, "medium", "medium", "random"]
    )
    rng = Random(1)
    while game.version < MOVES or game.waiting_for_id is None:
        game = Game.with_secrets.get(pk=game.pk)
        state = game.rule_system.state_from_json(game.state)
        move = rng.choice(game.rule_system.legal_moves(state))
        play_move(
            game_id=game.pk,
            number=game.version + 1,
            seat=game.seat_to_move,
            text=str(move),
            by=game.waiting_for,
        )
        game = Game.with_secrets.get(pk=game.pk)
    return game


if __name__ == "__main__":
    print(measure())
