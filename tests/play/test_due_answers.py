"""Orders and plans answer a little later: at their time, once, and never in the way of their player."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts.models import User
from games import sweeper, tasks
from games.models import Game, Kind, Notification, StandingOrder
from games.play.automation import answer_delay, automatic_moves, due_answers
from games.play.automation.due_answers import play_due_answer
from games.play.automation.planned_turns import play_turn, withdraw_plan
from games.play.automation.standing_orders import save_order
from games.realtime import worker_queue
from tests.engine.rules.acquire.acquire_positions import position
from tests.notifications.conftest import with_mailbox
from tests.support.games import put
from tests.support.merger_game import SEATED, TILE, before_a_merger, move
from tests.support.planned_turns import log_of, plan_of, play, who
from tests.support.timed_games import sweep

pytestmark = pytest.mark.django_db

DELAY = timedelta(seconds=4)
WHOLE = {"found": ["found tower"], "buy": ["buy 2 tower"]}
ANSWERED = [(1, "place 5A", "plan"), (1, "found tower", "plan"), (1, "buy 2 tower", "plan")]


@pytest.fixture(autouse=True)
def _delayed(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.ANSWER_DELAY_SECONDS = 4.0
    monkeypatch.setattr(answer_delay._random, "uniform", lambda low, high: 1.0)


@pytest.fixture
def game(start: Callable[..., Game], alice: User, bob: User, carol: User, clock: Any) -> Game:
    """Seat 1 has planned its turn, and seat 0 is asked before it."""
    game = start(alice, bob, carol, seating="joining")
    game = put(game, position({"lone": "4A"}, hands=("1I 2I", "5A 9I", "1C 2C"), turn=0))
    plan_of(game, 1, tile="5A", answers=WHOLE)
    return play(game, "place 1I")


@pytest.fixture
def waiting(game: Game) -> Game:
    """The plan is about to answer."""
    game = play(game, "buy nothing")
    assert game.answer_due_at == timezone.now() + DELAY
    return game


def later(game: Game) -> Game:
    return Game.with_secrets.get(pk=game.pk)


# -- In time -------------------------------------------------------------------------------------------


def test_a_plan_answers_at_its_time_and_once(waiting: Game, clock: Any) -> None:
    assert log_of(waiting)[2:] == []
    assert not play_due_answer(waiting.pk, timezone.now())
    clock.shift(DELAY)
    assert play_due_answer(waiting.pk, timezone.now())
    assert log_of(waiting)[2:] == ANSWERED
    assert not play_due_answer(waiting.pk, timezone.now())
    assert (later(waiting).answer_due_at, later(waiting).seat_to_move) == (None, 2)


def test_a_worker_is_asked_for_the_time_of_the_answer(
    game: Game, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Callable[..., Any]
) -> None:
    asked: list[Any] = []
    monkeypatch.setattr(worker_queue, "request_answer", lambda *what: asked.append(what))
    with django_capture_on_commit_callbacks(execute=True):
        play(game, "buy nothing")
    assert asked == [(game.pk, timezone.now() + DELAY)]


def test_the_task_plays_the_answer(waiting: Game, clock: Any) -> None:
    assert waiting.answer_due_at is not None
    tasks.play_answer(waiting.pk, waiting.answer_due_at.isoformat())
    assert log_of(waiting)[2:] == ANSWERED


def test_the_sweeper_plays_an_answer_that_no_worker_played(waiting: Game, clock: Any) -> None:
    sweep()
    assert log_of(waiting)[2:] == []
    clock.shift(DELAY)
    sweep()
    assert log_of(waiting)[2:] == ANSWERED


def test_an_answer_whose_worker_is_killed_is_played_by_the_sweeper(
    waiting: Game, clock: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The worker ends after the moves and before the commit."""

    def killed(game: Game) -> None:
        assert log_of(game)[2:] == ANSWERED
        raise KeyboardInterrupt

    clock.shift(DELAY)
    with monkeypatch.context() as worker, pytest.raises(KeyboardInterrupt):
        worker.setattr(due_answers, "complete_automatic_moves", killed)
        play_due_answer(waiting.pk, timezone.now())
    assert log_of(waiting)[2:] == []
    sweep()
    assert log_of(waiting)[2:] == ANSWERED


def test_an_answer_that_nobody_played_in_time_comes_before_the_timeout(
    start: Callable[..., Game], alice: User, bob: User, carol: User, clock: Any
) -> None:
    game = start(alice, bob, carol, seating="joining", terms={"pace": 3600})
    game = put(game, position({"lone": "4A"}, hands=("1I 2I", "5A 9I", "1C 2C"), turn=0))
    plan_of(game, 1, tile="5A", answers=WHOLE)
    game = play(game, "place 1I", "buy nothing")
    assert game.deadline is not None
    clock.move_to(game.deadline + timedelta(seconds=1))
    sweep()
    assert log_of(game)[2:] == ANSWERED


def test_the_sweeper_plays_on_after_an_answer_that_fails(
    waiting: Game, clock: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*args: Any) -> None:
        raise RuntimeError

    monkeypatch.setattr(due_answers, "play_due_answer", broken)
    clock.shift(DELAY)
    sweeper._play_due_answers()
    assert later(waiting).answer_due_at is not None


def test_an_order_answers_at_its_time(
    start: Callable[..., Game], alice: User, bob: User, carol: User, clock: Any
) -> None:
    game = before_a_merger(start(alice, bob, carol, **SEATED))
    save_order(game_id=game.pk, by=bob, terms={"chain": "luxor", "hold": 3, "trade": 2}, once=True)
    game = move(move(game, TILE), "dispose nothing")
    # It is not used up before it has answered.
    assert StandingOrder.objects.get().occasion == ""
    assert game.moves.count() == 2
    clock.shift(DELAY)
    assert play_due_answer(game.pk, timezone.now())
    assert game.moves.get(number=3).origin == "order"
    assert StandingOrder.objects.get().occasion != ""


def test_the_answers_of_two_players_come_one_after_the_other(waiting: Game, clock: Any) -> None:
    plan_of(waiting, 2, tile="1C", answers={"buy": ["buy nothing"]})
    clock.shift(DELAY)
    play_due_answer(waiting.pk, timezone.now())
    assert log_of(waiting)[2:] == ANSWERED
    assert later(waiting).answer_due_at == timezone.now() + DELAY
    clock.shift(DELAY)
    play_due_answer(waiting.pk, timezone.now())
    assert log_of(waiting)[5:] == [(2, "place 1C", "plan"), (2, "buy nothing", "plan")]


def test_an_answer_comes_before_the_time_is_up(clock: Any) -> None:
    now = timezone.now()
    assert answer_delay.draw_answer_due_at(now, now + timedelta(seconds=3)) == now + timedelta(seconds=1.5)
    assert answer_delay.draw_answer_due_at(now, now - timedelta(seconds=3)) == now
    assert answer_delay.draw_answer_due_at(now, now + timedelta(minutes=1)) == now + DELAY


def test_the_wait_is_drawn_between_half_and_one_and_a_half(
    clock: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()
    now = timezone.now()
    waits = {answer_delay.draw_answer_due_at(now, None) - now for _ in range(200)}
    assert len(waits) > 100


def states_of_decisions(game: Game) -> list[str]:
    """The states of the notifications of decisions of seat 1."""
    rows = Notification.objects.filter(game=game, user=who(game, 1), kind=Kind.DECISION, version__gt=0)
    return list(rows.values_list("state", flat=True))


def test_nothing_is_sent_before_the_answer(game: Game) -> None:
    with_mailbox(who(game, 1))
    game = play(game, "buy nothing")
    assert game.answer_due_at is not None
    told = Notification.objects.get(user=who(game, 1), kind=Kind.DECISION, version=game.version)
    assert told.due > game.answer_due_at + timedelta(seconds=15)


# -- Its player ----------------------------------------------------------------------------------------


def test_a_turn_sent_by_hand_waits_for_nothing(game: Game) -> None:
    withdraw_plan(game_id=game.pk, user=who(game, 1))
    game = play(game, "buy nothing")
    plan = {"tile": "5A", "board": "", "end": False, "answers": WHOLE}
    play_turn(game_id=game.pk, number=game.version + 1, plan=plan, by=who(game, 1))
    assert [text for _seat, text, _origin in log_of(game)[2:]] == ["place 5A", "found tower", "buy 2 tower"]


def test_a_plan_made_when_asked_answers_at_once(game: Game) -> None:
    withdraw_plan(game_id=game.pk, user=who(game, 1))
    game = play(game, "buy nothing")
    assert game.answer_due_at is None
    plan_of(game, 1, tile="5A", answers=WHOLE)
    assert log_of(game)[2:] == ANSWERED


def test_its_player_can_be_faster(waiting: Game, clock: Any) -> None:
    game = play(waiting, "place 9I")
    assert game.answer_due_at is None
    clock.shift(DELAY)
    version = later(game).version
    assert not play_due_answer(game.pk, timezone.now())
    assert later(game).version == version


def test_its_player_is_not_told_of_a_decision_that_the_plan_answers(game: Game, clock: Any) -> None:
    with_mailbox(who(game, 1))
    game = play(game, "buy nothing")
    clock.shift(DELAY)
    play_due_answer(game.pk, timezone.now())
    assert states_of_decisions(game) == [Notification.State.DROPPED]


def test_its_player_is_told_when_the_plan_is_gone(game: Game, clock: Any) -> None:
    with_mailbox(who(game, 1))
    game = play(game, "buy nothing")
    withdraw_plan(game_id=game.pk, user=who(game, 1))
    clock.shift(DELAY)
    assert not play_due_answer(game.pk, timezone.now())
    assert states_of_decisions(game) == [Notification.State.WAITING]
    assert later(game).answer_due_at is None


def test_its_player_is_asked_when_the_answer_fails(
    game: Game, clock: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_mailbox(who(game, 1))
    game = play(game, "buy nothing")
    clock.shift(DELAY)

    def broken(*args: Any) -> None:
        raise RuntimeError

    monkeypatch.setattr(automatic_moves, "make_move", broken)
    assert not play_due_answer(game.pk, timezone.now())
    assert later(game).answer_due_at is None
    assert states_of_decisions(game) == [Notification.State.WAITING]


# -- Pauses --------------------------------------------------------------------------------------------


def test_an_answer_waits_for_the_end_of_a_pause(waiting: Game, clock: Any) -> None:
    Game.objects.filter(pk=waiting.pk).update(paused=timezone.now(), held_at=timezone.now())
    clock.shift(DELAY)
    assert not play_due_answer(waiting.pk, timezone.now())
    sweep()
    assert log_of(waiting)[2:] == []
    Game.objects.filter(pk=waiting.pk).update(paused=None, held_at=None)
    sweep()
    assert log_of(waiting)[2:] == ANSWERED
