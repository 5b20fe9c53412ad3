"""Taking back steps of one's own turn, until something was revealed or somebody else has acted."""

from collections.abc import Iterable
from datetime import timedelta
from itertools import pairwise
from typing import Any

from django.db import transaction

from accounts.models import User
from games.models import Game, Move, Seat

from . import devices, orders, reliability, rulings, timekeeping
from .admission import lock_admitted_user
from .devices import Opened
from .errors import NotSeated, NotTakenBack, Stale, TimeIsOver
from .game_columns import set_position
from .game_lock import lock_game
from .ruling_entry import enter_ruling
from .rulings import Ruling
from .standing import position, standing_moves

# Steps that somebody took, and those planned ahead; a standing order would only answer again.
_STEPS = ("", Move.Origin.PLAN)


@transaction.atomic
def take_back(*, game_id: int, number: int, to: int, by: User, opened: Opened | None = None) -> Move:
    """Put a game into the position after entry `to` again, and return the ruling that says so.

    `number` is the place in the log that the ruling takes; the same ruling for the same place once more
    is the same success again. The time for the step runs on from where it was, less what later ones took.
    At a practice table `opened` is the hand that is open on the device.

    Raises NotSeated, what `devices.reason_against_acting` says, Stale, TimeIsOver, and NotTakenBack unless
    `to` is one of the `goals`.
    """
    lock_admitted_user(by)
    game = lock_game(game_id)
    seats = list(game.seats.all())
    seat = devices.seat_of(game, seats, by, opened, entry=number)
    if seat is None:
        raise devices.reason_against_acting(game, by) or NotSeated
    ruling = Ruling("back", to)
    if number <= game.version:
        return _same_again(game, number, ruling, by)
    if number > game.version + 1:
        raise Stale
    entries = list(game.moves.all())
    on_turn = game.rule_system.from_json(game.state).turn if game.is_running else None
    if to not in goals(game, seat, on_turn, entries):
        raise NotTakenBack
    moves = standing_moves(entries)
    steps = [move for move in moves if move.number > to]
    left = _left_again(game, seat, steps)
    if left is not None and (left <= timedelta() or _ran_out(seat, steps[0], entries)):
        raise TimeIsOver
    goal, undone = _position_at(game, moves, to)
    set_position(game, goal, seats, after=None)
    orders.taken_back(game, undone, goal)
    for late in (other for other in seats if other.in_question):
        # Whoever the others vote about is not asked any more.
        late.in_question = False
        late.save(update_fields=["in_question"])
    if left is not None:
        _set_clock_back(game, seat, left, steps)
    return enter_ruling(game, ruling, seat=seat.number, by=by)


def goals(game: Game, seat: Seat, on_turn: int | None, entries: Iterable[Move]) -> list[int]:
    """The entries of the log to which this seat may go back now, by number, the nearest first.

    `on_turn` is the seat whose turn it is, `entries` are the latest of the log, oldest first. Each number
    is that before one of the seat's own steps; what was done for the seat without asking goes with it.
    """
    if not (
        game.is_running
        and game.paused is None
        and game.takebacks
        and on_turn == seat.number
        and not seat.computer
    ):
        return []
    found: list[int] = []
    for move in reversed(standing_moves(entries)):
        if not _is_own(move, seat) or game.rule_system.reveals(game.rules, move.told):
            break
        if move.origin in _STEPS:
            found.append(move.number - 1)
    return found


def _is_own(move: Move, seat: Seat) -> bool:
    """Whether the person who sits there decided this move, or there was nothing to decide."""
    mine = move.user_id is not None and move.user_id == seat.owner_id
    return move.seat == seat.number and (mine or move.origin == Move.Origin.FORCED)


def _left_again(game: Game, seat: Seat, steps: list[Move]) -> timedelta | None:
    """What is left for the first of these steps of a seat, the last of its turn, when it takes them back.

    That is what was left when the step was made, less what the clock of the seat has counted since: to and
    fro brings no time. None without a limit.
    """
    left = steps[0].left
    if left is None:
        return None
    shown = [*(step.left for step in steps), timekeeping.left_to(game, seat)]
    for step, (before, after) in zip(steps, pairwise(shown), strict=True):
        if before is not None and after is not None:
            left -= _allowed_after(game, step, before) - after
    return left


def _allowed_after(game: Game, step: Move, left: timedelta) -> timedelta:
    """How much time there was for the decision after a step that was made with so much left."""
    brings = timekeeping.one_decision(game)
    if game.bank is None:
        return brings
    return left if step.origin else timekeeping.in_bank(game, left + brings)


def _ran_out(seat: Seat, step: Move, entries: list[Move]) -> bool:
    """Whether the seat let the time for a decision after this step run out, which gave it other time."""
    since = [entry for entry in entries if entry.number > step.number and entry.kind == Move.Kind.RULING]
    told = [rulings.read(entry.text) for entry in since]
    return any(ruling.kind in ("grace", "keeps") and ruling.number == seat.number for ruling in told)


def _set_clock_back(game: Game, seat: Seat, left: timedelta, steps: list[Move]) -> None:
    """Leave so much time for the first of these steps, which are taken back; none of them was made."""
    timekeeping.leave(game, left)
    if game.bank is not None:
        seat.left = left
        seat.save(update_fields=["left"])
    if seat.user_id is not None:
        reliability.take_back(seat.user_id, sum(not step.origin and step.left is not None for step in steps))


def _position_at(game: Game, moves: list[Move], number: int) -> tuple[Any, list[Any]]:
    """The state after the moves up to this number, and those that came after it up to now.

    Raises RuntimeError unless all moves lead to the stored state.
    """
    system = game.rule_system
    goal = position(game, [move for move in moves if move.number <= number])
    later = [goal]
    for move in moves:
        if move.number > number:
            later.append(later[-1].copy())
            system.apply(later[-1], system.parse_move(move.text))
    if system.to_json(later[-1]) != system.to_json(system.from_json(game.state)):
        raise RuntimeError(f"The log of game {game} does not lead to its state.")
    return goal, later[1:]


def _same_again(game: Game, number: int, ruling: Ruling, by: User) -> Move:
    same = game.moves.filter(number=number, kind=Move.Kind.RULING, text=str(ruling), user=by).first()
    if same is None:
        raise Stale
    return same
