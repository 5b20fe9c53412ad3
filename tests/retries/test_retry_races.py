"""Two pages of one member at the same moment: one answer to a retry counts."""

from functools import partial

import pytest

from accounts.models import User
from games.models import LogEntry, Mistake
from games.refusals import RetryNotDue
from games.retries.retry_answers import answer_retry
from tests.support.games import NewGame, play_to_the_end
from tests.support.locks import without_row_locks
from tests.support.reviewed_games import make_mistake
from tests.support.simultaneous_calls import at_once

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both_databases]


@pytest.fixture
def mistake(start: NewGame, alice: User, bob: User) -> Mistake:
    return make_mistake(play_to_the_end(start(alice, bob)), alice)


def answer_at_once(mistake: Mistake, user: User) -> list[object]:
    """Send the best move and that of the game, as if the retry had never been answered."""
    mistake.save()
    game = mistake.decision.review.game_id
    played = LogEntry.objects.get(game=game, number=mistake.decision.number).text
    return at_once(
        *(partial(answer_retry, user=user, key=mistake.pk, move=move) for move in (mistake.best, played))
    )


def test_one_of_two_different_answers_counts(mistake: Mistake, alice: User) -> None:
    for _ in range(3):
        results = answer_at_once(mistake, alice)
        assert sorted(type(result).__name__ for result in results) == ["Mistake", "RetryNotDue"], results
        [kept] = [result for result in results if isinstance(result, Mistake)]
        stored = Mistake.objects.get(pk=mistake.pk)
        assert (stored.answers, stored.move, stored.right) == (1, kept.move, kept.move == stored.best)


def test_answers_without_the_lock_are_detected(
    mistake: Mistake, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The twin: both answers find a retry that waits for one, and the later overwrites the earlier."""
    without_row_locks(monkeypatch, User, Mistake)
    for _ in range(20):
        if not any(isinstance(result, RetryNotDue) for result in answer_at_once(mistake, alice)):
            return
    pytest.fail("One always waited for the other.")
