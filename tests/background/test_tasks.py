"""Tasks of workers, also when delivered again."""

import pytest

from games import tasks
from games.play.bots import bot_failures, bot_moves

pytestmark = pytest.mark.django_db


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, ...]]:
    """The bot moves requested; every move succeeds."""
    calls: list[tuple[int, ...]] = []

    def play_computer(game_id: int, version: int, *, quickly: bool) -> bool:
        calls.append((game_id, version, quickly))
        return True

    monkeypatch.setattr(bot_moves, "play_bot_move", play_computer)
    monkeypatch.setattr(bot_moves, "has_begun_search", lambda *move: True)
    monkeypatch.setattr(bot_failures, "record_lost_task", lambda *lost: calls.append(lost))
    return calls


def run(**delivery_info: object) -> None:
    """Play move 8 of game 7 as a worker that got it with this delivery information."""
    tasks.play_computer.push_request(delivery_info=delivery_info)  # type: ignore[call-arg]
    try:
        tasks.play_computer(7, 7)
    finally:
        tasks.play_computer.pop_request()


def test_first_delivery_is_played_without_hurry(
    played: list[tuple[int, ...]], caplog: pytest.LogCaptureFixture
) -> None:
    run(redelivered=False)
    assert played == [(7, 7, False)]
    assert caplog.text == ""


def test_redelivered_move_whose_search_had_begun_is_decided_quickly(
    played: list[tuple[int, ...]], caplog: pytest.LogCaptureFixture
) -> None:
    run(redelivered=True)
    assert played == [(7, 7), (7, 7, True)]  # the lost worker is recorded first
    assert "Move 8 of game 7 came back" in caplog.text


def test_redelivered_move_that_only_waited_is_played_without_hurry(
    played: list[tuple[int, ...]], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(bot_moves, "has_begun_search", lambda *move: False)
    run(redelivered=True)
    assert played == [(7, 7, False)]
    assert caplog.text == ""


def test_outdated_move_is_not_logged(
    played: list[tuple[int, ...]], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(bot_moves, "play_bot_move", lambda *_, **__: False)
    run(redelivered=True)
    assert caplog.text == ""
