"""Positions for the tests of bots, as they arise between competent players."""

from collections.abc import Mapping, Sequence
from random import Random

from games.engine.bots.acquire.bonus_cache import payments_for
from games.engine.bots.acquire.rollout_policy import roll_out
from games.engine.rules.acquire import rule_system as acquire
from games.engine.rules.acquire.observation import Observation
from games.engine.rules.acquire.rule_options import Rules
from games.engine.rules.acquire.state import State
from tests.engine.rules.acquire.acquire_positions import position

# Every preset, and options that no preset has but bots must support.
RULES = {
    **acquire.PRESETS,
    "hidden": Rules(holdings="hidden"),
    "four holders": Rules(payout="four"),
}
TEAM_RULES = {"two teams": Rules(teams="two"), "three teams": Rules(teams="three")}
TURNS = (1, 12, 40, 90)


def after_turns(rules: Rules, seats: int, turns: int, rng: Random) -> State:
    """A game of rollout players after this number of turns have begun, which may be over."""
    state = acquire.deal(rules, seats, rng.randbytes(32))
    roll_out(state, turns, rng.random, payments_for(rules, seats))
    return state


def any_time(rng: Random, seats: int | None = None) -> State:
    """A game at any time, under any of the rules."""
    rules = rng.choice([*RULES.values()])
    state = after_turns(rules, seats or rng.choice(acquire.SEATS), rng.choice(TURNS), rng)
    for _ in range(rng.randrange(6)):
        if moves := acquire.legal_moves(state):
            acquire.apply(state, rng.choice(moves))
    return state


def seen_in(state: State) -> Observation:
    """The observation of the deciding seat."""
    return acquire.observe(state, state.decision.seat, memory=True)


def last_purchase(
    cash: Sequence[int],
    shares: Mapping[str, Sequence[int]],
    chains: Mapping[str, str] | None = None,
    seat: int = 0,
) -> State:
    """A position without tiles: after this purchase the game is over, declared or not."""
    return position(
        chains or {"tower": "1A-12A"},
        hands=["" for _ in cash],
        bag="",
        cash=cash,
        shares=shares,
        turn=seat,
        decision=f"buy {seat}",
    )
