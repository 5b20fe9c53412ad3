"""The weight of pages and of what they load."""

import gzip
import re
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.test import Client

from accounts.models import User
from games.models import Game
from games.showcase.live_games import PAGE
from tests.support.assessed_moves import assess_as, choices_of
from tests.support.clients import client_of
from tests.support.games import NewGame, play_on, play_until_asked
from tests.support.htmx import HTMX
from tests.support.whole_games import played_out

pytestmark = pytest.mark.django_db

MOST_BYTES = 170_000
MOST_BYTES_OF_NEXT_VISIT = 20_000
MOST_BYTES_OF_SCRIPTS = 60 * 1024  # uncompressed, with those of every page, without htmx
# The review of a long game of four players, complete, and one step of it.
MOST_BYTES_OF_A_REVIEW = 60 * 1024  # with its own style sheet and script, which other pages do not load
MOST_BYTES_OF_A_REVIEW_NEXT_TIME = 20_000
MOST_BYTES_OF_A_STEP = 8_000
# Of one game with four players; 7,900 on average over a game.
MOST_BYTES_OF_A_REFRESH = 9_500
# Of one card on the page of live games.
MOST_BYTES_OF_A_LIVE_CHANGE = 3_000


def sent(content: bytes, name: str = "") -> int:
    """The bytes that go over the wire; fonts and pictures are compressed already."""
    return len(content if name.endswith((".woff2", ".png")) else gzip.compress(content))


def loaded_files(page: bytes) -> dict[str, bytes]:
    """The content of the static files that a page loads, by name."""
    names = set(re.findall(r'(?:href|src)="/static/([^"?]+)"', page.decode()))
    return {name: Path(str(finders.find(name))).read_bytes() for name in names}


def weight_of_first_visit(page: bytes) -> int:
    files = loaded_files(page)
    assert any(name.endswith("tokens.css") for name in files)
    assert any(name.endswith(".woff2") for name in files)
    return sent(page) + sum(sent(content, name) for name, content in files.items())


def test_first_visit_loads_little(client: Client) -> None:
    assert weight_of_first_visit(client.get("/").content) <= MOST_BYTES


@pytest.fixture
def table(start: NewGame, alice: User, bob: User) -> bytes:
    """The page of a table late in a game of six, with chat and sounds, for a player who has to decide."""
    User.objects.update(sounds=True, time_zone="UTC")
    game = play_until_asked(play_on(start(alice, bob, *["random"] * 4), 100), alice)
    page = client_of(alice).get(game.get_absolute_url()).content
    assert b'id="decision"' in page and b'id="talk"' in page
    return page


def test_first_visit_of_a_table_loads_little(table: bytes) -> None:
    assert weight_of_first_visit(table) <= MOST_BYTES


def test_next_visit_of_a_table_loads_very_little(table: bytes) -> None:
    """Static files are in the browser's cache by then."""
    assert sent(table) <= MOST_BYTES_OF_NEXT_VISIT


def test_scripts_of_a_table_are_small(table: bytes) -> None:
    files = loaded_files(table)
    own = {name: len(content) for name, content in files.items() if name.startswith("games/js/")}
    assert {"games/js/table.js", "games/js/chat.js", "games/js/sounds.js"} <= set(own)
    later = ("planned_turn", "share", "saved_choices", "while_away")
    assert not {f"games/js/{name}.js" for name in later} & set(own)
    assert sum(own.values()) <= MOST_BYTES_OF_SCRIPTS, own


def test_refresh_of_a_table_is_light(start: NewGame, alice: User, bob: User, carol: User) -> None:
    game = play_on(start(alice, bob, carol, "random", terms={"pace": 86400}), 60)
    table = client_of(alice).get(f"{game.get_absolute_url()}table/", **HTMX).content
    assert len(gzip.compress(table, 5)) <= MOST_BYTES_OF_A_REFRESH


@pytest.fixture
def live_games(start: NewGame, alice: User, bob: User, carol: User) -> list[Game]:
    """As many live games as a page shows, with six players each, well under way."""
    terms = {"pace": 120, "visibility": "public"}
    return [play_on(start(alice, bob, carol, *["random"] * 3, terms=terms), 60) for _ in range(PAGE)]


def test_live_games_are_light_at_first_and_with_each_move(client: Client, live_games: list[Game]) -> None:
    page = client.get("/watch/live/").content
    assert page.count(b"live-seats") == PAGE
    assert weight_of_first_visit(page) <= MOST_BYTES
    assert sent(page) <= MOST_BYTES_OF_NEXT_VISIT
    shown = re.findall(r'name="shown"\s+value="([^"]*)"', page.decode())
    play_on(live_games[3], 1)
    changes = client.get("/watch/live/", {"shown": shown}, **HTMX).content
    assert changes.count(b"live-seats") == 1
    assert sent(changes) <= MOST_BYTES_OF_A_LIVE_CHANGE


@pytest.fixture
def reviewed(start: NewGame, alice: User, bob: User, carol: User) -> Game:
    game = played_out(start(alice, bob, carol, "random"))
    for entry in choices_of(game):
        assess_as(game, entry, lost=0.03)
    return game


def test_review_of_a_game_is_light(reviewed: Game) -> None:
    page = Client().get(f"{reviewed.get_absolute_url()}review/").content
    own = {name: content for name, content in loaded_files(page).items() if "review." in name}
    assert set(own) == {"games/css/review.css", "games/js/review.js"}
    assert sent(page) <= MOST_BYTES_OF_A_REVIEW_NEXT_TIME
    assert sent(page) + sum(map(len, own.values())) <= MOST_BYTES_OF_A_REVIEW


def test_step_of_a_review_is_light(reviewed: Game) -> None:
    step = Client().get(f"{reviewed.get_absolute_url()}review/40/", **HTMX).content
    assert sent(step) <= MOST_BYTES_OF_A_STEP
