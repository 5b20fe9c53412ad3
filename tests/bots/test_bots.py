"""Computer players: always legal, never knowing more than their seat, the same by the same chance."""

import random
from random import Random

import pytest

from games.bots import BOTS
from games.rules import SYSTEMS, acquire
from games.rules.acquire import State, legal_moves, observe
from tests.rules.positions import dealt, midgame, position
from tests.rules.test_observation import shuffle_what_is_secret
from tests.soak import hurried

ACQUIRE = BOTS["acquire"]
EVERY_BOT = pytest.mark.parametrize("key", ACQUIRE)


def choose(key: str, state: State, rng: Random) -> acquire.Move:
    seen = observe(state, state.decision.seat, memory=True)
    return hurried(ACQUIRE[key])(seen, seen.legal, rng)


def test_every_bot_has_a_name_and_a_sentence() -> None:
    assert set(BOTS) <= set(SYSTEMS)
    for bots in BOTS.values():
        assert len({bot.name for bot in bots.values()}) == len(bots)
        for key, bot in bots.items():
            assert key.isidentifier()
            assert bot.name
            assert bot.character.endswith(".")
            assert bot.character.count(".") == 1


@pytest.mark.parametrize("part", range(8))
def test_bots_play_legal_moves_and_every_game_ends(part: int) -> None:
    """All presets, mixed options, two to six seats, bots of every kind at one table."""
    rng = Random(part)
    for _ in range(6):
        state = dealt(rng)
        keys = [rng.choice([*ACQUIRE]) for _ in range(state.seats)]
        moves = 0
        while (seat := acquire.decider(state)) is not None:
            move = choose(keys[seat], state, rng)
            acquire.check(state, move)
            acquire.apply(state, move)
            moves += 1
            assert moves < 1500
        assert acquire.invariants(state) == []


@EVERY_BOT
def test_the_same_chance_gives_the_same_choice(key: str) -> None:
    rng = Random(1)
    for number in range(150):
        state = midgame(rng)
        if legal_moves(state):
            assert choose(key, state, Random(number)) is choose(key, state, Random(number))


@EVERY_BOT
def test_no_choice_depends_on_hidden_tiles(key: str) -> None:
    rng = Random(2)
    asked = 0
    for number in range(200):
        state = midgame(rng)
        if not legal_moves(state):
            continue
        asked += 1
        other = shuffle_tiles(state, rng)
        assert choose(key, state, Random(number)) is choose(key, other, Random(number))
    assert asked > 100


def shuffle_tiles(state: State, rng: Random) -> State:
    """What the seat that is asked cannot see, dealt anew. What the log adds up to, it may know."""
    other = shuffle_what_is_secret(state, state.decision.seat, rng)
    other.cash = state.cash[:]
    other.holdings = [held[:] for held in state.holdings]
    return other


def test_the_check_of_hidden_tiles_would_notice_a_cheat() -> None:
    def cheat(state: State) -> acquire.Move:
        moves = legal_moves(state)
        return moves[sum(state.hands[state.turn - 1]) % len(moves)]

    rng = Random(2)
    choices = []
    for _ in range(100):
        state = midgame(rng)
        if legal_moves(state):
            choices.append(cheat(state) is cheat(shuffle_tiles(state, rng)))
    assert not all(choices)


@EVERY_BOT
def test_a_bot_leaves_the_common_chance_alone(key: str) -> None:
    before = random.getstate()
    choose(key, dealt(Random(3)), Random(3))
    assert random.getstate() == before


@EVERY_BOT
def test_a_bot_needs_no_more_than_its_memory_when_holdings_are_hidden(key: str) -> None:
    state = position(
        {"tower": "1A-4A", "luxor": "1C 2C"},
        rules="avalon-hill holdings=hidden",
        decision="buy 0",
        shares={"tower": [1, 2, 0]},
    )
    assert choose(key, state, Random(1)) in legal_moves(state)


@EVERY_BOT
def test_a_single_answer_is_given_without_a_thought(key: str) -> None:
    state = position({"tower": "1A-12A", "american": "1C-12C"}, hands=["1B", "9I", "8I"], rules="course")
    assert str(choose(key, state, Random(1))) == "pass"


def test_the_random_bot_makes_every_legal_move() -> None:
    state = position({"tower": "1A 2A", "luxor": "1C 2C"}, decision="buy 0")
    rng = Random(1)
    moves = [choose("random", state, rng) for _ in range(1000)]
    counts = {move: moves.count(move) for move in moves}
    assert set(counts) == set(legal_moves(state))
    assert min(counts.values()) > 50
