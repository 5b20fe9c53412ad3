"""The lobby takes few queries, for any number of games."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import User
from games.lobby import game_lists
from games.lobby.game_lists import OpenGameFilter, finished_page_of, games_to_move, open_page, running_page
from games.lobby.invite import invite
from games.lobby.lobby_lists import lobby
from games.models import Game, Invitation, Seat
from games.models.game import new_code, new_public_id
from tests.puzzles.made_puzzles import make_puzzle
from tests.support.clients import client_of
from tests.support.games import NewGame, play_to_the_end
from tests.support.practice_tables import practise

pytestmark = pytest.mark.django_db

LOBBY = 10
# Of the home of a member without those of every page: session, member and stopped endpoints.
HOME = 7
FRAME = ("django_session", "accounts_user", "games_endpoint")


def queries_of(client: Client, url: str) -> list[str]:
    """Queries of a page, on a visit that is not the first of the day."""
    client.get(url)
    with CaptureQueriesContext(connection) as asked:
        assert client.get(url).status_code == 200
    return [query["sql"] for query in asked.captured_queries]


def taken(client: Client, url: str, most: int) -> int:
    asked = queries_of(client, url)
    assert len(asked) <= most, "\n".join(asked)
    return len(asked)


@pytest.fixture
def one_of_each(start: NewGame, create: NewGame, alice: User, bob: User, carol: User) -> None:
    """Games for all lists of alice's lobby."""
    for terms in ({"visibility": "public"}, {}):
        start(alice, bob, terms=terms)
        start(bob, "random", terms=terms)
    for pace in (None, 3600):
        start(alice, bob, preset="course", terms={"pace": pace})  # alice begins
    create(alice)
    create(bob)
    invite(game_id=create(bob).pk, user=alice, by=bob)
    play_to_the_end(start(alice, "random"))
    vacant = start(bob, carol, "random", terms={"visibility": "public"})
    vacant.seats.filter(user=carol).update(bot_level="random", replaced_at=timezone.now())
    practise(alice, "random")
    over = practise(alice, "random")
    Game.objects.filter(pk=over.pk).update(status="finished", finished=timezone.now(), seat_to_move=None)


def copies(number: int) -> None:
    """Copy all games this many times, with their seats and invitations."""
    for game in Game.with_secrets.prefetch_related("seats", "invitations"):
        parts = [*game.seats.all()], [*game.invitations.all()]
        for _ in range(number):
            game.pk, game._state.adding = None, True
            game.public_id, game.invite_code = new_public_id(), new_code()
            game.save()
            for seat in parts[0]:
                seat.pk, seat.game = None, game
            for invitation in parts[1]:
                invitation.pk, invitation.game, invitation.code = None, game, new_code()
            Seat.objects.bulk_create(parts[0])
            Invitation.objects.bulk_create(parts[1])


@pytest.mark.parametrize("who", ["alice", "guest", ""])
def test_lobby_takes_few_queries_with_no_game_and_with_many(who: str, request: pytest.FixtureRequest) -> None:
    client = client_of(request.getfixturevalue(who) if who else None)
    taken(client, "/", LOBBY)
    request.getfixturevalue("one_of_each")
    few = taken(client, "/", LOBBY)
    copies(11)
    assert Game.objects.count() >= 100
    assert taken(client, "/", LOBBY) == few


def test_home_of_a_member_asks_little_beyond_the_frame(one_of_each: None, alice: User) -> None:
    make_puzzle()
    asked = [
        query
        for query in queries_of(client_of(alice), "/")
        if not any(query.split(" FROM ")[1].startswith(f'"{table}"') for table in FRAME)
    ]
    assert len(asked) <= HOME, "\n".join(asked)
    copies(11)
    assert len(queries_of(client_of(alice), "/")) <= LOBBY


def test_lobby_lists_the_same_games_as_the_pages_of_its_lists(one_of_each: None, alice: User) -> None:
    copies(11)
    wanted = OpenGameFilter()
    found = lobby(alice, wanted)
    assert all((found.waiting, found.invited, found.others, found.practice, found.vacant))
    assert found.open.games == open_page(alice, wanted).games
    running = running_page(alice, size=6)
    assert found.running.games == running.games
    # Cursors of one place differ each time.
    after = (running_page(alice, page.following, size=6).games for page in (found.running, running))
    assert next(after) == next(after)
    assert found.finished.games == finished_page_of(alice, size=6).games
    assert found.running.following
    assert found.waiting == list(games_to_move(alice))
    for listed, shown in (
        (game_lists.invited, found.invited),
        (game_lists.other_games, found.others),
        (game_lists.practice_tables, found.practice),
    ):
        assert shown == list(listed(alice))
    assert found.vacant == list(game_lists.vacant_games(alice)[:6])
