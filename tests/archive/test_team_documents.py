"""Documents of team games can be read again, and their deals checked."""

import json
from typing import Any

import pytest

from accounts.models import User
from games.archive.game_export import export_game, prefetch_for_export
from games.archive.game_import import import_game
from games.archive.import_errors import ImportFailed, ImportFault
from games.archive.replay import check_deal, replay
from games.models import Game
from games.play.seats.concession import concede
from tests.support.games import NewGame, play_on, play_to_the_end

pytestmark = pytest.mark.django_db


def written(game: Game) -> dict[str, Any]:
    return export_game(prefetch_for_export(Game.objects.filter(pk=game.pk)).get())


def read(record: dict[str, Any], user: User) -> Game:
    return import_game(json.dumps(record).encode(), by=user)


def test_team_game_is_read_again_with_its_places(start: NewGame, alice: User, bob: User) -> None:
    game = play_to_the_end(start(alice, bob, "random", "random", teams="two"))
    record = written(game)
    assert sorted(one["rank"] for one in record["standings"]) in ([1, 1, 2, 2], [1, 1, 1, 1])
    again = read(record, alice)
    assert again.teams == ((0, 2), (1, 3))
    assert written(again)["standings"] == record["standings"]


def test_conceded_team_game_is_read_again(start: NewGame, alice: User, bob: User) -> None:
    game = play_on(start(alice, "random", bob, "random", teams="two", seating="joining"), 5)
    concede(game_id=game.pk, by=alice)
    concede(game_id=game.pk, by=bob)
    record = written(game)
    assert record["game"]["ending"] == "conceded"
    assert [(one["rank"], one["seat"]) for one in record["standings"] if one["rank"] == 1] == [(1, 1), (1, 3)]
    assert written(read(record, bob))["standings"] == record["standings"]


def test_places_by_seat_instead_of_team_are_refused(start: NewGame, alice: User, bob: User) -> None:
    record = written(play_to_the_end(start(alice, bob, "random", "random", teams="two")))
    for rank, place in enumerate(sorted(record["standings"], key=lambda one: -one["points"]), start=1):
        place["rank"] = rank
    with pytest.raises(ImportFailed) as refused:
        read(record, alice)
    assert refused.value.wrong == ImportFault.STANDINGS


def test_teams_for_another_number_of_players_are_refused(start: NewGame, alice: User, bob: User) -> None:
    record = written(play_to_the_end(start(alice, bob, "random")))
    record["rules"]["options"]["teams"] = "two"
    with pytest.raises(ImportFailed) as refused:
        read(record, alice)
    assert refused.value.wrong == ImportFault.SEATS


def test_deal_of_a_team_game_can_be_checked(start: NewGame, alice: User, bob: User) -> None:
    game = play_to_the_end(start(alice, bob, "random", "random", "random", "random", teams="three"))
    check = check_deal(game)
    assert check.fingerprint and check.log
    assert replay(game).faults == []
