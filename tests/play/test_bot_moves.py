"""Bots at the table."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import pytest
from celery.exceptions import SoftTimeLimitExceeded
from django.core.cache import cache
from django.utils import timezone

from accounts.models import User
from games.engine.bots.thinking_time import ThinkingTime, no_time_limit
from games.engine.rules.acquire import rule_system as acquire
from games.models import Game
from games.play.bots import bot_moves
from games.play.bots.bot_moves import play_bot_move
from games.play.seats.seat_handover import STAND_IN_LEVEL
from games.realtime import worker_queue
from tests.support.bot_games import Broken, Searching, level, up_to_computer
from tests.support.games import NewGame, play_on

pytestmark = pytest.mark.django_db


@dataclass
class Watched:
    """A bot that notes what it was given."""

    given: list[Any] = field(default_factory=list)

    def choose(self, seen: Any, legal: Any, rng: Any, out_of_time: Any) -> Any:
        self.given.append(seen)
        return legal[0]


@pytest.fixture
def game(start: NewGame, alice: User) -> Game:
    return up_to_computer(start(alice, "random"))


def test_bot_moves_once_for_each_version(game: Game) -> None:
    assert play_bot_move(game.pk, game.version) is True
    assert play_bot_move(game.pk, game.version) is False
    assert game.moves.last().author == "computer"


def test_bot_does_not_move_for_a_person(start: NewGame, alice: User, bob: User) -> None:
    game = start(alice, bob)
    assert play_bot_move(game.pk, game.version) is False


def test_bot_is_given_an_observation_of_its_own_seat(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    watched = Watched()
    level(monkeypatch, watched)
    play_bot_move(game.pk, game.version)
    (seen,) = watched.given
    assert isinstance(seen, acquire.Observation)
    assert seen.seat == game.seat_to_move


def test_bot_with_hidden_holdings_remembers_public_facts(
    start: NewGame, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    watched = Watched()
    level(monkeypatch, watched)
    game = up_to_computer(start(alice, "random", holdings="hidden"))
    play_bot_move(game.pk, game.version)
    (seen,) = watched.given
    assert None in seen.cash
    assert seen.memory.cash == (6000, 6000)


# -- Time --------------------------------------------------------------------------------------------


def test_search_is_given_its_time_limit(game: Game, searching: Searching) -> None:
    play_bot_move(game.pk, game.version)
    (out_of_time,) = searching.times
    assert isinstance(out_of_time, ThinkingTime)
    assert not out_of_time.struck


def test_time_limit_ends_when_its_seconds_are_over(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    bot = Searching(seconds=1e-9)
    level(monkeypatch, bot)
    play_bot_move(game.pk, game.version)
    assert bot.times[0]()


def test_level_without_search_has_no_time_limit(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    bot = Searching(seconds=None)
    level(monkeypatch, bot)
    play_bot_move(game.pk, game.version)
    assert bot.times == [no_time_limit]


@pytest.mark.parametrize("quickly, searches", [(False, 1), (True, 0)])
def test_quick_move_of_a_searching_level_is_left_to_the_stand_in(
    quickly: bool, searches: int, game: Game, searching: Searching
) -> None:
    assert play_bot_move(game.pk, game.version, quickly=quickly) is True
    assert len(searching.times) == searches


class Ending(Searching):
    """A search during which the worker ends."""

    def choose(self, seen: Any, legal: Any, rng: Any, out_of_time: Any) -> Any:
        raise SystemExit


def test_search_that_is_cut_short_is_known_to_have_begun(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    level(monkeypatch, Ending())
    assert not bot_moves.has_begun_search(game.pk, game.version)
    with pytest.raises(SystemExit):
        play_bot_move(game.pk, game.version)
    assert bot_moves.has_begun_search(game.pk, game.version)


def test_quick_move_of_a_level_without_search_is_its_own(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    watched = Watched()
    level(monkeypatch, watched)
    play_bot_move(game.pk, game.version, quickly=True)
    assert len(watched.given) == 1


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[object, ...]]:
    """Requests to workers: game, version and time."""
    calls: list[tuple[object, ...]] = []

    def ask_computer(*begin: object) -> bool:
        calls.append(begin)
        return True

    monkeypatch.setattr(worker_queue, "request_bot_move", ask_computer)
    return calls


def due_in(game: Game, seconds: float) -> datetime:
    due = timezone.now() + timedelta(seconds=seconds)
    Game.objects.filter(pk=game.pk).update(bot_due_at=due)
    return due


def test_early_choice_is_kept_without_holding_a_worker(
    game: Game, searching: Searching, asked: list[tuple[object, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(bot_moves.time, "sleep")
    due = due_in(game, 60)
    assert play_bot_move(game.pk, game.version) is True
    assert asked == [(game.pk, game.version, due)]
    assert game.moves.count() == game.version


@pytest.mark.parametrize("quickly", [False, True])
def test_kept_move_is_made_when_due_without_a_new_search(
    quickly: bool, game: Game, searching: Searching, asked: list[tuple[object, ...]]
) -> None:
    due_in(game, 60)
    play_bot_move(game.pk, game.version)
    due_in(game, 0)
    assert play_bot_move(game.pk, game.version, quickly=quickly) is True
    assert len(asked) == len(searching.times) == 1
    assert game.moves.get(number=game.version + 1).text == searching.chosen


def test_lost_kept_move_is_chosen_again(
    game: Game, searching: Searching, asked: list[tuple[object, ...]]
) -> None:
    due_in(game, 60)
    play_bot_move(game.pk, game.version)
    cache.clear()
    due_in(game, 0)
    assert play_bot_move(game.pk, game.version) is True
    assert len(searching.times) == 2
    assert game.moves.count() == game.version + 1


def test_late_choice_is_put_off_by_whole_seconds_without_holding_a_worker(
    game: Game,
    searching: Searching,
    asked: list[tuple[object, ...]],
    monkeypatch: pytest.MonkeyPatch,
    settings: Any,
) -> None:
    settings.BOT_DELAY_FACTOR = 1
    monkeypatch.delattr(bot_moves.time, "sleep")
    due = due_in(game, -1.3)
    assert play_bot_move(game.pk, game.version) is True
    moment = due + timedelta(seconds=2)
    assert asked == [(game.pk, game.version, moment)]
    assert game.moves.count() == game.version
    # Then it is made, not put off again.
    slept: list[float] = []
    monkeypatch.setattr(bot_moves.time, "sleep", slept.append, raising=False)
    monkeypatch.setattr(bot_moves.timezone, "now", lambda: moment + timedelta(seconds=0.01))
    assert play_bot_move(game.pk, game.version) is True
    assert (len(asked), len(searching.times), slept) == (1, 1, [0])
    assert game.moves.get(number=game.version + 1).text == searching.chosen


def test_kept_move_belongs_to_one_version_of_one_game(
    start: NewGame, alice: User, searching: Searching, asked: list[tuple[object, ...]]
) -> None:
    def decide(game: Game) -> Game:
        due_in(game, 60)
        play_bot_move(game.pk, game.version)
        play_bot_move(game.pk, game.version)
        return game

    one = decide(up_to_computer(start(alice, "random", "random")))
    decide(up_to_computer(start(alice, "random", "random")))
    decide(up_to_computer(play_on(one, 1)))
    assert len(searching.times) == 3


# -- Failures ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("fault", [ZeroDivisionError, SoftTimeLimitExceeded])
def test_stand_in_decides_for_a_failing_or_interrupted_bot(
    fault: type[Exception], game: Game, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    stand_in = Watched()
    level(monkeypatch, Broken(fault))
    level(monkeypatch, stand_in, STAND_IN_LEVEL)
    assert play_bot_move(game.pk, game.version) is True
    assert len(stand_in.given) == 1
    assert f"The computer opponent random failed in game {game} at version {game.version}" in caplog.text


def test_some_legal_move_is_made_when_the_stand_in_fails_too(
    game: Game, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    level(monkeypatch, Broken())
    level(monkeypatch, Broken(), STAND_IN_LEVEL)
    assert play_bot_move(game.pk, game.version) is True
    assert len(caplog.records) == 2


def test_illegal_move_counts_as_a_failure(
    game: Game, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(Watched, "choose", lambda *_: acquire.parse_move("next tower"))
    level(monkeypatch, Watched())
    assert play_bot_move(game.pk, game.version) is True
    assert "failed in game" in caplog.text


def test_removed_level_counts_as_a_failure(game: Game) -> None:
    game.seats.exclude(bot_level="").update(bot_level="retired")
    assert play_bot_move(game.pk, game.version) is True


def test_failure_is_logged_without_the_hand(
    game: Game, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    level(monkeypatch, Broken())
    play_bot_move(game.pk, game.version)
    assert "hand=" not in caplog.text


def test_bot_does_not_move_before_it_is_due(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []
    monkeypatch.setattr(bot_moves.time, "sleep", slept.append)
    Game.objects.filter(pk=game.pk).update(bot_due_at=timezone.now() + timedelta(seconds=0.8))
    play_bot_move(game.pk, game.version)
    assert slept[0] == pytest.approx(0.8, abs=0.2)


def test_thinking_time_is_part_of_the_delay(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []
    monkeypatch.setattr(bot_moves.time, "sleep", slept.append)
    Game.objects.filter(pk=game.pk).update(bot_due_at=timezone.now() - timedelta(seconds=2))
    play_bot_move(game.pk, game.version)
    assert slept == [0]
