"""The medium player: what it sees in a position, and how well it plays."""

from random import Random

import pytest

from games.bots import BOTS
from games.rules import acquire
from games.rules.acquire import State, observe
from tests.bench import wins_against_random
from tests.rules.positions import play, position

MERGER = {"tower": "1A-3A", "american": "5A 6A"}


def choice(state: State, seed: int = 1) -> str:
    seen = observe(state, state.decision.seat, memory=True)
    return str(BOTS["acquire"]["medium"].choose(seen, seen.legal, Random(seed)))


def choices(state: State) -> set[str]:
    return {choice(state, seed) for seed in range(20)}


def test_it_founds_rather_than_lays_a_tile_alone() -> None:
    state = position({"lone": "5E"}, hands=["5F 9I 1A", "", ""])
    assert choices(state) == {"place 5F"}


def test_it_founds_a_dear_chain() -> None:
    state = position({"lone": "5E"}, hands=["5F", "", ""])
    play(state, "place 5F")
    assert choices(state) <= {"found tower", "found continental"}


def test_it_founds_the_chain_of_which_it_kept_shares() -> None:
    state = position({"lone": "5E"}, hands=["5F", "", ""], shares={"luxor": [8, 0, 0]})
    play(state, "place 5F")
    assert choices(state) == {"found luxor"}


def test_it_merges_when_that_pays_it_and_not_when_it_pays_another() -> None:
    mine = position(MERGER, hands=["4A 9I", "", ""], shares={"american": [6, 0, 0]})
    theirs = position(MERGER, hands=["4A 9I", "", ""], shares={"american": [0, 6, 0]})
    assert choices(mine) == {"place 4A"}
    assert choices(theirs) == {"place 9I"}


def test_it_lets_the_chain_die_that_pays_it() -> None:
    chains = {"tower": "1A-3A", "continental": "5A-7A"}
    state = position(chains, hands=["4A", "", ""], shares={"tower": [5, 0, 0], "continental": [0, 5, 0]})
    play(state, "place 4A")
    assert choices(state) == {"survivor continental"}


@pytest.mark.parametrize(
    ("chains", "held", "bank", "move"),
    [
        # Tower will have 7 tiles, $800, twice the $300 of American and more: trade.
        ({"tower": "1A-4A", "american": "6A 7A"}, 5, 25, "dispose sell 1 trade 4"),
        ({"tower": "1A-4A", "american": "6A 7A"}, 1, 25, "dispose sell 1"),
        ({"tower": "1A-4A", "american": "6A 7A"}, 6, 2, "dispose sell 2 trade 4"),
        ({"tower": "1A-4A", "american": "6A 7A"}, 6, 0, "dispose sell 6"),
        # Continental is as dear as Tower: sell.
        ({"tower": "1A-4A", "continental": "6A-8A"}, 5, 25, "dispose sell 5"),
        # Sackson with six tiles costs $600, exactly twice the $300 of American.
        ({"luxor": "2A-4A", "american": "6A 7A"}, 4, 25, "dispose trade 4"),
    ],
)
def test_it_trades_for_a_survivor_at_least_twice_as_dear_and_sells_the_rest(
    chains: dict[str, str], held: int, bank: int, move: str
) -> None:
    survivor, defunct = chains
    shares = {defunct: [held, 0, 0], survivor: [0, 25 - bank, 0]}
    state = position(chains, hands=["5A", "", ""], shares=shares)
    play(state, "place 5A")
    assert choices(state) == {move}


def test_it_buys_the_lead() -> None:
    state = position({"tower": "1A-4A"}, decision="buy 0", shares={"tower": [2, 4, 0]})
    assert choices(state) == {"buy 3 tower"}


def test_it_redraws_a_hand_that_it_cannot_use() -> None:
    state = position({"tower": "1A-12A", "american": "1C-12C"}, hands=["1B 2B", "9I", "8I"])
    assert choices(state) == {"redraw"}


def test_it_declares_the_end_when_that_wins() -> None:
    state = position({"tower": "1A-12A"}, decision="buy 0", shares={"tower": [9, 2, 0]})
    assert all(move.endswith("and end") for move in choices(state))


def test_it_does_not_declare_an_end_that_it_would_lose() -> None:
    state = position({"tower": "1A-12A"}, decision="buy 0", cash=[0, 9000, 0], shares={"tower": [2, 9, 0]})
    assert not any(move.endswith("and end") for move in choices(state))


def test_it_sees_the_purchase_that_turns_an_end_into_a_win() -> None:
    """With one more share of Tower it ties for the majority and, richer in cash, is first."""
    state = position({"tower": "1A-12A"}, decision="buy 0", cash=[5000, 3000, 0], shares={"tower": [4, 5, 0]})
    ending = choices(state)
    assert all(move.startswith("buy") and "tower" in move and move.endswith("and end") for move in ending)


@pytest.mark.parametrize(("seats", "least"), [(4, 32), (2, 32)])
def test_it_beats_random_players(seats: int, least: int) -> None:
    """It wins about 95 of 100 games; fewer than 32 of 40 would be one run in half a million."""
    assert wins_against_random("medium", games=40, seats=seats) >= least


def test_a_choice_takes_no_time_to_speak_of() -> None:
    """Seven chains, plenty of cash and the end in reach: the most moves that can be asked at once."""
    chains = {name: f"1{row}-11{row}" for name, row in zip(acquire.CHAIN_BY_NAME, "ACEGI", strict=False)}
    state = position(chains, decision="buy 0", cash=[50_000, 1000, 1000])
    looked_at = 0

    def counting(new: State, move: acquire.Move) -> None:
        nonlocal looked_at
        looked_at += 1
        acquire.apply(new, move)

    from games.bots.acquire import greedy

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(greedy, "apply", counting)
        choice(state)
    assert looked_at <= 240 + 2 * greedy.SURE
