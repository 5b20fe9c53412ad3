"""The levels of Acquisition: their choices in given positions, and their strength."""

from collections.abc import Callable
from random import Random

import pytest

from games.engine.bots.acquisition.beam_search import HARD, BeamSearch
from games.engine.bots.arena.match import Match, play
from games.engine.bots.bot_levels import BOTS
from games.engine.rules.acquisition.observation import Observation, observe
from games.engine.rules.acquisition.rule_options import SEATS
from games.engine.rules.acquisition.state import State
from tests.engine.rules.acquisition.acquisition_positions import midgame, position
from tests.engine.rules.acquisition.acquisition_positions import play as play_moves

LEVELS = pytest.mark.parametrize("level", ["medium", "hard"])


def seen_in(state: State) -> Observation:
    return observe(state, state.decision.seat, memory=True)


def choices(level: str, state: State, seeds: int = 3) -> set[str]:
    seen = seen_in(state)
    return {BOTS["acquisition"][level].choose(seen, seen.legal, Random(seed)).text for seed in range(seeds)}


@LEVELS
def test_open_pair_is_completed(level: str) -> None:
    state = position({"S": "b4", "C": "b3", "B": "k5", "G": "h9"}, seats=4)
    assert choices(level, state) <= {
        "place b2", "place a3", "place a4", "place b5", "place c3", "place c4",
    }  # fmt: skip


@LEVELS
def test_gap_between_two_owners_is_taken(level: str) -> None:
    state = position({"B": "e5", "S": "e7"})
    assert choices(level, state) == {"place e6"}


@LEVELS
def test_possible_buyout_is_made(level: str) -> None:
    state = position({"B": "b4", "S": "b3"})
    play_moves(state, "place b2")
    assert choices(level, state) == {"buy out"}


@LEVELS
def test_tile_is_not_placed_beside_single_tile_of_another(level: str) -> None:
    state = position({"S": "e5"})
    assert not choices(level, state) & {"place e4", "place e6", "place d5", "place f5"}


@LEVELS
def test_park_is_placed_at_random(level: str) -> None:
    state = position(parks="")
    assert len(choices(level, state, 40)) > 20


@LEVELS
def test_winning_last_tile_is_placed(level: str) -> None:
    """Both players have two tiles left, and only one kind of place makes a large building."""
    state = position({"B": "e5 e6 a1", "S": "h2 h4 l1"}, tiles_each=4)
    assert choices(level, state) <= {
        "place e4", "place e7", "place d5", "place d6", "place f5", "place f6", "place h3",
    }  # fmt: skip


def time_limit(asked: int) -> Callable[[], bool]:
    """A time limit that is reached after this number of calls."""
    answers = iter([False] * asked)
    return lambda: next(answers, True)


def open_position() -> State:
    return position({"B": "c3 c4 h8", "S": "f2 i10", "C": "k3"}, seats=3)


def test_search_follows_width_moves() -> None:
    seen = seen_in(open_position())
    for width in (1, 3, 12):
        found = BeamSearch(width, rounds=1).advise(seen, seen.legal, Random(1))
        assert [estimate.tries for estimate in found] == [2] * width + [1] * (len(seen.legal) - width)
        assert {estimate.move for estimate in found} == set(seen.legal)
        followed = [estimate.chance for estimate in found[:width]]
        assert followed == sorted(followed, reverse=True)


@pytest.mark.parametrize(("asked", "followed"), [(0, 0), (17, 0), (18, 1), (55, 3)])
def test_search_out_of_time_returns_best_followed_move(asked: int, followed: int) -> None:
    """With three seats a move is followed by eighteen turns, six of each seat."""
    seen = seen_in(open_position())
    found = HARD.advise(seen, seen.legal, Random(1), time_limit(asked))
    assert [estimate.tries for estimate in found].count(2) == followed
    assert len(found) == len(seen.legal)
    assert HARD.choose(seen, seen.legal, Random(1), time_limit(asked)) is found[0].move


@pytest.mark.parametrize(("asked", "rated"), [(8, False), (9, True)])
def test_review_follows_moves_for_three_turns_of_each_seat(asked: int, rated: bool) -> None:
    seen = seen_in(open_position())
    rate = BOTS["acquisition"]["hard"].rate
    assert rate is not None
    found = rate(seen, seen.legal, seen.legal[0], Random(1), time_limit(asked))
    assert (found is not None) == rated


def test_unreached_time_limit_changes_nothing() -> None:
    rng = Random(5)
    for _ in range(10):
        state = midgame(rng)
        if state.ended:
            continue
        seen = seen_in(state)
        free = HARD.advise(seen, seen.legal, Random(3))
        assert HARD.advise(seen, seen.legal, Random(3), time_limit(10**6)) == free


def test_wide_search_considers_answers() -> None:
    """Tiles that look equally good one move ahead can be told apart by the answers."""
    rng = Random(7)
    changed = 0
    for _ in range(25):
        state = midgame(rng, most=60)
        if state.decision.kind == "place":
            seen = seen_in(state)
            narrow, wide = (
                BeamSearch(width, rounds=1).choose(seen, seen.legal, Random(1)) for width in (1, 8)
            )
            changed += narrow is not wide
    assert changed


@pytest.mark.parametrize("seats", SEATS)
def test_medium_beats_random_with_any_seats(seats: int) -> None:
    match = Match(("medium", *["random"] * (seats - 1)), system="acquisition")
    assert sum(play(match, number).won[number_of("medium", match, number)] for number in range(12)) > 9


def number_of(name: str, match: Match, number: int) -> int:
    return match.seating(number).index(name)
