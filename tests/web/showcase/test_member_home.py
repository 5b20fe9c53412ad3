"""The home of members and guests."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games.models import Game, PuzzleAnswer
from games.puzzles.puzzle_calendar import today
from tests.puzzles.made_puzzles import make_puzzle
from tests.support.clients import client_of
from tests.support.games import NewGame, play_to_the_end, play_until_asked
from tests.support.htmx import HTMX
from tests.support.reviewed_games import make_mistake

pytestmark = pytest.mark.django_db


def home(user: User, **headers: Any) -> str:
    return client_of(user).get("/", **headers).content.decode()


def title_of(page: str) -> str:
    found = re.search("<title>(.*?)</title>", page, re.DOTALL)
    assert found is not None
    return " ".join(found[1].split())


def test_title_tells_how_many_games_wait(start: NewGame, alice: User, bob: User) -> None:
    assert title_of(home(alice)) == "Acquire"
    play_until_asked(start(alice, bob), alice)
    assert title_of(home(alice)) == title_of(home(alice, **HTMX)) == "1 game waits for you · Acquire"
    play_until_asked(start(alice, bob), alice)
    assert title_of(home(alice)) == "2 games wait for you · Acquire"


def test_mistakes_to_retry_now_are_told(start: NewGame, alice: User, bob: User) -> None:
    game: Game = play_to_the_end(start(alice, bob))
    assert "You can retry" not in home(alice)
    make_mistake(game, alice)
    page = home(alice)
    assert "You can retry 1 mistake now" in page
    assert f'href="{reverse("retries")}"' in page.split("<aside")[1]


def test_streak_of_puzzles_is_told(alice: User) -> None:
    earlier = make_puzzle(day=today() - timedelta(days=1))
    make_puzzle()
    answer = PuzzleAnswer.objects.create(
        puzzle=earlier, user=alice, move="x", right=True, day=earlier.day, streak=1
    )
    assert "in a row" not in home(alice)
    PuzzleAnswer.objects.filter(pk=answer.pk).update(streak=6)
    assert "6 in a row" in home(alice)
    # A day without an answer breaks it.
    before = today() - timedelta(days=2)
    PuzzleAnswer.objects.filter(pk=answer.pk).update(day=before)
    assert "in a row" not in home(alice)


def test_puzzle_of_the_day_leads_to_earlier_ones(client: Client, alice: User) -> None:
    cache.clear()
    archive = f'href="{reverse("puzzles")}"'
    assert archive in client.get(reverse("puzzle-today")).content.decode()
    make_puzzle()
    for page in (home(alice), client.get("/").content.decode()):
        assert archive in page
