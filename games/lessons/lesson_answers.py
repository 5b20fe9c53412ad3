"""Positions of lessons, and answers to them, which the rules engine checks."""

from dataclasses import dataclass
from typing import Any

from games.engine.rules.rule_systems import SYSTEMS
from games.lessons.course import SYSTEM
from games.lessons.lesson import READER, Attempt, Step


@dataclass(frozen=True, slots=True)
class LessonView:
    """A position of a lesson as the reader sees it: the observation, and the events that led to it.

    After an answer `completed` is the observation once all that the answer began is done.
    """

    seen: Any
    events: tuple[Any, ...]
    completed: Any = None


def step_position(step: Step) -> LessonView:
    """The position in which the step asks."""
    state, events = _prepared(step)
    return LessonView(SYSTEMS[SYSTEM].observe(state, READER), events)


def solved_position(step: Step, move: str) -> LessonView | None:
    """The position after a right answer; None for any other text."""
    try:
        attempt = _attempt(step, move)
    except ValueError:
        return None
    if not step.is_right(attempt):
        return None
    system = SYSTEMS[SYSTEM]
    _state, events = _prepared(step)
    completed = attempt.after.copy()
    for text in step.then:
        system.apply(completed, system.parse_move(text))
    return LessonView(
        system.observe(attempt.after, READER), (*events, *attempt.events), system.observe(completed, READER)
    )


def check_answer(step: Step, move: str) -> tuple[str, bool]:
    """Return the answer in the notation of the rules, and whether it is right.

    Raises InvalidMove and IllegalMove.
    """
    attempt = _attempt(step, move)
    return str(attempt.move), step.is_right(attempt)


def _attempt(step: Step, text: str) -> Attempt:
    system = SYSTEMS[SYSTEM]
    before, _events = _prepared(step)
    move = system.parse_move(text)
    system.check_move(before, move)
    after = before.copy()
    return Attempt(before, move, after, tuple(system.play(after, move)))


def _prepared(step: Step) -> tuple[Any, tuple[Any, ...]]:
    """The state of the step, and the events of the moves that led to it."""
    system = SYSTEMS[SYSTEM]
    state, events = system.position_from_text(step.text), []
    for text in step.moves:
        move = system.parse_move(text)
        system.check_move(state, move)
        events += system.play(state, move)
    return state, tuple(events)
