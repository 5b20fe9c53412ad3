"""Setters of the columns of a locked game; none of them saves the game."""

from typing import Any

from django.utils import timezone

from games.clocks import game_clock
from games.models import Game, Seat
from games.play.bots import bot_schedule


def set_deal(game: Game, seats: list[Seat], seed: bytes) -> None:
    """Set the columns of a game that starts with these seats, dealt from the seed."""
    system = game.rule_system
    game.seed = seed
    game.seed_hash = system.seed_hash(seed)
    game.seats_taken = len(seats)
    game.status = Game.Status.RUNNING
    game.started = timezone.now()
    set_position(game, system.deal(game.rules, len(seats), seed), seats, after=None)


def set_position(
    game: Game, state: Any, seats: list[Seat], *, after: int | None, automatic: bool = False
) -> None:
    """Set the game's columns from a state; does not save.

    `after` is the seat that moved last, None at the start and when nobody has moved. An `automatic` move,
    which everybody knows to be forced, costs its seat no time and adds none to its time bank.
    """
    system = game.rule_system
    now = timezone.now()
    game_clock.stop_clock(game, seats, answered=None if automatic else after)
    game.state = system.state_to_json(state)
    game.seat_to_move = system.decider(state)
    # Observe as a spectator: the kind of a decision may reveal the hand of the player to move.
    game.decision_kind = "" if game.seat_to_move is None else system.observe(state, None).decision.kind
    game.last_change_at = now
    game.answer_due_at = None
    asked = None if game.seat_to_move is None else seats[game.seat_to_move]
    is_bot = asked is not None and bool(asked.bot_level)
    game.bot_due_at = bot_schedule.bot_due_at(game, now, again=after == game.seat_to_move) if is_bot else None
    start_turn(game, None if is_bot else asked, anew=after is not None)
    if asked is None:
        game.status = Game.Status.FINISHED
        game.finished = now


def refresh_position(game: Game, seats: list[Seat]) -> None:
    """Set the game's columns anew from its own state, after a seat has changed hands; does not save."""
    set_position(game, game.rule_system.state_from_json(game.state), seats, after=None)


def start_turn(game: Game, seat: Seat | None, *, anew: bool = True) -> None:
    """Set the player to move and start the clock; `seat` is None when no person decides.

    At a practice table nobody is the player to move, because its players share the device. Unless the turn
    begins `anew`, a clock that already runs for this player runs on.
    """
    goes_on = not anew and seat is not None and game.waiting_for_id == seat.user_id
    game.waiting_for_id = None if seat is None else seat.user_id
    if seat is None:
        game.deadline = game.time_left = None
    elif not goes_on:
        game_clock.start_clock(game, seat)
        if game.paused is not None:
            game_clock.pause_clock(game)


def set_end(game: Game, ending: Game.Ending) -> None:
    """Set the columns of a game that does not end by its rules; the state stays."""
    start_turn(game, None)
    game.seat_to_move = game.bot_due_at = game.answer_due_at = game.paused = game.held_at = None
    game.decision_kind = ""
    game.ending = ending
    game.status = Game.Status.FINISHED
    game.finished = timezone.now()
