"""How much of a worker a puzzle costs: the game that computers play for it, and looking for it there."""

from collections.abc import Iterator
from random import Random
from time import process_time
from typing import Any

from games.bots import BOTS
from games.bots.puzzles import JUDGES, clearly_best
from games.rules import acquire
from games.rules.acquire import State

PUZZLES = 4
SEATS = 4

Figure = tuple[str, float | str, str]


def puzzles() -> Iterator[Figure]:
    """Processor seconds for each puzzle, from games of the level that plays for them, one from each game."""
    found = games = looked_at = 0
    playing = looking = 0.0
    while found < PUZZLES:
        games += 1
        began = process_time()
        decisions = _decisions(games)
        playing += process_time() - began
        Random(games).shuffle(decisions)
        began = process_time()
        for number, seen in enumerate(decisions):
            looked_at += 1
            if clearly_best("acquire", seen, f"{games} {number}"):
                found += 1
                break
        looking += process_time() - began
    yield "puzzle_game", playing / games, "s"
    yield "puzzle_search", looking / found, "s"
    yield "puzzle", (playing + looking) / found, "s"
    yield "puzzle_decisions", looked_at / found, "decisions"


def _decisions(seed: int) -> list[Any]:
    """What the seats see that have a choice, in a game of computers."""
    rng, found = Random(seed), []
    player = BOTS["acquire"][JUDGES["acquire"].player]
    state: State = acquire.deal(acquire.PRESETS["avalon-hill"], SEATS, rng.randbytes(32))
    while (seat := acquire.decider(state)) is not None:
        seen = acquire.observe(state, seat)
        if len(seen.legal) > 1:
            found.append(seen)
        acquire.apply(state, player.choose(seen, seen.legal, rng))
    return found
