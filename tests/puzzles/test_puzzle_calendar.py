"""Every day has a puzzle, whatever happens to the game it came from."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.core.cache import cache

from accounts.models import User
from games import sweeper
from games.models import Game, Puzzle
from games.puzzles import puzzle_calendar, shown_puzzles
from games.realtime import worker_queue
from tests.puzzles.made_puzzles import game_source, make_puzzle
from tests.support.games import NewGame, play_to_the_end

pytestmark = pytest.mark.django_db

LONG_AGO = datetime(2026, 1, 1, tzinfo=UTC)

DAY = timedelta(days=1)


@pytest.fixture(autouse=True)
def asked(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Times at which workers were asked to look for puzzles; the broker takes every message."""
    calls: list[bool] = []
    monkeypatch.setattr(worker_queue, "request_puzzles", lambda: calls.append(True) or True)
    cache.delete(puzzle_calendar._ASKED)
    return calls


@pytest.fixture
def public(start: NewGame, alice: User, bob: User) -> Game:
    return play_to_the_end(start(alice, bob, terms={"visibility": "public"}))


def test_workers_are_asked_at_intervals_while_puzzles_are_missing(asked: list[bool]) -> None:
    for _ in range(5):
        puzzle_calendar.maintain_puzzles()
    assert len(asked) == 1
    cache.delete(puzzle_calendar._ASKED)
    puzzle_calendar.maintain_puzzles()
    assert len(asked) == 2


def test_workers_are_not_asked_while_the_stock_is_full(asked: list[bool], settings: Any) -> None:
    settings.PUZZLE_DAYS_AHEAD = 2
    for number in range(2):
        make_puzzle(day=puzzle_calendar.today() + number * DAY)
    puzzle_calendar.maintain_puzzles()
    assert not asked


def test_failed_request_is_repeated_in_the_next_round(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []
    monkeypatch.setattr(worker_queue, "request_puzzles", lambda: bool(calls.append(1)))
    puzzle_calendar.maintain_puzzles()
    puzzle_calendar.maintain_puzzles()
    assert len(calls) == 2


def test_first_free_day_is_today_or_the_first_gap() -> None:
    today = puzzle_calendar.today()
    assert puzzle_calendar.first_free_day() == today
    for number in (0, 1, 3):
        make_puzzle(day=today + number * DAY)
    assert puzzle_calendar.first_free_day() == today + 2 * DAY


@pytest.mark.parametrize(
    "change", [{"deleted": LONG_AGO}, {"visibility": "unlisted"}, {"visibility": "invited"}], ids=str
)
def test_puzzle_of_a_hidden_game_is_replaced(public: Game, change: dict[str, Any]) -> None:
    today = puzzle_calendar.today()
    gone = make_puzzle(game_source(public), today)
    others = [make_puzzle(day=today + number * DAY) for number in (1, 2, 3)]
    puzzle_calendar.maintain_puzzles()
    assert shown_puzzles.visible_puzzles().get(day=today) == gone
    Game.all_games.filter(pk=public.pk).update(**change)
    assert not shown_puzzles.visible_puzzles().filter(day=today).exists()
    puzzle_calendar.maintain_puzzles()
    gone.refresh_from_db()
    assert gone.day is None
    # The last of the stock comes first now, and the days between keep theirs.
    assert shown_puzzles.visible_puzzles().get(day=today) == others[2]
    assert shown_puzzles.visible_puzzles().get(day=today + DAY) == others[0]


def test_future_puzzle_of_a_hidden_game_is_removed(public: Game) -> None:
    today = puzzle_calendar.today()
    make_puzzle(day=today)
    gone = make_puzzle(game_source(public), today + DAY)
    Game.all_games.filter(pk=public.pk).update(deleted=LONG_AGO)
    puzzle_calendar.maintain_puzzles()
    gone.refresh_from_db()
    assert gone.day is None
    assert puzzle_calendar.first_free_day() == today + DAY


def test_sweeper_replaces_puzzles_and_survives_a_failure(
    asked: list[bool], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    sweeper.sweep()
    assert asked
    monkeypatch.setattr(puzzle_calendar, "maintain_puzzles", lambda: 1 / 0)
    sweeper.sweep()
    assert "The puzzles could not be maintained" in caplog.text


def test_puzzle_moved_to_today_by_two_processes_moves_once(public: Game) -> None:
    today = puzzle_calendar.today()
    one, other = make_puzzle(day=today + DAY), make_puzzle(day=today + 2 * DAY)
    puzzle_calendar._move(one.pk, today)
    puzzle_calendar._move(other.pk, today)
    assert Puzzle.objects.get(day=today) == one
    other.refresh_from_db()
    assert other.day == today + 2 * DAY
