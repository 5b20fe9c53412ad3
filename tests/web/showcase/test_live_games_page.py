"""The page of live games."""

import re
from datetime import timedelta
from typing import Any
from unittest import mock

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from games.models import OVERALL, TEAM_GAMES, Game, OpenPage, Rating
from games.models.game import new_code, new_public_id
from games.ratings.skill_model import points
from games.showcase.live_games import PAGE
from games.web.showcase import live_cards
from tests.showcase.public_games import change
from tests.support.clients import client_of
from tests.support.games import NewGame, play_on, play_to_the_end
from tests.support.htmx import HTMX

pytestmark = pytest.mark.django_db

RANKED = {"games": 20, "wins": 5, "standing": 20, "ranked": True}
LIVE = reverse("live-games")
TERMS = {"pace": 30, "bank": 180, "cap": 180, "visibility": "public"}


def page_of(client: Client, page: int = 1) -> str:
    """The page as made at this moment."""
    cache.clear()
    return client.get(LIVE, {"page": page}).content.decode()


def titles(page: str) -> list[str]:
    return re.findall(r'id="watch-\w+"[^>]*>([^<]*)<', page)


def update(client: Client, page: str) -> tuple[int, str]:
    """The status and content of what htmx gets for a page that shows this."""
    (shown,) = re.findall(r'name="shown"\s+value="([^"]*)"', page)
    answer = client.get(LIVE, {"shown": shown}, **HTMX)
    return answer.status_code, answer.content.decode()


def copies(game: Game, number: int) -> None:
    """Copy a game this many times, with its seats."""
    seats = list(game.seats.all())
    game = Game.with_secrets.get(pk=game.pk)
    for _ in range(number):
        game.pk, game._state.adding = None, True
        game.public_id, game.invite_code = new_public_id(), new_code()
        game.save()
        for seat in seats:
            seat.pk, seat.game = None, game
            seat.save(force_insert=True)


def rate(user: User, mu: float, players: int = OVERALL) -> None:
    Rating.objects.create(user=user, system="acquire", month="", players=players, mu=mu, sigma=5, **RANKED)


def test_live_public_games_are_shown_and_no_others(
    client: Client, start: NewGame, alice: User, bob: User
) -> None:
    start(alice, bob, terms={**TERMS, "name": "Quick one"})
    start(alice, bob, terms={**TERMS, "name": "Among friends", "visibility": "unlisted"})
    start(alice, bob, terms={**TERMS, "name": "Invited", "visibility": "invited"})
    start(alice, bob, terms={"name": "By mail", "visibility": "public", "pace": 86400})
    change(start(alice, bob, terms={**TERMS, "name": "Paused"}), paused=timezone.now())
    change(
        start(alice, bob, terms={**TERMS, "name": "Deleted"}), deleted=timezone.now(), paused=timezone.now()
    )
    play_to_the_end(start(alice, bob, terms={**TERMS, "name": "Over"}))
    assert titles(page_of(client)) == ["Quick one"]
    assert titles(page_of(client_of(alice))) == ["Quick one"]


def test_game_that_is_over_leaves_at_once(client: Client, start: NewGame, alice: User, bob: User) -> None:
    game = start(alice, bob, terms=TERMS)
    assert game.get_absolute_url() in page_of(client)
    play_to_the_end(game)
    assert game.get_absolute_url() not in client.get(LIVE).content.decode()


def test_game_of_the_best_players_is_the_first_and_has_the_large_board(
    client: Client, start: NewGame, alice: User, bob: User, carol: User
) -> None:
    rate(alice, 40)
    rate(bob, 20)
    start(bob, carol, terms={**TERMS, "name": "Low"})
    start(alice, carol, terms={**TERMS, "name": "High"})
    start(carol, "random", terms={**TERMS, "name": "Unrated"})
    page = page_of(client)
    assert titles(page) == ["High", "Unrated", "Low"]
    assert page.index("lettered") < page.index("High") and page.count('class="lettered"') == 1


def test_team_games_are_ordered_by_the_ratings_for_team_games(
    client: Client, start: NewGame, alice: User, bob: User
) -> None:
    rate(alice, 40)
    rate(alice, 30, TEAM_GAMES)
    rate(bob, 28)
    start(alice, "random", terms={**TERMS, "name": "Alone"})
    start(bob, "random", terms={**TERMS, "name": "Less strong"})
    start(alice, *["random"] * 3, teams="two", terms={**TERMS, "name": "In teams"})
    page = page_of(client)
    assert titles(page) == ["Alone", "Less strong", "In teams"]
    assert page.count(f">{points(30)}<") == 1


def test_card_says_who_plays_with_rating_score_and_clock(
    client: Client, start: NewGame, alice: User, bob: User
) -> None:
    rate(alice, 30)
    start(alice, bob, terms=TERMS)
    page = page_of(client)
    assert page.count("$6,000") == page.count("3:00") == 2
    assert page.count(">1650<") == page.count("data-clock-ends") == page.count('<li class="now">') == 1


def test_clock_is_that_of_the_moment_on_a_card_that_is_kept(
    client: Client, start: NewGame, alice: User, bob: User, clock: Any
) -> None:
    start(alice, bob, terms=TERMS)
    for shown in ("3:00", "2:20"):
        assert re.findall(r"data-clock-ends[^>]*>([^<]*)<", page_of(client)) == [shown]
        clock.shift(timedelta(seconds=40))


def test_hidden_holdings_have_no_score(client: Client, start: NewGame, alice: User, bob: User) -> None:
    play_on(start(alice, bob, terms=TERMS, holdings="hidden"), 20)
    page = page_of(client)
    assert "live-seats" in page and 'class="score"' not in page


def test_members_who_watch_are_counted_and_players_are_not(
    client: Client, start: NewGame, alice: User, bob: User, carol: User
) -> None:
    game = start(alice, bob, "random", terms=TERMS)
    soon = timezone.now() + timedelta(seconds=30)
    for number, user in enumerate((alice, carol, carol)):
        OpenPage.objects.create(user=user, game=game, socket=str(number), visible_until=soon)
    assert "1 member is watching" in page_of(client)


def test_empty_page_leads_to_other_games(client: Client, start: NewGame, alice: User, bob: User) -> None:
    game = start(alice, bob, terms={"visibility": "public"})
    page = page_of(client)
    assert "No live games to watch right now." in page
    assert reverse("new-game") in page and game.get_absolute_url() in page


def test_page_asks_again_for_what_has_changed_alone(
    client: Client, start: NewGame, alice: User, bob: User
) -> None:
    still, moving = start(alice, bob, terms=TERMS), start(alice, bob, terms=TERMS)
    page = page_of(client)
    assert update(client, page) == (204, "")
    play_on(moving, 1)
    status, changed = update(client, page)
    assert status == 200
    assert f'id="live-{moving.public_id}"' in changed and still.get_absolute_url() not in changed
    play_to_the_end(still)
    _status, whole = update(client, page)
    assert "live-list" in whole and still.get_absolute_url() not in whole


def test_page_shows_few_games_and_leads_to_the_rest(
    client: Client, start: NewGame, alice: User, bob: User
) -> None:
    copies(start(alice, bob, terms=TERMS), PAGE)
    first, second = page_of(client), page_of(client, 2)
    assert (len(titles(first)), len(titles(second))) == (PAGE, 1)
    assert "?page=2" in first and "?page=3" not in second
    assert not set(re.findall(r"watch-\w+", first)) & set(re.findall(r"watch-\w+", second))


@pytest.mark.parametrize("page", ["0", "-1", "x", "9999", "99999999999"])
def test_any_number_of_a_page_is_answered(client: Client, page: str) -> None:
    assert client.get(LIVE, {"page": page}).status_code == 200


def test_page_takes_few_queries_for_one_game_and_for_many(
    client: Client, start: NewGame, alice: User, bob: User
) -> None:
    def asked() -> list[str]:
        client.get(LIVE)
        live_cards.forget()
        with CaptureQueriesContext(connection) as queries:
            client.get(LIVE)
        return [query["sql"] for query in queries.captured_queries]

    game = start(alice, bob, terms=TERMS)
    few = asked()
    copies(game, 3 * PAGE)
    cache.clear()
    assert len(asked()) == len(few) <= 6, "\n".join(few)


def test_late_card_has_the_seats_with_their_ratings(start: NewGame, alice: User, bob: User) -> None:
    late = play_on(start(alice, bob, terms={**TERMS, "late": 1}), 12)
    drawn: list[Game] = []
    games = list(Game.objects.filter(pk=late.pk))
    with mock.patch.object(live_cards, "_drawn", lambda game, *_: drawn.append(game) or ""):
        live_cards.forget()
        live_cards.live_cards(games, large=False)
    live_cards.forget()
    assert [game.rounds_late for game in drawn] == [1]
    assert all(hasattr(seat, "mu") for seat in drawn[0].seats.all())


def test_cards_are_drawn_once_for_all_readers(client: Client, start: NewGame, alice: User, bob: User) -> None:
    start(alice, bob, terms=TERMS)
    client.get(LIVE)
    with CaptureQueriesContext(connection) as queries:
        Client().get(LIVE)
    assert len(queries) <= 2, "\n".join(query["sql"] for query in queries.captured_queries)
