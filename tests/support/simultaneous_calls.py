"""Calls made at the same moment in threads, and what must hold afterwards."""

from collections.abc import Callable
from threading import Barrier, Thread
from typing import Any

from django.db import connection, connections

from games.models import Game
from games.play.play_move import play_move

ROUNDS = 6


def open_patient_connection() -> None:
    """Connect with a long lock timeout: a busy machine must not decide who is first."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SET lock_timeout = '60s'; SET statement_timeout = '60s'")
    connection.ensure_connection()


def at_once(*calls: Callable[[], Any]) -> list[Any]:
    """Make all calls at the same moment, each in a thread of its own; what each returned or raised."""
    barrier = Barrier(len(calls))
    results: list[Any] = [None] * len(calls)

    def run(place: int) -> None:
        try:
            open_patient_connection()
            barrier.wait()
            results[place] = calls[place]()
        except Exception as error:
            results[place] = error
        finally:
            connections["default"].close()

    threads = [Thread(target=run, args=[place]) for place in range(len(calls))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


def mover(game: Game, move: str) -> Callable[[], Any]:
    by = game.seats.get(number=game.seat_to_move).user
    return lambda: play_move(
        game_id=game.pk, number=game.version + 1, seat=game.seat_to_move, text=move, by=by
    )


def check_log(game: Game) -> None:
    game = Game.with_secrets.get(pk=game.pk)
    assert list(game.moves.values_list("number", flat=True)) == list(range(1, game.version + 1))
