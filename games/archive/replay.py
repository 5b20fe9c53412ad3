"""Replay of stored games from the deal."""

from dataclasses import dataclass
from typing import Any

from games.log.positions import (
    apply_step,
    initial_state,
    lines,
    redeal_hash,
    redeal_seed,
    rollback_target,
    states_by_entry,
    walk_moves,
)
from games.models import Game, LogEntry, Redeal


@dataclass(frozen=True)
class Replay:
    """A replayed game; `faults` describes where it differs from what is stored."""

    moves: int
    faults: list[str]


def replay(game: Game) -> Replay:
    """Replay the log from the seed and compare every event and the final state.

    Moves that were taken back are replayed as well, until the ruling that takes them back.
    """
    system, faults, moves = game.rule_system, [], 0
    state = initial_state(game)
    positions: list[tuple[int, Any]] = []
    known = {game.seed_hash}
    for entry in game.moves.all():
        if (goal := rollback_target(entry)) is not None:
            while positions and positions[-1][0] > goal:
                state = positions.pop()[1]
        if entry.kind == LogEntry.Kind.RULING:
            if redeal_hash(entry):
                if fault := _redeal_fault(game, entry, known):
                    faults.append(fault)
                    break
                positions.append((entry.number, state.copy()))
                apply_step(game, state, entry)
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


def _redeal_fault(game: Game, entry: LogEntry, known: set[str]) -> str:
    """Return what is wrong with the seed of a redeal, or ""; adds its hash to the `known` ones."""
    told = redeal_hash(entry)
    if told in known:
        return f"entry {entry.number}: it deals again from a seed that was used before"
    known.add(told)
    try:
        seed = redeal_seed(game, entry.number)
    except Redeal.DoesNotExist:
        return f"entry {entry.number}: its seed is missing"
    same = game.rule_system.seed_hash(seed) == told
    return "" if same else f"entry {entry.number}: its seed does not have the hash that it tells"


def worth_by_turn(game: Game) -> list[list[int]]:
    """Each seat's worth before each turn and at the end. Raises ValueError while the game runs."""
    if not game.is_finished:
        raise ValueError("A running game keeps its past to itself.")
    system = game.rule_system
    state = initial_state(game)
    worth, turn = [], None
    for _move in walk_moves(game, state, game.moves.filter(number__lte=game.version)):
        if state.turn != turn:
            turn = state.turn
            worth.append(system.worth(state))
    return [*worth, system.worth(state)]


@dataclass(frozen=True)
class DealCheck:
    """Result of a check: whether all seeds have their hashes, and whether the log follows from the deal."""

    fingerprint: bool
    moves: int
    log: bool


def check_deal(game: Game) -> DealCheck:
    """Check a finished game from its seed to its final position. Raises ValueError while it runs."""
    if not game.is_finished:
        raise ValueError("A running game keeps its seed to itself.")
    again, system = replay(game), game.rule_system
    seeds = [(game.seed_hash, revealed_seed(game)), *((one.seed_hash, one.seed) for one in redeals(game))]
    fingerprint = all(seed and system.seed_hash(bytes.fromhex(seed)) == told for told, seed in seeds)
    return DealCheck(fingerprint, again.moves, not again.faults)


def revealed_seed(game: Game) -> str | None:
    """Return the seed of a finished game in hexadecimal, to check the deal; None before."""
    return bytes(game.seed or b"").hex() if game.is_finished else None


@dataclass(frozen=True)
class RedealView:
    """A redeal: its log entry, the hash of its seed, and in a finished game the seed in hexadecimal."""

    number: int
    seed_hash: str
    seed: str | None


def redeals(game: Game) -> list[RedealView]:
    """The redeals in the log of a game, oldest first, also those that were taken back.

    Ignores what was written since the game was read: a game that was over then may be running.
    """
    found = [(line.number, told) for line in lines(game) if (told := redeal_hash(line))]
    seeds = dict(game.redeals.values_list("number", "seed")) if found and game.is_finished else {}
    return [
        RedealView(number, told, bytes(seeds[number]).hex() if number in seeds else None)
        for number, told in found
    ]


def hidden_after_redeals(game: Game) -> dict[int, dict[str, Any]]:
    """The `hidden_information` after each redeal of a finished game, by log entry.

    The game comes with its secrets. Raises ValueError while it runs.
    """
    if not game.is_finished:
        raise ValueError("A running game keeps its past to itself.")
    log = lines(game)
    wanted = {line.number for line in log if redeal_hash(line)}
    if not wanted:
        return {}
    hidden = game.rule_system.hidden_information
    return {number: hidden(state) for number, state in states_by_entry(game, log) if number in wanted}


def _through_json(value: Any) -> Any:
    """Return the value as it is after a round trip through JSON."""
    if isinstance(value, dict):
        return {key: _through_json(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_through_json(item) for item in value]
    return value
