"""A table takes few queries, and the same number for every reader and length of game."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import User
from games.chat.messages import say
from games.chat.notes import write_note
from games.models import Game, GameVisit, Vacation
from games.play.automation.order_view import order_that_asks
from games.play.automation.standing_orders import save_order
from games.play.deadlines.overdue import settle_timeout
from games.play.deadlines.vacation_clocks import plan_vacation
from games.play.seats.end_votes import propose_end
from tests.support.clients import client_of
from tests.support.games import NewGame, make_room, play_on, play_to_the_end, seen_by
from tests.support.merger_game import SEATED, TILE, before_a_merger, move

pytestmark = pytest.mark.django_db

# With votes, a plan, orders, notes, chat and vacations, and while a late player is voted on.
MOST_WITH_EVERYTHING = 11
MOST_WITH_A_VOTE = 12
MOST_WITH_SEATS_TO_TAKE = 6
MOST_AFTER_THE_END = 7


def queries_of(game: Game, user: User | None, most: int = MOST_WITH_EVERYTHING) -> int:
    """Count the queries of a table with news, session and user included."""
    client = client_of(user)
    # The first visit of a day is recorded, which is not part of the table.
    client.get(game.get_absolute_url())
    if user:
        GameVisit.objects.filter(game=game, user=user).update(seen=0)
    with CaptureQueriesContext(connection) as taken:
        assert client.get(game.get_absolute_url()).status_code == 200
    assert len(taken) <= most, "\n".join(query["sql"][:200] for query in taken.captured_queries)
    return len(taken)


def full_of_everything(game: Game, users: list[User]) -> Game:
    """Add chat, notes, orders, a vacation and an end proposal to the game."""
    for user in users:
        say(game_id=game.pk, user=user, text=f"I am {user}")
        write_note(game=game, user=user, text="Watch Tower.", version=0)
        save_order(game_id=game.pk, by=user, terms={"trade": 0}, once=True)
    today = timezone.localdate()
    plan_vacation(user=users[0], first=today, last=today + timedelta(days=2))
    propose_end(game_id=game.pk, by=users[1], kind="none")
    return Game.with_secrets.get(pk=game.pk)


def test_table_takes_the_same_few_queries_early_and_late(
    start: NewGame, alice: User, bob: User, carol: User
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


def test_table_of_a_finished_game_takes_the_same_few_queries(start: NewGame, alice: User, bob: User) -> None:
    game = play_to_the_end(start(alice, bob))
    for user in (alice, bob, None):
        queries_of(game, user, MOST_AFTER_THE_END)


def test_table_with_seats_to_take_over_takes_the_same_few_queries(
    start: NewGame, alice: User, bob: User, carol: User
) -> None:
    dave = User.objects.create_user("dave")
    game = start(alice, bob, carol, terms={"pace": 3600, "overrun": "take", "reliable": 80})
    game.seats.update(grace_used=True)
    seen = []
    for number in range(2):
        game.refresh_from_db()
        Game.objects.update(deadline=timezone.now())
        assert settle_timeout(game.pk, game.version)
        assert game.seats.exclude(replaced_at=None).count() == number + 1
        play_on_by_computers(game)
        for user in (alice, bob, carol, None):
            queries_of(game, user, MOST_WITH_SEATS_TO_TAKE)
        seen.append(queries_of(game, dave, MOST_WITH_SEATS_TO_TAKE))
    assert seen[0] == seen[1]
    Game.objects.update(visibility=Game.Visibility.INVITED)
    assert queries_of(game, dave) == seen[0]


def play_on_by_computers(game: Game) -> None:
    """Play on until a person is asked."""
    game.refresh_from_db()
    while game.waiting_for_id is None:
        game = play_on(game, 1)


def test_merger_that_an_order_leaves_to_its_owner_takes_the_same_few_queries(
    start: NewGame, alice: User, bob: User, carol: User
) -> None:
    game = before_a_merger(start(alice, bob, carol, terms={"pace": 86400}, **SEATED))
    game = full_of_everything(game, [alice, bob, carol])
    save_order(game_id=game.pk, by=bob, terms={"hold": 6}, once=False)
    game = move(game, TILE)
    if game.waiting_for == alice:
        game = move(game, "dispose nothing")
    assert game.waiting_for == bob
    assert order_that_asks(seen_by(game, bob)) is not None
    for user in (alice, bob, carol, None):
        queries_of(game, user)


def test_vote_on_a_late_player_takes_the_same_few_queries(
    start: NewGame, alice: User, bob: User, carol: User
) -> None:
    game = play_on(start(alice, bob, carol, terms={"pace": 86400, "overrun": "vote"}), 10)
    game = full_of_everything(game, [alice, bob, carol])
    Vacation.objects.all().delete()
    game.seats.update(grace_used=True)
    Game.objects.update(deadline=timezone.now(), time_left=None)
    assert settle_timeout(game.pk, game.version)
    assert game.seats.filter(replacement_vote_open=True).exists()
    for user in (alice, bob, carol, None):
        queries_of(game, user, MOST_WITH_A_VOTE)
