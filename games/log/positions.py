"""The moves of a log that still stand, and the positions they lead to.

The position after entry n is the deal plus every move up to n that no ruling up to n has taken back. States
are secret: pages get observations of them (see `games.play.game_view`).
"""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple, Protocol, TypeVar

from games.log import rulings
from games.models import Game, LogEntry


class LogRow(Protocol):
    """The fields of a log entry that tell which position it leads to."""

    @property
    def number(self) -> int: ...
    @property
    def kind(self) -> str: ...
    @property
    def text(self) -> str: ...


class LogLine(NamedTuple):
    """A log entry without its events, which take most of its space."""

    number: int
    kind: str
    text: str
    seat: int | None


_Entry = TypeVar("_Entry", bound=LogRow)


def lines(game: Game) -> list[LogLine]:
    """The whole log of a game, oldest first, in one query."""
    return [LogLine(*values) for values in game.moves.order_by("number").values_list(*LogLine._fields)]


def standing_moves(entries: Iterable[_Entry]) -> list[_Entry]:
    """The moves among these entries of one log, oldest first, that still stand after them."""
    moves: list[_Entry] = []
    for entry in entries:
        if entry.kind == LogEntry.Kind.MOVE:
            moves.append(entry)
        elif (goal := rollback_target(entry)) is not None:
            while moves and moves[-1].number > goal:
                moves.pop()
    return moves


def taken_back(entries: Iterable[LogRow]) -> set[int]:
    """The numbers of the moves among these entries, oldest first, that one of them takes back."""
    entries = list(entries)
    moves = {entry.number for entry in entries if entry.kind == LogEntry.Kind.MOVE}
    return moves - {entry.number for entry in standing_moves(entries)}


def rollback_target(entry: LogRow) -> int | None:
    """The entry number to whose position a ruling returns the game; None for all other entries."""
    if entry.kind != LogEntry.Kind.RULING:
        return None
    ruling = rulings.parse_ruling(entry.text)
    return ruling.number if ruling.kind in ("back", "rolls") else None


def initial_state(game: Game) -> Any:
    """The state after the deal, before the first move."""
    return game.rule_system.deal(game.rules, game.seats.count(), bytes(game.seed or b""))


def state_after(game: Game, moves: Iterable[LogRow]) -> Any:
    """The state that these moves lead to from the deal."""
    system = game.rule_system
    state = initial_state(game)
    for move in moves:
        system.apply(state, system.parse_move(move.text))
    return state


def state_at(game: Game, number: int) -> Any:
    """The state after this entry of the log, 0 for the deal.

    Needs a game with its secrets. Raises ValueError if the log has no such entry.
    """
    if not 0 <= number <= game.version:
        raise ValueError(f"The log has entries 1 to {game.version}, and {number} is none of them.")
    return state_after(game, standing_moves(entry for entry in lines(game) if entry.number <= number))


def states_by_entry(game: Game, entries: Iterable[LogRow]) -> Iterator[tuple[int, Any]]:
    """The state after each of these entries of a whole log, oldest first, beginning with the deal as 0.

    The yielded state is one object that changes: copy it to keep it. All positions together cost little more
    than the last one. Needs a game with its secrets.
    """
    entries = list(entries)
    system, state = game.rule_system, initial_state(game)
    goals = [goal for entry in entries if (goal := rollback_target(entry)) is not None]
    # No ruling goes back further, so earlier states need no copies.
    earliest = min(goals, default=game.version)
    before: list[tuple[int, Any]] = []
    yield 0, state
    for entry in entries:
        if entry.kind == LogEntry.Kind.MOVE:
            if entry.number > earliest:
                before.append((entry.number, state.copy()))
            system.apply(state, system.parse_move(entry.text))
        elif (goal := rollback_target(entry)) is not None:
            while before and before[-1][0] > goal:
                state = before.pop()[1]
        yield entry.number, state
