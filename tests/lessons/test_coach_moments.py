"""Moments of coach marks, in positions of the lessons and others."""

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from games.engine.rules.rule_systems import SYSTEMS
from games.lessons.acquire.coach_moments import MOMENTS, coach_moments
from games.lessons.course import SYSTEM, lesson_of
from games.lessons.lesson_answers import step_position

RULES = SYSTEMS[SYSTEM]


def moments(lesson: str, number: int) -> list[str]:
    """The moments in the position of a step."""
    found = lesson_of(lesson)
    assert found is not None
    return coach_moments(step_position(found.steps[number - 1]).seen)


@pytest.mark.parametrize(
    ("lesson", "number", "name"),
    [
        ("tiles", 1, "place"),
        ("tiles", 3, "found"),
        ("shares", 1, "buy"),
        ("shares", 1, "bonuses"),
        ("growth", 1, "chain"),
        ("mergers", 1, "merge"),
        ("mergers", 2, "survivor"),
        ("defunct", 1, "dispose"),
        ("safety", 2, "dead"),
        ("safety", 2, "safe"),
        ("ending", 1, "end"),
    ],
)
def test_mark_fits_the_position_that_teaches_it(lesson: str, number: int, name: str) -> None:
    assert name in moments(lesson, number)


@pytest.mark.parametrize(
    ("lesson", "number", "names"),
    [
        ("tiles", 1, {"chain", "merge", "dead", "safe", "buy", "end"}),
        ("growth", 1, {"merge", "dead", "safe"}),
        ("shares", 1, {"place", "chain", "end"}),
        ("mergers", 1, {"chain"}),
        ("safety", 1, {"safe", "dead"}),
        ("defunct", 1, {"place", "buy", "safe"}),
    ],
)
def test_mark_waits_for_its_moment(lesson: str, number: int, names: set[str]) -> None:
    assert not names & set(moments(lesson, number))


def test_how_to_answer_comes_before_all_else() -> None:
    assert moments("safety", 2)[0] == "place"
    assert moments("shares", 1)[0] == "buy"
    assert moments("ending", 1)[0] == "end"


def test_nobody_else_and_no_spectator_has_a_moment() -> None:
    found = lesson_of("safety")
    assert found is not None
    state = RULES.position_from_text(found.steps[1].text)
    assert coach_moments(RULES.observe(state, 0))
    assert all(coach_moments(RULES.observe(state, seat)) == [] for seat in (1, 2, None))


def test_moments_follow_from_what_the_reader_sees() -> None:
    """Other hands and the bag are dealt anew, and nothing changes."""
    found = lesson_of("safety")
    assert found is not None
    state = RULES.position_from_text(found.steps[1].text)
    seen = RULES.observe(state, 0)
    dealt = [RULES.sample_state(seen, Random(seed)) for seed in range(5)]
    assert {tuple(coach_moments(RULES.observe(one, 0))) for one in dealt} == {tuple(coach_moments(seen))}


@pytest.mark.parametrize("preset", RULES.PRESETS)
def test_every_moment_comes_in_some_game(preset: str) -> None:
    # Where an eighth chain founds nothing no tile is blocked, and who must hold is not asked.
    never = {"blocked", "dispose"} if preset == "course" else set()
    missing, seed = set(MOMENTS) - never, 0
    while missing:
        missing -= seen_in_a_game(preset, seed)
        seed += 1
        assert seed < 40, f"never {missing}"


def seen_in_a_game(preset: str, seed: int) -> set[str]:
    """All moments of a random game with this preset."""
    rng, found = Random(seed), set()
    state: Any = RULES.deal(RULES.PRESETS[preset], 3, rng.randbytes(32))
    while (seat := RULES.decider(state)) is not None:
        found.update(coach_moments(RULES.observe(state, seat)))
        RULES.apply(state, rng.choice(RULES.legal_moves(state)))
    return found


def test_reader_without_a_legal_move_has_no_moment() -> None:
    found = lesson_of("tiles")
    assert found is not None
    seen = step_position(found.steps[0]).seen
    assert coach_moments(replace(seen, legal=())) == []
