"""Past positions of a game, as one viewer may know them."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final

from games.log.handovers import handovers, holder_at
from games.log.positions import (
    LogLine,
    LogRow,
    conceded_seats,
    last_entry_of_play,
    lines,
    standing_moves,
    states_by_entry,
    taken_back,
)
from games.log.public_times import entry_time
from games.models import Game, LogEntry, Seat
from games.play.game_view import RECENT_ENTRIES, GameView, entries_of, get_dealt_game
from games.play.seats import practice_hands
from games.play.seats.practice_hands import OpenHand
from games.refusals import NoSuchPosition

# More would pass too quickly to be followed.
MAX_REPLAYED: Final = 12


@dataclass(frozen=True)
class Position:
    """A game after entry `number` of its log; 0 is the deal, `last` the latest entry.

    `look` is the game as it was then: its `seat` is the viewer's if the viewer held it already, its `seen` is
    what that seat knew, without legal moves; its `entries` are the latest ones up to there, and `gone` those
    of them that were taken back by then. `turns` are the positions at which a turn begins. `conceded` are the
    seats that had conceded. `changed` are the squares that differ from the previous entry. `uncovered`, for a
    finished game, is what was hidden then (the engine's `hidden_information`); else None.
    """

    look: GameView
    number: int
    last: int
    turns: tuple[int, ...]
    conceded: frozenset[int]
    changed: frozenset[int]
    uncovered: dict[str, Any] | None

    @property
    def entry(self) -> LogEntry | None:
        """The entry that led to this position; None for the deal."""
        return self.look.entries[-1] if self.look.entries else None

    @property
    def entered_at(self) -> datetime | None:
        """The time of that entry, as far as it may be known."""
        return entry_time(self.look.game, self.entry.created_at) if self.entry else None


def position_at(public_id: str, user: Any, number: int, *, opened: OpenHand | None = None) -> Position:
    """Return the position after this entry for this user, independent of later entries.

    While the game runs, players see their own past hand, and no other. A player who took a seat over was a
    spectator before: the hand of that time was another player's. In a finished game everything is shown. At a
    practice table of several people it is the hand that is `opened` on the device.

    Raises Http404 as `get_dealt_game` does, and NoSuchPosition.
    """
    game, seats = get_dealt_game(public_id, user)
    if not 0 <= number <= game.version:
        raise NoSuchPosition(game.version)
    log = lines(game)
    mine = practice_hands.acting_seat(game, seats, user, opened)
    walk = _walk(game, log, {number})
    return _position(game, seats, log, walk, _seat_then(log, mine, user, number), number)


def latest_positions(public_id: str, user: Any, since: int) -> list[Position]:
    """Return the position at which the latest moves after entry `since` began, and that after each of them.

    At most MAX_REPLAYED moves; those that were taken back are left out. Raises Http404 as `get_dealt_game`
    does.
    """
    game, seats = get_dealt_game(public_id, user)
    log = lines(game)
    numbers = [move.number for move in standing_moves(log) if move.number > since][-MAX_REPLAYED:]
    if not numbers:
        return []
    numbers.insert(0, numbers[0] - 1)
    mine = practice_hands.acting_seat(game, seats, user, None)
    walk = _walk(game, log, set(numbers))
    return [
        _position(game, seats, log, walk, _seat_then(log, mine, user, number), number) for number in numbers
    ]


def spectator_positions(game: Game, entries: Iterable[LogRow], numbers: Collection[int]) -> dict[int, Any]:
    """The positions of a finished game after these log entries, as a spectator knew them.

    Needs the game with its secrets, and its whole log. Raises ValueError while the game runs.
    """
    if not game.is_finished:
        raise ValueError("A running game keeps its past to itself.")
    observe = game.rule_system.observe
    return {
        number: observe(state, None) for number, state in states_by_entry(game, entries) if number in numbers
    }


def _position(
    game: Game, seats: list[Seat], log: list[LogLine], walk: "_LogWalk", seat: int | None, number: int
) -> Position:
    over = game.is_finished and number >= last_entry_of_play(log)
    state = walk.states[number]
    seen = game.rule_system.observe(state, seat, ended=game.ending if over else "", openly=game.is_finished)
    before = [line for line in log if line.number <= number]
    # The end shows the whole log.
    entries = entries_of(game, 1 if seen.ended else number - RECENT_ENTRIES, number)
    gone, told = frozenset(taken_back(before)), handovers(log, by_name=game.imported is not None)
    return Position(
        look=GameView(game, seats, seat, replace(seen, legal=()), entries, gone, told),
        number=number,
        last=game.version,
        turns=walk.turns,
        conceded=frozenset(conceded_seats(before)),
        changed=walk.changed[number],
        uncovered=game.rule_system.hidden_information(state) if game.is_finished else None,
    )


@dataclass(frozen=True)
class _LogWalk:
    """The wanted states of a replayed log with the squares changed, and the entries at which turns begin."""

    states: dict[int, Any]
    changed: dict[int, frozenset[int]]
    turns: tuple[int, ...]


def _walk(game: Game, log: list[LogLine], numbers: Collection[int]) -> _LogWalk:
    states, changed, board, turn, turns = {}, {}, None, None, []
    for at, state in states_by_entry(game, log):
        if state.turn != turn and not state.ended:
            turn = state.turn
            turns.append(at)
        if at in numbers:
            states[at] = state.copy()
            changed[at] = frozenset(_changed_squares(board or state.board, state.board))
        board = list(state.board) if at + 1 in numbers else None
    return _LogWalk(states, changed, tuple(turns))


def _changed_squares(before: Sequence[int], after: Sequence[int]) -> Iterator[int]:
    return (square for square, value in enumerate(after) if before[square] != value)


def _seat_then(log: list[LogLine], mine: Seat | None, user: Any, number: int) -> int | None:
    """The number of the viewer's seat, if the viewer held it then already."""
    return mine.number if mine is not None and holder_at(log, mine, number) == user.pk else None
