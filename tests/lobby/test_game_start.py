"""Start of games: deal, seats, options and limits."""

from hashlib import sha256

import pytest

from accounts.models import User
from games.models import Game
from games.refusals import TooManyGames
from tests.support.games import NewGame, make_room

pytestmark = pytest.mark.django_db


def test_game_of_people_and_bots_starts(start: NewGame, alice: User, bob: User) -> None:
    game = start(alice, bob, "medium", "random")
    assert game.status == Game.Status.RUNNING
    assert game.version == 0
    assert {seat.user for seat in game.seats.all() if seat.user} == {alice, bob}
    assert {seat.bot_level for seat in game.seats.all() if seat.bot_level} == {"medium", "random"}
    assert game.seat_to_move in range(4)


def test_seed_hash_is_that_of_fresh_seed(start: NewGame, alice: User) -> None:
    games = [start(alice, "random") for _ in range(3)]
    seeds = {bytes(Game.with_secrets.get(pk=game.pk).seed) for game in games}
    assert len(seeds) == 3
    assert all(len(seed) == 32 for seed in seeds)
    assert {game.seed_hash for game in games} == {sha256(seed).hexdigest() for seed in seeds}


def test_bots_have_distinct_names(start: NewGame, alice: User) -> None:
    game = start(alice, *["random"] * 5)
    names = {seat.name for seat in game.seats.all()}
    assert len(names) == 6
    assert "alice" in names


def test_seats_are_dealt_or_in_order_of_joining(start: NewGame, alice: User, bob: User) -> None:
    orders = {tuple(seat.user_id for seat in start(alice, bob).seats.all() if seat.user) for _ in range(16)}
    assert orders == {(alice.pk, bob.pk), (bob.pk, alice.pk)}
    make_room(alice, bob)
    orders = {
        tuple(seat.user_id for seat in start(alice, bob, preset="course").seats.all()) for _ in range(16)
    }
    assert orders == {(alice.pk, bob.pk)}


def test_options_change_preset(start: NewGame, alice: User) -> None:
    game = start(alice, "random", preset="classic", payout="four")
    assert game.options == {"tiers": "1962", "payout": "four"}
    assert (game.rules.tiers, game.rules.payout) == ("1962", "four")


def test_unknown_option_is_refused_with_sentence(start: NewGame, alice: User) -> None:
    with pytest.raises(ValueError, match="payout is one of two, four"):
        start(alice, "random", payout="seven")
    with pytest.raises(ValueError, match="There is no option 'colour'"):
        start(alice, "random", colour="red")
    with pytest.raises(ValueError, match="2 to 6 players"):
        start(alice)
    assert not Game.objects.exists()


def test_unfinished_games_are_limited(start: NewGame, alice: User, bob: User) -> None:
    for _ in range(20):
        start(alice, "random")
    with pytest.raises(TooManyGames):
        start(alice, "random")
    start(bob, "random")
    Game.objects.filter(host=alice).first().delete()
    start(alice, "random")


def test_secrets_are_deferred(start: NewGame, alice: User) -> None:
    game = Game.objects.get(pk=start(alice, "random").pk)
    assert game.get_deferred_fields() == {"state", "seed"}
    assert game.seats.get(user=alice).game.get_deferred_fields() == {"state", "seed"}
