"""Evaluation: a tile that is only tried has the same value as after placing it."""

from random import Random

import pytest

from games.engine.bots.acquisition import evaluation, lookahead
from games.engine.bots.acquisition.evaluation import PositionValue
from games.engine.bots.acquisition.linear_weights import WEIGHTS
from games.engine.rules.acquisition.apply_move import apply
from games.engine.rules.acquisition.board import NEIGHBOURS
from games.engine.rules.acquisition.deal import deal
from games.engine.rules.acquisition.legal_moves import legal_moves
from games.engine.rules.acquisition.moves import Place
from games.engine.rules.acquisition.state import State
from tests.engine.rules.acquisition.acquisition_positions import midgame, play, position


def placings(games: int) -> list[State]:
    """Positions in which a tile is to be placed, and the game goes on afterwards."""
    rng = Random(1)
    states = [midgame(rng) for _ in range(games)]
    states = [state for state in states if state.decision.kind == "place"]
    return [
        state
        for state in states
        if len(state.open) > lookahead.ENOUGH_OPEN_SQUARES
        and min(state.reserve) > lookahead.MAX_TILES_PER_TURN
    ]


def by_the_weights_of(state: State, monkeypatch: pytest.MonkeyPatch) -> None:
    """Use the weights of the state throughout, even if fewer squares are open later."""
    monkeypatch.setattr(evaluation, "WEIGHTS", (WEIGHTS[len(state.open)],) * len(WEIGHTS))


def test_tried_tile_has_value_of_placed_tile(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = {0: 0, 1: 0, 2: 0}
    for state in placings(60):
        with monkeypatch.context() as patch:
            by_the_weights_of(state, patch)
            tried = PositionValue(state)
            before = (state.board[:], state.size[:])
            for move in legal_moves(state):
                assert isinstance(move, Place)
                touched = sum(state.size[square] for square in NEIGHBOURS[move.square])
                later = lookahead.after(state, move)
                if later.ended:
                    continue
                found = (
                    tried.chance_after(move.square) if touched < 2 else tried.chance_when(later, move.square)
                )
                assert found == pytest.approx(PositionValue(later).chance(state.turn), abs=1e-9)
                seen[touched] += 1
            assert (state.board, state.size) == before
    assert min(seen.values()) > 100


def test_chances_of_all_seats_add_up_to_one() -> None:
    for state in placings(30):
        assert sum(PositionValue(state).chance(seat) for seat in range(state.seats)) == pytest.approx(1)


def test_finished_game_is_won_or_shared() -> None:
    won = position({"B": "a1", "S": "c1 e1"}, tiles_each=2, turn=1, ended="no tile")
    assert [PositionValue(won).chance(seat) for seat in range(2)] == [0, 1]
    shared = position({"B": "a1", "S": "c1"}, tiles_each=1, ended="no tile")
    assert [PositionValue(shared).chance(seat) for seat in range(2)] == [0.5, 0.5]


@pytest.mark.parametrize(
    ("better", "worse"),
    [({"B": "a1 b1 c1"}, {"B": "a1 b1"}), ({"B": "e5 e6"}, {"B": "e5"}), ({"B": "e5"}, {"B": "a1"})],
)
def test_better_position_has_higher_chance(better: dict[str, str], worse: dict[str, str]) -> None:
    """Compares a large building, a pair, and a tile with room around it with less."""
    assert PositionValue(position(better)).chance(0) > PositionValue(position(worse)).chance(0)


def test_player_without_tiles_completes_nothing() -> None:
    tiles = {"B": "e5 e6", "S": "a1"}
    able, unable = (PositionValue(position(tiles, tiles_each=each, turn=1)).chance(0) for each in (3, 2))
    assert able > unable


def test_contested_pair_favours_player_on_turn() -> None:
    tiles = {"B": "e5", "S": "e6"}
    mine, theirs = (PositionValue(position(tiles, turn=turn)).chance(0) for turn in (0, 1))
    assert mine > 0.6
    assert theirs < 0.4


def test_best_move_has_best_value_and_is_repeatable() -> None:
    """The first of equal moves is taken, so that a line is the same every time."""
    state = deal(position().rules, 3, bytes(32))
    rng = Random(2)
    while state.parks:
        apply(state, rng.choice(legal_moves(state)))
    for _ in range(12):
        first, again = lookahead.best_after(state), lookahead.best_after(state.copy())
        assert first.board == again.board
        values = lookahead.chances(state, legal_moves(state))
        best = max(values)
        assert PositionValue(first).chance(state.turn) == pytest.approx(best, abs=0.1)
        state = first


def test_following_buyout_is_settled() -> None:
    state = position({"B": "b4", "S": "b3"})
    later = lookahead.after(state, play_text("place b2"))
    assert later.tile == -1
    assert later.buildings[3] == [1, 0]
    assert state.tile == -1
    assert state.board.count(1) == 1


def play_text(text: str) -> Place:
    state = position()
    move = next(move for move in legal_moves(state) if move.text == text)
    play(state, text)
    assert isinstance(move, Place)
    return move
