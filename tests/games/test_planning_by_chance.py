"""Whole games with plans and turns of chance, through the door: every game ends, and its log leads there."""

from collections.abc import Callable
from random import Random

import pytest

from accounts.models import User
from accounts.services.refusals import Refusal
from games import queries, services
from games.models import Game, Move, Plan
from games.plans import InvalidPlan
from tests.plans.test_plans import random_plan

from .conftest import play_on

pytestmark = pytest.mark.django_db


def somebody_plans(game: Game, rng: Random) -> None:
    """Any person at the table plans anything."""
    seat = rng.choice([seat for seat in game.seats.all() if seat.user_id is not None])
    seen = game.rule_system.observe(game.rule_system.from_json(game.state), seat.number)
    plan = random_plan(seen, rng)
    own_turn = game.decider == seat.number and plan["tile"] and rng.random() < 0.5
    try:
        if own_turn:
            services.play_turn(game_id=game.pk, number=game.version + 1, plan=plan, by=seat.user)
        else:
            services.keep_plan(game_id=game.pk, user=seat.user, plan=plan)
    except (InvalidPlan, Refusal):
        pass


@pytest.mark.parametrize(("seed", "options"), [(1, {}), (2, {"holdings": "hidden", "preset": "course"})])
def test_games_with_random_plans_end_and_can_be_played_again(
    seed: int, options: dict[str, str], start: Callable[..., Game], alice: User, bob: User
) -> None:
    rng = Random(seed)
    game = start(alice, bob, "random", **options)
    while game.decider is not None:
        for _ in range(rng.randrange(3)):
            somebody_plans(game, rng)
            game = Game.with_secrets.get(pk=game.pk)
        game = play_on(game, 1, seed=rng.randrange(1 << 30))
    assert queries.replay(game).faults == []
    assert game.moves.filter(origin=Move.Origin.PLAN).count() > 10
    assert not Plan.objects.exists()
