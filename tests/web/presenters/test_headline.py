"""The headline: what I must do, or for whom the game waits."""

from random import Random

import pytest

from games.engine.rules.acquire import rule_system as acquire
from games.engine.rules.acquire.state import State
from games.web.presenters.acquire.headline import headline, waiting_for, your_turn
from tests.engine.rules.acquire.acquire_positions import midgame, position
from tests.web.presenters.presenter_cases import readers


def says(state: State, seat: int | None) -> str:
    return headline(acquire.observe(state, seat), readers(state.seats, seat))


DISPOSING = {
    "chains": {"tower": "1A-3A", "american": "5A-6A", "lone": "4A"},
    "shares": {"american": [1, 3, 0]},
    "tile": "4A",
    "merger": "survivor tower, defunct american, to dispose 1",
}


def test_headline_says_what_i_must_do() -> None:
    assert says(position(decision="buy 0"), 0) == "Your turn: buy up to three shares"
    assert says(position(**DISPOSING, decision="dispose 1"), 1) == "You decide about 3 shares of American"  # type: ignore[arg-type]


def test_headline_says_for_whom_i_wait() -> None:
    assert says(position(decision="buy 0"), 1) == "sam buys shares"
    for seat in (0, 2, None):
        assert says(position(**DISPOSING, decision="dispose 1"), seat) == "marta decides about 3 American"  # type: ignore[arg-type]


def test_headline_does_not_reveal_a_hand_without_playable_tile() -> None:
    chains = {"tower": "1A-12A", "continental": "1C-12C"}
    state = position(chains, hands=("5B", "1I", "1H"), decision="stuck 0")
    assert says(state, 0) == "Your turn: no tile can be placed"
    assert says(state, 1) == says(state, None) == "sam places a tile"


def test_headline_after_the_end_names_the_winner() -> None:
    state = position(cash=[4000, 5500, 5500], decision="over -1", ended="declared")
    assert says(state, None) == "marta and Rook share the win with $5,500 each"
    assert says(state, 1) == "You and Rook share the win with $5,500 each"
    state = position(cash=[4000, 5600, 5500], decision="over -1", ended="declared")
    assert says(state, 0) == "marta won with $5,600"
    assert says(state, 1) == "You won with $5,600"


@pytest.mark.parametrize("seed", range(40))
def test_every_position_has_a_headline_for_everybody(seed: int) -> None:
    state = midgame(Random(seed))
    for seat in (None, *range(state.seats)):
        assert "{" not in says(state, seat)


@pytest.mark.parametrize("kind", ["place", "stuck", "found", "survivor", "next", "dispose", "buy"])
def test_lists_need_only_the_kind_of_decision(kind: str) -> None:
    assert your_turn(kind).startswith("Your turn: ")
    assert waiting_for(kind, "marta").startswith("marta ")
