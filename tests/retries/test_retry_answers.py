"""Answers to retries: right, wrong, stale and foreign ones."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts.models import User
from games.engine.rules.rule_errors import IllegalMove, InvalidMove
from games.models import Game, LogEntry, Mistake
from games.play.finished_game import withdraw_result
from games.refusals import NoSuchMistake, RetryNotDue
from games.retries.mistake_search import search_mistakes
from games.retries.retry_answers import answer_retry, mistake_of, next_mistake, retry_counts
from tests.support.games import NewGame, play_to_the_end, whole_record
from tests.support.reviewed_games import confirm, count, make_mistake

pytestmark = pytest.mark.django_db


@pytest.fixture
def finished(start: NewGame, alice: User, bob: User) -> Game:
    return play_to_the_end(start(alice, bob))


@pytest.fixture
def mistake(finished: Game, alice: User) -> Mistake:
    return make_mistake(finished, alice)


def played(mistake: Mistake) -> str:
    game = mistake.decision.review.game_id
    return LogEntry.objects.get(game=game, number=mistake.decision.number).text


def answer(user: User, mistake: Mistake, move: str) -> Mistake:
    return answer_retry(user=user, key=mistake.pk, move=move)


def let_it_come_back(mistake: Mistake) -> None:
    now = timezone.now()
    Mistake.objects.filter(pk=mistake.pk).update(answered=now - timedelta(days=9), due=now)


def test_best_move_is_right_and_comes_back_later(mistake: Mistake, alice: User) -> None:
    after = answer(alice, mistake, mistake.best)
    assert after.right and (after.answers, after.right_answers) == (1, 1)
    first = after.due - timezone.now()
    let_it_come_back(mistake)
    assert answer(alice, mistake, mistake.best).due - timezone.now() > first


def test_move_of_the_game_is_wrong_and_comes_back_the_next_day(mistake: Mistake, alice: User) -> None:
    after = answer(alice, mistake, played(mistake))
    assert not after.right and (after.answers, after.right_answers) == (1, 0)
    assert timedelta(hours=23) < after.due - timezone.now() <= timedelta(days=1)


def test_move_that_is_as_good_is_right_too(mistake: Mistake, alice: User) -> None:
    assert mistake.estimates is not None
    mistake.estimates[1][1] = mistake.estimates[0][1] - 0.01
    mistake.save()
    assert answer(alice, mistake, played(mistake)).right


def test_second_answer_is_refused_until_the_mistake_comes_back(mistake: Mistake, alice: User) -> None:
    before = answer(alice, mistake, mistake.best)
    with pytest.raises(RetryNotDue):
        answer(alice, mistake, played(mistake))
    # A form that is sent twice is no second answer.
    assert answer(alice, mistake, mistake.best).due == before.due
    assert Mistake.objects.get(pk=mistake.pk).answers == 1


def test_mistake_of_somebody_else_is_refused(mistake: Mistake, bob: User) -> None:
    with pytest.raises(NoSuchMistake):
        answer(bob, mistake, mistake.best)
    assert Mistake.objects.get(pk=mistake.pk).answers == 0


@pytest.mark.parametrize("move", ["dance", "", "found tower", "place 1A"])
def test_move_that_nobody_can_make_there_is_refused(mistake: Mistake, alice: User, move: str) -> None:
    with pytest.raises((IllegalMove, InvalidMove)):
        answer(alice, mistake, move)
    assert Mistake.objects.get(pk=mistake.pk).answers == 0


def test_answer_changes_no_game(finished: Game, mistake: Mistake, alice: User) -> None:
    before = whole_record(finished)
    answer(alice, mistake, mistake.best)
    assert whole_record(finished) == before


@pytest.mark.parametrize(
    "change",
    [{"status": "running", "finished": None, "ending": ""}, {"deleted": timezone.now()}],
    ids=["running", "deleted"],
)
def test_only_games_that_are_over_and_kept_are_retried(
    finished: Game, mistake: Mistake, alice: User, change: dict[str, Any]
) -> None:
    assert next_mistake(alice) == mistake.pk
    Game.all_games.filter(pk=finished.pk).update(**change)
    assert next_mistake(alice) is None
    assert retry_counts(alice).now == 0
    with pytest.raises(NoSuchMistake):
        mistake_of(alice, mistake.pk)


def test_due_mistakes_come_before_new_ones(finished: Game, alice: User) -> None:
    count(finished, lambda entry: 0.2)
    old, *others, new = [confirm(one) for one in Mistake.objects.filter(user=alice).order_by("pk")]
    assert next_mistake(alice) == new.pk
    answer(alice, old, old.best)
    let_it_come_back(old)
    assert next_mistake(alice) == old.pk
    assert (retry_counts(alice).again, retry_counts(alice).new) == (1, 1 + len(others))
    answer(alice, old, old.best)
    assert next_mistake(alice) == new.pk
    assert retry_counts(alice).later == 1


# -- The search ----------------------------------------------------------------------------------------


def test_mistake_waits_for_the_search(finished: Game, alice: User) -> None:
    count(finished, lambda entry: 0.2)
    assert Mistake.objects.exists()
    assert next_mistake(alice) is None


def test_search_keeps_only_the_mistakes_that_it_confirms(
    finished: Game, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    from games.engine.bots import bot_levels
    from games.engine.bots.move_estimate import Estimate, Rating

    count(finished, lambda entry: 0.2)
    keys = set(Mistake.objects.order_by("pk").values_list("pk", flat=True)[::2])
    all_keys = iter(Mistake.objects.order_by("tried", "-pk").values_list("pk", flat=True))

    class Adviser:
        """Finds a better move for every second mistake."""

        @staticmethod
        def advise(seen: Any, legal: Any, *rest: Any) -> list[Estimate]:
            return [Estimate(move, 0.5 - 0.1 * place, 0.0, 9) for place, move in enumerate(legal[:3])]

        @staticmethod
        def rate(seen: Any, legal: Any, move: Any, *rest: Any) -> Rating:
            best = 0.5 if next(all_keys) in keys and move is not legal[0] else 0.1
            return Rating(Estimate(legal[0], best, 0.0, 9), Estimate(move, 0.1, 0.0, 9))

    monkeypatch.setitem(bot_levels.BOTS["acquire"], "expert", Adviser())
    found = search_mistakes()
    left = Mistake.objects.all()
    assert 0 < found == left.count() and set(left.values_list("pk", flat=True)) <= keys
    assert all(mistake.estimates[0][0] == mistake.best for mistake in left)


def test_move_that_was_lucky_a_few_times_is_not_the_best(
    finished: Game, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    from games.engine.bots import bot_levels
    from games.engine.bots.move_estimate import Estimate, Rating

    count(finished, lambda entry: 0.2)

    class Adviser:
        """Prefers the first move, likes the second nearly as well, and has tried the third three times."""

        @staticmethod
        def advise(seen: Any, legal: Any, *rest: Any) -> list[Estimate]:
            tried = zip(legal, (0.5, 0.49, 0.9), (80, 40, 3), strict=False)
            return [Estimate(move, chance, 0.0, tries) for move, chance, tries in tried]

        @staticmethod
        def rate(seen: Any, legal: Any, move: Any, *rest: Any) -> Rating:
            return Rating(Estimate(legal[0], 0.5, 0.0, 80), Estimate(move, 0.3, 0.0, 80))

    monkeypatch.setitem(bot_levels.BOTS["acquire"], "expert", Adviser())
    assert search_mistakes()
    assert any(len(mistake.estimates) > 1 for mistake in Mistake.objects.all())
    for mistake in Mistake.objects.all():
        best, *others = mistake.estimates
        assert best[0] == mistake.best and best[1] == 0.5
        # The move of the game is no second answer, however well the adviser first thought of it.
        assert all(chance == 0.49 and move != played(mistake) for move, chance, *_rest in others)


def test_mistake_that_is_gone_is_refused(finished: Game, mistake: Mistake, alice: User) -> None:
    withdraw_result(finished)
    with pytest.raises(NoSuchMistake):
        answer(alice, mistake, mistake.best)


def test_decision_over_which_workers_die_is_given_up(finished: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    count(finished, lambda entry: 0.2 if entry.number == finished.version // 2 else 0.0)
    if not Mistake.objects.exists():
        count(finished, lambda entry: 0.2 if entry.number in range(9, 40) else 0.0)

    class Killed(BaseException):
        """An end that a worker does not survive."""

    def kill(*words: Any) -> Any:
        raise Killed

    monkeypatch.setattr("games.retries.mistake_search._clearly_better", kill)
    for _ in range(3 * Mistake.objects.count()):
        with pytest.raises(Killed):
            search_mistakes()
    assert search_mistakes() == 0
