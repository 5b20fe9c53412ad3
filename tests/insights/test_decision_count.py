"""Decisions are counted once their review is done: for whom, about what, and how often."""

from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone

from accounts.models import User
from games.analysis.assessment import review_outdated_games
from games.analysis.severity import MISTAKE
from games.insights import insight_sums
from games.insights.decision_count import count_decisions, count_done_reviews, withdraw_decisions
from games.models import (
    Game,
    GameMoney,
    GameReview,
    InsightSum,
    LogEntry,
    Mistake,
    MoveAssessment,
    RatedDecision,
    TaskFailure,
)
from games.play.finished_game import begin_review, withdraw_result
from games.play.seats.substitutes import take_over_seat
from games.privacy.retention import forget_user
from tests.support.games import NewGame, leave_to_bot, play_on, play_to_the_end
from tests.support.reviewed_games import count, review

pytestmark = pytest.mark.django_db


@pytest.fixture
def finished(start: NewGame, alice: User) -> Game:
    """A game of alice against two bots."""
    return play_to_the_end(start(alice, "medium", "random"))


def test_each_assessed_decision_is_counted_for_member_or_level(finished: Game, alice: User) -> None:
    count(finished)
    decided = RatedDecision.objects.values_list("user", "level").distinct()
    assert set(decided) == {(alice.pk, ""), (None, "medium"), (None, "random")}
    assert RatedDecision.objects.count() == MoveAssessment.objects.count()


def test_thirds_of_a_game_follow_each_other(finished: Game) -> None:
    count(finished)
    thirds = list(RatedDecision.objects.order_by("number").values_list("third", flat=True))
    assert thirds == sorted(thirds) and set(thirds) == {1, 2, 3}


def test_themes_and_tiers_are_those_of_the_rule_system(finished: Game) -> None:
    count(finished)
    themes = set(RatedDecision.objects.values_list("theme", flat=True))
    assert {"place", "buy"} <= themes <= set(finished.rule_system.THEMES)
    assert {0, 1, 2, 3} == set(RatedDecision.objects.values_list("tier", flat=True))


def test_money_by_source_adds_up_to_what_was_gained(finished: Game, alice: User) -> None:
    count(finished)
    seat = finished.seats.get(user=alice).number
    [worth] = [score for _rank, at, score in _standings(finished) if at == seat]
    money = GameMoney.objects.filter(user=alice)
    assert {one.source for one in money} == set(finished.rule_system.MONEY_SOURCES)
    assert sum(one.dollars for one in money) == worth - 6000


def _standings(game: Game) -> Any:
    return game.rule_system.standings(game.rule_system.state_from_json(game.state))


def test_costly_decisions_of_people_become_mistakes(finished: Game, alice: User) -> None:
    count(finished, lambda entry: 2 * MISTAKE if entry.number % 2 else MISTAKE / 2)
    mistakes = Mistake.objects.all()
    assert mistakes
    assert {mistake.user_id for mistake in mistakes} == {alice.pk}
    assert all(mistake.decision.number % 2 for mistake in mistakes)


def test_bot_accounts_have_decisions_but_no_mistakes(finished: Game, alice: User) -> None:
    User.objects.filter(pk=alice.pk).update(is_bot_account=True)
    count(finished, lambda entry: 0.2)
    assert RatedDecision.objects.filter(user=alice).exists()
    assert not Mistake.objects.exists()


def test_stand_in_decides_for_nobody(start: NewGame, alice: User, bob: User) -> None:
    game = play_on(start(alice, bob), 30)
    leave_to_bot(game, bob)
    count(play_to_the_end(game))
    last_of_bob = RatedDecision.objects.filter(user=bob).order_by("number").last()
    assert last_of_bob is not None and last_of_bob.number <= 30
    assert not RatedDecision.objects.exclude(level="").exists()
    assert not GameMoney.objects.filter(user=bob).exists() and GameMoney.objects.filter(user=alice).exists()


def test_practice_table_counts_for_nobody(finished: Game) -> None:
    practice = {"is_practice": True, "visibility": "invited", "rated": False, "seconds_per_move": None}
    Game.all_games.filter(pk=finished.pk).update(**practice)
    assert count(finished).counted is not None
    assert not RatedDecision.objects.exists()


def test_review_is_counted_once(finished: Game) -> None:
    made = count(finished)
    found = RatedDecision.objects.count()
    count_decisions(made.pk)
    assert RatedDecision.objects.count() == found
    assert count_done_reviews(60) == 0


def test_unfinished_review_waits(finished: Game) -> None:
    made = review(finished)
    GameReview.objects.filter(pk=made.pk).update(done=None)
    assert count_done_reviews(60) == 0
    count_decisions(made.pk)
    assert not RatedDecision.objects.exists()


def test_running_game_is_not_counted_whatever_is_stored(finished: Game) -> None:
    made = review(finished)
    Game.all_games.filter(pk=finished.pk).update(status="running", finished=None)
    count_decisions(made.pk)
    assert not RatedDecision.objects.exists()


def counted(**owner: Any) -> int:
    """The number of decisions in the stored sums of a member or level."""
    return sum(one.count for one in InsightSum.objects.filter(measure="loss", **owner))


def test_sums_of_all_who_decided_are_stored(finished: Game, alice: User) -> None:
    count(finished)
    assert counted(user=alice) == RatedDecision.objects.filter(user=alice).count()
    assert counted(level="medium") == RatedDecision.objects.filter(level="medium").count()
    assert InsightSum.objects.filter(level="medium", measure="money").exists()


def test_sums_that_another_process_stores_meanwhile_are_made_again(
    finished: Game, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    count(finished)
    before, made = counted(user=alice), insight_sums.sums
    tried: list[object] = []

    def stored_twice_at_first(owner: Any, system: str) -> list[InsightSum]:
        tried.append(owner)
        return [*made(owner, system), *(made(owner, system) if len(tried) == 1 else ())]

    monkeypatch.setattr(insight_sums, "sums", stored_twice_at_first)
    insight_sums.store_sums({"user": alice}, finished.system)
    assert (counted(user=alice), len(tried)) == (before, 2)


def test_withdrawn_game_leaves_the_sums_of_the_others(finished: Game, start: NewGame, alice: User) -> None:
    count(play_to_the_end(start(alice, "medium")))
    before = counted(user=alice), counted(level="medium")
    count(finished)
    assert counted(user=alice) > before[0] and counted(level="random") > 0
    withdraw_decisions(finished)
    assert (counted(user=alice), counted(level="medium"), counted(level="random")) == (*before, 0)


def test_sums_of_who_held_a_seat_before_go_too(start: NewGame, alice: User, bob: User) -> None:
    carol = User.objects.create_user("carol")
    game = play_on(start(alice, bob), 30)
    leave_to_bot(game, bob)
    take_over_seat(game_id=game.pk, user=carol, number=game.seats.get(user=bob).number)
    game = play_to_the_end(Game.objects.get(pk=game.pk))
    count(game)
    assert InsightSum.objects.filter(user=bob).exists()
    withdraw_decisions(game)
    assert not InsightSum.objects.filter(user__in=(bob, carol)).exists()


def test_member_who_left_before_the_count_decided_nothing(finished: Game, alice: User) -> None:
    forget_user(alice)
    User.objects.filter(pk=alice.pk).update(is_active=False)
    count(finished, lambda entry: 0.2)
    assert set(RatedDecision.objects.values_list("level", flat=True)) == {"medium", "random"}
    assert not Mistake.objects.exists() and not InsightSum.objects.filter(level="").exists()


def test_deleted_game_counts_when_it_is_restored(finished: Game) -> None:
    made = review(finished)
    Game.all_games.filter(pk=finished.pk).update(deleted=timezone.now())
    assert count_done_reviews(60) == 0
    count_decisions(made.pk)
    Game.all_games.filter(pk=finished.pk).update(deleted=None)
    assert count_done_reviews(60) == 1
    assert RatedDecision.objects.exists()


def test_withdrawn_game_counts_again_when_its_review_is_seen_again(finished: Game, alice: User) -> None:
    count(finished)
    before = counted(user=alice)
    withdraw_decisions(finished)
    assert count_done_reviews(60) == 1
    assert counted(user=alice) == before


def lose(game: Game, number: int, share: float) -> None:
    MoveAssessment.objects.filter(game=game, number=number).update(best_chance=0.5, chance=0.5 - share)


@pytest.mark.parametrize("begin_anew", [lambda game: review_outdated_games(1), begin_review])
def test_review_made_anew_is_counted_instead_of_the_old_one(
    begin_anew: Callable[[Game], object], finished: Game, alice: User
) -> None:
    made = count(finished, lambda entry: 2 * MISTAKE)
    decisions, money = RatedDecision.objects.count(), GameMoney.objects.count()
    kept, gone, left_out, *others = Mistake.objects.order_by("decision__number")
    Mistake.objects.filter(pk=kept.pk).update(answers=3)
    GameReview.objects.update(edition=1)
    begin_anew(finished)
    lose(finished, gone.decision.number, 0.0)
    MoveAssessment.objects.get(number=left_out.decision.number).delete()
    assert count_done_reviews(60) == 0
    assert RatedDecision.objects.count() == decisions

    GameReview.objects.filter(pk=made.pk).update(done=timezone.now())
    assert count_done_reviews(60) == 1
    assert (RatedDecision.objects.count(), GameMoney.objects.count()) == (decisions - 1, money)
    assert set(Mistake.objects.all()) == {kept, *others}
    assert Mistake.objects.get(pk=kept.pk).answers == 3
    assert RatedDecision.objects.get(number=gone.decision.number).lost == 0.0
    lost = RatedDecision.objects.filter(user=alice).values_list("lost", flat=True)
    mine = InsightSum.objects.filter(user=alice, measure="loss")
    assert sum(one.total for one in mine) == pytest.approx(sum(lost))
    assert counted(user=alice) == len(lost)


def test_review_that_cannot_be_counted_holds_up_no_other(
    finished: Game, start: NewGame, alice: User, bob: User, caplog: pytest.LogCaptureFixture
) -> None:
    broken, sound = review(finished), review(play_to_the_end(start(alice, bob)))
    LogEntry.objects.filter(game=finished, kind="move").update(text="dance")
    assert count_done_reviews(60) == 2
    assert f"The decisions of review {broken.pk} could not be counted" in caplog.text
    assert TaskFailure.objects.get().task == "counting the decisions of a game"
    assert set(RatedDecision.objects.values_list("review", flat=True)) == {sound.pk}
    assert count_done_reviews(60) == 0


def test_reopened_game_takes_its_decisions_along(finished: Game) -> None:
    count(finished, lambda entry: 0.2)
    assert Mistake.objects.exists() and GameMoney.objects.exists()
    withdraw_result(finished)
    assert not RatedDecision.objects.exists()
    assert not Mistake.objects.exists() and not GameMoney.objects.exists()


def test_decisions_of_a_departing_member_are_deleted(finished: Game, alice: User) -> None:
    count(finished, lambda entry: 0.2)
    forget_user(alice)
    assert not RatedDecision.objects.filter(user=alice).exists()
    assert not Mistake.objects.exists() and not GameMoney.objects.filter(user=alice).exists()
    assert RatedDecision.objects.filter(level="medium").exists()
