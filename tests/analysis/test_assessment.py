"""Assessment of finished games by workers."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import timedelta
from random import Random
from typing import Any

import pytest
import time_machine
from django.core.management import CommandError, call_command
from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts.models import User
from games import sweeper, tasks
from games.analysis import assessment
from games.analysis.assessment import assess_next_moves, request_due_reviews
from games.engine.bots.bot_levels import ADVISERS, BOTS
from games.engine.bots.move_estimate import Estimate, Rating
from games.engine.rules.acquire import rule_system as acquire
from games.log import positions
from games.models import Game, GameReview, LogEntry, MoveAssessment
from games.models.game_review import EDITION
from games.play import finished_game
from games.play.seats.concession import concede
from games.realtime import worker_queue
from tests.support.games import NewGame, play_on, play_to_the_end
from tests.support.whole_games import played_out

pytestmark = pytest.mark.django_db


class WorkerKilled(BaseException):
    """End of a worker process, which nothing catches."""


@dataclass
class Rater:
    """A bot that prefers the first legal move; records what it was shown."""

    seen: list[Any] = field(default_factory=list)
    fails_at: int | None = None
    dies_at: set[str] = field(default_factory=set)

    def __call__(self, seen: Any, legal: Any, played: Any, rng: Random, out_of_time: Any) -> Rating:
        self.seen.append((seen, played))
        if len(self.seen) == self.fails_at:
            raise ValueError("It does not understand this.")
        if str(played) in self.dies_at:
            raise WorkerKilled
        best = Estimate(legal[0], 0.5 + rng.random() / 2, 1000.0, 9)
        own = best if played == legal[0] else Estimate(played, best.chance / 2, -500.0, 9)
        others = tuple(Estimate(move, 0.123456, 77.7, 3) for move in legal[1:3] if move != played)
        return Rating(best, own, (0.12345, 0.5, 0.37655), others)


@pytest.fixture
def rater(monkeypatch: pytest.MonkeyPatch) -> Rater:
    found = Rater()
    level = ADVISERS["acquire"]
    monkeypatch.setitem(BOTS["acquire"], level, replace(BOTS["acquire"][level], rate=found))
    return found


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Games that workers were asked to assess, while the broker takes every message."""
    calls: list[int] = []

    def request_assessment(game_id: int) -> bool:
        calls.append(game_id)
        return True

    monkeypatch.setattr(worker_queue, "request_assessment", request_assessment)
    return calls


@pytest.fixture
def clock() -> Iterator[time_machine.Traveller]:
    """A clock that stands still until it is shifted."""
    with time_machine.travel("2026-11-20 12:00Z", tick=False) as traveller:
        yield traveller


@pytest.fixture
def over(start: NewGame, alice: User, bob: User) -> Game:
    return played_out(start(alice, bob, "random"))


def rate_all(game: Game, seconds: float = 60.0) -> None:
    while assess_next_moves(game.pk, seconds):
        pass


def stored(game: Game) -> list[tuple[Any, ...]]:
    columns = ("number", "seat", "best", "chance", "best_chance", "lead", "best_lead")
    return list(MoveAssessment.objects.filter(game=game).values_list(*columns))


def choices(game: Game) -> list[int]:
    """Numbers of the log entries with more than one legal move."""
    state, found = positions.initial_state(game), []
    for entry in positions.standing_moves(game.moves.all()):
        if len(acquire.legal_moves(state)) > 1:
            found.append(entry.number)
        acquire.apply(state, acquire.parse_move(entry.text))
    return found


def test_every_decision_is_assessed(over: Game, rater: Rater) -> None:
    rate_all(over)
    assert [row[0] for row in stored(over)] == choices(over)
    review = GameReview.objects.get(game=over)
    assert (review.rated, review.tried) == (over.version, 0)
    assert review.done is not None


def test_assessment_uses_observation_of_seat(over: Game, rater: Rater) -> None:
    """Other hands and the bag must not count."""
    rate_all(over)
    texts = dict(over.moves.values_list("number", "text"))
    for (seen, played), (number, seat, *_rest) in zip(rater.seen, stored(over), strict=True):
        assert isinstance(seen, acquire.Observation)
        assert seen.seat == seat == seen.decision.seat
        assert seen.memory is not None
        assert str(played) == texts[number]


def test_loss_is_never_negative_and_zero_for_best_move(over: Game, rater: Rater) -> None:
    rate_all(over)
    texts = dict(over.moves.values_list("number", "text"))
    found = list(MoveAssessment.objects.filter(game=over))
    assert all(rated.lost_chance >= 0 and rated.lost_lead >= 0 for rated in found)
    for rated in found:
        if rated.best == texts[rated.number]:
            assert rated.lost_chance == rated.lost_lead == 0


def test_database_refuses_negative_loss(over: Game) -> None:
    numbers = {"best": "pass", "lead": 0, "best_lead": 0}
    for chances in ({"chance": 0.5, "best_chance": 0.4}, {"chance": -0.1, "best_chance": 1}):
        with pytest.raises(IntegrityError), transaction.atomic():
            MoveAssessment.objects.create(game=over, number=1, seat=0, **chances, **numbers)


def test_running_game_is_not_assessed(start: NewGame, alice: User, rater: Rater) -> None:
    """An assessment would reveal the hand."""
    game = played_out(start(alice, "random"), moves=30)
    assert not GameReview.objects.exists()
    GameReview.objects.create(game=game)
    assert assess_next_moves(game.pk) is False
    assert not rater.seen
    assert not MoveAssessment.objects.exists()


def test_forced_moves_are_not_assessed(start: NewGame, alice: User, bob: User, rater: Rater) -> None:
    """Neither automatic ones nor those with a single legal move."""
    game = played_out(start(alice, bob))
    forced = set(game.moves.filter(number__gt=5).values_list("number", flat=True)[:20])
    game.moves.filter(number__in=forced).update(origin=LogEntry.Origin.FORCED_MOVE)
    rate_all(game)
    assert not forced & {row[0] for row in stored(game)}


def test_batch_ends_with_its_time(over: Game, rater: Rater) -> None:
    """Even without time, each batch assesses one decision."""
    for batches in range(1, 20):
        assert assess_next_moves(over.pk, 0.0)
        assert len(rater.seen) <= batches
    assert len(stored(over)) == len(rater.seen) > 5


def test_batches_give_same_assessments(over: Game, rater: Rater) -> None:
    for _batch in range(15):
        assess_next_moves(over.pk, 0.0)
    rate_all(over)
    bit_by_bit = stored(over)
    GameReview.objects.filter(game=over).delete()
    MoveAssessment.objects.all().delete()
    GameReview.objects.create(game=over)
    rate_all(over)
    assert stored(over) == bit_by_bit


def test_assessed_game_is_not_assessed_again(over: Game, rater: Rater) -> None:
    rate_all(over)
    found, looks = stored(over), len(rater.seen)
    assert assess_next_moves(over.pk) is False
    assert (stored(over), len(rater.seen)) == (found, looks)


def test_concurrent_workers_store_each_assessment_once(
    over: Game, rater: Rater, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second worker begins while the first is thinking."""
    first = True

    def assessed(*about: Any) -> list[MoveAssessment]:
        nonlocal first
        if first:
            first = False
            assess_next_moves(over.pk)
        return think(*about)

    think = assessment._assessed
    monkeypatch.setattr(assessment, "_assessed", assessed)
    assert assess_next_moves(over.pk, 60.0) is False
    assert len(stored(over)) == GameReview.objects.get(game=over).rated == 1
    rate_all(over)
    assert [row[0] for row in stored(over)] == choices(over)


def test_killed_worker_loses_only_its_batch(over: Game, rater: Rater) -> None:
    for _ in range(20):
        assess_next_moves(over.pk, 0.0)
    before = stored(over)
    [at] = [entry.text for entry in over.moves.filter(number=choices(over)[len(before) + 3])]
    rater.dies_at = {at}
    with pytest.raises(WorkerKilled):
        rate_all(over)
    assert stored(over) == before
    rater.dies_at = set()
    rate_all(over)
    assert [row[0] for row in stored(over)] == choices(over)


def test_decision_that_kills_workers_is_left_out(over: Game, rater: Rater) -> None:
    deadly = over.moves.get(number=choices(over)[-20])
    rater.dies_at = {deadly.text}
    left = True
    while left:
        with suppress(WorkerKilled):
            left = assess_next_moves(over.pk)
    left_out = {number for number in choices(over) if over.moves.get(number=number).text == deadly.text}
    assert {row[0] for row in stored(over)} == {*choices(over)} - left_out
    assert GameReview.objects.get(game=over).done is not None


def test_decision_that_fails_is_left_out(over: Game, rater: Rater, caplog: pytest.LogCaptureFixture) -> None:
    rater.fails_at = 7
    rate_all(over)
    assert [row[0] for row in stored(over)] == [*choices(over)[:6], *choices(over)[7:]]
    assert "could not be assessed" in caplog.text


def test_assessment_keeps_the_chance_of_every_seat(over: Game, rater: Rater) -> None:
    rate_all(over)
    for rated in MoveAssessment.objects.filter(game=over):
        assert rated.chances == [0.1235, 0.5, 0.3765]


def test_other_moves_are_kept_only_where_the_choice_mattered(over: Game, rater: Rater) -> None:
    rate_all(over)
    costly = [rated for rated in MoveAssessment.objects.filter(game=over) if rated.lost_chance >= 0.02]
    assert costly
    for rated in MoveAssessment.objects.filter(game=over):
        assert bool(rated.others) <= (rated in costly or rated.lost_chance == 0)
    text, chance, lead = next(rated.others[0] for rated in costly if rated.others)
    assert (chance, lead) == (0.1235, 78)
    assert str(acquire.parse_move(text)) == text


# -- Reviews of an earlier edition ---------------------------------------------------------------------


def outdated(game: Game) -> None:
    """Make the review of the game one of the release before."""
    GameReview.objects.filter(game=game).update(edition=1)
    MoveAssessment.objects.filter(game=game).update(chances=[], others=[], lead=-99_999)


def test_outdated_review_is_made_again_in_place(over: Game, rater: Rater) -> None:
    rate_all(over)
    as_now = stored(over)
    outdated(over)
    assert assessment.review_outdated_games(5) == 1
    assert len(stored(over)) == len(as_now)
    rate_all(over)
    assert stored(over) == as_now
    assert all(rated.chances for rated in MoveAssessment.objects.filter(game=over))
    assert assessment.review_outdated_games(5) == 0


def test_outdated_review_is_picked_up_by_the_sweeper(over: Game, rater: Rater, asked: list[int]) -> None:
    rate_all(over)
    outdated(over)
    assessment.review_outdated_games(5)
    request_due_reviews(timezone.now() + timedelta(seconds=1))
    assert asked == [over.pk]


def test_current_and_unfinished_reviews_are_not_begun_anew(over: Game, rater: Rater) -> None:
    GameReview.objects.update(edition=1, rated=7)
    assert assessment.review_outdated_games(5) == 0
    finished_game.begin_review(over)
    assert GameReview.objects.get(game=over).rated == 7
    rate_all(over)
    GameReview.objects.update(edition=EDITION)
    finished_game.begin_review(over)
    assert GameReview.objects.get(game=over).done is not None


def test_command_has_outdated_reviews_made_again(
    over: Game, rater: Rater, capsys: pytest.CaptureFixture[str]
) -> None:
    rate_all(over)
    outdated(over)
    call_command("review_games")
    assert "1 reviews are of an earlier edition" in capsys.readouterr().out
    call_command("review_games", again=1)
    assert "1 reviews begun anew" in capsys.readouterr().out
    assert GameReview.objects.get(game=over).done is None
    with pytest.raises(CommandError):
        call_command("review_games", again=-1)


# -- Requests ------------------------------------------------------------------------------------------


def test_end_of_game_requests_assessment(
    start: NewGame,
    alice: User,
    asked: list[int],
    rater: Rater,
    django_capture_on_commit_callbacks: Callable[..., Any],
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        game = play_to_the_end(start(alice, "random"))
    assert asked == [game.pk]


def test_end_by_players_begins_review(start: NewGame, alice: User, bob: User) -> None:
    game = play_on(start(alice, bob), 4)
    concede(game_id=game.pk, by=bob)
    game.refresh_from_db()
    assert game.is_finished
    assert GameReview.objects.filter(game=game, done=None).exists()


def test_task_requests_rest_of_game(
    over: Game, rater: Rater, asked: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(assessment.assess_next_moves, "__defaults__", (0.0,))
    tasks.assess(over.pk)
    assert asked == [over.pk]
    rate_all(over)
    asked.clear()
    tasks.assess(over.pk)
    assert asked == []


def test_sweeper_requests_idle_review(over: Game, asked: list[int]) -> None:
    sweeper.sweep()
    assert asked == []
    GameReview.objects.update(touched=timezone.now() - timedelta(minutes=2))
    sweeper.sweep()
    assert asked == [over.pk]


def test_review_is_requested_again_after_its_time(
    clock: time_machine.Traveller, over: Game, asked: list[int]
) -> None:
    """An earlier second message would have the same work done twice."""
    clock.shift(timedelta(seconds=61))
    sweeper.sweep()
    clock.shift(timedelta(seconds=59))
    sweeper.sweep()
    assert asked == [over.pk]
    clock.shift(timedelta(seconds=2))
    sweeper.sweep()
    assert asked == [over.pk] * 2


def test_request_expires(over: Game, monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    messages: list[Any] = []
    settings.REDIS_URL = "redis://somewhere"
    monkeypatch.setattr("games.realtime.best_effort._silent_until", 0.0)
    monkeypatch.setattr(
        worker_queue.current_app, "send_task", lambda name, **message: messages.append(message), raising=False
    )
    assert request_due_reviews(timezone.now() + timedelta(minutes=2)) == 1
    assert messages == [{"args": [over.pk], "priority": worker_queue.LOWEST_PRIORITY, "expires": 60.0}]


def test_failing_review_is_tried_once_a_day(
    clock: time_machine.Traveller, over: Game, asked: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    def breaks(game: Game) -> Any:
        raise ValueError("The log cannot be played.")

    monkeypatch.setattr(assessment, "initial_state", breaks)
    for _ in range(10):
        clock.shift(timedelta(seconds=61))
        if request_due_reviews(timezone.now()):
            with pytest.raises(ValueError, match="cannot be played"):
                assess_next_moves(over.pk)
    assert len(asked) == assessment.TRIES + 1
    clock.shift(timedelta(days=1))
    assert request_due_reviews(timezone.now()) == 1


def test_sweeper_ignores_finished_and_deleted(over: Game, rater: Rater, asked: list[int]) -> None:
    GameReview.objects.update(touched=timezone.now() - timedelta(minutes=2))
    Game.objects.filter(pk=over.pk).update(deleted=timezone.now())
    sweeper.sweep()
    assert asked == []
    assert assess_next_moves(over.pk) is False
    Game.all_games.filter(pk=over.pk).update(deleted=None)
    rate_all(over)
    GameReview.objects.update(touched=timezone.now() - timedelta(minutes=2))
    sweeper.sweep()
    assert asked == []


def test_sweeper_never_assesses(over: Game, rater: Rater) -> None:
    """Deadlines and mail come first, even without a broker."""
    GameReview.objects.update(touched=timezone.now() - timedelta(minutes=2))
    sweeper.sweep()
    assert not rater.seen
    assert GameReview.objects.get(game=over).done is None
