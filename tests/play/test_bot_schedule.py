"""When computers move: on one schedule for all, so that the time of an answer tells nothing."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts.models import User
from games.engine.bots.bot_levels import BOTS
from games.models import Game
from games.play.bots import bot_schedule
from games.realtime import worker_queue
from tests.support.bot_games import Searching, level, up_to_computer
from tests.support.games import play_on

NOW = timezone.now()


@pytest.fixture(autouse=True)
def _natural(settings: Any) -> None:
    settings.BOT_DELAY_FACTOR = 1


def seconds(name: str, *, again: bool = False) -> tuple[float, float]:
    """After how many seconds a computer of this level moves, and begins to think."""
    due = bot_schedule.bot_due_at(NOW, again=again)
    return (due - NOW).total_seconds(), (
        bot_schedule.search_start("acquire", name, due) - NOW
    ).total_seconds()


def test_who_does_not_search_begins_when_the_move_is_due() -> None:
    assert seconds("medium") == (0.8, 0.8)
    assert seconds("medium", again=True) == (0.4, 0.4)


def test_a_short_search_is_over_when_the_move_is_due(monkeypatch: pytest.MonkeyPatch) -> None:
    level(monkeypatch, Searching(0.2))
    assert seconds("random") == (0.8, pytest.approx(0.5))
    assert seconds("random", again=True) == (0.4, pytest.approx(0.1))


def test_who_may_search_for_long_begins_at_once_and_is_expected_no_later(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    level(monkeypatch, Searching(3.0))
    due, begin = seconds("random")
    assert due == 0.8
    assert begin < 0


@pytest.mark.parametrize(
    ("took", "late"), [(-0.5, 0), (0, 0), (0.01, 1), (0.99, 1), (1, 1), (1.01, 2), (2.4, 3)]
)
def test_a_search_that_is_late_moves_whole_seconds_later(
    took: float, late: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else the time of the answer would tell how long it had searched."""
    level(monkeypatch, Searching(3.0))
    done = NOW + timedelta(seconds=took)
    assert bot_schedule.lateness("acquire", "random", NOW, done).total_seconds() == late


def test_who_does_not_search_does_not_wait_when_it_is_late() -> None:
    assert not bot_schedule.lateness("acquire", "medium", NOW, NOW + timedelta(seconds=0.3))
    assert not bot_schedule.lateness("acquire", "retired", NOW, NOW + timedelta(seconds=0.3))


def test_the_pace_can_be_changed_for_all(settings: Any) -> None:
    settings.BOT_DELAY_FACTOR = 0
    assert seconds("medium") == (0, 0)
    assert not bot_schedule.lateness("acquire", "master", NOW, NOW + timedelta(seconds=0.3))


def test_a_level_that_the_site_does_not_have_any_more_moves_at_the_usual_pace() -> None:
    assert seconds("retired") == (0.8, 0.8)


@pytest.mark.django_db
def test_a_worker_is_asked_to_begin_before_the_move_is_due(
    start: Callable[..., Game],
    alice: User,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: Callable[..., Any],
) -> None:
    asked: list[tuple[object, ...]] = []
    monkeypatch.setattr(worker_queue, "request_bot_move", lambda *begin: asked.append(begin))
    level(monkeypatch, Searching(0.2))
    game = up_to_computer(start(alice, "random", "random"))
    with django_capture_on_commit_callbacks(execute=True):
        game = up_to_computer(play_on(game, 1))
    assert asked[-1] == (game.pk, game.version, game.bot_due_at - timedelta(seconds=0.3))


def test_no_level_may_search_for_longer_than_its_task(settings: Any) -> None:
    limits = settings.CELERY_TASK_ANNOTATIONS["games.tasks.play_computer"]
    longest = max(bot.seconds or 0 for bot in BOTS["acquire"].values())
    assert 2 * longest < limits["soft_time_limit"] < limits["time_limit"]
