"""Random games over all presets, options and numbers of players, checked against the reference.

`tests/fuzz` plays the same games for longer.
"""

from random import Random

import pytest

from games.engine.rules.acquire import rule_system as acquire
from games.engine.rules.acquire.chains import CHAIN_BY_NAME
from games.engine.rules.acquire.legal_moves import legal_moves
from games.engine.rules.acquire.moves import Buy, Move
from games.engine.rules.acquire.state import State
from tests.engine.rules.acquire import reference_acquire
from tests.engine.rules.acquire.acquire_positions import ACQUIRE, dealt
from tests.fuzz import random_games
from tests.support.proof import seeds

PARTS = 20
MOVES = 5_000


@pytest.mark.parametrize("part", seeds(4, PARTS))
def test_rules_hold_after_every_move(part: int) -> None:
    moves = 0
    number = part
    while moves < MOVES:
        moves += random_games.play_game(number)
        number += PARTS


@pytest.mark.parametrize("part", seeds(2, 4))
def test_legal_moves_match_reference(part: int) -> None:
    """Compare all 553 moves."""
    rng = Random(part)
    kinds = set()
    for _ in range(12):
        state = dealt(rng)
        while moves := legal_moves(state):
            if rng.random() < 0.08 or state.decision.kind in ("survivor", "next", "stuck"):
                assert_one_law(state)
                kinds.add(state.decision.kind)
            acquire.apply(state, rng.choice(moves))
        assert_one_law(state)
    assert {"place", "found", "dispose", "buy"} <= kinds


def assert_one_law(state: State) -> None:
    ACQUIRE.check_legal_moves(state, reference_acquire.legal_moves(state))
    if state.decision.kind in ("place", "stuck"):
        assert (state.decision.kind == "place") == reference_acquire.must_place(state)


def test_chain_sizes_match_connected_tiles() -> None:
    """The engine keeps sizes up to date; here they are counted from the board."""
    rng = Random(1)
    for _ in range(40):
        state = dealt(rng)
        while moves := legal_moves(state):
            acquire.apply(state, rng.choice(moves))
            if rng.random() < 0.1 and state.tile < 0:
                groups = reference_acquire.connected_tiles(state)
                for name, chain in CHAIN_BY_NAME.items():
                    assert [len(group) for group in groups.get(name, [])] == (
                        [state.size[chain]] if state.size[chain] else []
                    )
                if state.rules.eighth_chain == "blocked" and not state.rules.starting_tiles:
                    assert all(len(group) == 1 for group in groups.get("lone", []))


def never_declares(state: State, rng: Random) -> Move:
    return rng.choice([move for move in legal_moves(state) if not (isinstance(move, Buy) and move.end)])


def never_buys(state: State, rng: Random) -> Move:
    moves = legal_moves(state)
    return moves[0] if isinstance(moves[0], Buy) else rng.choice(moves)


def never_redraws(state: State, rng: Random) -> Move:
    return legal_moves(state)[-1] if state.decision.kind == "stuck" else never_declares(state, rng)


def declares_at_once(state: State, rng: Random) -> Move:
    return rng.choice(
        [move for move in legal_moves(state) if isinstance(move, Buy) and move.end] or legal_moves(state)
    )


@pytest.mark.parametrize("policy", [never_declares, never_buys, never_redraws, declares_at_once])
def test_game_ends_under_every_policy(policy: object) -> None:
    rng = Random(2)
    reasons = set()
    for _ in range(60):
        state = dealt(rng)
        moves = 0
        while legal_moves(state):
            acquire.apply(state, policy(state, rng))  # type: ignore[operator]
            moves += 1
            assert moves < 1500
        reasons.add(state.ended)
    assert reasons == ({"declared"} if policy is declares_at_once else {"unchanged", "no tiles"}) or (
        policy is declares_at_once and "declared" in reasons
    )
