"""All bots move on one schedule, so that the time of an answer reveals nothing."""

from collections.abc import Callable
from datetime import timedelta
from itertools import pairwise
from typing import Any

import pytest
from django.utils import timezone

from accounts.models import User
from games.engine.bots.bot_levels import BOTS
from games.models import Game
from games.play.bots import bot_schedule
from games.realtime import worker_queue
from tests.support.bot_games import Searching, level, up_to_computer
from tests.support.games import NewGame, play_on

NOW = timezone.now()
BY_MAIL, LIVE = Game(public_id="bymail", seconds_per_move=86400), Game(public_id="live", seconds_per_move=30)


@pytest.fixture(autouse=True)
def _natural(settings: Any) -> None:
    settings.BOT_DELAY_FACTOR = 1


def seconds(name: str, *, again: bool = False) -> tuple[float, float]:
    """Seconds after which a bot of this level moves, and begins to think."""
    due = bot_schedule.bot_due_at(BY_MAIL, NOW, again=again)
    return (due - NOW).total_seconds(), (
        bot_schedule.search_start("acquire", name, due) - NOW
    ).total_seconds()


def test_level_without_search_begins_when_the_move_is_due() -> None:
    assert seconds("medium") == (0.8, 0.8)
    assert seconds("medium", again=True) == (0.4, 0.4)


def test_short_search_ends_when_the_move_is_due(monkeypatch: pytest.MonkeyPatch) -> None:
    level(monkeypatch, Searching(0.2))
    assert seconds("random") == (0.8, pytest.approx(0.5))
    assert seconds("random", again=True) == (0.4, pytest.approx(0.1))


def test_long_search_begins_at_once_and_is_due_no_later(monkeypatch: pytest.MonkeyPatch) -> None:
    level(monkeypatch, Searching(3.0))
    due, begin = seconds("random")
    assert due == 0.8
    assert begin < 0


@pytest.mark.parametrize(
    ("took", "late"), [(-0.5, 0), (0, 0), (0.01, 1), (0.99, 1), (1, 1), (1.01, 2), (2.4, 3)]
)
def test_late_search_moves_whole_seconds_later(
    took: float, late: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise the time of the answer would reveal how long it had searched."""
    level(monkeypatch, Searching(3.0))
    done = NOW + timedelta(seconds=took)
    assert bot_schedule.lateness("acquire", "random", NOW, done).total_seconds() == late


def test_late_level_without_search_does_not_wait() -> None:
    assert not bot_schedule.lateness("acquire", "medium", NOW, NOW + timedelta(seconds=0.3))
    assert not bot_schedule.lateness("acquire", "retired", NOW, NOW + timedelta(seconds=0.3))


def test_delay_factor_applies_to_all_levels(settings: Any) -> None:
    settings.BOT_DELAY_FACTOR = 0
    assert seconds("medium") == (0, 0)
    assert not bot_schedule.lateness("acquire", "master", NOW, NOW + timedelta(seconds=0.3))


def live_delay(version: int, *, again: bool = False, public_id: str = "live") -> float:
    """Seconds after which a bot moves in a live game."""
    LIVE.version, LIVE.public_id = version, public_id
    return (bot_schedule.bot_due_at(LIVE, NOW, again=again) - NOW).total_seconds()


def test_bots_of_a_live_game_take_one_to_four_seconds_that_vary() -> None:
    delays = [live_delay(version) for version in range(300)]
    assert min(delays) >= 1
    assert max(delays) <= 4
    assert len(set(delays)) == 300
    # All of the range is used, and no delay tells the next one.
    assert (min(delays), max(delays)) == (pytest.approx(1, abs=0.1), pytest.approx(4, abs=0.1))
    assert 100 < sum(now < later for now, later in pairwise(delays)) < 200


def test_bot_that_goes_on_in_a_live_game_is_quicker() -> None:
    for version in range(20):
        assert live_delay(version, again=True) == pytest.approx(0.4 * live_delay(version))


def test_live_delay_depends_on_the_game_and_its_version_alone() -> None:
    """A delay drawn from a state or a search could tell of it."""
    LIVE.state, LIVE.seed = {"hands": "one"}, b"one"
    first = live_delay(7)
    LIVE.state, LIVE.seed = {"hands": "another"}, b"another"
    assert live_delay(7) == first
    assert live_delay(7, public_id="other") != first


def test_delay_factor_applies_to_live_games(settings: Any) -> None:
    usual = live_delay(3)
    settings.BOT_DELAY_FACTOR = 0.5
    assert live_delay(3) == pytest.approx(usual / 2)


@pytest.mark.django_db
def test_bot_of_a_live_game_is_due_by_the_live_schedule(start: NewGame, alice: User) -> None:
    game = up_to_computer(start(alice, "random", preset="course", terms={"pace": 30, "bank": 180}))
    assert game.bot_due_at - game.last_change_at >= timedelta(seconds=0.4)
    mail = up_to_computer(start(alice, "random", preset="course", terms={"pace": 86400}))
    assert mail.bot_due_at - mail.last_change_at <= bot_schedule.FIRST_MOVE_DELAY


def test_removed_level_moves_at_the_usual_pace() -> None:
    assert seconds("retired") == (0.8, 0.8)


@pytest.mark.django_db
def test_worker_is_asked_to_begin_before_the_move_is_due(
    start: NewGame,
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


def test_no_level_may_search_longer_than_its_task(settings: Any) -> None:
    limits = settings.CELERY_TASK_ANNOTATIONS["games.tasks.play_computer"]
    longest = max(bot.seconds or 0 for bot in BOTS["acquire"].values())
    assert 2 * longest < limits["soft_time_limit"] < limits["time_limit"]
