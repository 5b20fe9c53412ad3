"""Positions of Acquire with other hidden tiles."""

from random import Random
from typing import Any

from games.engine.bots.bot_levels import BOTS
from games.engine.rules.acquire.state import State
from games.engine.rules.acquire.turns import ask_for_tile
from games.engine.rules.rule_systems import SYSTEMS
from tests.tools.bot_soak import hurried


def shuffle_what_is_secret(state: State, seat: int | None, rng: Random) -> State:
    """Another state that the seat cannot distinguish from this one.

    The other hands, the bag and the seed are dealt anew. Where holdings are hidden, the cash and shares of
    the others change too, except shares of a chain that is being disposed of.
    """
    other = state.copy()
    others = [number for number in range(state.seats) if number != seat]
    tiles = [tile for number in others for tile in state.hands[number]] + state.bag
    rng.shuffle(tiles)
    for number in others:
        other.hands[number] = [tiles.pop() for _ in state.hands[number]]
    other.bag = tiles
    if seat is not None:
        rng.shuffle(other.hands[seat])
    other.seed = rng.randbytes(32)
    other.coming = ()
    if state.rules.holdings == "hidden" and not state.ended:
        for number in others:
            other.cash[number] = rng.randrange(0, 30_000, 100)
        for held in (held for number, held in enumerate(other.holdings) if number != state.defunct):
            together = sum(held[number] for number in others)
            for number in others:
                held[number] = 0
            for _ in range(together):
                held[rng.choice(others)] += 1
    if other.decision.kind in ("place", "stuck"):
        ask_for_tile(other)
    return other


def choose(key: str, state: Any, rng: Random, system: str = "acquire") -> Any:
    seen = SYSTEMS[system].observe(state, state.decision.seat, memory=True)
    return hurried(BOTS[system][key])(seen, seen.legal, rng)


def shuffle_tiles(state: State, rng: Random) -> State:
    """Deal the tiles anew that the deciding seat cannot see; keep what follows from the log."""
    other = shuffle_what_is_secret(state, state.decision.seat, rng)
    other.cash = state.cash[:]
    other.holdings = [held[:] for held in state.holdings]
    return other
