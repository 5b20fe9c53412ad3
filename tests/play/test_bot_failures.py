"""Failures of bots are recorded for staff."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts.models import User
from accounts.privacy.cleanup import delete_expired
from games.engine.bots.bot_levels import BOTS, Bot
from games.models import BotFailure, Game
from games.play.bots import bot_failures
from games.play.bots.bot_failures import record_lost_task
from games.play.bots.bot_moves import play_bot_move
from tests.support.bot_games import Broken, up_to_computer
from tests.support.games import NewGame, play_on

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(start: NewGame, alice: User) -> Game:
    return up_to_computer(start(alice, "random"))


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bot at the table fails."""
    monkeypatch.setitem(BOTS["acquire"], "random", Bot("Random", "fails in a test.", Broken().choose, None))


def noted(game: Game) -> list[tuple[Any, ...]]:
    return list(game.failures.order_by("pk").values_list("version", "seat", "level", "error", "times"))


def test_failing_level_is_recorded_though_the_stand_in_moves(game: Game, broken: None) -> None:
    assert play_bot_move(game.pk, game.version) is True
    assert noted(game) == [(game.version, game.seat_to_move, "random", "ZeroDivisionError", 1)]


def test_successful_move_leaves_no_record(game: Game) -> None:
    assert play_bot_move(game.pk, game.version) is True
    assert noted(game) == []


def test_game_whose_bot_cannot_be_asked_is_recorded_once_and_counted(game: Game) -> None:
    Game.objects.filter(pk=game.pk).update(state={"nonsense": "5C"})
    for _ in range(3):
        with pytest.raises(KeyError):
            play_bot_move(game.pk, game.version)
    assert noted(game) == [(game.version, game.seat_to_move, "", "KeyError", 3)]


def test_text_of_the_error_is_not_recorded(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    def tells_the_hand(seen: Any, *_: Any) -> Any:
        raise ValueError(f"I hold {seen.hand}")

    monkeypatch.setitem(BOTS["acquire"], "random", Bot("Random", "tells.", tells_the_hand, None))
    play_bot_move(game.pk, game.version)
    [row] = BotFailure.objects.values()
    assert "hold" not in str(row)


def test_lost_worker_is_recorded_unless_the_game_went_on(game: Game) -> None:
    record_lost_task(game.pk, game.version - 1)
    assert noted(game) == []
    record_lost_task(game.pk, game.version)
    assert noted(game) == [(game.version, game.seat_to_move, "random", bot_failures.LOST, 1)]


def test_failure_to_record_does_not_stop_the_move(
    game: Game, broken: None, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def full(*_: Any, **__: Any) -> None:
        raise OSError

    monkeypatch.setattr(BotFailure.objects, "create", full)
    assert play_bot_move(game.pk, game.version) is True
    assert "could not be noted" in caplog.text


def test_record_is_deleted_once_handled_or_after_a_month(
    start: NewGame, alice: User, game: Game, broken: None
) -> None:
    play_bot_move(game.pk, game.version)
    assert bot_failures.clear(game) == 1
    play_bot_move(game.pk, up_to_computer(play_on(game, 1)).version)
    now = timezone.now()
    assert delete_expired(now)["computer player failures"] == 0
    assert delete_expired(now + bot_failures.MAX_AGE + timedelta(minutes=1))["computer player failures"] == 1
    assert noted(game) == []
