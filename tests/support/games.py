"""Games brought to a position, and what is stored of them."""

from collections.abc import Callable
from random import Random
from typing import Any
from unittest import mock

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from games.models import Game, LogEntry, Seat
from games.notifications.notify import notify_entry
from games.play import log_writer
from games.play.automation.automatic_moves import play_automatic_moves
from games.play.game_columns import set_position
from games.play.game_lock import lock_game
from games.play.game_ticks import schedule_ticks
from games.play.game_view import GameView, game_view
from games.play.log_writer import Turn, author_columns, make_move, write_entry
from games.play.play_move import play_move
from games.play.seats.substitutes import replace_by_bot
from games.play.table_seats import load_seats

# The fixtures `start` and `create`, which make a running and a waiting game.
NewGame = Callable[..., Game]


def play_on(game: Game, moves: int, seed: int = 1) -> Game:
    """Play this many random moves, or to the end, through `play_move`, for people and bots alike."""
    rng = Random(seed)
    for _ in range(moves):
        game = Game.with_secrets.get(pk=game.pk)
        if game.seat_to_move is None:
            break
        state = game.rule_system.state_from_json(game.state)
        move = rng.choice(game.rule_system.legal_moves(state))
        seat = game.seats.get(number=game.seat_to_move)
        by = None if seat.is_bot_playing else seat.user
        play_move(game_id=game.pk, number=game.version + 1, seat=game.seat_to_move, text=str(move), by=by)
    return Game.with_secrets.get(pk=game.pk)


def play_until_asked(game: Game, user: User) -> Game:
    """Play random moves until the user is asked for a decision, and return the game read anew."""
    game.refresh_from_db()
    while game.waiting_for_id != user.pk:
        assert game.is_running, f"{user} is never asked"
        game = play_on(game, 1, seed=game.version)
    return game


@transaction.atomic
def leave_to_bot(game: Game, user: User) -> None:
    """Let a bot stand in for this user, whose time is over."""
    locked = lock_game(game.pk)
    seats = list(locked.seats.all())
    replace_by_bot(locked, seats, next(seat for seat in seats if seat.user_id == user.pk))


@transaction.atomic
def play_to_the_end(game: Game, seed: int = 1) -> Game:
    """Play to the end without asking or notifying anybody before it, and store the log at once."""
    rng = Random(seed)
    game = lock_game(game.pk)
    seats = load_seats(game)
    people = {seat.number: seat.user for seat in seats if not seat.is_bot_playing}
    log: list[LogEntry] = []
    before = game.version

    def keep_entry(game: Game, **columns: Any) -> LogEntry:
        if game.finished:
            LogEntry.objects.bulk_create(log)
            return write_entry(game, **columns)
        game.version += 1
        log.append(LogEntry(game=game, number=game.version, created_at=game.last_change_at, **columns))
        return log[-1]

    with mock.patch.object(log_writer, "write_entry", keep_entry):
        while game.seat_to_move is not None:
            state = game.rule_system.state_from_json(game.state)
            move = rng.choice(game.rule_system.legal_moves(state))
            by = people.get(game.seat_to_move)
            entry = make_move(game, Turn(seats, move, author_columns(by), state=state))
            if game.seat_to_move is None:
                notify_entry(game, entry)
                schedule_ticks(game)
            else:
                play_automatic_moves(game)
                assert game.finished or game.version == before + len(log), "an automatic move has failed"
    return Game.with_secrets.get(pk=game.pk)


def put(game: Game, state: Any) -> Game:
    """Store another position, as if the moves of the log had led to it, and return the game."""
    game = Game.with_secrets.get(pk=game.pk)
    set_position(game, state, list(game.seats.all()), after=None)
    game.save()
    return game


def make_room(*users: User) -> None:
    """Count none of the users' games as unfinished any more, so that more can be started."""
    Seat.objects.filter(user__in=users).update(ended=timezone.now())


def legal_move(game: Game) -> str:
    """Return a move that the seat to decide may make now."""
    game = Game.with_secrets.get(pk=game.pk)
    return str(game.rule_system.legal_moves(game.rule_system.state_from_json(game.state))[0])


def play_next(game: Game, **changes: Any) -> LogEntry:
    """Play a legal move for the player to decide; `changes` replace arguments of `play_move`."""
    usual = {
        "game_id": game.pk,
        "number": game.version + 1,
        "seat": game.seat_to_move,
        "text": legal_move(game),
        "by": game.waiting_for,
    }
    return play_move(**{**usual, **changes})


def whole_record(game: Game) -> tuple[object, ...]:
    """All that is stored of a game, to compare before and after."""
    columns = Game.with_secrets.filter(pk=game.pk).values_list(
        "state",
        "version",
        "seat_to_move",
        "decision_kind",
        "bot_due_at",
        "last_change_at",
        "status",
        "finished",
    )
    entries = LogEntry.objects.filter(game=game).values_list("number", "text", "seat")
    return (*columns, *entries)


def seen_by(game: Game, user: User) -> GameView:
    look = game_view(game.public_id, user)
    assert look is not None
    return look
