"""Replays of finished public games, and the prepared game."""

import pytest
from django.http import Http404
from django.utils import timezone

from accounts.models import User
from games.showcase import prepared_game
from games.showcase.replayed_game import replayed_game
from tests.showcase.public_games import change, finish
from tests.support.games import NewGame

pytestmark = pytest.mark.django_db


def test_prepared_game_is_legal_and_ends() -> None:
    played = prepared_game.prepared_moves()
    assert [move.number for move in played] == [*range(1, len(played) + 1)]
    assert played[-1].seen.ended and not any(move.seen.ended for move in played[:-1])


def test_prepared_game_shows_no_hand() -> None:
    assert all(move.seen.seat is None for move in prepared_game.prepared_moves())


@pytest.mark.parametrize(
    "columns",
    [{"visibility": "unlisted"}, {"finished": timezone.now()}, {"deleted": timezone.now()}],
    ids=["unlisted", "not final", "deleted"],
)
def test_other_games_are_not_replayed(
    columns: dict[str, object], start: NewGame, alice: User, bob: User
) -> None:
    game = finish(start, alice, bob)
    assert replayed_game(game.public_id).game == game
    change(game, **columns)
    with pytest.raises(Http404):
        replayed_game(game.public_id)
