"""A table takes a fixed number of queries, and few, whoever reads it and however long the game is."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import User
from games import services
from games.models import Game, Vacation, Visit

from .conftest import make_room, play_on, play_to_the_end

pytestmark = pytest.mark.django_db

MOST = 12


def queries_of(game: Game, user: User | None, most: int = MOST) -> int:
    """How many queries a page of the table takes, session and user among them, when there is news on it."""
    client = Client()
    if user:
        client.force_login(user)
    # Once a day a visit is noted; that is not the table's doing.
    client.get(game.get_absolute_url())
    if user:
        Visit.objects.filter(game=game, user=user).update(seen=0)
    with CaptureQueriesContext(connection) as taken:
        assert client.get(game.get_absolute_url()).status_code == 200
    assert len(taken) <= most, "\n".join(query["sql"][:200] for query in taken.captured_queries)
    return len(taken)


def full_of_everything(game: Game, users: list[User]) -> Game:
    """The game with talk, notes, orders, a vacation and a proposal."""
    for user in users:
        services.say(game_id=game.pk, user=user, text=f"I am {user}")
        services.write_note(game=game, user=user, text="Watch Tower.", version=0)
        services.give_order(game_id=game.pk, by=user, terms={"trade": 0}, once=True)
    today = timezone.localdate()
    services.go_away(user=users[0], first=today, last=today + timedelta(days=2))
    services.propose(game_id=game.pk, by=users[1], kind="none")
    return Game.with_secrets.get(pk=game.pk)


def test_a_table_takes_the_same_few_queries_early_and_late(
    start: Callable[..., Game], alice: User, bob: User, carol: User
) -> None:
    taken = []
    for moves in (10, 120):
        game = play_on(start(alice, bob, carol, terms={"pace": 86400}), moves)
        game = full_of_everything(game, [alice, bob, carol])
        assert game.is_running
        taken.append([queries_of(game, user) for user in (alice, bob, carol, None)])
        Vacation.objects.all().delete()
        make_room(alice, bob, carol)
    assert taken[0] == taken[1]


def test_so_does_the_table_of_a_game_that_is_over(start: Callable[..., Game], alice: User, bob: User) -> None:
    game = play_to_the_end(start(alice, bob))
    for user in (alice, bob, None):
        queries_of(game, user)


def test_whoever_may_take_a_seat_over_costs_one_more(
    start: Callable[..., Game], alice: User, bob: User, carol: User
) -> None:
    game = start(alice, bob, terms={"pace": 60, "overrun": "take"})
    game.seats.update(grace_used=True)
    Game.objects.update(deadline=timezone.now())
    assert services.settle_overdue(game.pk, 0)
    for user in (alice, bob):
        queries_of(game, user)
    # Games and practice tables are counted apart, to say whether there is room for one more.
    queries_of(game, carol, most=MOST + 1)
