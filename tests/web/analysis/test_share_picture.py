"""The picture of a finished game: contents, readers, and the link preview of other sites."""

import re
from io import BytesIO
from typing import Any
from xml.etree import ElementTree

import pytest
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from games.engine.rules.acquire import rule_system as acquire
from games.engine.rules.acquire.board import EMPTY, LONE_TILE
from games.lobby.game_start import start_game
from games.models import Game
from games.web.analysis import share_picture_views
from games.web.presenters.board_drawing import BoardPicture, Cell
from games.web.presenters.picture_png import png
from games.web.presenters.share_picture import HEIGHT, WIDTH, Place, picture
from tests.support import wording
from tests.support.clients import client_of
from tests.support.finished_games import with_final_result
from tests.support.games import NewGame
from tests.support.whole_games import broken_off, played_out

pytestmark = pytest.mark.django_db

BOTH = pytest.mark.parametrize("name", ["picture", "picture-png"])
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def over(start: NewGame, alice: User, bob: User) -> Game:
    return played_out(start(alice, bob, "random", terms={"visibility": "public"}))


def get(game: Game, name: str, user: User | None = None, **headers: str) -> Any:
    client = client_of(user)
    return client.get(reverse(name, args=[game.public_id]), headers=headers)


def parsed(drawing: bytes) -> ElementTree.Element:
    return ElementTree.fromstring(drawing)  # noqa: S314 - it comes from here


def head(game: Game, user: User | None = None, page: str = "game") -> dict[str, str]:
    """Link preview data in the head of a page."""
    found = get(game, page, user).content.decode()
    return dict(re.findall(r'<meta (?:property|name)="((?:og|twitter):[^"]*)"\s+content="([^"]*)"', found))


# -- Contents ------------------------------------------------------------------------------------------


def test_picture_shows_the_final_board_and_the_standings(over: Game) -> None:
    drawn = parsed(get(over, "picture").content)
    texts = [node.text for node in drawn.iter(f"{SVG}text")]
    assert {"alice", "bob"} <= {*texts}
    for dollars in over.state["cash"]:
        assert f"${dollars:,}" in texts
    state = acquire.state_from_json(over.state)
    letters = sum(0 < value < LONE_TILE for value in state.board)
    chains = {value for value in state.board if 0 < value < LONE_TILE}
    others = sum(value in (EMPTY, LONE_TILE) for value in state.board)
    assert len([*drawn.iter(f"{SVG}path")]) == len(chains) + others
    assert sum(text is not None and len(text) == 1 for text in texts) == letters
    said = drawn.find(f"{SVG}title")
    assert said is not None
    assert said.text is not None
    assert said.text.startswith("1. ")


def test_png_has_the_size_that_pages_announce(over: Game) -> None:
    from PIL import Image

    answer = get(over, "picture-png")
    assert answer["Content-Type"] == "image/png"
    image = Image.open(BytesIO(answer.content))
    assert (image.format, image.size) == ("PNG", (WIDTH, HEIGHT))
    colours = image.convert("RGB").getcolors(1 << 16)
    assert colours is not None
    assert len(colours) > 20
    assert len(answer.content) < 60_000


def test_names_by_people_are_text_and_no_markup(over: Game) -> None:
    Game.objects.filter(pk=over.pk).update(name='<script>&"Ünïcode 中文 ⚙')
    drawn = get(over, "picture").content.decode()
    assert "<script>" not in drawn
    parsed(drawn.encode())
    assert get(over, "picture-png").status_code == 200


def test_long_names_and_full_tables_fit() -> None:
    board = BoardPicture(12, 9, tuple(Cell(at % 12, at // 12, "#ffffff", "W") for at in range(108)))
    names = (
        "Wwwwwwwwwwwwwwwwwwww",
        "HHHHHHHHHHHHHHHHHHHH",
        "iiii",
        "Иванов Иван Иванович",
        "a" * 20,
        "⚙" * 20,
    )
    places = [Place(rank, name, "$123,456") for rank, name in enumerate(names, start=1)]
    drawn = picture("Wwwww " * 20, "rules " * 20, board, places, "")
    assert all(box.x >= 0 and box.x + box.width <= WIDTH for box in drawn.boxes)
    assert all(box.y >= 0 and box.y + box.height <= HEIGHT for box in drawn.boxes)
    assert all(0 < label.y <= HEIGHT for label in drawn.labels)
    from games.web.presenters.picture_png import _font

    started = [label for label in drawn.labels if label.anchor == "start"]
    assert max(label.x + _font(label.size).getlength(label.text) for label in started) <= WIDTH
    assert png(drawn)


def test_other_rule_system_has_a_picture_too(alice: User, bob: User) -> None:
    game = start_game(
        system="acquisition", preset="standard", host=alice, players=[alice, bob], options={}, skips=False
    )
    game = played_out(game)
    assert get(game, "picture", bob).status_code == get(game, "picture-png", bob).status_code == 200


# -- Readers -------------------------------------------------------------------------------------------


@BOTH
def test_running_game_has_no_picture(name: str, start: NewGame, alice: User, bob: User) -> None:
    game = played_out(start(alice, bob), moves=40)
    for user in (alice, None):
        assert get(game, name, user).status_code == 404
        assert head(game, user) == {}


@BOTH
@pytest.mark.parametrize("visibility", ["invited", "unlisted"])
def test_picture_of_a_private_game_is_for_its_players(
    name: str, visibility: str, over: Game, alice: User, bob: User, carol: User
) -> None:
    Game.objects.filter(pk=over.pk).update(visibility=visibility)
    for user in (alice, bob):
        answer = get(over, name, user)
        assert answer.status_code == 200
        assert answer["Cache-Control"] == "max-age=0, private"
    for stranger in (carol, None):
        assert get(over, name, stranger).status_code == 404
    for user in (alice, None):
        assert head(over, user) == head(over, user, "game-review") == {}
    # A stranger with the address may read the review, but gets no link to the picture.
    link = f'href="{reverse(name, args=[over.public_id]).replace(".png", ".svg")}"'
    assert link in get(over, "game-review", alice).content.decode()
    assert link not in get(over, "game-review", carol).content.decode()


def test_missing_check_of_the_reader_is_detected(
    over: Game, carol: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    Game.objects.filter(pk=over.pk).update(visibility="invited")
    monkeypatch.setattr(share_picture_views, "_is_for_everybody", lambda game: True)
    assert get(over, "picture", carol).status_code == 200


@BOTH
def test_deleted_game_and_practice_table_have_no_picture(
    name: str, over: Game, alice: User, bob: User
) -> None:
    Game.objects.filter(pk=over.pk).update(is_practice=True, visibility="invited", host=alice)
    assert get(over, name, bob).status_code == get(over, name).status_code == 404
    assert get(over, name, alice).status_code == 200
    assert head(over, alice) == {}
    Game.objects.filter(pk=over.pk).update(is_practice=False, visibility="public", deleted=timezone.now())
    assert get(over, name, alice).status_code == 404


# -- Link preview ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("page", ["game", "game-review"])
def test_public_game_has_a_link_preview_of_its_end(page: str, over: Game, settings: Any, alice: User) -> None:
    settings.SITE_URL = "https://club.example"
    for user in (alice, None):
        told = head(over, user, page)
        address = f"https://club.example/games/{over.public_id}/"
        assert told["og:url"] == address
        assert told["og:image"] == f"{address}picture.png"
        assert told["og:description"].startswith("1. ")
        assert "alice" in told["og:description"]
        assert "you" not in told["og:description"]
        assert told["twitter:card"] == "summary_large_image"


def test_game_without_a_result_names_its_players(start: NewGame, alice: User, bob: User) -> None:
    over = broken_off(start(alice, bob, terms={"visibility": "public"}))
    assert wording.ENDED_WITHOUT_RESULT in head(over)["og:description"]
    assert get(over, "picture-png").status_code == 200


# -- Caching ---------------------------------------------------------------------------------------------


@BOTH
def test_picture_of_a_final_result_is_kept_for_an_hour(name: str, over: Game) -> None:
    assert get(with_final_result(over), name)["Cache-Control"] == "max-age=3600, public"


@BOTH
def test_cached_picture_is_answered_with_304(name: str, over: Game, alice: User) -> None:
    answer = get(over, name)
    assert answer["Cache-Control"] == "max-age=0, public", "the game may be reopened"
    again = get(over, name, **{"If-None-Match": answer["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    User.objects.filter(pk=alice.pk).update(username="alicia")
    fresh = get(over, name, **{"If-None-Match": answer["ETag"]})
    assert fresh.status_code == 200
    assert fresh["ETag"] != answer["ETag"]


def test_picture_is_painted_once(over: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    cache.clear()
    painted = []
    monkeypatch.setattr(share_picture_views, "png", lambda shown: painted.append(shown) or png(shown))
    first = get(over, "picture-png").content
    assert get(over, "picture-png").content == first
    assert len(painted) == 1


def test_picture_takes_few_queries(over: Game) -> None:
    get(over, "picture")
    with CaptureQueriesContext(connection) as taken:
        get(over, "picture")
    assert len(taken) <= 8
