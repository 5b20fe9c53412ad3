"""The sweeper: overdue bot moves, failures, and the command."""

from datetime import timedelta
from threading import Event

import pytest
from django.core.management import call_command
from django.utils import timezone

from accounts.models import User
from games import sweeper
from games.lobby import live_queue
from games.models import Game
from games.play.bots import bot_moves
from games.play.bots.bot_moves import play_bot_move
from games.realtime import worker_queue
from tests.support.bot_games import Searching, up_to_computer
from tests.support.games import NewGame

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(start: NewGame, alice: User) -> Game:
    return up_to_computer(start(alice, "random"))


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int]]:
    """Games and versions that workers were asked to play, while the broker takes every message."""
    calls: list[tuple[int, int]] = []

    def ask_computer(game_id: int, version: int, due: object) -> bool:
        calls.append((game_id, version))
        return True

    monkeypatch.setattr(worker_queue, "request_bot_move", ask_computer)
    return calls


def overdue(game: Game, seconds: float) -> None:
    Game.objects.filter(pk=game.pk).update(bot_due_at=timezone.now() - timedelta(seconds=seconds))


def check_sweeper_plays(game: Game) -> None:
    version = game.version
    sweeper.sweep()
    game.refresh_from_db()
    assert game.version == version + 1


def test_move_in_time_is_left_alone(game: Game, asked: list[tuple[int, int]]) -> None:
    assert sweeper.sweep() == 0
    assert asked == []


def test_overdue_move_is_requested_again(game: Game, asked: list[tuple[int, int]]) -> None:
    overdue(game, 6)
    assert sweeper.sweep() == 1
    assert asked == [(game.pk, game.version)]


def test_long_overdue_move_is_made_by_sweeper(game: Game, asked: list[tuple[int, int]]) -> None:
    overdue(game, 30)
    check_sweeper_plays(game)
    assert asked == []


def test_sweeper_plays_without_broker(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_queue, "request_bot_move", lambda *_: False)
    overdue(game, 6)
    check_sweeper_plays(game)


def test_sweeper_does_not_search(game: Game, monkeypatch: pytest.MonkeyPatch, searching: Searching) -> None:
    """Deadlines and mail would have to wait."""
    monkeypatch.setattr(worker_queue, "request_bot_move", lambda *_: False)
    overdue(game, 6)
    check_sweeper_plays(game)
    assert searching.times == []


def test_search_may_wait_longer_for_worker(
    game: Game, asked: list[tuple[int, int]], searching: Searching
) -> None:
    overdue(game, 50)
    sweeper.sweep()
    assert asked == [(game.pk, game.version)]
    overdue(game, 70)
    check_sweeper_plays(game)


def test_failing_game_does_not_stop_others(
    start: NewGame, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken, sound = (up_to_computer(start(alice, "random")) for _ in range(2))
    overdue(broken, 60)
    overdue(sound, 50)
    play_computer = play_bot_move

    def play(game_id: int, version: int, *, quickly: bool) -> bool:
        if game_id == broken.pk:
            raise RuntimeError
        return play_computer(game_id, version, quickly=quickly)

    monkeypatch.setattr(bot_moves, "play_bot_move", play)
    assert sweeper.sweep() == 2
    version = sound.version
    sound.refresh_from_db()
    assert sound.version == version + 1


def test_failing_match_does_not_keep_those_in_the_queue_who_have_gone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail() -> None:
        raise RuntimeError

    rounds: list[object] = []
    monkeypatch.setattr(live_queue, "match", fail)
    monkeypatch.setattr(live_queue, "take_out_gone", rounds.append)
    sweeper.sweep()
    assert len(rounds) == 1


def test_failing_round_does_not_end_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    stop, rounds = Event(), []

    def sweep() -> int:
        rounds.append(1)
        if len(rounds) == 3:
            stop.set()
        raise RuntimeError

    monkeypatch.setattr(sweeper, "sweep", sweep)
    monkeypatch.setattr(sweeper, "ROUND_SECONDS", 0)
    monkeypatch.setattr(sweeper, "close_old_connections", lambda: None)
    sweeper.sweep_forever(stop)
    assert len(rounds) == 3


def test_command_runs_one_round(game: Game, capsys: pytest.CaptureFixture[str]) -> None:
    overdue(game, 60)
    call_command("sweep")
    assert capsys.readouterr().out == "1 overdue moves\n"
