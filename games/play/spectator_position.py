"""A game as a reader without a seat may see it: in a game with a delay, as it stood some rounds ago.

Every page, list, picture and API that shows a running game gets it through `shown_to`. No move, clock or
vote after the entry at which it stops is shown, nor a change of players but in the offer of a free seat.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any, Final, NamedTuple

from django.http import Http404

from accounts.models import User
from games.engine.rules.rule_systems import SYSTEMS
from games.log.positions import conceded_seats, lines, rollback_target, standing_steps, state_after
from games.log.rulings import Ruling, parse_ruling, previous_holder
from games.models import Game, LogEntry, Seat
from games.models.prepared_query import set_prefetched
from games.models.seat import STAND_IN_LEVEL


def shown_to(game: Game, user: Any) -> Game:
    """Return the game, or for a spectator of a late game a copy as it stood.

    It has no deadline and waits for nobody. `rounds_late` is set, and it cannot be saved. Read no entries
    after its version. Raises Http404 if the game was deleted meanwhile.
    """
    return _as_it_stood(game, user) if is_late_for(game, user) else game


def all_shown_to(games: Iterable[Game], user: Any) -> list[Game]:
    """Return the games of a list as `shown_to` does, without those that were deleted meanwhile."""
    shown = []
    for game in games:
        try:
            shown.append(shown_to(game, user))
        except Http404:
            continue
    return shown


def seats_now(game: Game, seats: Sequence[Seat]) -> Sequence[Seat]:
    """The seats of a game from `shown_to` as they are now, to tell which of them are free to take over."""
    return [*Seat.objects.filter(game=game.pk).select_related("user")] if game.rounds_late else seats


def is_late_for(game: Game, user: Any) -> bool:
    """Return whether this user, who may be a visitor, sees the running game later than its players do."""
    if not game.spectator_delay or not game.is_running or game.rounds_late:
        return False
    return user.pk is None or all(seat.owner_id != user.pk for seat in game.seats.all())


def version_shown(game: Game) -> int:
    """The version of the game that spectators see."""
    if not game.spectator_delay or not game.is_running:
        return game.version
    return _stop(game).entry.number


def shows_more(game: Game) -> bool:
    """Return whether spectators see more of the game since it was locked, or it has just begun."""
    if not game.spectator_delay or not game.is_running or game.version == 0:
        return True
    return game.locked_at_version is None or _stop(game).shown_by > game.locked_at_version


def last_shown(entries: Iterable[Any], first_moves: Iterable[str], turns: int) -> int:
    """The number of the last of these log entries, oldest first, that spectators see `turns` turns late.

    The latest `turns` turns are hidden, with all that came between their moves. Turns that were taken back do
    not count, so that nobody reveals a move by taking back another. What was shown once stays shown.
    """
    return max((shown for _, shown in _shown_by_entry(entries, first_moves, turns)), default=0)


def _shown_by_entry(
    entries: Iterable[Any], first_moves: Iterable[str], turns: int
) -> Iterator[tuple[int, int]]:
    """Yield with each entry that shows more to spectators the last entry that they see from then on."""
    shown, begun = 0, list[int]()
    for entry in entries:
        if entry.kind == LogEntry.Kind.MOVE:
            if entry.text.split()[0] in first_moves:
                begun.append(entry.number)
        elif (goal := rollback_target(entry)) is not None:
            while begun and begun[-1] > goal:
                begun.pop()
        if len(begun) >= turns and begun[-turns] - 1 > shown:
            shown = begun[-turns] - 1
            yield entry.number, shown


class _Line(NamedTuple):
    """A log entry without its events, with the time when it was written."""

    number: int
    kind: str
    text: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class _Entry:
    """The entry at which spectators stop, 0 for the deal, and the time when it was written."""

    number: int
    made: datetime


@dataclass(frozen=True, slots=True)
class _PastSeat:
    """A seat that another player or a computer has had since: its holder then, None for the one of now.

    Members are keys and others names. `since` is the time when a computer began to play there for somebody,
    None if its holder played.
    """

    number: int
    holder: int | str | None
    by_computer: bool
    since: datetime | None


@dataclass(frozen=True, slots=True)
class _Stop:
    """The entry at which spectators stop, the one that showed it, and the seats that changed hands since."""

    entry: _Entry
    shown_by: int
    seats: tuple[_PastSeat, ...]


@dataclass(frozen=True, slots=True)
class _Position:
    """A past position: its state as JSON, the decision asked there, and the seats that had conceded."""

    state: str
    seat_to_move: int | None
    decision_kind: str
    conceded: frozenset[int]


def _stop(game: Game) -> _Stop:
    turns = game.spectator_delay * len(game.seats.all())
    version, at = game.version, game.last_change_at
    return _stop_of(game.pk, game.public_id, game.system, version, at, game.started, turns)


# A log only grows, so what stands at an entry never changes. Public ids and times are in the keys because a
# transaction can fail, and another entry then gets the same number.


@lru_cache(maxsize=1024)
def _stop_of(
    game_id: int,
    public_id: str,
    system: str,
    version: int,
    changed_at: datetime,
    started: datetime,
    turns: int,
) -> _Stop:
    rows = LogEntry.objects.filter(game=game_id, number__lte=version).order_by("number")
    log = [_Line(*row) for row in rows.values_list(*_Line._fields)]
    shown_by, number = max(_shown_by_entry(log, SYSTEMS[system].FIRST_MOVES, turns), default=(0, 0))
    made = next((line.created_at for line in log if line.number == number), started)
    return _Stop(_Entry(number, made), shown_by, tuple(_changed_seats(log, number)))


# Rulings after which a computer plays in the seat, and those after which a member does.
_TO_COMPUTERS: Final = frozenset(("keeps", "leaves", "stands in", "takes", "concede"))
_TO_MEMBERS: Final = frozenset(("returns", "adopts"))


def _changed_seats(log: Iterable[_Line], number: int) -> Iterable[_PastSeat]:
    """The seats about which rulings after this entry say who plays there, as they were at the entry."""
    shown: dict[int, tuple[Ruling, datetime]] = {}
    hidden: dict[int, list[Ruling]] = {}
    for line in log:
        if line.kind != LogEntry.Kind.RULING:
            continue
        ruling = parse_ruling(line.text)
        if ruling.kind not in (*_TO_COMPUTERS, *_TO_MEMBERS, "appoints"):
            continue
        if line.number <= number:
            shown[ruling.number] = (ruling, line.created_at)
        else:
            hidden.setdefault(ruling.number, []).append(ruling)
    for seat, told in hidden.items():
        handed = next((ruling for ruling in told if ruling.kind in ("adopts", "appoints")), None)
        holder = None if handed is None else previous_holder(handed)
        before, since = shown.get(seat, (None, None))
        # Nobody who has left the site is named any more.
        by_computer = told[0].kind == "takes"
        if before is None:
            by_computer |= isinstance(holder, str)
        else:
            by_computer |= _is_to_computer(before)
        yield _PastSeat(seat, holder, by_computer, since)


def _is_to_computer(ruling: Ruling) -> bool:
    to = ruling.name.partition(" from ")[0]
    return ruling.kind in _TO_COMPUTERS or (ruling.kind == "appoints" and not to.isdigit())


@lru_cache(maxsize=256)
def _position(game_id: int, public_id: str, entry: _Entry) -> _Position:
    game = Game.with_secrets.filter(pk=game_id).first()
    if game is None:
        raise Http404
    log = [line for line in lines(game) if line.number <= entry.number]
    system, state = game.rule_system, state_after(game, standing_steps(log))
    asked = system.decider(state)
    return _Position(
        json.dumps(system.state_to_json(state)),
        asked,
        "" if asked is None else system.observe(state, None).decision.kind,
        frozenset(conceded_seats(log)),
    )


def _as_it_stood(game: Game, reader: Any) -> Game:
    stop = _stop(game)
    entry = stop.entry
    then = _position(game.pk, game.public_id, entry)
    shown = copy(game)
    shown.rounds_late = game.spectator_delay
    shown.version, shown.last_change_at = entry.number, entry.made
    shown.state = json.loads(then.state)
    shown.seat_to_move, shown.decision_kind = then.seat_to_move, then.decision_kind
    shown.waiting_for_id = None
    shown.deadline = shown.time_left = shown.bot_due_at = shown.answer_due_at = None
    # Makes `turn_number` count the turns in the log, which ends there.
    shown.went_back = True  # type: ignore[attr-defined]
    shown._prefetched_objects_cache = dict(getattr(game, "_prefetched_objects_cache", {}))  # type: ignore[attr-defined]
    seats = {seat.number: _seat_then(seat, then) for seat in game.seats.all()}
    _give_back(seats, stop.seats, reader)
    set_prefetched(list(seats.values()), shown, "seats", "game")
    return shown


def _seat_then(seat: Seat, then: _Position) -> Seat:
    """Return a copy of the seat without a later concession or vote; its player is the present one."""
    found = copy(seat)
    found._state = copy(seat._state)
    found._state.fields_cache = dict(seat._state.fields_cache)
    found.replacement_vote_open = False
    if seat.number not in then.conceded:
        found.concession_order = None
    return found


def _give_back(seats: dict[int, Seat], past: Iterable[_PastSeat], reader: Any) -> None:
    """Give these copies of seats to those who played there then."""
    # A former player knows who has got the seat, and must not look like its player.
    past = [one for one in past if reader.pk is None or one.holder != reader.pk]
    keys = {one.holder for one in past if isinstance(one.holder, int)}
    users = User.objects.in_bulk(keys) if keys else {}
    for one in past:
        seat = seats[one.number]
        if isinstance(one.holder, str):
            _set_holder(seat, None, one.holder)
        elif one.holder in users:
            _set_holder(seat, users[one.holder], "")
        if not one.by_computer and seat.user_id is not None:
            seat.bot_level, seat.replaced_at, seat.reserved_until = "", None, None
        elif one.by_computer and not seat.bot_level:
            seat.bot_level = STAND_IN_LEVEL
            seat.replaced_at = None if seat.concession_order is not None else one.since


def _set_holder(seat: Seat, user: User | None, nickname: str) -> None:
    if (user and user.pk) != seat.user_id:
        seat.user, seat.nickname = user, nickname
        # The rating that lists read with the seats is another person's.
        seat.mu = None  # type: ignore[attr-defined]


def forget() -> None:
    """Forget the entries and positions that this process keeps."""
    _stop_of.cache_clear()
    _position.cache_clear()
