"""Everybody's chances over a game."""

import pytest

from accounts.models import User
from games.analysis.review_figures import game_review
from games.analysis.win_chances import chance_curve, chances_after
from games.models import Game, GameReview, MoveAssessment
from tests.support.assessed_moves import assess_as, choices_of
from tests.support.games import NewGame
from tests.support.whole_games import broken_off, played_out

pytestmark = pytest.mark.django_db


@pytest.fixture
def over(start: NewGame, alice: User, bob: User) -> Game:
    return played_out(start(alice, bob, "random"))


def test_curve_leads_from_equal_chances_to_the_result(over: Game) -> None:
    first, second, *_ = choices_of(over)
    for entry in (first, second):
        assess_as(over, entry)
    curve = chance_curve(game_review(over.public_id, User()))
    assert [one.after for one in curve] == [0, first.number, second.number, over.version]
    assert curve[0].shares == (1 / 3,) * 3
    assert sorted(curve[-1].shares) == [0, 0, 1]
    for one in curve:
        assert sum(one.shares) == pytest.approx(1)


def test_result_comes_once_all_decisions_are_assessed(over: Game) -> None:
    entry = choices_of(over)[0]
    assess_as(over, entry)
    GameReview.objects.update(done=None, rated=entry.number)
    assert chance_curve(game_review(over.public_id, User()))[-1].after == entry.number


def test_game_without_a_result_ends_with_its_last_decision(start: NewGame, alice: User, bob: User) -> None:
    game = broken_off(start(alice, bob))
    entry = choices_of(game)[0]
    assess_as(game, entry)
    assert chance_curve(game_review(game.public_id, User()))[-1].after == entry.number


def test_reviews_of_an_earlier_edition_have_no_curve(over: Game) -> None:
    assess_as(over, choices_of(over)[0])
    MoveAssessment.objects.update(chances=[])
    assert chance_curve(game_review(over.public_id, User())) == []


def test_chances_stay_until_the_next_decision(over: Game) -> None:
    first, *_, later = choices_of(over)
    for entry in (first, later):
        assess_as(over, entry)
    curve = chance_curve(game_review(over.public_id, User()))
    assert chances_after(curve, later.number - 1) == chances_after(curve, first.number)
    assert chances_after(curve, later.number) != chances_after(curve, first.number)
    assert chances_after([], 5) == ()
