"""A game as a reader without a seat may see it: in a game with a delay, as it stood some rounds ago.

Every page, list, picture and API that shows a running game gets it through `shown_to`. Nothing after the
entry at which it stops reaches a spectator: no move, no ruling, no clock and no vote.
"""

import json
from collections.abc import Iterable
from copy import copy
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any

from games.engine.rules.rule_systems import SYSTEMS
from games.log.positions import conceded_seats, lines, standing_moves, standing_steps, state_after
from games.models import Game, LogEntry, Seat
from games.models.prepared_query import set_prefetched


def shown_to(game: Game, user: Any) -> Game:
    """Return the game as this user may see it now: itself, or for a spectator of a late game a copy.

    The copy has the version, the state, the columns and the seats of the entry at which it stops, no deadline
    and nobody to wait for; `rounds_late` tells that it is one, and it cannot be saved. Its log ends at its
    version: read no later entries. Players at the seats are those of now.
    """
    return _as_it_stood(game) if is_late_for(game, user) else game


def is_late_for(game: Game, user: Any) -> bool:
    """Return whether this user, who may be a visitor, sees the running game later than its players do."""
    if not game.spectator_delay or not game.is_running or game.rounds_late:
        return False
    return user.pk is None or all(seat.owner_id != user.pk for seat in game.seats.all())


def version_shown(game: Game) -> int:
    """The version of the game that spectators see."""
    if not game.spectator_delay or not game.is_running:
        return game.version
    return _last_shown(game).number


def last_shown(entries: Iterable[Any], first_moves: Iterable[str], turns: int) -> int:
    """The number of the last of these log entries, oldest first, that spectators see `turns` turns late.

    The latest `turns` turns are hidden, with all that came between their moves. Turns that were taken back do
    not count, so that nobody reveals a move by taking back another.
    """
    begun = [move.number for move in standing_moves(entries) if move.text.split()[0] in first_moves]
    return begun[-turns] - 1 if len(begun) >= turns else 0


@dataclass(frozen=True, slots=True)
class _Entry:
    """The entry at which spectators stop, 0 for the deal, and the time when it was written."""

    number: int
    made: datetime


@dataclass(frozen=True, slots=True)
class _Position:
    """A past position: its state as JSON, the decision asked there, and the seats that had conceded."""

    state: str
    seat_to_move: int | None
    decision_kind: str
    conceded: frozenset[int]


def _last_shown(game: Game) -> _Entry:
    turns = game.spectator_delay * len(game.seats.all())
    version, at = game.version, game.last_change_at
    return _entry_shown(game.pk, game.public_id, game.system, version, at, game.started, turns)


# A log only grows, so what stands at an entry never changes. Public ids and times are in the keys because a
# transaction may still fail, and another entry take the same number.


@lru_cache(maxsize=1024)
def _entry_shown(
    game_id: int,
    public_id: str,
    system: str,
    version: int,
    changed_at: datetime,
    started: datetime,
    turns: int,
) -> _Entry:
    log = list(LogEntry.objects.filter(game=game_id, number__lte=version).defer("events").order_by("number"))
    number = last_shown(log, SYSTEMS[system].FIRST_MOVES, turns)
    return _Entry(number, next((entry.created_at for entry in log if entry.number == number), started))


@lru_cache(maxsize=256)
def _position(game_id: int, public_id: str, entry: _Entry) -> _Position:
    game = Game.with_secrets.get(pk=game_id)
    log = [line for line in lines(game) if line.number <= entry.number]
    system, state = game.rule_system, state_after(game, standing_steps(log))
    asked = system.decider(state)
    return _Position(
        json.dumps(system.state_to_json(state)),
        asked,
        "" if asked is None else system.observe(state, None).decision.kind,
        frozenset(conceded_seats(log)),
    )


def _as_it_stood(game: Game) -> Game:
    entry = _last_shown(game)
    then = _position(game.pk, game.public_id, entry)
    shown = copy(game)
    shown.rounds_late = game.spectator_delay
    shown.version, shown.last_change_at = entry.number, entry.made
    shown.state = json.loads(then.state)
    shown.seat_to_move, shown.decision_kind = then.seat_to_move, then.decision_kind
    shown.waiting_for_id = None
    shown.deadline = shown.time_left = shown.bot_due_at = shown.answer_due_at = None
    # So that turns are counted by the log up to there.
    shown.went_back = True  # type: ignore[attr-defined]
    shown._prefetched_objects_cache = dict(getattr(game, "_prefetched_objects_cache", {}))  # type: ignore[attr-defined]
    set_prefetched([_seat_then(seat, then) for seat in game.seats.all()], shown, "seats", "game")
    return shown


def _seat_then(seat: Seat, then: _Position) -> Seat:
    """Return a copy of the seat without what has happened to it since, except who plays there."""
    found = copy(seat)
    found.replacement_vote_open = False
    if seat.number not in then.conceded:
        found.concession_order = None
    return found


def forget() -> None:
    """Forget the entries and positions that this process keeps."""
    _entry_shown.cache_clear()
    _position.cache_clear()
