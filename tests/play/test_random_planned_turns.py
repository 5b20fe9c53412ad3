"""Whole games with random plans and turns: every game ends, and its log leads there."""

from random import Random

import pytest

from accounts.models import User
from games.archive.replay import replay
from games.models import Game, LogEntry, PlannedTurn
from tests.support.games import NewGame, play_on
from tests.support.planned_turns import somebody_plans

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(("seed", "options"), [(1, {}), (2, {"holdings": "hidden", "preset": "course"})])
def test_games_with_random_plans_end_and_replay(
    seed: int, options: dict[str, str], start: NewGame, alice: User, bob: User
) -> None:
    rng = Random(seed)
    game = start(alice, bob, "random", **options)
    while game.seat_to_move is not None:
        for _ in range(rng.randrange(3)):
            somebody_plans(game, rng)
            game = Game.with_secrets.get(pk=game.pk)
        game = play_on(game, 1, seed=rng.randrange(1 << 30))
    assert replay(game).faults == []
    assert game.moves.filter(origin=LogEntry.Origin.PLAN).count() > 10
    assert not PlannedTurn.objects.exists()
