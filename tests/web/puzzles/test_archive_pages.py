"""The archive of puzzles: by theme and difficulty, and with the reader's answers."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from games.models import Puzzle, PuzzleAnswer
from games.puzzles import puzzle_calendar
from games.puzzles.puzzle_answers import answer_puzzle
from games.puzzles.puzzle_difficulty import EASY, HARD, MEDIUM, UNRATED, difficulty, rate_puzzle
from games.puzzles.puzzle_themes import set_missing_themes
from tests.puzzles.made_puzzles import house_source, make_puzzle, of_kind
from tests.support.clients import client_of

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)


@pytest.fixture
def puzzle() -> Puzzle:
    """Yesterday's puzzle, about placing a tile."""
    return make_puzzle(day=puzzle_calendar.today() - DAY)


def url(puzzle: Puzzle) -> str:
    return f"/puzzle/{puzzle.day}/"


def page(client: Client, query: str = "") -> str:
    answer = client.get(f"/puzzles/{query}")
    assert answer.status_code == 200
    return answer.content.decode()


def test_anybody_finds_the_puzzles_of_past_days(puzzle: Puzzle) -> None:
    assert f'href="{url(puzzle)}"' in page(client_of())


def test_puzzles_of_today_and_of_days_to_come_are_left_out(puzzle: Puzzle) -> None:
    for days in (1, 2):
        make_puzzle(day=puzzle.day + days * DAY)
    html = page(client_of())
    assert html.count("/puzzle/2") == 1


def test_theme_chooses_puzzles(puzzle: Puzzle) -> None:
    bought = make_puzzle(house_source(5), puzzle.day - DAY, of_kind("buy"))
    set_missing_themes()
    bought.refresh_from_db()
    puzzle.refresh_from_db()
    assert bought.theme in ("buy", "end") and puzzle.theme in ("place", "found", "merge")
    html = page(client_of(), f"?theme={bought.theme}")
    assert url(bought) in html and url(puzzle) not in html


def test_difficulty_chooses_puzzles(puzzle: Puzzle) -> None:
    hard = make_puzzle(day=puzzle.day - DAY)
    Puzzle.objects.filter(pk=hard.pk).update(mu=35, solvers=9)
    html = page(client_of(), "?difficulty=hard")
    assert url(hard) in html and url(puzzle) not in html
    assert "1800,\n" in html and "9 answers" in html
    assert url(puzzle) in page(client_of(), "?difficulty=unrated")


def test_unknown_choices_choose_nothing(puzzle: Puzzle) -> None:
    assert url(puzzle) in page(client_of(), "?theme=dance&difficulty=x&before=tomorrow")
    assert client_of().get("/puzzles/chess/").status_code == 404


def test_filter_that_fits_no_puzzle_says_so(puzzle: Puzzle) -> None:
    html = page(client_of(), "?difficulty=easy")
    assert "No puzzle matches." in html and "Show all puzzles" in html


def test_reader_sees_own_answers_and_can_hide_them(puzzle: Puzzle, alice: User) -> None:
    answer_puzzle(puzzle=puzzle, user=alice, move=puzzle.best)
    client = client_of(alice)
    assert "Correct" in page(client)
    assert url(puzzle) not in page(client, "?open=on")
    PuzzleAnswer.objects.update(right=False)
    assert "Wrong" in page(client)
    # For visitors nothing is hidden.
    assert url(puzzle) in page(client_of(), "?open=on")


def test_pages_follow_each_other(puzzle: Puzzle, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.puzzles.puzzle_archive.PAGE", 1)
    older = make_puzzle(day=puzzle.day - DAY)
    first = page(client_of())
    assert url(puzzle) in first and url(older) not in first
    assert f"?before={puzzle.day}" in first
    second = page(client_of(), f"?before={puzzle.day}")
    assert url(older) in second and url(puzzle) not in second and "Earlier puzzles" not in second


# -- Difficulty ----------------------------------------------------------------------------------------


def rated(puzzle: Puzzle, *answers: bool, user: Any) -> Puzzle:
    for solved in answers:
        rate_puzzle(puzzle, user, solved=solved)
    puzzle.refresh_from_db()
    return puzzle


def test_difficulty_is_not_told_before_enough_members_have_answered(puzzle: Puzzle, alice: User) -> None:
    assert difficulty(rated(puzzle, *[False] * 4, user=alice)) == UNRATED
    assert difficulty(rated(puzzle, False, user=alice)) == HARD


def test_puzzle_that_everybody_solves_is_easy(puzzle: Puzzle, alice: User) -> None:
    assert difficulty(rated(puzzle, *[True] * 6, user=alice)) == EASY


def test_puzzle_that_half_of_the_members_solve_is_of_medium_difficulty(puzzle: Puzzle, alice: User) -> None:
    assert difficulty(rated(puzzle, *[True, False] * 5, user=alice)) == MEDIUM


def test_miss_of_a_strong_member_tells_more_than_one_of_a_weak_member(
    puzzle: Puzzle, alice: User, bob: User
) -> None:
    from games.models import Rating

    for user, mu in ((alice, 40), (bob, 10)):
        rating = {"sigma": 2, "games": 30, "wins": 9, "standing": mu, "ranked": True}
        Rating.objects.create(user=user, system="acquire", mu=mu, **rating)
    other = make_puzzle(day=puzzle.day - DAY)
    assert rated(puzzle, False, user=alice).mu > rated(other, False, user=bob).mu


def test_only_the_first_answer_changes_the_difficulty(puzzle: Puzzle, alice: User) -> None:
    for _ in range(2):
        answer_puzzle(puzzle=puzzle, user=alice, move=puzzle.best)
    puzzle.refresh_from_db()
    assert puzzle.solvers == 1


@pytest.mark.parametrize(("place", "said"), [(0, "Correct"), (1, "Wrong")])
def test_visitor_sees_own_answers(place: int, said: str, puzzle: Puzzle, alice: User) -> None:
    client = client_of()
    assert said not in page(client)
    client.post(url(puzzle), {"move": puzzle.estimates[place][0]})
    assert said in page(client)
    assert said not in page(client_of())
