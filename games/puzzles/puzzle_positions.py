"""The decisions of a source's game, each as the seat that was asked saw it then."""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from games.log.positions import initial_state, standing_moves
from games.models import Puzzle, PuzzleSource


@dataclass(frozen=True, slots=True)
class Asked:
    """A decision: the place of its answer in the log, and what the seat that is asked sees."""

    number: int
    seen: Any


def asked(source: PuzzleSource) -> list[Asked]:
    """All decisions of the source's game with a choice, in the order of the log.

    Those are left out in which a seat knows more by what it has noted than what the table shows.
    """
    system, state, found = source.rule_system, _dealt(source), []
    for number, text in _moves(source):
        seen = system.observe(state, system.decider(state))
        if len(seen.legal) > 1 and _shows_enough(system, seen):
            found.append(Asked(number, seen))
        system.apply(state, system.parse_move(text))
    return found


def position(puzzle: Puzzle) -> Any:
    """The state in which the puzzle asks."""
    system, state = puzzle.source.rule_system, _dealt(puzzle.source)
    for _, text in _before(puzzle):
        system.apply(state, system.parse_move(text))
    return state


def entries_before(puzzle: Puzzle, most: int) -> tuple[Any, list[tuple[int, list[Any]]]]:
    """What the seat sees that the puzzle asks, and the events of so many moves before it, oldest first.

    Each with its place in the log.
    """
    system, state = puzzle.source.rule_system, _dealt(puzzle.source)
    moves = [(number, system.parse_move(text)) for number, text in _before(puzzle)]
    for _, move in moves[:-most]:
        system.apply(state, move)
    told = [(number, system.play(state, move)) for number, move in moves[-most:]]
    return system.observe(state, puzzle.seat), told


def played_instead(puzzle: Puzzle) -> Any:
    """The answer that was given in the game."""
    parse = puzzle.source.rule_system.parse_move
    return next(parse(text) for number, text in _moves(puzzle.source) if number == puzzle.number)


def _before(puzzle: Puzzle) -> list[tuple[int, str]]:
    """The moves before the decision that the puzzle asks."""
    return [(number, text) for number, text in _moves(puzzle.source) if number < puzzle.number]


def _shows_enough(system: Any, seen: Any) -> bool:
    try:
        system.sample_state(seen, Random(0))
    except ValueError:
        return False
    return True


def _dealt(source: PuzzleSource) -> Any:
    """The state before the first move. Raises ValueError for a game that is not over."""
    if source.game is not None:
        if not source.game.is_finished:
            raise ValueError("A running game keeps its past to itself.")
        return initial_state(source.game)
    record = source.record or {}
    return source.rule_system.deal(source.rules, record["seats"], bytes.fromhex(record["seed"]))


def _moves(source: PuzzleSource) -> Iterator[tuple[int, str]]:
    """Place in the log and notation of each move that stands at the end, oldest first."""
    if source.game is None:
        yield from enumerate((source.record or {})["moves"], start=1)
    else:
        entries = source.game.moves.only("number", "kind", "text", "game")
        yield from ((move.number, move.text) for move in standing_moves(entries))
