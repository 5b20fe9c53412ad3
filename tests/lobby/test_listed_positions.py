"""Positions of games in lists: what everybody may see, in few queries."""

from collections.abc import Sequence

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from games.lobby.game_lists import with_seats
from games.lobby.listed_positions import ListedPosition, listed_positions
from games.models import Game, GameVisit
from games.play.takebacks import take_back
from tests.support.games import NewGame, play_on, play_until_asked
from tests.support.whole_games import played_out

pytestmark = pytest.mark.django_db


def listed(*games: Game) -> dict[int, ListedPosition]:
    return listed_positions(with_seats(list(Game.objects.filter(pk__in=[game.pk for game in games]))))


def numbers(position: ListedPosition) -> Sequence[int]:
    return [entry.number for entry in position.moves]


def test_position_is_that_of_a_spectator(start: NewGame, alice: User, bob: User) -> None:
    game = played_out(start(alice, bob, holdings="hidden"), moves=20)
    seen = listed(game)[game.pk].seen
    assert seen.seat is None
    assert seen.hand is None
    assert set(seen.cash) == {None}
    assert any(seen.board)


def test_end_shows_everything(start: NewGame, alice: User, bob: User) -> None:
    game = played_out(start(alice, bob, holdings="hidden"))
    position = listed(game)[game.pk]
    assert None not in position.seen.worth
    assert position.moves == ()


def test_game_that_is_not_dealt_has_no_position(create: NewGame, alice: User) -> None:
    assert listed(create(alice)) == {}


def test_last_moves_are_in_order(start: NewGame, alice: User, bob: User) -> None:
    game = played_out(start(alice, bob), moves=10)
    position = listed(game)[game.pk]
    assert numbers(position) == [7, 8, 9, 10]
    assert all(entry.game == game for entry in position.moves)


def test_moves_before_a_ruling_are_left_out(start: NewGame, alice: User, bob: User) -> None:
    game = play_on(start(alice, bob), 3)
    mover = game.moves.get(number=3).user
    take_back(game_id=game.pk, number=4, to=2, by=mover)
    assert numbers(listed(game)[game.pk]) == []
    game = play_on(game, 1)
    assert numbers(listed(game)[game.pk]) == [5]


def listed_for(reader: User, game: Game) -> ListedPosition:
    """The position as the home of this reader shows it."""
    return listed_positions([Game.objects.get(pk=game.pk)], reader)[game.pk]


def visit(reader: User, game: Game, seen: int) -> None:
    GameVisit.objects.update_or_create(user=reader, game=game, defaults={"seen": seen})


def test_game_that_waits_for_the_reader_shows_the_moves_since_the_last_visit(
    start: NewGame, alice: User, bob: User, carol: User
) -> None:
    game = play_until_asked(play_on(start(alice, bob, carol), 20), alice)
    visit(alice, game, seen=game.version - 7)
    position = listed_for(alice, game)
    assert position.is_news
    assert numbers(position) == [*range(game.version - 6, game.version + 1)]


def test_news_of_a_reader_are_no_news_of_others(start: NewGame, alice: User, bob: User, carol: User) -> None:
    game = play_until_asked(play_on(start(alice, bob, carol), 20), alice)
    for reader in (bob, carol):
        visit(reader, game, seen=1)
        position = listed_for(reader, game)
        assert not position.is_news
        assert numbers(position) == [*range(game.version - 3, game.version + 1)]


@pytest.mark.parametrize("behind", [None, 0], ids=["never there", "has seen all"])
def test_game_without_news_shows_its_last_moves(
    behind: int | None, start: NewGame, alice: User, bob: User
) -> None:
    game = play_until_asked(play_on(start(alice, bob), 20), alice)
    GameVisit.objects.filter(game=game).delete()
    if behind is not None:
        visit(alice, game, seen=game.version)
    position = listed_for(alice, game)
    assert not position.is_news
    assert len(position.moves) == 4


def test_many_games_take_two_queries(start: NewGame, alice: User, bob: User) -> None:
    games = [played_out(start(alice, bob), moves=number) for number in (4, 8, 12)]
    games = with_seats(list(Game.objects.filter(pk__in=[game.pk for game in games])))
    with CaptureQueriesContext(connection) as taken:
        found = listed_positions(games)
        assert all(entry.decoded_events for position in found.values() for entry in position.moves)
    assert (len(found), len(taken)) == (3, 2)
