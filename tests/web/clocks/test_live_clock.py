"""The clocks of a live table."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from games.models import Game
from games.web.clocks.live_clock import LiveClock, live_clock
from tests.support.clients import client_of
from tests.support.games import NewGame

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(clock: Any, start: NewGame, alice: User, bob: User) -> Game:
    """A live game in which alice decides, and a computer has a seat."""
    return start(alice, bob, "random", preset="course", terms={"pace": 30, "bank": 180, "cap": 180})


def shown(game: Game) -> LiveClock:
    found = live_clock(Game.objects.get(pk=game.pk), list(game.seats.order_by("number")))
    assert found is not None
    return found


def test_clock_of_the_player_to_move_runs(clock: Any, game: Game) -> None:
    clock.shift(timedelta(seconds=47))
    assert shown(game).shown == ("2:13", "3:00", "")
    assert shown(game).ends == round(Game.objects.get(pk=game.pk).deadline.timestamp() * 1000)


def test_last_ten_seconds_are_low(clock: Any, game: Game) -> None:
    clock.shift(timedelta(seconds=169))
    assert not shown(game).low
    clock.shift(timedelta(seconds=1))
    assert shown(game).low


def test_clock_that_is_over_shows_zero(clock: Any, game: Game) -> None:
    clock.shift(timedelta(seconds=181))
    assert shown(game).shown[0] == "0:00"


def test_stopped_clock_does_not_run(game: Game) -> None:
    Game.objects.filter(pk=game.pk).update(deadline=None, time_left=timedelta(seconds=75))
    assert (shown(game).shown[0], shown(game).ends) == ("1:15", None)


def test_game_by_mail_has_no_live_clock(start: NewGame, alice: User, bob: User) -> None:
    game = start(alice, bob, preset="course", terms={"pace": 86400})
    assert live_clock(Game.objects.get(pk=game.pk), list(game.seats.all())) is None


def test_only_live_tables_load_the_script(game: Game, start: NewGame, alice: User, bob: User) -> None:
    mail = start(alice, bob, preset="course", terms={"pace": 86400})
    pages = [client_of(alice).get(one.get_absolute_url()).content.decode() for one in (game, mail)]
    assert ["live_clock.js" in page for page in pages] == [True, False]
    assert ["data-clock-ends" in page for page in pages] == [True, False]


def test_server_tells_its_time(clock: Any, client: Client) -> None:
    answer = client.get(reverse("server-time"))
    assert re.fullmatch(r"\d{13}", answer.content.decode())
    assert int(answer.content) == round(timezone.now().timestamp() * 1000)
    assert "no-store" in answer["Cache-Control"]
