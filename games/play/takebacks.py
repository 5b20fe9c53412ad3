"""Takebacks: undo steps of one's own turn until a secret is revealed or somebody else has acted."""

from collections.abc import Iterable
from datetime import timedelta
from itertools import pairwise
from typing import Any

from django.db import transaction

from accounts.models import User
from games.clocks import game_clock, on_time_rate
from games.log import rulings
from games.log.positions import apply_step, standing_steps, state_after
from games.log.rulings import Ruling
from games.models import Game, LogEntry, Seat
from games.play.automation import order_store
from games.play.game_columns import set_position
from games.play.game_lock import lock_game
from games.play.ruling_entry import enter_ruling
from games.play.seats import practice_hands
from games.play.seats.practice_hands import OpenHand
from games.players.admission import lock_admitted_user
from games.refusals import DecisionTimedOut, NotSeated, StalePosition, TakebackExpired

# Moves made by hand or from a plan. Others are no targets: a standing order would only answer again.
_STEPS = ("", LogEntry.Origin.PLAN)


@transaction.atomic
def take_back(*, game_id: int, number: int, to: int, by: User, opened: OpenHand | None = None) -> LogEntry:
    """Return a game to the position after entry `to`, and return the ruling that records it.

    `number` is the place in the log that the ruling takes; the same ruling for the same place again succeeds
    and changes nothing. The player gets back the time left at the step, less what later steps used. At a
    practice table `opened` is the hand that is open on the device.

    Raises NotSeated, what `practice_hands.reason_against_acting` returns, StalePosition, DecisionTimedOut,
    and TakebackExpired unless `to` is one of the `takeback_targets`.
    """
    lock_admitted_user(by)
    game = lock_game(game_id)
    seats = list(game.seats.all())
    seat = practice_hands.acting_seat(game, seats, by, opened, entry=number)
    if seat is None:
        raise practice_hands.reason_against_acting(game, by) or NotSeated
    ruling = Ruling("back", to)
    if number <= game.version:
        return _find_repeat(game, number, ruling, by)
    if number > game.version + 1:
        raise StalePosition
    entries = list(game.moves.all())
    on_turn = game.rule_system.state_from_json(game.state).turn if game.is_running else None
    if to not in takeback_targets(game, seat, on_turn, entries):
        raise TakebackExpired
    stands = standing_steps(entries)
    steps = [move for move in stands if move.number > to]
    left = None if _has_other_pace(steps[0], entries) else _restored_time(game, seat, steps)
    if left is not None and (left <= timedelta() or _timed_out_after(seat, steps[0], entries)):
        raise DecisionTimedOut
    goal, undone = _position_at(game, stands, to)
    set_position(game, goal, seats, after=None)
    order_store.restore_used_orders(game, undone, goal)
    for late in (other for other in seats if other.replacement_vote_open):
        # The seat that the vote is about is not to move any more.
        late.replacement_vote_open = False
        late.save(update_fields=["replacement_vote_open"])
    if left is not None:
        _set_clock_back(game, seat, left, steps)
    return enter_ruling(game, ruling, seat=seat.number, by=by)


def takeback_targets(game: Game, seat: Seat, on_turn: int | None, entries: Iterable[LogEntry]) -> list[int]:
    """The numbers of the entries to which this seat may go back now, the nearest first.

    `on_turn` is the seat whose turn it is, `entries` are the latest of the log, oldest first. Each number is
    that of the entry before one of the seat's own steps; automatic moves made for the seat are undone with
    it.
    """
    if not (
        game.is_running
        and game.paused is None
        and game.takebacks_allowed
        and on_turn == seat.number
        and not seat.bot_level
    ):
        return []
    found: list[int] = []
    for move in reversed(standing_steps(entries)):
        # A redeal is nobody's own step: before it everybody knew the hands.
        if not _is_own_step(move, seat) or game.rule_system.reveals_secret(game.rules, move.decoded_events):
            break
        if move.origin in _STEPS:
            found.append(move.number - 1)
    return found


def _is_own_step(move: LogEntry, seat: Seat) -> bool:
    """Return whether the holder of the seat decided this move, or it was a forced move."""
    mine = move.user_id is not None and move.user_id == seat.owner_id
    return move.seat == seat.number and (mine or move.origin == LogEntry.Origin.FORCED_MOVE)


def _restored_time(game: Game, seat: Seat, steps: list[LogEntry]) -> timedelta | None:
    """The time left for the first of these steps once they are taken back; None without a limit.

    `steps` are the last of the seat's turn. The result is the time left when the first step was made, less
    what the clock of the seat has counted since: taking moves back and forth gains no time.
    """
    left = steps[0].time_left
    if left is None:
        return None
    shown = [*(step.time_left for step in steps), game_clock.time_left(game, seat)]
    for step, (before, after) in zip(steps, pairwise(shown), strict=True):
        if before is not None and after is not None:
            left -= _allowed_after(game, step, before) - after
    return left


def _allowed_after(game: Game, step: LogEntry, left: timedelta) -> timedelta:
    """The time there was for the decision after a step that was made with `left` on the clock."""
    brings = game_clock.time_per_move(game)
    if game.time_bank is None:
        return brings
    return left if step.is_forced else game_clock.cap_to_bank(game, left + brings)


def _has_other_pace(step: LogEntry, entries: list[LogEntry]) -> bool:
    """Return whether the pace changed after this step, so that its time left tells nothing."""
    since = [entry for entry in entries if entry.number > step.number and entry.kind == LogEntry.Kind.RULING]
    return any(rulings.parse_ruling(entry.text).kind == "paces" for entry in since)


def _timed_out_after(seat: Seat, step: LogEntry, entries: list[LogEntry]) -> bool:
    """Return whether the seat timed out after this step, which set its clock to another time."""
    since = [entry for entry in entries if entry.number > step.number and entry.kind == LogEntry.Kind.RULING]
    told = [rulings.parse_ruling(entry.text) for entry in since]
    return any(
        ruling.kind in ("grace", "keeps", "leaves") and ruling.number == seat.number for ruling in told
    )


def _set_clock_back(game: Game, seat: Seat, left: timedelta, steps: list[LogEntry]) -> None:
    """Set the time left to `left` and uncount the decisions of the steps that are taken back."""
    game_clock.set_time_left(game, left)
    if game.time_bank is not None:
        seat.time_bank_left = left
        seat.save(update_fields=["time_bank_left"])
    if seat.user_id is not None and not game.is_live:
        on_time_rate.uncount_decisions(
            seat.user_id, sum(not step.is_forced and step.time_left is not None for step in steps)
        )


def _position_at(game: Game, steps: list[LogEntry], number: int) -> tuple[Any, list[Any]]:
    """Return the state after the steps up to this number, and the states after each later one.

    Raises RuntimeError unless all steps lead to the stored state.
    """
    system = game.rule_system
    goal = state_after(game, [step for step in steps if step.number <= number])
    later = [goal]
    for step in steps:
        if step.number > number:
            later.append(later[-1].copy())
            apply_step(game, later[-1], step)
    if system.state_to_json(later[-1]) != system.state_to_json(system.state_from_json(game.state)):
        raise RuntimeError(f"The log of game {game} does not lead to its state.")
    return goal, later[1:]


def _find_repeat(game: Game, number: int, ruling: Ruling, by: User) -> LogEntry:
    same = game.moves.filter(number=number, kind=LogEntry.Kind.RULING, text=str(ruling), user=by).first()
    if same is None:
        raise StalePosition
    return same
