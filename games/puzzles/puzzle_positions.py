"""The decisions of a source's game, each as its seat saw it."""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from games.log.positions import initial_state, standing_moves
from games.models import Puzzle, PuzzleSource


@dataclass(frozen=True, slots=True)
class Asked:
    """A decision: the place of its answer in the log, and the observation of its seat."""

    number: int
    seen: Any


def asked(source: PuzzleSource) -> list[Asked]:
    """All decisions with a choice in the source's game, in the order of the log.

    Leaves out those in which a seat remembers more than the table shows.
    """
    system, state, found = source.rule_system, _initial_state(source), []
    for number, text in _moves(source):
        seen = system.observe(state, system.decider(state))
        if len(seen.legal) > 1 and _shows_enough(system, seen):
            found.append(Asked(number, seen))
        system.apply(state, system.parse_move(text))
    return found


def position(puzzle: Puzzle) -> Any:
    """The state in which the puzzle asks for a decision."""
    system, state = puzzle.source.rule_system, _initial_state(puzzle.source)
    for _, text in _moves_before(puzzle):
        system.apply(state, system.parse_move(text))
    return state


def entries_before(puzzle: Puzzle, most: int) -> tuple[Any, list[tuple[int, list[Any]]]]:
    """The observation of the puzzle's seat, and the events of this many moves before it, oldest first.

    Each move has its place in the log.
    """
    system, state = puzzle.source.rule_system, _initial_state(puzzle.source)
    moves = [(number, system.parse_move(text)) for number, text in _moves_before(puzzle)]
    for _, move in moves[:-most]:
        system.apply(state, move)
    told = [(number, system.play(state, move)) for number, move in moves[-most:]]
    return system.observe(state, puzzle.seat), told


def played_instead(puzzle: Puzzle) -> Any:
    """The answer that was played in the game."""
    parse = puzzle.source.rule_system.parse_move
    return next(parse(text) for number, text in _moves(puzzle.source) if number == puzzle.number)


def _moves_before(puzzle: Puzzle) -> list[tuple[int, str]]:
    """The moves before the puzzle's decision."""
    return [(number, text) for number, text in _moves(puzzle.source) if number < puzzle.number]


def _shows_enough(system: Any, seen: Any) -> bool:
    try:
        system.sample_state(seen, Random(0))
    except ValueError:
        return False
    return True


def _initial_state(source: PuzzleSource) -> Any:
    """The state before the first move. Raises ValueError for a game that is not over."""
    if source.game is not None:
        if not source.game.is_finished:
            raise ValueError("A running game keeps its past to itself.")
        return initial_state(source.game)
    record = source.record or {}
    return source.rule_system.deal(source.rules, record["seats"], bytes.fromhex(record["seed"]))


def _moves(source: PuzzleSource) -> Iterator[tuple[int, str]]:
    """Place in the log and notation of each standing move, oldest first."""
    if source.game is None:
        yield from enumerate((source.record or {})["moves"], start=1)
    else:
        entries = source.game.moves.only("number", "kind", "text", "game")
        yield from ((move.number, move.text) for move in standing_moves(entries))
