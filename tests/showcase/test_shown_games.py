"""The game of the day, and the best reviews."""

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import User
from games.models import Game
from games.puzzles.puzzle_calendar import today
from games.showcase.shown_games import best_reviews, game_of_the_day, latest_game
from tests.showcase.public_games import assess, change, finish
from tests.support.games import NewGame

pytestmark = pytest.mark.django_db


@pytest.fixture
def finished(start: NewGame, alice: User, bob: User) -> list[Game]:
    return [finish(start, alice, bob, seed=seed) for seed in range(3)]


def test_game_of_the_day_is_the_same_all_day(finished: list[Game]) -> None:
    assert game_of_the_day(today()) == game_of_the_day(today())
    days = [today() + timedelta(days=number) for number in range(30)]
    drawn = {game_of_the_day(day) for day in days}
    assert drawn == set(finished)


def test_game_that_ends_today_does_not_change_the_game_of_the_day(
    finished: list[Game], start: NewGame, alice: User, bob: User
) -> None:
    days = [today() - timedelta(days=number) for number in range(2)]
    before = [game_of_the_day(day) for day in days]
    for seed in range(5):
        change(finish(start, alice, bob, seed=seed), finished=timezone.now())
    assert [game_of_the_day(day) for day in days] == before


@pytest.mark.parametrize(
    "columns",
    [
        {"visibility": "unlisted"},
        {"rated": False},
        {"ending": Game.Ending.STANDINGS},
        {"deleted": timezone.now()},
        {"finished": timezone.now()},
    ],
    ids=lambda columns: next(iter(columns)),
)
def test_game_of_the_day_is_rated_public_and_final(
    columns: dict[str, object], start: NewGame, alice: User, bob: User
) -> None:
    game = finish(start, alice, bob)
    assert game_of_the_day(today()) == game
    change(game, **columns)
    assert game_of_the_day(today()) is None


def test_running_game_is_never_drawn(start: NewGame, alice: User, bob: User) -> None:
    change(start(alice, bob), visibility="public", rated=True)
    assert game_of_the_day(today()) is None
    assert latest_game() is None


def test_best_reviews_come_first(finished: list[Game]) -> None:
    for game, lost in zip(finished, (0.03, 0.01, 0.02), strict=True):
        assess(game, lost)
    found = best_reviews(2, timezone.now())
    assert [review.game for review in found] == [finished[1], finished[2]]
    assert found[0].decisions == 30
    assert found[0].lost_chance == pytest.approx(0.01)


def test_review_of_few_decisions_or_of_an_unlisted_game_is_left_out(finished: list[Game]) -> None:
    assess(finished[0], 0.0, decisions=19)
    assess(finished[1], 0.0)
    change(finished[1], visibility="unlisted")
    assert best_reviews(4, timezone.now()) == []
