"""Random games against the rules: `python -m tests.fuzz --moves 10000000`.

A game follows from one number: options, seats, deal and moves. After every move the state is checked
for all faults that `invariants` knows and for those that a dealt game must not have; sometimes it also
goes through JSON and text, is observed by every seat, and is copied. A fault is printed with the command
that repeats its game.
"""

import argparse
import json
import sys
from collections import Counter, deque
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from hashlib import sha256
from itertools import count, islice
from random import Random
from time import perf_counter
from types import ModuleType
from typing import Any, Final

from games.engine.rules.rule_systems import SYSTEMS
from tests.fuzz import fuzz_acquire, fuzz_acquisition

# New games, random moves and checks by rule system.
GAMES: Final[dict[str, ModuleType]] = {"acquire": fuzz_acquire, "acquisition": fuzz_acquisition}

# A game with more moves would never end.
LONGEST = 2_000
BATCH = 20

# The move for a position, from the game's generator.
Choose = Callable[[Any, Random], Any]
# The chooser for a rule system and a deal.
SitDown = Callable[[str, Any, Random], Choose]
# Plays the game of a number under a rule system and returns its number of moves.
PlayGame = Callable[[int, str], int]


class FaultyGame(Exception):
    """A game with a fault; the message names it and the command that repeats it."""


def play_game(number: int, system: str = next(iter(SYSTEMS))) -> int:
    """Play the game of this number to its end and return its number of moves; raises FaultyGame."""
    return play_checked(number, system, "tests.fuzz", lambda system, state, rng: GAMES[system].any_move)


def play_checked(number: int, system: str, program: str, sit_down: SitDown) -> int:
    """Play the game of this number to its end and check every move and position.

    `sit_down` returns the chooser for a deal. `program` repeats the game when it is given `--game` and the
    number. Returns the number of moves; raises FaultyGame.
    """
    rules, kind = SYSTEMS[system], GAMES[system]
    rng = Random(number)
    state = kind.new_game(rng)
    choose = sit_down(system, state, rng)
    moves = 0
    text = ""
    try:
        look = kind.Look(state)
        look.at(state)
        for moves in count(1):
            move = choose(state, rng)
            text = str(move)
            rules.check_move(state, move)
            look.before(state)
            look.after(rules.play(state, move))
            look.at(state)
            if rules.decider(state) is None:
                return moves
            if moves > LONGEST:
                raise AssertionError("the game does not end")
            if rng.random() < 0.01:
                twice(rules, state, rng)
    except Exception as error:
        last = f" after {text!r}" if moves else ""
        raise FaultyGame(
            f"game {number}, move {moves}{last}: {type(error).__name__}: {error}\n"
            f"again: python -m {program} --game {number}{_option(system)}\n{rules.position_to_text(state)}"
        ) from error
    raise AssertionError("unreachable")


def _option(system: str) -> str:
    return f" --system {system}" if system != next(iter(SYSTEMS)) else ""


def twice(rules: ModuleType, state: Any, rng: Random) -> None:
    """Assert that the state survives JSON, text, copying and observation."""
    record = rules.state_to_json(state)
    text = rules.position_to_text(state)
    assert rules.state_to_json(rules.state_from_json(json.loads(json.dumps(record)))) == record, "JSON"
    assert rules.state_to_json(rules.position_from_text(text)) == record, "text"
    assert rules.state_to_json(state.copy()) == record, "copy"
    for seat in (None, *range(state.seats)):
        seen = rules.observe(state, seat, memory=True)
        made = rules.sample_state(seen, rng)
        assert not rules.invariants(made), "a state made from an observation"
        assert rules.observe(made, seat, memory=True) == seen, "an observation of a state made from it"


def game_seed(seed: int, index: int) -> int:
    """The number of a game of a run; games of different runs differ."""
    return int.from_bytes(sha256(f"{seed} {index}".encode()).digest()[:6], "big")


def play_batch(play: PlayGame, system: str, seed: int, indexes: range) -> tuple[int, int]:
    """Play a batch of games; return the numbers of games and moves."""
    return len(indexes), sum(play(game_seed(seed, index), system) for index in indexes)


def batches(games: int | None, processes: int) -> Iterator[range]:
    """The games of a run, or endless games, in batches."""
    if games is None:
        yield from (range(start, start + BATCH) for start in count(0, BATCH))
    else:
        size = min(BATCH, games // processes + 1)
        yield from (range(start, min(start + size, games)) for start in range(0, games, size))


def run(play: PlayGame, system: str, moves: int | None, games: int | None, seed: int, processes: int) -> int:
    """Play until enough moves or games are played; return the exit code."""
    done: Counter[str] = Counter()
    started = told = perf_counter()
    with ProcessPoolExecutor(processes) as pool:
        played = (pool.submit(play_batch, play, system, seed, batch) for batch in batches(games, processes))
        pending = deque(islice(played, 2 * processes))
        while pending:
            try:
                ended, made = pending.popleft().result()
            except FaultyGame as fault:
                print(fault, file=sys.stderr)
                pool.shutdown(cancel_futures=True)
                return 1
            done.update(games=ended, moves=made)
            if games or done["moves"] < (moves or 0):
                pending.extend(islice(played, 1))
            if perf_counter() - told > 10 or not pending:
                told = perf_counter()
                speed = done["moves"] / (told - started)
                print(f"{done['games']:,} games, {done['moves']:,} moves, {speed:,.0f} a second", flush=True)
    print(f"No fault. Run {seed}, {perf_counter() - started:.0f} s.")
    return 0


def main(
    play: PlayGame, program: str, about: str | None, moves: int | None = None, games: int | None = None
) -> int:
    """The command line of a program that plays games; moves or games are defaults."""
    parser = argparse.ArgumentParser(prog=f"python -m {program}", description=about)
    much = parser.add_mutually_exclusive_group()
    much.add_argument("--moves", type=int, help=f"how many moves to play ({moves or 'else games'})")
    much.add_argument("--games", type=int, help=f"how many games to play ({games or 'else moves'})")
    parser.add_argument(
        "--system", choices=SYSTEMS, default=next(iter(SYSTEMS)), help="rule system (default: %(default)s)"
    )
    parser.add_argument("--seed", type=int, default=1, help="which run (%(default)s)")
    parser.add_argument("--processes", type=int, default=2, help="how many at once (%(default)s)")
    parser.add_argument("--game", type=int, help="play this one game again")
    options = parser.parse_args()
    if options.game is None:
        if not (options.moves or options.games):
            options.moves, options.games = moves, games
        return run(play, options.system, options.moves, options.games, options.seed, options.processes)
    try:
        print(f"No fault in {play(options.game, options.system)} moves.")
    except FaultyGame as fault:
        print(fault, file=sys.stderr)
        return 1
    return 0
