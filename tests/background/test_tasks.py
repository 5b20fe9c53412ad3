"""Workers do what the services say, once more if they must."""

import pytest

from games import tasks
from games.play.bots import bot_failures, bot_moves

pytestmark = pytest.mark.django_db


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, ...]]:
    """What the service was asked to play; every move stands."""
    calls: list[tuple[int, ...]] = []

    def play_computer(game_id: int, version: int, *, quickly: bool) -> bool:
        calls.append((game_id, version, quickly))
        return True

    monkeypatch.setattr(bot_moves, "play_bot_move", play_computer)
    monkeypatch.setattr(bot_failures, "record_lost_task", lambda *lost: calls.append(lost))
    return calls


def run(**delivery_info: object) -> None:
    """Play move 8 of game 7 as a worker to whom it was delivered like this."""
    tasks.play_computer.push_request(delivery_info=delivery_info)  # type: ignore[call-arg]
    try:
        tasks.play_computer(7, 7)
    finally:
        tasks.play_computer.pop_request()


def test_a_computer_takes_its_time_at_first(
    played: list[tuple[int, ...]], caplog: pytest.LogCaptureFixture
) -> None:
    run(redelivered=False)
    assert played == [(7, 7, False)]
    assert caplog.text == ""


def test_what_comes_back_from_a_dead_worker_is_decided_quickly(
    played: list[tuple[int, ...]], caplog: pytest.LogCaptureFixture
) -> None:
    run(redelivered=True)
    assert played == [(7, 7), (7, 7, True)]  # it is noted that a worker was lost over it
    assert "Move 8 of game 7 came back" in caplog.text


def test_nothing_is_said_when_somebody_has_moved_meanwhile(
    played: list[tuple[int, ...]], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(bot_moves, "play_bot_move", lambda *_, **__: False)
    run(redelivered=True)
    assert caplog.text == ""
