"""Moments of a finished game: the position after a log entry, and what its player saw before the move."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from games.log.positions import last_entry_of_play, standing_moves, states_by_entry
from games.models import LogEntry
from games.play.game_view import GameView
from games.refusals import NoSuchPosition


@dataclass(frozen=True, slots=True)
class Moment:
    """A finished game after entry `number` of its log; 0 is the deal.

    `seen` is what everybody may see now, when the game is over. `asked` is what the player of the move saw
    before it, with the legal moves; None for rulings and the deal. `turns` counts the turns: the number of
    the turn of each standing move, from 1, by log entry. `changed` are the squares that the entry changed,
    and `hidden` is what nobody, or only one player, could see then.
    """

    number: int
    seen: Any
    asked: Any
    turns: dict[int, int]
    changed: frozenset[int]
    hidden: dict[str, Any]

    @property
    def turn(self) -> int:
        """The number of the turn, 0 before the first."""
        return max((turn for number, turn in self.turns.items() if number <= self.number), default=0)


def check_answer(look: GameView, number: int, text: str) -> Any:
    """Return an answer, given in the notation of the rules, to the decision of this log entry.

    Needs a finished game with its secrets and whole log. Raises InvalidMove and IllegalMove.
    """
    game = look.game
    if not game.is_finished:
        raise ValueError("A running game keeps its past to itself.")
    answer = game.rule_system.parse_move(text)
    before = next(state for at, state in states_by_entry(game, look.entries) if at == number - 1)
    game.rule_system.check_move(before, answer)
    return answer


def moment_at(look: GameView, number: int) -> Moment:
    """Return the moment after this entry of a finished game. Needs its secrets and whole log.

    Raises NoSuchPosition.
    """
    game = look.game
    if not game.is_finished:
        raise ValueError("A running game keeps its past to itself.")
    if not 0 <= number <= game.version:
        raise NoSuchPosition(game.version)
    system, mover = game.rule_system, _mover(look.entries, number)
    on_turn: list[int] = []
    asked, before, now = None, None, None
    for at, state in states_by_entry(game, look.entries):
        on_turn.append(state.turn)
        if at == number - 1:
            before = list(state.board)
            asked = None if mover is None else system.observe(state, mover)
        if at == number:
            now = state.copy()
    assert now is not None
    ending = game.ending if number >= last_entry_of_play(look.entries) else ""
    return Moment(
        number=number,
        seen=system.observe(now, None, ended=ending, openly=True),
        asked=asked,
        turns=_turns(look.entries, on_turn),
        changed=_changed(before or now.board, now.board),
        hidden=system.hidden_information(now),
    )


def _mover(entries: Sequence[LogEntry], number: int) -> int | None:
    """The seat that made the move with this number; None for rulings."""
    entry = next((entry for entry in entries if entry.number == number), None)
    return entry.seat if entry is not None and entry.kind == LogEntry.Kind.MOVE else None


def _turns(entries: Sequence[LogEntry], on_turn: Sequence[int]) -> dict[int, int]:
    """The number of the turn of each standing move; `on_turn` is whose turn it is after each entry."""
    turns, turn, seat = {}, 0, None
    for move in standing_moves(entries):
        if on_turn[move.number - 1] != seat:
            turn, seat = turn + 1, on_turn[move.number - 1]
        turns[move.number] = turn
    return turns


def _changed(before: Sequence[int], now: Sequence[int]) -> frozenset[int]:
    return frozenset(square for square, value in enumerate(now) if before[square] != value)
