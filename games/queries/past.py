"""How a game came to be: the deal and every move once more."""

from dataclasses import dataclass
from typing import Any

from games.models import Game, Move


@dataclass(frozen=True)
class Replay:
    """A game played once more; `faults` say in words where it differs from what is stored."""

    moves: int
    faults: list[str]


def replay(game: Game) -> Replay:
    """Play the log again from the seed and compare every event and the final state."""
    system, faults, moves = game.rule_system, [], 0
    state = _dealt(game)
    for entry in game.moves.filter(kind=Move.Kind.MOVE):
        try:
            move = system.parse_move(entry.text)
            if system.decider(state) != entry.seat:
                faults.append(f"entry {entry.number}: seat {entry.seat} was not asked")
                break
            system.check(state, move)
        except ValueError as error:
            faults.append(f"entry {entry.number}: {entry.text} is refused ({error})")
            break
        events = [system.event_to_json(event) for event in system.play(state, move)]
        if _plain(events) != entry.events:
            faults.append(f"entry {entry.number}: {entry.text} causes other events")
        moves += 1
    if _plain(system.to_json(state)) != game.state:
        faults.append("the stored state is not where the log leads")
    return Replay(moves, faults)


def worth_by_turn(game: Game) -> list[list[int]]:
    """What each seat was worth before each turn and at the end; ValueError while the game runs."""
    if not game.is_finished:
        raise ValueError("A running game keeps its past to itself.")
    system = game.rule_system
    state = _dealt(game)
    worth, turn = [], None
    for entry in game.moves.filter(kind=Move.Kind.MOVE):
        if state.turn != turn:
            turn = state.turn
            worth.append(system.worth(state))
        system.apply(state, system.parse_move(entry.text))
    return [*worth, system.worth(state)]


def revealed_seed(game: Game) -> str | None:
    """The seed in hexadecimal once the game is over, so that anyone may check the deal; None before."""
    return bytes(game.seed or b"").hex() if game.is_finished else None


def _dealt(game: Game) -> Any:
    return game.rule_system.deal(game.rules, game.seats.count(), bytes(game.seed or b""))


def _plain(value: Any) -> Any:
    """The value as it is after a way through JSON."""
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value
