"""Cursors of pages lead on from their place, and tell nobody the time that they hold."""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games import keyset_page
from games.keyset_page import EPOCH, after_cursor, next_cursor
from games.models import Game

pytestmark = pytest.mark.django_db

NOON = datetime(2031, 5, 17, 12, 0, 17, 123456, tzinfo=UTC)
RUNNING = "/api/v1/games?status=running&limit=1"


@pytest.fixture
def games(start: Callable[..., Game], alice: User, bob: User) -> list[Game]:
    """Three running games, the latest move first."""
    games = [start(alice, bob, terms={"visibility": "public"}) for _ in range(3)]
    for number, game in enumerate(games):
        Game.objects.filter(pk=game.pk).update(last_change_at=NOON - timedelta(seconds=number))
    return games


def ids(path: str) -> list[str]:
    return [game["id"] for game in Client().get(path).json()["games"]]


def following(path: str) -> str:
    return str(Client().get(path).json()["next"])


def micros(moment: datetime) -> int:
    return (moment - EPOCH) // timedelta(microseconds=1)


def test_pages_of_the_api_follow_each_other(games: list[Game]) -> None:
    found, after = [], ""
    while after != "None":
        found += ids(f"{RUNNING}&after={after}")
        after = following(f"{RUNNING}&after={after}")
    assert found == [game.public_id for game in games]


def cursor_tells_no_time(games: list[Game]) -> None:
    cursor = following(RUNNING)
    assert not re.search(r"\d{10}", cursor)
    # By cursors of their own making readers would find out the time, in steps.
    for moment in (NOON - timedelta(seconds=1), NOON + timedelta(seconds=1), timezone.now()):
        assert ids(f"{RUNNING}&after={micros(moment)}-0") == ids(RUNNING)


def test_cursor_tells_no_time_and_cannot_be_chosen(games: list[Game]) -> None:
    cursor_tells_no_time(games)


def test_cursor_of_one_place_differs_each_time(games: list[Game]) -> None:
    first, second = following(RUNNING), following(RUNNING)
    assert first != second
    assert ids(f"{RUNNING}&after={first}") == ids(f"{RUNNING}&after={second}")


def test_readable_cursor_would_be_noticed(games: list[Game], monkeypatch: pytest.MonkeyPatch) -> None:
    """The twin: the time and the key as they are."""
    monkeypatch.setattr(keyset_page, "_encrypt", lambda text: text)
    monkeypatch.setattr(keyset_page, "_decrypt", lambda cursor: cursor)
    with pytest.raises(AssertionError):
        cursor_tells_no_time(games)


@pytest.mark.parametrize("cursor", ["", "x", "é", "====", "1-2", "AAAAAAAAAAAAAAAAAAAAAAAAAAAA", "\0"])
def test_unknown_cursor_leads_to_the_first_page(cursor: str, games: list[Game]) -> None:
    rows = Game.objects.order_by("-last_change_at", "-pk")
    assert list(after_cursor(rows, "last_change_at", "pk", cursor)) == games


def test_cursor_of_another_key_leads_to_the_first_page(games: list[Game], settings: object) -> None:
    cursor = next_cursor([(game.pk, NOON) for game in games], 1)
    settings.SECRET_KEY = "another secret key"  # type: ignore[attr-defined]
    rows = Game.objects.order_by("-last_change_at", "-pk")
    assert list(after_cursor(rows, "last_change_at", "pk", cursor)) == games
