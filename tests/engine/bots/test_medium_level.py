"""The medium level of Acquire: its choices in given positions, and its strength."""

from random import Random

import pytest

from games.engine.bots.bot_levels import BOTS
from games.engine.rules.acquire import rule_system as acquire_rule_system
from games.engine.rules.acquire.chains import CHAIN_BY_NAME
from games.engine.rules.acquire.moves import Move
from games.engine.rules.acquire.observation import observe
from games.engine.rules.acquire.state import State
from tests.bench.benchmarks import wins_against_random
from tests.engine.rules.acquire.acquire_positions import play, position

MERGER = {"tower": "1A-3A", "american": "5A 6A"}


def choice(state: State, seed: int = 1) -> str:
    seen = observe(state, state.decision.seat, memory=True)
    return str(BOTS["acquire"]["medium"].choose(seen, seen.legal, Random(seed)))


def choices(state: State) -> set[str]:
    return {choice(state, seed) for seed in range(20)}


def test_medium_founds_rather_than_placing_alone() -> None:
    state = position({"lone": "5E"}, hands=["5F 9I 1A", "", ""])
    assert choices(state) == {"place 5F"}


def test_medium_founds_expensive_chain() -> None:
    state = position({"lone": "5E"}, hands=["5F", "", ""])
    play(state, "place 5F")
    assert choices(state) <= {"found tower", "found continental"}


def test_medium_founds_chain_of_its_shares() -> None:
    state = position({"lone": "5E"}, hands=["5F", "", ""], shares={"luxor": [8, 0, 0]})
    play(state, "place 5F")
    assert choices(state) == {"found luxor"}


def test_medium_merges_for_its_own_bonus_only() -> None:
    mine = position(MERGER, hands=["4A 9I", "", ""], shares={"american": [6, 0, 0]})
    theirs = position(MERGER, hands=["4A 9I", "", ""], shares={"american": [0, 6, 0]})
    assert choices(mine) == {"place 4A"}
    assert choices(theirs) == {"place 9I"}


def test_medium_dissolves_chain_of_its_shares() -> None:
    chains = {"tower": "1A-3A", "continental": "5A-7A"}
    state = position(chains, hands=["4A", "", ""], shares={"tower": [5, 0, 0], "continental": [0, 5, 0]})
    play(state, "place 4A")
    assert choices(state) == {"survivor continental"}


@pytest.mark.parametrize(
    ("chains", "held", "bank", "move"),
    [
        # Tower will have 7 tiles, $800, more than twice the $300 of American: trade.
        ({"tower": "1A-4A", "american": "6A 7A"}, 5, 25, "dispose sell 1 trade 4"),
        ({"tower": "1A-4A", "american": "6A 7A"}, 1, 25, "dispose sell 1"),
        ({"tower": "1A-4A", "american": "6A 7A"}, 6, 2, "dispose sell 2 trade 4"),
        ({"tower": "1A-4A", "american": "6A 7A"}, 6, 0, "dispose sell 6"),
        # Continental is as expensive as Tower: sell.
        ({"tower": "1A-4A", "continental": "6A-8A"}, 5, 25, "dispose sell 5"),
        # Sackson with six tiles costs $600, exactly twice the $300 of American.
        ({"luxor": "2A-4A", "american": "6A 7A"}, 4, 25, "dispose trade 4"),
    ],
)
def test_medium_trades_for_survivor_of_twice_the_price(
    chains: dict[str, str], held: int, bank: int, move: str
) -> None:
    survivor, defunct = chains
    shares = {defunct: [held, 0, 0], survivor: [0, 25 - bank, 0]}
    state = position(chains, hands=["5A", "", ""], shares=shares)
    play(state, "place 5A")
    assert choices(state) == {move}


def test_medium_buys_lead() -> None:
    state = position({"tower": "1A-4A"}, decision="buy 0", shares={"tower": [2, 4, 0]})
    assert choices(state) == {"buy 3 tower"}


def test_medium_redraws_unplayable_hand() -> None:
    state = position({"tower": "1A-12A", "american": "1C-12C"}, hands=["1B 2B", "9I", "8I"])
    assert choices(state) == {"redraw"}


def test_medium_declares_winning_end() -> None:
    state = position({"tower": "1A-12A"}, decision="buy 0", shares={"tower": [9, 2, 0]})
    assert all(move.endswith("and end") for move in choices(state))


def test_medium_does_not_declare_losing_end() -> None:
    state = position({"tower": "1A-12A"}, decision="buy 0", cash=[0, 9000, 0], shares={"tower": [2, 9, 0]})
    assert not any(move.endswith("and end") for move in choices(state))


def test_medium_finds_purchase_that_wins_with_end() -> None:
    """With one more share of Tower it ties for the majority and is ahead in cash."""
    state = position({"tower": "1A-12A"}, decision="buy 0", cash=[5000, 3000, 0], shares={"tower": [4, 5, 0]})
    ending = choices(state)
    assert all(move.startswith("buy") and "tower" in move and move.endswith("and end") for move in ending)


@pytest.mark.parametrize(("seats", "least"), [(4, 32), (2, 32)])
def test_medium_beats_random(seats: int, least: int) -> None:
    """It wins about 95 of 100 games; fewer than 32 of 40 would happen once in half a million runs."""
    assert wins_against_random("medium", games=40, seats=seats) >= least


def test_medium_tries_few_moves() -> None:
    """Seven chains, plenty of cash and a possible end give the largest number of moves."""
    chains = {name: f"1{row}-11{row}" for name, row in zip(CHAIN_BY_NAME, "ACEGI", strict=False)}
    state = position(chains, decision="buy 0", cash=[50_000, 1000, 1000])
    tried = 0

    def counting(new: State, move: Move) -> None:
        nonlocal tried
        tried += 1
        acquire_rule_system.apply(new, move)

    from games.engine.bots.acquire import greedy

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(greedy, "apply", counting)
        choice(state)
    assert tried <= 240 + 2 * greedy.WINNING_DEALS
