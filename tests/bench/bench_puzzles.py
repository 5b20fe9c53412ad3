"""Worker time for a puzzle: the game that bots play for it, and the search in it."""

from collections.abc import Iterator
from random import Random
from time import process_time
from typing import Any

from games.engine.bots.bot_levels import BOTS
from games.engine.bots.puzzle_criteria import JUDGES, clearly_best_move
from games.engine.rules.acquire import rule_system as acquire
from games.engine.rules.acquire.state import State

PUZZLES = 4
SEATS = 4

Figure = tuple[str, float | str, str]


def puzzles() -> Iterator[Figure]:
    """Processor seconds for each puzzle; every game gives one at most."""
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
            if clearly_best_move("acquire", seen, f"{games} {number}"):
                found += 1
                break
        looking += process_time() - began
    yield "puzzle_game", playing / games, "s"
    yield "puzzle_search", looking / found, "s"
    yield "puzzle", (playing + looking) / found, "s"
    yield "puzzle_decisions", looked_at / found, "decisions"


def _decisions(seed: int) -> list[Any]:
    """Observations with a choice, from a game of bots."""
    rng, found = Random(seed), []
    player = BOTS["acquire"][JUDGES["acquire"].player]
    state: State = acquire.deal(acquire.PRESETS["avalon-hill"], SEATS, rng.randbytes(32))
    while (seat := acquire.decider(state)) is not None:
        seen = acquire.observe(state, seat)
        if len(seen.legal) > 1:
            found.append(seen)
        acquire.apply(state, player.choose(seen, seen.legal, rng))
    return found
