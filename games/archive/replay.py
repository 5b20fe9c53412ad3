"""Replay of stored games from the deal."""

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from games.log.positions import initial_state, lines, rollback_target, standing_moves
from games.models import Game, LogEntry
from games.refusals import NoSuchPosition, NoSuchTurn


@dataclass(frozen=True)
class Replay:
    """A replayed game; `faults` describes where it differs from what is stored."""

    moves: int
    faults: list[str]


@dataclass(frozen=True)
class TurnView:
    """A position as one seat saw it: the number of the turn, and the log entry that led there."""

    turn: int
    version: int
    seen: Any


def replay(game: Game) -> Replay:
    """Replay the log from the seed and compare every event and the final state.

    Moves that were taken back are replayed as well, until the ruling that takes them back.
    """
    system, faults, moves = game.rule_system, [], 0
    state = initial_state(game)
    positions: list[tuple[int, Any]] = []
    for entry in game.moves.all():
        if (goal := rollback_target(entry)) is not None:
            while positions and positions[-1][0] > goal:
                state = positions.pop()[1]
        if entry.kind == LogEntry.Kind.RULING:
            continue
        positions.append((entry.number, state.copy()))
        try:
            move = system.parse_move(entry.text)
            if system.decider(state) != entry.seat:
                faults.append(f"entry {entry.number}: seat {entry.seat} was not asked")
                break
            system.check_move(state, move)
        except ValueError as error:
            faults.append(f"entry {entry.number}: {entry.text} is refused ({error})")
            break
        events = [system.event_to_json(event) for event in system.play(state, move)]
        if _through_json(events) != entry.events:
            faults.append(f"entry {entry.number}: {entry.text} causes other events")
        moves += 1
    if _through_json(system.state_to_json(state)) != game.state:
        faults.append("the stored state is not where the log leads")
    return Replay(moves, faults)


def worth_by_turn(game: Game) -> list[list[int]]:
    """Each seat's worth before each turn and at the end. Raises ValueError while the game runs."""
    if not game.is_finished:
        raise ValueError("A running game keeps its past to itself.")
    system = game.rule_system
    state = initial_state(game)
    worth, turn = [], None
    for entry in standing_moves(game.moves.all()):
        if state.turn != turn:
            turn = state.turn
            worth.append(system.worth(state))
        system.apply(state, system.parse_move(entry.text))
    return [*worth, system.worth(state)]


def view_before_turn(game: Game, seat: int | None, turn: int | None = None) -> TurnView:
    """A seat's observation before this turn, counted from 1; by default the last turn of its own.

    For a spectator (None) the default is the last turn of all. The game comes with its secrets; raises
    ValueError while it runs, and NoSuchTurn.
    """
    if not game.is_finished:
        raise ValueError("A running game keeps its past to itself.")
    system, moves = game.rule_system, standing_moves(game.moves.all())
    state = initial_state(game)
    before, begun = 0, [(0, state.copy())]
    for entry in moves:
        if state.turn != begun[-1][1].turn:
            begun.append((before, state.copy()))
        system.apply(state, system.parse_move(entry.text))
        before = entry.number
    if turn is None:
        own = [number for number, (_, was) in enumerate(begun, start=1) if was.turn == seat]
        turn = own[-1] if own else len(begun)
    if not 1 <= turn <= len(begun):
        raise NoSuchTurn(len(begun))
    number, was = begun[turn - 1]
    return TurnView(turn, number, system.observe(was, seat, memory=True))


def view_after_entry(game: Game, seat: int | None, number: int) -> TurnView:
    """A seat's observation after this log entry (0 is the deal), and its turn.

    The game comes with its secrets; raises ValueError while it runs, and NoSuchPosition.
    """
    if not game.is_finished:
        raise ValueError("A running game keeps its past to itself.")
    if not 0 <= number <= game.version:
        raise NoSuchPosition(game.version)
    system, state = game.rule_system, initial_state(game)
    on_turn = [state.turn]
    for move in standing_moves(line for line in lines(game) if line.number <= number):
        system.apply(state, system.parse_move(move.text))
        on_turn.append(state.turn)
    turn = 1 + sum(before != after for before, after in pairwise(on_turn))
    return TurnView(turn, number, system.observe(state, seat, memory=True))


@dataclass(frozen=True)
class DealCheck:
    """Result of a check: whether the seed has its fingerprint, and whether the log follows from the deal."""

    fingerprint: bool
    moves: int
    log: bool


def check_deal(game: Game) -> DealCheck:
    """Check a finished game from its seed to its final position. Raises ValueError while it runs."""
    if not game.is_finished:
        raise ValueError("A running game keeps its seed to itself.")
    again = replay(game)
    fingerprint = game.rule_system.seed_hash(bytes(game.seed or b"")) == game.seed_hash
    return DealCheck(fingerprint, again.moves, not again.faults)


def revealed_seed(game: Game) -> str | None:
    """Return the seed of a finished game in hexadecimal, to check the deal; None before."""
    return bytes(game.seed or b"").hex() if game.is_finished else None


def _through_json(value: Any) -> Any:
    """Return the value as it is after a round trip through JSON."""
    if isinstance(value, dict):
        return {key: _through_json(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_through_json(item) for item in value]
    return value
