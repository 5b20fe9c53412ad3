"""The end of the game."""

from random import Random

import pytest

from games.engine.rules.acquisition import rule_system as acquisition
from games.engine.rules.acquisition.deal import deal
from games.engine.rules.acquisition.rule_options import Rules
from tests.engine.rules.acquisition.acquisition_positions import (
    FULL,
    dealt,
    decision,
    play,
    position,
    records,
)


def test_game_ends_when_player_on_turn_has_no_tile() -> None:
    state = position({"B": "a1 c1", "S": "a3 c3 e3"}, tiles_each=3)
    events = play(state, "place e1")
    assert records(events, "ended") == [{"seat": 1, "reason": "no tile"}]
    assert state.ended == "no tile"
    assert acquisition.decider(state) is None
    assert not acquisition.legal_moves(state)


def test_game_ends_even_if_others_could_place() -> None:
    state = position({"B": "a1", "S": "a3 c3", "C": "a5"}, seats=3, tiles_each=2)
    play(state, "place c1")
    assert state.ended == "no tile"
    assert state.reserve == [0, 0, 1]


def test_game_continues_when_only_others_have_no_tile() -> None:
    state = position({"B": "a1", "S": "a3", "C": "a5 c5"}, seats=3, tiles_each=2)
    play(state, "place c1")
    assert decision(state) == "place 1"
    play(state, "place c3")
    assert state.ended == "no tile"
    assert state.turn == 2


def test_game_ends_without_open_square() -> None:
    state = position(FULL, parks="b2 d4 c6 a12 e12 i12", ended="no square")
    assert acquisition.decider(state) is None
    state = position(FULL, parks="b2 d4 c6 f8 g10 i12")
    events = play(state, "place e12")
    assert records(events, "ended") == [{"seat": 0, "reason": "no square"}]


def test_missing_tile_precedes_missing_square_as_reason() -> None:
    state = position(FULL, parks="b2 d4 c6 f8 g10 i12", tiles_each=28)
    assert state.reserve == [1, 1]
    play(state, "place e12")
    assert state.reserve == [0, 0]
    assert not state.open
    assert state.ended == "no tile"


def test_last_buyout_is_asked_before_end() -> None:
    state = position({"B": "a1 e5", "S": "b1 e3 g3 g7"}, tiles_each=4)
    assert state.reserve == [2, 0]
    play(state, "place c1")
    assert decision(state) == "buyout 0"
    ended = state.copy()
    play(ended, "decline")
    assert ended.ended == "no tile"
    play(state, "buy out")
    assert decision(state) == "place 1"


def test_end_has_events_with_buildings() -> None:
    state = position({"B": "a1 b1", "S": "a3 b3 e5"}, tiles_each=3)
    events = play(state, "place c1")
    assert records(events, "scored") == [
        {"seat": 0, "large": 1, "medium": 0, "small": 0},
        {"seat": 1, "large": 0, "medium": 1, "small": 1},
    ]


@pytest.mark.parametrize(("seats", "tiles"), [(2, 40), (3, 27), (4, 20)])
def test_players_start_with_tiles_of_box(seats: int, tiles: int) -> None:
    assert deal(Rules(), seats, bytes(32)).reserve == [tiles] * seats


@pytest.mark.parametrize(
    ("seats", "agreed", "tiles"), [(2, 39, 39), (2, 1, 1), (3, 30, 27), (4, 21, 20), (4, 12, 12)]
)
def test_agreed_number_of_tiles_is_limited_by_box(seats: int, agreed: int, tiles: int) -> None:
    assert deal(Rules(agreed), seats, bytes(32)).reserve == [tiles] * seats


def test_game_of_one_tile_each_ends_after_one_round() -> None:
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
