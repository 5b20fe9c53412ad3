"""Random games against the rules: `python -m tests.fuzz --moves 10000000`.

Every game is made from one number: the options, the seats, the deal and the moves. After every
move the state is checked for every fault that `invariants` knows and for what must hold in a
game that was played from the deal; now and then it goes through JSON and text, is seen from
every seat, and is copied. A fault is printed with the command that repeats its game.
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

from games.rules import acquire
from games.rules.acquire import HAND, Buy, Move, State
from games.rules.acquire.events import BonusPaid, Bought, Disposed, SoldAtEnd

# A longer game than this would never end.
LONGEST = 2_000
BATCH = 20

# The move for a position, from the game's chance.
Choose = Callable[[State, Random], Move]
# Plays the game of a number; how many moves it took.
PlayGame = Callable[[int], int]


class FaultyGame(Exception):
    """A game in which something does not hold; the message says what, and how to see it again."""


def play_game(number: int) -> int:
    """Play the game of this number to its end; how many moves it took. Raises FaultyGame."""
    return play_checked(number, "tests.fuzz", lambda state, rng: any_move)


def play_checked(number: int, program: str, sit_down: Callable[[State, Random], Choose]) -> int:
    """Play the game of this number to its end, every move and every position checked.

    `sit_down` says for its deal who chooses. `program` repeats the game when it is given `--game` and
    the number. Returns how many moves it took. Raises FaultyGame.
    """
    rng = Random(number)
    state = new_game(rng)
    choose = sit_down(state, rng)
    moves = 0
    text = ""
    try:
        look = Look(state)
        look.at(state)
        for moves in count(1):
            move = choose(state, rng)
            text = str(move)
            acquire.check(state, move)
            look.before(state)
            look.after(acquire.play(state, move))
            look.at(state)
            if acquire.decider(state) is None:
                return moves
            if moves > LONGEST:
                raise AssertionError("the game does not end")
            if rng.random() < 0.01:
                look.twice(state, rng)
    except Exception as error:
        last = f" after {text!r}" if moves else ""
        raise FaultyGame(
            f"game {number}, move {moves}{last}: {type(error).__name__}: {error}\n"
            f"again: python -m {program} --game {number}\n{acquire.position_to_text(state)}"
        ) from error
    raise AssertionError("unreachable")


def new_game(rng: Random) -> State:
    """A preset as it is, or any mix of options, for any number of players."""
    if rng.random() < 0.4:
        rules = rng.choice(list(acquire.PRESETS.values()))
    else:
        rules = acquire.from_options({name: rng.choice(values) for name, values in acquire.OPTIONS.items()})
    return acquire.deal(rules, rng.choice(acquire.SEATS), rng.randbytes(32))


def any_move(state: State, rng: Random) -> Move:
    """A random move; games that never declare the end are longer, so most declarations are skipped."""
    moves = acquire.legal_moves(state)
    move = moves[int(rng.random() * len(moves))]
    if isinstance(move, Buy) and move.end and rng.random() < 0.9:
        move = acquire.parse_move(move.text.removesuffix(" and end"))
    return move


class Look:
    """What must hold from one move to the next of a game that was dealt."""

    def __init__(self, state: State) -> None:
        self.cash = state.cash[:]
        self.out = len(state.aside)

    def before(self, state: State) -> None:
        self.cash = state.cash[:]

    def after(self, events: list[acquire.Event]) -> None:
        """Money moves only as it is told."""
        assert events, "nothing was told"
        for event in events:
            if isinstance(event, Bought):
                self.cash[event.seat] -= event.dollars
            elif isinstance(event, BonusPaid | Disposed | SoldAtEnd):
                self.cash[event.seat] += event.dollars

    def at(self, state: State) -> None:
        """Every fault of the state, as one error."""
        faults = [*acquire.invariants(state), *played_faults(state)]
        if self.cash != state.cash:
            faults.append(f"cash is {state.cash}, and {self.cash} by what was told")
        if len(state.aside) < self.out:
            faults.append("tiles came back that were out of the game")
        self.out = len(state.aside)
        assert not faults, "; ".join(faults)

    def twice(self, state: State, rng: Random) -> None:
        """The state survives JSON, text, copying and being seen."""
        record = acquire.to_json(state)
        text = acquire.position_to_text(state)
        assert acquire.to_json(acquire.from_json(json.loads(json.dumps(record)))) == record, "JSON"
        assert acquire.to_json(acquire.position_from_text(text)) == record, "text"
        assert acquire.to_json(state.copy()) == record, "copy"
        for seat in (None, *range(state.seats)):
            seen = acquire.observe(state, seat, memory=True)
            made = acquire.determinize(seen, rng)
            assert not acquire.invariants(made), "a state made from an observation"
            assert acquire.observe(made, seat, memory=True) == seen, "an observation of a state made from it"


def played_faults(state: State) -> Iterator[str]:
    """What holds in a dealt game, though not in every position that can be given outright."""
    rules = state.rules
    if state.decision.kind != "over" and state.unchanged > state.seats:
        yield "nothing has changed for longer than a round"
    for seat, hand in enumerate(state.hands):
        missing = HAND - len(hand)
        placed = seat == state.turn and state.decision.kind not in ("place", "stuck")
        if state.bag and missing > placed:
            yield f"seat {seat} holds {len(hand)} tiles, and the bag is not empty"
    if state.aside and not rules.redraw_hand and rules.dead_tiles == "stay":
        yield "tiles are out of the game, and nothing takes them out"
    if rules.rounding == "up100" and any(cash % 100 for cash in state.cash):
        yield "money that is no whole hundred"
    if state.decision.kind == "place" and any(
        acquire.effect(state, move.square).kind in ("dead", "blocked") for move in state.playable
    ):
        yield "a dead or blocked tile can be played"


def game_seed(seed: int, index: int) -> int:
    """The number of a game of a run: games of different runs have nothing in common."""
    return int.from_bytes(sha256(f"{seed} {index}".encode()).digest()[:6], "big")


def play_batch(play: PlayGame, seed: int, indexes: range) -> tuple[int, int]:
    """Play a batch of games; how many games and moves that were."""
    return len(indexes), sum(play(game_seed(seed, index)) for index in indexes)


def batches(games: int | None, processes: int) -> Iterator[range]:
    """The games of a run, or games without end, some at a time."""
    if games is None:
        yield from (range(start, start + BATCH) for start in count(0, BATCH))
    else:
        size = min(BATCH, games // processes + 1)
        yield from (range(start, min(start + size, games)) for start in range(0, games, size))


def run(play: PlayGame, moves: int | None, games: int | None, seed: int, processes: int) -> int:
    """Play until enough moves, or games, are played; the exit code."""
    done: Counter[str] = Counter()
    started = told = perf_counter()
    with ProcessPoolExecutor(processes) as pool:
        played = (pool.submit(play_batch, play, seed, batch) for batch in batches(games, processes))
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
    """The command line of a program that plays games; so many moves or games unless it says otherwise."""
    parser = argparse.ArgumentParser(prog=f"python -m {program}", description=about)
    much = parser.add_mutually_exclusive_group()
    much.add_argument("--moves", type=int, help=f"how many moves to play ({moves or 'else games'})")
    much.add_argument("--games", type=int, help=f"how many games to play ({games or 'else moves'})")
    parser.add_argument("--seed", type=int, default=1, help="which run (%(default)s)")
    parser.add_argument("--processes", type=int, default=2, help="how many at once (%(default)s)")
    parser.add_argument("--game", type=int, help="play this one game again")
    options = parser.parse_args()
    if options.game is None:
        if not (options.moves or options.games):
            options.moves, options.games = moves, games
        return run(play, options.moves, options.games, options.seed, options.processes)
    try:
        print(f"No fault in {play(options.game)} moves.")
    except FaultyGame as fault:
        print(fault, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(play_game, "tests.fuzz", __doc__, moves=10_000_000))
