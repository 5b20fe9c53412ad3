"""Which moves of a log stand: those that no ruling has taken back, and the position they lead to.

The position after entry n is the deal plus every move up to n that no ruling up to n has taken back.
"""

from collections.abc import Iterable
from typing import Any

from games.models import Game, Move

from . import rulings


def standing_moves(entries: Iterable[Move]) -> list[Move]:
    """The moves among these entries of one log, oldest first, that none of these entries takes back."""
    moves: list[Move] = []
    for entry in entries:
        if entry.kind == Move.Kind.MOVE:
            moves.append(entry)
        elif (goal := goes_back_to(entry)) is not None:
            while moves and moves[-1].number > goal:
                moves.pop()
    return moves


def taken_back(entries: Iterable[Move]) -> set[int]:
    """The numbers of the moves among these entries, oldest first, that one of these entries takes back."""
    entries = list(entries)
    moves = {entry.number for entry in entries if entry.kind == Move.Kind.MOVE}
    return moves - {entry.number for entry in standing_moves(entries)}


def goes_back_to(entry: Move) -> int | None:
    """The number of the entry in whose position a ruling puts the game again; None for all other entries."""
    if entry.kind != Move.Kind.RULING:
        return None
    ruling = rulings.read(entry.text)
    return ruling.number if ruling.kind in ("back", "rolls") else None


def dealt(game: Game) -> Any:
    """The state before the first move."""
    return game.rule_system.deal(game.rules, game.seats.count(), bytes(game.seed or b""))


def position(game: Game, moves: Iterable[Move]) -> Any:
    """The state that these moves lead to from the deal."""
    system = game.rule_system
    state = dealt(game)
    for move in moves:
        system.apply(state, system.parse_move(move.text))
    return state
