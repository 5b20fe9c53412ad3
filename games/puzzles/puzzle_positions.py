"""The decisions of a source's game, each as its seat saw it."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from games.log.positions import LogLine, LogRow, apply_step, initial_state, standing_steps
from games.models import LogEntry, Puzzle, PuzzleSource


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
    for step in _steps(source):
        if step.kind == LogEntry.Kind.MOVE:
            seen = system.observe(state, system.decider(state))
            if len(seen.legal) > 1 and _shows_enough(system, seen):
                found.append(Asked(step.number, seen))
        _apply(source, state, step)
    return found


def asked_at(puzzle: Puzzle) -> Asked | None:
    """The decision of a puzzle; None if its seat remembers more than the table shows."""
    system, state = puzzle.source.rule_system, position(puzzle)
    seen = system.observe(state, puzzle.seat)
    return Asked(puzzle.number, seen) if _shows_enough(system, seen) else None


def position(puzzle: Puzzle) -> Any:
    """The state in which the puzzle asks for a decision."""
    state = _initial_state(puzzle.source)
    for step in _steps_before(puzzle):
        _apply(puzzle.source, state, step)
    return state


def entries_before(puzzle: Puzzle, most: int) -> tuple[Any, list[tuple[int, list[Any]]]]:
    """The observation of the puzzle's seat, and the events of this many moves before it, oldest first.

    Each move has its place in the log.
    """
    system, state = puzzle.source.rule_system, _initial_state(puzzle.source)
    steps = _steps_before(puzzle)
    moves = [step for step in steps if step.kind == LogEntry.Kind.MOVE]
    first_told = moves[-most:][0].number if moves else 0
    told = []
    for step in steps:
        if step.kind == LogEntry.Kind.MOVE and step.number >= first_told:
            told.append((step.number, system.play(state, system.parse_move(step.text))))
        else:
            _apply(puzzle.source, state, step)
    return system.observe(state, puzzle.seat), told


def played_instead(puzzle: Puzzle) -> Any:
    """The answer that was played in the game."""
    parse = puzzle.source.rule_system.parse_move
    return next(parse(step.text) for step in _steps(puzzle.source) if step.number == puzzle.number)


def _steps_before(puzzle: Puzzle) -> list[LogRow]:
    """The moves and redeals before the puzzle's decision."""
    return [step for step in _steps(puzzle.source) if step.number < puzzle.number]


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


def _steps(source: PuzzleSource) -> Sequence[LogRow]:
    """The standing moves and redeals of the source's game, oldest first."""
    if source.game is not None:
        return standing_steps(source.game.moves.only("number", "kind", "text", "game"))
    moves = enumerate((source.record or {})["moves"], start=1)
    return [LogLine(number, LogEntry.Kind.MOVE, text, None) for number, text in moves]


def _apply(source: PuzzleSource, state: Any, step: LogRow) -> None:
    if source.game is not None:
        apply_step(source.game, state, step)
    else:
        source.rule_system.apply(state, source.rule_system.parse_move(step.text))
