"""Ticks may be lost; moves may not."""

import asyncio
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from channels.layers import InMemoryChannelLayer, channel_layers
from django.utils import timezone

from accounts.models import User
from games.engine.rules.rule_errors import IllegalMove
from games.play.play_move import play_move
from games.realtime import best_effort, ticks, worker_queue
from games.realtime.best_effort import REDIS_BACKOFF_SECONDS
from tests.support.games import NewGame, play_on

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _listening(monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    settings.REDIS_URL = "redis://somewhere"
    monkeypatch.setattr(best_effort, "_silent_until", 0.0)


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[tuple[object, ...]]:
    calls: list[tuple[object, ...]] = []
    monkeypatch.setattr(ticks, "_tick", lambda groups, message: calls.append((*groups, message)))
    monkeypatch.setattr(
        worker_queue.current_app,
        "send_task",
        lambda name, args, countdown: calls.append((name, *args)),
        raising=False,
    )
    return calls


def test_move_sends_ticks_to_the_game_and_its_players(
    start: NewGame,
    alice: User,
    bob: User,
    sent: list[tuple[Any, ...]],
    django_capture_on_commit_callbacks: Callable[..., Any],
) -> None:
    game = start(alice, bob)
    with django_capture_on_commit_callbacks(execute=True):
        play_on(game, 1)
    ((*groups, message),) = sent
    assert groups[0] == f"game.{game.public_id}"
    assert set(groups[1:]) == {f"user.{alice.pk}", f"user.{bob.pk}"}
    assert message.pop("mark")
    assert message == {"type": "tick", "game": game.public_id, "version": 1}


def test_worker_is_asked_only_when_a_bot_is_to_move(
    start: NewGame,
    alice: User,
    sent: list[tuple[Any, ...]],
    django_capture_on_commit_callbacks: Callable[..., Any],
) -> None:
    game = start(alice, "random")
    for seed in range(12):
        sent.clear()
        with django_capture_on_commit_callbacks(execute=True):
            game = play_on(game, 1, seed)
        asked = [call for call in sent if call[0] == "games.tasks.play_computer"]
        computer = bool(game.seats.get(number=game.seat_to_move).bot_level)
        assert asked == ([("games.tasks.play_computer", game.pk, game.version)] if computer else [])


def test_rolled_back_move_sends_nothing(
    start: NewGame,
    alice: User,
    bob: User,
    sent: list[tuple[Any, ...]],
    django_capture_on_commit_callbacks: Callable[..., Any],
) -> None:
    game = start(alice, bob)
    with django_capture_on_commit_callbacks(execute=True), pytest.raises(IllegalMove):
        play_move(
            game_id=game.pk,
            number=1,
            seat=game.seat_to_move,
            text="buy nothing",
            by=game.seats.get(number=game.seat_to_move).user,
        )
    assert sent == []


def test_ticks_pause_for_a_while_after_redis_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    tries: list[str] = []

    def fail(groups: Any, message: Any) -> None:
        tries.append("tick")
        raise ConnectionError

    monkeypatch.setattr(ticks, "_tick", fail)
    now = 1000.0
    monkeypatch.setattr(best_effort.time, "monotonic", lambda: now)
    ticks.send_tick("abc", 1, [])
    assert worker_queue.request_bot_move(1, 1, timezone.now()) is False
    ticks.send_tick("abc", 2, [])
    assert len(tries) == 1
    now += REDIS_BACKOFF_SECONDS + 0.1
    ticks.send_tick("abc", 3, [])
    assert len(tries) == 2


def test_without_a_broker_no_worker_is_asked(settings: Any, sent: list[tuple[Any, ...]]) -> None:
    settings.REDIS_URL = ""
    assert worker_queue.request_bot_move(1, 1, timezone.now()) is False
    assert sent == []


@pytest.mark.parametrize("ahead, countdown", [(0.8, 0.8), (-30, 0.0)])
def test_bot_task_is_sent_with_its_delay(
    ahead: float, countdown: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    countdowns: list[float] = []
    monkeypatch.setattr(
        worker_queue.current_app,
        "send_task",
        lambda name, args, countdown: countdowns.append(countdown),
        raising=False,
    )
    assert worker_queue.request_bot_move(1, 1, timezone.now() + timedelta(seconds=ahead)) is True
    assert countdowns == [pytest.approx(countdown, abs=0.05)]


class Busy(InMemoryChannelLayer):
    """A layer on which another tick is already waiting for a silent Redis."""

    gave_up = False

    async def group_send(self, group: str, message: dict[str, Any]) -> None:
        try:
            await asyncio.sleep(5)
        except asyncio.CancelledError:
            self.gave_up = True
            raise


def test_tick_that_waits_behind_others_is_given_up(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.REDIS_TIMEOUT = 0.01
    layer = Busy()
    monkeypatch.setitem(channel_layers.backends, "default", layer)
    ticks.send_tick("agame", 1, [])
    assert layer.gave_up
