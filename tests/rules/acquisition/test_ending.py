"""When the game ends."""

from random import Random

import pytest

from games.rules import acquisition
from games.rules.acquisition import Rules, deal
from tests.rules.acquisition.positions import FULL, dealt, decision, play, position, told


def test_it_ends_when_the_player_to_move_has_no_tile() -> None:
    state = position({"B": "a1 c1", "S": "a3 c3 e3"}, tiles_each=3)
    events = play(state, "place e1")
    assert told(events, "ended") == [{"seat": 1, "reason": "no tile"}]
    assert state.ended == "no tile"
    assert acquisition.decider(state) is None
    assert not acquisition.legal_moves(state)


def test_it_ends_even_if_others_could_still_place() -> None:
    state = position({"B": "a1", "S": "a3 c3", "C": "a5"}, seats=3, tiles_each=2)
    play(state, "place c1")
    assert state.ended == "no tile"
    assert state.reserve == [0, 0, 1]


def test_it_goes_on_while_the_player_to_move_has_a_tile_even_if_others_have_none() -> None:
    state = position({"B": "a1", "S": "a3", "C": "a5 c5"}, seats=3, tiles_each=2)
    play(state, "place c1")
    assert decision(state) == "place 1"
    play(state, "place c3")
    assert state.ended == "no tile"
    assert state.turn == 2


def test_it_ends_when_there_is_no_square() -> None:
    state = position(FULL, parks="b2 d4 c6 a12 e12 i12", ended="no square")
    assert acquisition.decider(state) is None
    state = position(FULL, parks="b2 d4 c6 f8 g10 i12")
    events = play(state, "place e12")
    assert told(events, "ended") == [{"seat": 0, "reason": "no square"}]


def test_a_missing_tile_is_named_before_a_missing_square() -> None:
    state = position(FULL, parks="b2 d4 c6 f8 g10 i12", tiles_each=28)
    assert state.reserve == [1, 1]
    play(state, "place e12")
    assert state.reserve == [0, 0]
    assert not state.open
    assert state.ended == "no tile"


def test_the_buyout_of_the_last_group_is_asked_before_the_end() -> None:
    state = position({"B": "a1 e5", "S": "b1 e3 g3 g7"}, tiles_each=4)
    assert state.reserve == [2, 0]
    play(state, "place c1")
    assert decision(state) == "buyout 0"
    ended = state.copy()
    play(ended, "decline")
    assert ended.ended == "no tile"
    play(state, "buy out")
    assert decision(state) == "place 1"


def test_the_end_tells_what_everybody_built() -> None:
    state = position({"B": "a1 b1", "S": "a3 b3 e5"}, tiles_each=3)
    events = play(state, "place c1")
    assert told(events, "scored") == [
        {"seat": 0, "large": 1, "medium": 0, "small": 0},
        {"seat": 1, "large": 0, "medium": 1, "small": 1},
    ]


@pytest.mark.parametrize(("seats", "tiles"), [(2, 40), (3, 27), (4, 20)])
def test_everybody_has_the_tiles_of_the_box(seats: int, tiles: int) -> None:
    assert deal(Rules(), seats, bytes(32)).reserve == [tiles] * seats


@pytest.mark.parametrize(
    ("seats", "agreed", "tiles"), [(2, 39, 39), (2, 1, 1), (3, 30, 27), (4, 21, 20), (4, 12, 12)]
)
def test_players_agree_on_fewer_tiles_never_on_more(seats: int, agreed: int, tiles: int) -> None:
    assert deal(Rules(agreed), seats, bytes(32)).reserve == [tiles] * seats


def test_a_game_of_one_tile_each_ends_after_one_round() -> None:
    state = deal(Rules(1), 2, bytes(32))
    play(state, *(f"park {square}" for square in "a1 b1 c2 d5 a3 l7".split()))  # noqa: SIM905
    play(state, "place f6", "place h8")
    assert state.ended == "no tile"


def test_every_game_ends() -> None:
    rng = Random(5)
    reasons = set()
    for _ in range(40):
        state = dealt(rng)
        moves = 0
        while legal := acquisition.legal_moves(state):
            acquisition.apply(state, rng.choice(legal))
            moves += 1
        assert moves <= 6 + 2 * 138
        reasons.add(state.ended)
    assert reasons == {"no tile", "no square"}
