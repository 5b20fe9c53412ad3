"""Computer opponents at the table."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts.models import User
from games import services
from games.bots import BOTS
from games.models import Game
from games.rules import acquire
from games.services import computers

from .conftest import play_on

pytestmark = pytest.mark.django_db


@dataclass
class Watched:
    """A computer opponent that notes what it was given."""

    given: list[Any] = field(default_factory=list)

    def choose(self, seen: Any, legal: Any, rng: Any) -> Any:
        self.given.append(seen)
        return legal[0]


@dataclass
class Broken:
    """A computer opponent with a fault."""

    def choose(self, seen: Any, legal: Any, rng: Any) -> Any:
        raise ZeroDivisionError


def up_to_computer(game: Game) -> Game:
    while not game.seats.get(number=game.decider).computer:
        game = play_on(game, 1, game.version)
    return game


@pytest.fixture
def game(start: Callable[..., Game], alice: User) -> Game:
    return up_to_computer(start(alice, "random"))


def level(monkeypatch: pytest.MonkeyPatch, bot: object) -> None:
    monkeypatch.setitem(BOTS["acquire"], "random", bot)


def test_a_computer_moves_once_for_each_version(game: Game) -> None:
    assert services.play_computer(game.pk, game.version) is True
    assert services.play_computer(game.pk, game.version) is False
    assert game.moves.last().author == "computer"


def test_a_computer_does_not_move_for_a_person(start: Callable[..., Game], alice: User, bob: User) -> None:
    game = start(alice, bob)
    assert services.play_computer(game.pk, game.version) is False


def test_a_computer_is_given_an_observation_of_its_own_seat(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    watched = Watched()
    level(monkeypatch, watched)
    services.play_computer(game.pk, game.version)
    (seen,) = watched.given
    assert isinstance(seen, acquire.Observation)
    assert seen.seat == game.decider


def test_with_hidden_holdings_a_computer_remembers_what_was_public(
    start: Callable[..., Game], alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    watched = Watched()
    level(monkeypatch, watched)
    game = up_to_computer(start(alice, "random", holdings="hidden"))
    services.play_computer(game.pk, game.version)
    (seen,) = watched.given
    assert None in seen.cash
    assert seen.memory.cash == (6000, 6000)


def test_a_computer_that_fails_makes_some_legal_move(
    game: Game, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    level(monkeypatch, Broken())
    assert services.play_computer(game.pk, game.version) is True
    assert "failed in game" in caplog.text


def test_the_fault_of_a_computer_is_logged_without_its_hand(
    game: Game, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    level(monkeypatch, Broken())
    services.play_computer(game.pk, game.version)
    assert "hand=" not in caplog.text


def test_a_move_does_not_come_before_it_is_due(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []
    monkeypatch.setattr(computers.time, "sleep", slept.append)
    Game.objects.filter(pk=game.pk).update(due=timezone.now() + timedelta(seconds=0.8))
    services.play_computer(game.pk, game.version)
    assert slept[0] == pytest.approx(0.8, abs=0.2)


def test_thinking_takes_nothing_on_top_of_the_pace(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []
    monkeypatch.setattr(computers.time, "sleep", slept.append)
    Game.objects.filter(pk=game.pk).update(due=timezone.now() - timedelta(seconds=2))
    services.play_computer(game.pk, game.version)
    assert slept == [0]
