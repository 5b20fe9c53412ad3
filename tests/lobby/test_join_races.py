"""Races before the start of a game; more of them are in tests/safety/seat_races.py."""

from collections import Counter
from functools import partial

import pytest

from accounts.membership.account_deletion import delete_account
from accounts.models import User
from games.lobby.game_start import start_as_host
from games.lobby.join_game import join
from games.lobby.stale_games import CLOSE_AFTER, close_stale
from games.models import Game
from tests.support.games import NewGame
from tests.support.simultaneous_calls import at_once

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]

ROUNDS = 4


def outcomes(results: list[object]) -> Counter[str]:
    return Counter(type(result).__name__ for result in results)


def check(game: Game) -> Game:
    """The reloaded game, with seats numbered without a gap and counted correctly."""
    game = Game.objects.get(pk=game.pk)
    numbers = list(game.seats.values_list("number", flat=True))
    assert numbers == list(range(len(numbers)))
    assert game.seats_taken == len(numbers) <= game.max_players
    return game


def test_join_during_start_makes_one_game(create: NewGame, alice: User, bob: User, carol: User) -> None:
    for _ in range(ROUNDS):
        game = create(alice, most=3)
        join(game_id=game.pk, user=bob)
        results = at_once(
            partial(join, game_id=game.pk, user=carol),
            *[partial(start_as_host, game_id=game.pk, by=alice)] * 3,
        )
        started = check(game)
        assert started.is_running
        # carol has a seat, or was told that the game had started.
        assert type(results[0]).__name__ == ("Game" if started.seats_taken == 3 else "GameNotOpen")
        assert outcomes(results[1:]) == {"Game": 3}


def test_simultaneous_sweepers_close_game_once(create: NewGame, alice: User) -> None:
    game = create(alice)
    Game.objects.filter(pk=game.pk).update(opened=game.opened - CLOSE_AFTER)
    at_once(*[partial(close_stale, game_id=game.pk)] * 6)
    game.refresh_from_db()
    assert game.status == Game.Status.CLOSED


def test_join_during_deletion_leaves_no_seat(create: NewGame, alice: User) -> None:
    for number in range(ROUNDS):
        game = create(alice, most=6)
        people = [User.objects.create_user(f"leaver{number}{place}") for place in range(5)]
        # Each request reads the account for itself.
        joins = [partial(join, game_id=game.pk, user=user) for user in people]
        leaves = [partial(delete_account, User.objects.get(pk=user.pk)) for user in people]
        results = at_once(*[act for pair in zip(joins, leaves, strict=True) for act in pair])
        assert set(outcomes(results)) <= {"Game", "AccountClosed", "NoneType"}, outcomes(results)
        assert list(check(game).seats.values_list("user", flat=True)) == [alice.pk]
        assert not User.objects.filter(pk__in=[user.pk for user in people], is_active=True).exists()
