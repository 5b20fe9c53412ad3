"""The headline: what I must do, or for whom the game waits."""

from random import Random

import pytest

from games.engine.rules.acquire import rule_system as acquire
from games.engine.rules.acquire.state import State
from games.web.presenters.acquire.headline import headline, result, waiting_for, your_turn
from tests.engine.rules.acquire.acquire_positions import midgame, position
from tests.support import wording
from tests.web.presenters.presenter_cases import readers


def says(state: State, seat: int | None) -> str:
    return headline(acquire.observe(state, seat), readers(state.seats, seat))


def deciding_about(shares: int) -> State:
    return position(
        {"tower": "1A-3A", "american": "5A-6A", "lone": "4A"},
        shares={"american": [1, shares, 0]},
        tile="4A",
        merger="survivor tower, defunct american, to dispose 1",
        decision="dispose 1",
    )


def test_headline_says_what_i_must_do() -> None:
    assert says(position(decision="buy 0"), 0) == f"Your turn: {wording.BUY_UP_TO_3}"
    assert says(deciding_about(3), 1) == f"Your turn: {wording.DISPOSE_OF_SOME.format(n=3, chain='American')}"


def test_headline_says_for_whom_i_wait() -> None:
    assert says(position(decision="buy 0"), 1) == "sam is buying shares"
    for seat in (0, 2, None):
        assert says(deciding_about(3), seat) == "marta is deciding what to do with 3 American shares"


def test_headline_about_one_share_is_singular() -> None:
    assert says(deciding_about(1), 1) == f"Your turn: {wording.DISPOSE_OF_ONE.format(n=1, chain='American')}"
    assert says(deciding_about(1), 0) == "marta is deciding what to do with 1 American share"


def test_headline_does_not_reveal_a_hand_without_playable_tile() -> None:
    chains = {"tower": "1A-12A", "continental": "1C-12C"}
    state = position(chains, hands=("5B", "1I", "1H"), decision="stuck 0")
    assert says(state, 0) == "Your turn: you cannot place any tile"
    assert says(state, 1) == says(state, None) == wording.IS_PLACING_A_TILE.format(who="sam")


def test_headline_after_the_end_names_the_winner() -> None:
    state = position(cash=[4000, 5500, 5500], decision="over -1", ended="declared")
    assert says(state, None) == wording.SHARED_THE_WIN.format(who="marta and Rook", dollars="$5,500")
    assert says(state, 1) == wording.SHARED_THE_WIN.format(who="You and Rook", dollars="$5,500")
    state = position(cash=[4000, 5600, 5500], decision="over -1", ended="declared")
    assert says(state, 0) == "marta won with $5,600"
    assert says(state, 1) == "You won with $5,600"


@pytest.mark.parametrize(
    "seat, told",
    [
        (0, "Third, $1,600 behind"),
        (1, "You won by $100"),
        (2, "Second, $100 behind"),
        (None, "marta won with $5,600"),
    ],
)
def test_result_tells_players_their_place_and_others_the_winner(seat: int | None, told: str) -> None:
    state = position(cash=[4000, 5600, 5500], decision="over -1", ended="declared")
    assert result(acquire.observe(state, seat), readers(state.seats, seat)) == told


def test_result_of_a_shared_win_names_all_winners() -> None:
    state = position(cash=[4000, 5500, 5500], decision="over -1", ended="declared")
    assert result(acquire.observe(state, 1), readers(state.seats, 1)).startswith("You and Rook shared")
    assert result(acquire.observe(state, 0), readers(state.seats, 0)) == "Third, $1,500 behind"


@pytest.mark.parametrize("seed", range(40))
def test_every_position_has_a_headline_for_everybody(seed: int) -> None:
    state = midgame(Random(seed))
    for seat in (None, *range(state.seats)):
        assert "{" not in says(state, seat)


@pytest.mark.parametrize("kind", ["place", "stuck", "found", "survivor", "next", "dispose", "buy"])
def test_lists_need_only_the_kind_of_decision(kind: str) -> None:
    assert your_turn(kind).startswith("Your turn: ")
    assert waiting_for(kind, "marta").startswith("marta ")
