"""Second tries at decisions of finished games."""

import pytest

from games.analysis.retries import Grade, Verdict, estimates, judge_retry
from games.models import Game, MoveAssessment


@pytest.fixture
def rated() -> MoveAssessment:
    return MoveAssessment(
        game=Game(system="acquire"),
        number=9,
        seat=0,
        best="place 8E",
        chance=0.3,
        best_chance=0.45,
        lead=-200.0,
        best_lead=1000.0,
        others=[["place 1A", 0.44, 900], ["place 2B", 0.35, 0], ["place 3C", 0.61, 2000]],
    )


@pytest.mark.parametrize(
    ("answer", "grade", "chance"),
    [
        ("place 8E", Grade.BEST, 0.45),
        ("place 1A", Grade.AS_GOOD, 0.44),
        ("place 2B", Grade.WORSE, 0.35),
        ("place 9G", Grade.AS_PLAYED, 0.3),
        ("place 12I", Grade.UNKNOWN, None),
    ],
)
def test_answer_is_compared_with_what_was_considered(
    answer: str, grade: Grade, chance: float | None, rated: MoveAssessment
) -> None:
    assert judge_retry(rated, "place 9G", answer) == Verdict(grade, chance)


def test_move_that_was_tried_a_few_times_only_is_not_better_than_the_best(rated: MoveAssessment) -> None:
    assert judge_retry(rated, "place 9G", "place 3C") == Verdict(Grade.AS_GOOD, 0.45)


def test_best_and_as_good_answers_are_right() -> None:
    assert [grade for grade in Grade if grade.is_right] == [Grade.BEST, Grade.AS_GOOD]


def test_played_move_without_a_loss_is_right(rated: MoveAssessment) -> None:
    rated.best, rated.chance = "place 9G", 0.45
    assert judge_retry(rated, "place 9G", "place 9G").grade is Grade.BEST


def test_estimates_begin_with_the_best_move_and_hold_each_move_once(rated: MoveAssessment) -> None:
    told = [(str(one.move), one.chance) for one in estimates(rated, "place 9G")]
    assert told == [
        ("place 8E", 0.45),
        ("place 3C", 0.61),
        ("place 1A", 0.44),
        ("place 2B", 0.35),
        ("place 9G", 0.3),
    ]
    rated.best = "place 9G"
    assert [str(one.move) for one in estimates(rated, "place 9G")].count("place 9G") == 1
