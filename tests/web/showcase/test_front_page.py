"""The front page for strangers."""

import re

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import User
from games.models import Game
from games.puzzles.puzzle_view import puzzle_position
from games.web.presenters.presenter_registry import PRESENTERS
from games.web.showcase import front_page
from tests.puzzles.made_puzzles import make_puzzle
from tests.showcase.public_games import change, finish
from tests.support import wording
from tests.support.clients import client_of
from tests.support.games import NewGame, play_on

pytestmark = pytest.mark.django_db

# The page from the cache, and whatever the frame of each page asks.
QUERIES = 2


def page_of(client: Client) -> str:
    """The front page as made at this moment."""
    cache.delete(front_page._cache_key())
    return client.get("/").content.decode()


def tokens_in(page: str) -> set[str]:
    return set(re.findall(r'name="csrfmiddlewaretoken" value="(\w+)"', page))


def test_stranger_finds_a_board_and_ways_to_begin(client: Client) -> None:
    page = page_of(client)
    assert page.count("<h1") == 1
    assert "Found hotels. Buy shares. Get paid when they merge." in page
    stage = page.split('class="stage"')[1].split("</section>")[0]
    assert '<svg class="shapes"' in stage and "<text" in stage
    assert "Computer players played this game." in stage
    assert wording.PLAY_NOW in page and reverse("lessons") in page
    assert "You play against 3 computer players (Easy). You need no account." in " ".join(page.split())


def test_members_and_guests_do_not_see_it(alice: User, guest: User) -> None:
    for user in (alice, guest):
        assert 'class="hero"' not in client_of(user).get("/").content.decode()


def test_page_comes_from_the_cache(client: Client, start: NewGame, alice: User, bob: User) -> None:
    change(start(alice, bob), visibility="public")
    make_puzzle()
    first = client.get("/").content.decode()
    with CaptureQueriesContext(connection) as asked:
        again = client.get("/").content.decode()
    assert len(asked) <= QUERIES, [query["sql"] for query in asked.captured_queries]
    assert len(first) == len(again)


def test_each_visitor_gets_a_token_of_their_own() -> None:
    pages = [Client(enforce_csrf_checks=True).get("/").content.decode() for _ in range(2)]
    assert front_page._MARK not in "".join(pages)
    assert tokens_in(pages[0]) and not tokens_in(pages[0]) & tokens_in(pages[1])


@pytest.mark.parametrize("form", [0, -1], ids=["first", "last"])
def test_forms_of_the_kept_page_are_accepted(form: int) -> None:
    client = Client(enforce_csrf_checks=True)
    client.get("/")
    token = re.findall(r'name="csrfmiddlewaretoken" value="(\w+)"', client.get("/").content.decode())[form]
    assert client.post(reverse("play-now"), {"csrfmiddlewaretoken": token}).status_code == 302


def test_level_is_chosen_by_one_button(client: Client) -> None:
    assert 'name="level"' in page_of(client)
    client.post(reverse("play-now"), {"level": "easy"})
    assert set(Game.objects.get().seats.exclude(bot_level="").values_list("bot_level", flat=True)) == {"easy"}


def test_first_button_plays_what_stands_below_it(client: Client) -> None:
    page = page_of(client)
    button = re.search(r'<button type="submit"\s+form="act"\s+name="system"\s+value="(\w+)"', page)
    assert button is not None
    client.post(reverse("play-now"), {"system": button[1]})
    assert Game.objects.get().system == button[1]
    assert (
        list(Game.objects.get().seats.exclude(bot_level="").values_list("bot_level", flat=True))
        == ["easy"] * 3
    )


def test_refused_choice_is_told_and_kept(client: Client) -> None:
    answer = client.post(reverse("play-now"), {"level": "god"})
    assert answer.status_code == 422
    assert "Choose a level from the list." in answer.content.decode()
    assert "Choose a level from the list." not in client.get("/").content.decode()


def test_public_games_being_played_are_shown_and_no_others(
    client: Client, start: NewGame, alice: User, bob: User
) -> None:
    game = play_on(start(alice, bob), 6)
    assert game.get_absolute_url() not in page_of(client)
    change(game, visibility="public")
    page = page_of(client)
    assert game.get_absolute_url() in page
    assert "mini-board" in page


def test_finished_game_is_replayed(client: Client, start: NewGame, alice: User, bob: User) -> None:
    game = finish(start, alice, bob, rated=False)
    page = page_of(client)
    assert reverse("game-replay", args=[game.public_id]) in page
    assert "A finished game" in page and "Computer players played this game." not in page


def test_puzzle_can_be_answered_without_a_script(client: Client) -> None:
    puzzle = make_puzzle()
    page = page_of(client)
    offered = re.findall(r'formaction="(/puzzle[^"]*)"\s+name="move"\s+value="([^"]+)"', page)
    assert {move for _url, move in offered} == {text for text, *_numbers in puzzle.estimates}
    assert [move for _url, move in offered] == sorted(move for _url, move in offered)
    url, move = offered[0]
    answer = client.post(url, {"move": move}, follow=True)
    assert "evaluation" in answer.content.decode()


def test_puzzle_tells_what_one_must_know_to_solve_it(client: Client) -> None:
    puzzle = make_puzzle()
    part = page_of(client).split("puzzle-to-try")[1].split("</section>")[0]
    seen, _before = puzzle_position(puzzle)
    assert f"You have ${seen.cash[seen.seat]:,}." in part
    assert "The board marks the tiles you can place:" in part
    assert part.count('class="my-tile"') == len(seen.legal)


def test_page_without_a_puzzle_has_no_empty_frame(client: Client) -> None:
    assert "puzzle-to-try" not in page_of(client)


def test_other_sites_get_a_preview_with_a_picture(client: Client) -> None:
    page = page_of(client)
    assert '<meta name="description"' in page and '<meta name="theme-color"' in page
    image = re.search(r'property="og:image" content="https?://[^/]+([^"]+)"', page)
    assert image is not None
    picture = client.get(image[1])
    assert picture["Content-Type"] == "image/png"
    assert picture.content.startswith(b"\x89PNG")
    assert "public" in picture["Cache-Control"]


def test_three_pictures_explain_the_game() -> None:
    shown = PRESENTERS["acquire"].how_it_works()
    assert [one.title for one in shown] == ["Place a tile", "Buy shares", "Profit from mergers"]
    assert "up to 3 shares each turn, for $200 to $1,200 each" in shown[1].text
    assert all("style=" not in one.picture for one in shown)
