"""The eight lessons: possible positions, goals that can be reached and missed, and what follows."""

from typing import Any

import pytest

from games.engine.rules.rule_errors import IllegalMove, InvalidMove
from games.engine.rules.rule_systems import SYSTEMS
from games.lessons.course import COURSE, PRESET, SYSTEM, lesson_after, lesson_of
from games.lessons.lesson import READER, Step
from games.lessons.lesson_answers import check_answer, solved_position, step_position

RULES = SYSTEMS[SYSTEM]

STEPS = {f"{lesson.name} {step.name}": step for lesson in COURSE for step in lesson.steps}

each_step = pytest.mark.parametrize("step", STEPS.values(), ids=STEPS)


def right_answers(step: Step) -> list[str]:
    return [str(move) for move in step_position(step).seen.legal if check_answer(step, str(move))[1]]


def test_there_are_eight_lessons_of_one_to_three_steps() -> None:
    assert len(COURSE) == len({lesson.name for lesson in COURSE}) == 8
    for lesson in COURSE:
        assert 1 <= len(lesson.steps) <= 3
        assert len({step.name for step in lesson.steps}) == len(lesson.steps)


def test_lessons_follow_each_other() -> None:
    assert [lesson_after(lesson) for lesson in COURSE] == [*COURSE[1:], None]
    assert [lesson_of(lesson.name) for lesson in COURSE] == list(COURSE)
    assert lesson_of("nothing") is None


@each_step
def test_position_is_possible_and_asks_the_reader(step: Step) -> None:
    state = RULES.position_from_text(step.text)
    assert [len(hand) for hand in state.hands] == [3, 6, 6]
    for text in step.moves:
        RULES.check_move(state, RULES.parse_move(text))
        RULES.apply(state, RULES.parse_move(text))
    assert RULES.invariants(state) == []
    assert RULES.decider(state) == READER
    assert state.rules == RULES.PRESETS[PRESET]


@each_step
def test_example_reaches_the_goal(step: Step) -> None:
    assert check_answer(step, step.example) == (step.example, True)


@each_step
def test_answer_is_shown_with_all_that_it_began(step: Step) -> None:
    solved = solved_position(step, step.example)
    assert solved is not None
    assert solved.completed.decision.kind not in ("dispose", "survivor", "next")


@each_step
def test_some_legal_answer_misses_the_goal(step: Step) -> None:
    legal = [str(move) for move in step_position(step).seen.legal]
    assert 1 <= len(right_answers(step)) < len(legal)


@each_step
def test_answer_leaves_the_prepared_position_as_it_is(step: Step) -> None:
    before = step_position(step)
    solved_position(step, step.example)
    assert step_position(step) == before


@each_step
def test_reader_sees_no_tile_of_others(step: Step) -> None:
    state = RULES.position_from_text(step.text)
    assert set(step_position(step).seen.hand) <= set(state.hands[READER])


@each_step
@pytest.mark.parametrize("text", ["", "place", "resign", "place 99Z", "x" * 5000])
def test_nonsense_is_no_move(step: Step, text: str) -> None:
    with pytest.raises(InvalidMove):
        check_answer(step, text)
    assert solved_position(step, text) is None


@pytest.mark.parametrize(
    ("name", "answer", "reason"),
    [
        ("tiles place", "place 1A", "not in hand"),
        ("tiles place", "found tower", "other decision"),
        ("shares afford", "buy 3 tower", "too dear"),
        ("shares buy", "buy 1 tower", "not on the board"),
        ("defunct sell", "dispose sell 5", "too few held"),
        ("safety dead", "place 8C", "dead"),
    ],
)
def test_illegal_answer_is_refused_by_the_rules(name: str, answer: str, reason: str) -> None:
    with pytest.raises(IllegalMove) as refused:
        check_answer(STEPS[name], answer)
    assert refused.value.reason == reason
    assert solved_position(STEPS[name], answer) is None


@pytest.mark.parametrize(
    ("name", "answers"),
    [
        ("tiles place", ["place 2B"]),
        ("tiles found", ["place 6E"]),
        ("tiles choose", ["found tower", "found continental"]),
        ("shares afford", ["buy 3 worldwide"]),
        ("growth grow", ["place 5E"]),
        ("growth prices", ["place 11C"]),
        ("bonuses majority", ["buy 2 american", "buy 1 tower 2 american", "buy 3 american"]),
        ("bonuses minority", ["buy 2 continental"]),
        ("mergers merge", ["place 5C"]),
        ("mergers survivor", ["survivor tower"]),
        ("defunct sell", ["dispose sell 4"]),
        ("defunct trade", ["dispose trade 4"]),
        ("defunct hold", ["dispose nothing"]),
        ("safety safe", ["place 7C"]),
        ("safety dead", ["place 4D"]),
    ],
)
def test_right_answers_are_those_that_the_texts_lead_to(name: str, answers: list[str]) -> None:
    assert right_answers(STEPS[name]) == answers


def test_any_three_shares_are_right_where_the_money_suffices() -> None:
    shares = [RULES.parse_move(text).shares for text in right_answers(STEPS["shares buy"])]
    assert len(shares) == 4 and {len(bought) for bought in shares} == {3}


def test_end_can_be_declared_with_any_purchase() -> None:
    legal = [str(move) for move in step_position(STEPS["ending declare"]).seen.legal]
    assert right_answers(STEPS["ending declare"]) == [text for text in legal if text.endswith("and end")]


def test_only_a_purchase_of_continental_wins_the_last_game() -> None:
    right = right_answers(STEPS["ending count"])
    assert right and all("continental" in text and text.endswith("and end") for text in right)
    # Without it Ann would win.
    state = RULES.position_from_text(STEPS["ending count"].text)
    RULES.apply(state, RULES.parse_move("buy nothing and end"))
    assert RULES.standings(state)[0][1] == 1


def test_only_selling_all_pays_for_the_majority_in_festival() -> None:
    def worth_after(disposal: str, purchase: str) -> int:
        state = RULES.position_from_text(STEPS["defunct sell"].text)
        for text in ("place 5C", disposal, "dispose nothing", "dispose nothing", purchase):
            RULES.check_move(state, RULES.parse_move(text))
            RULES.apply(state, RULES.parse_move(text))
        return int(RULES.observe(state, READER).worth[READER])

    sold = worth_after("dispose sell 4", "buy 3 festival")
    legal = [str(move) for move in step_position(STEPS["defunct sell"]).seen.legal]
    for other in set(legal) - {"dispose sell 4"}:
        with pytest.raises(IllegalMove):
            worth_after(other, "buy 3 festival")
        assert sold > worth_after(other, "buy nothing")


def paid_to_reader(view: Any) -> list[int]:
    return [event.dollars for event in view.events if type(event).__name__ == "BonusPaid" and event.seat == 0]


def test_events_of_the_answer_follow_those_that_led_to_the_question() -> None:
    step = STEPS["defunct sell"]
    assert [type(event).__name__ for event in step_position(step).events][:2] == ["Placed", "Merged"]
    solved = solved_position(step, step.example)
    assert solved is not None
    assert type(solved.events[-1]).__name__ == "Disposed"
    merged = solved_position(STEPS["mergers merge"], "place 5C")
    assert paid_to_reader(merged) == [3000]
