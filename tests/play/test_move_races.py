"""Races of leaving and starting games; those of moves stand in tests/safety/move_races.py."""

from collections.abc import Callable
from functools import partial

import pytest

from accounts.models import User
from accounts.refusals import Refusal
from games.lobby.departures import leave_all_games
from games.models import Game
from games.players import limits
from games.refusals import TooManyGames
from tests.support.games import legal_move, make_room
from tests.support.simultaneous_calls import ROUNDS, at_once, check_log, mover

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]


def test_handover_during_a_move_stays_consistent(start: Callable[..., Game], alice: User, bob: User) -> None:
    for _ in range(ROUNDS):
        game = start(alice, bob, "random")
        by = game.seats.get(number=game.seat_to_move).user
        if by is None:
            continue
        results = at_once(mover(game, legal_move(game)), partial(leave_all_games, by))
        assert all(
            result is None or not isinstance(result, Exception) or isinstance(result, Refusal)
            for result in results
        ), results
        check_log(game)
        make_room(alice)


def test_simultaneous_starts_respect_the_limit(start: Callable[..., Game], alice: User) -> None:
    most = limits.MAX_UNFINISHED_GAMES
    for _ in range(most - 2):
        start(alice, "random")
    results = at_once(*[lambda: start(alice, "random")] * 8)
    assert sum(isinstance(result, TooManyGames) for result in results) == 6
    assert Game.objects.filter(host=alice).count() == most
