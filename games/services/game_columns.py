"""Set the columns of a locked game from its state; nothing here saves the game."""

from typing import Any

from django.utils import timezone

from games.models import Game, Seat

from . import pace, timekeeping


def set_position(
    game: Game, state: Any, seats: list[Seat], *, after: int | None, automatic: bool = False
) -> None:
    """Set the game's columns from a state; does not save.

    `after` is the seat that moved last, None at the start and when nobody has moved. An `automatic` move
    costs its seat no time and brings none.
    """
    system = game.rule_system
    now = timezone.now()
    timekeeping.stop(game, seats, answered=None if automatic else after)
    game.state = system.to_json(state)
    game.decider = system.decider(state)
    # A spectator's view: the kind of a decision can tell about the hand of the player to move.
    game.decision = "" if game.decider is None else system.observe(state, None).decision.kind
    game.moved = now
    game.due = None
    if game.decider is not None and seats[game.decider].computer:
        game.due = pace.due(now, again=after == game.decider)
    person = None if game.decider is None or seats[game.decider].computer else seats[game.decider]
    start_turn(game, person, anew=after is not None)
    if game.decider is None:
        game.status = Game.Status.FINISHED
        game.finished = now


def start_turn(game: Game, seat: Seat | None, *, anew: bool = True) -> None:
    """Set the player to move and start the clock; `seat` is None when no person decides.

    At a practice table nobody is the player to move: its players share the device. Unless the turn begins
    `anew`, the clock of a player who was to move already goes on.
    """
    goes_on = not anew and seat is not None and game.asked_id == seat.user_id
    game.asked_id = None if seat is None else seat.user_id
    if seat is None:
        game.deadline = game.remaining = None
    elif not goes_on:
        timekeeping.start(game, seat)
        if game.paused is not None:
            timekeeping.stand_still(game)


def set_end(game: Game, ending: Game.Ending) -> None:
    """Set the columns of a game that ends otherwise than by its rules; the state stays."""
    start_turn(game, None)
    game.decider = game.due = game.paused = game.held = None
    game.decision = ""
    game.ending = ending
    game.status = Game.Status.FINISHED
    game.finished = timezone.now()
