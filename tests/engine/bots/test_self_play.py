"""Games of bots among themselves."""

from collections.abc import Sequence
from itertools import pairwise
from random import Random

from games.engine.bots.acquire import rollout_policy
from games.engine.bots.acquire.self_play import (
    PRESETS_IN_TURN,
    SEATS_IN_TURN,
    PlayedGame,
    play_game,
    play_games,
)
from games.engine.rules.acquire.moves import Move
from games.engine.rules.acquire.observation import Observation
from games.engine.rules.acquire.rule_options import PRESETS
from games.engine.rules.acquire.state import SEATS

ROUND = len(SEATS_IN_TURN) * len(PRESETS_IN_TURN)


def test_game_follows_from_seed_and_number() -> None:
    game = play_game(1, 5, rollout_policy.choose)
    assert play_game(1, 5, rollout_policy.choose) == game
    assert play_game(2, 5, rollout_policy.choose).moves != game.moves
    assert play_game(1, 6, rollout_policy.choose).moves != game.moves


def test_processes_play_the_same_games_in_the_same_order() -> None:
    numbers = range(5, 9)
    assert list(play_games(quick_game, numbers, processes=2)) == [quick_game(number) for number in numbers]


def quick_game(number: int) -> PlayedGame:
    return play_game(1, number, rollout_policy.choose)


def test_stored_game_is_replayed_to_its_end() -> None:
    game = play_game(1, 0, rollout_policy.choose)
    *_, final = PlayedGame(game.seed, game.number, game.moves).positions()
    assert final.ended


def test_positions_are_those_at_the_beginning_of_each_turn() -> None:
    game = play_game(1, 0, rollout_policy.choose)
    asked = [(state.decision.kind, state.turn) for state in game.positions()]
    assert {kind for kind, _ in asked[:-1]} <= {"place", "stuck"}
    turns = [turn for _, turn in asked[:-1]]
    assert all(later == (earlier + 1) % game.seats for earlier, later in pairwise(turns))


def test_every_number_of_seats_meets_every_preset() -> None:
    games = [PlayedGame(1, number, ()) for number in range(ROUND)]
    assert {(game.seats, game.preset) for game in games} == {
        (seats, preset) for seats in SEATS for preset in PRESETS
    }


def test_bots_see_what_their_seat_may_know() -> None:
    seen = []

    def choose(observation: Observation, legal: Sequence[Move], rng: Random) -> Move:
        seen.append(observation)
        return legal[0]

    play_game(1, 3, choose)
    assert all(isinstance(observation, Observation) for observation in seen)
    assert all(observation.seat == observation.decision.seat for observation in seen)
