"""What makes a puzzle: one answer that is clearly best, at each look, and not the obvious one."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from games.bots import BOTS, Bot, Estimate, puzzles
from games.bots.puzzles import JUDGES, clearly_best
from games.rules import SYSTEMS, acquire

Look = Sequence[tuple[float, float]]


def some_decision() -> Any:
    """What a seat sees that may place any of its tiles."""
    state = acquire.deal(acquire.PRESETS["avalon-hill"], 4, bytes(32))
    while True:
        seen = acquire.observe(state, state.decision.seat)
        if len(seen.legal) > 3:
            return seen
        acquire.apply(state, seen.legal[0])


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[Estimate]]:
    """What is found where the scout and each look of the judge think so of the answers: chance and lead.

    The obvious answer is that at place `obvious`.
    """

    def judged(*looks: Look, scout: Look | None = None, obvious: int = 3) -> list[Estimate]:
        seen, left = some_decision(), list(looks)

        def told(look: Look) -> list[Estimate]:
            found = [
                Estimate(seen.legal[place], chance, lead, 100) for place, (chance, lead) in enumerate(look)
            ]
            return sorted(found, key=lambda one: -one.chance)

        levels = {
            "plain": Bot("", "", lambda seen, legal, rng: legal[obvious]),
            "scout": Bot("", "", min, advise=lambda *_: told(scout or looks[0])),
            "judge": Bot("", "", min, advise=lambda *_: told(left.pop(0))),
        }
        monkeypatch.setattr(puzzles, "BOTS", {"acquire": levels})
        monkeypatch.setattr(
            puzzles, "JUDGES", {"acquire": puzzles.Judges("judge", "scout", "plain", "plain")}
        )
        return clearly_best("acquire", seen, "a word")

    return judged


CLEAR: Look = [(0.5, 800), (0.4, 500), (0.3, 0)]
EVEN: Look = [(0.5, 800), (0.49, 790), (0.3, 0)]


def test_one_answer_that_is_better_each_time_makes_a_puzzle(judged: Callable[..., list[Estimate]]) -> None:
    best, second, third = judged(CLEAR, CLEAR, CLEAR)
    assert best.move is some_decision().legal[0]
    assert (best.chance, best.lead, best.tries) == (pytest.approx(0.5), pytest.approx(800), 300)
    assert second.chance > third.chance


def test_two_answers_that_are_as_good_make_none(
    judged: Callable[..., list[Estimate]], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert judged(EVEN, EVEN, EVEN) == []
    assert judged(CLEAR, EVEN, CLEAR) == []
    # The twin: for whom any difference will do.
    monkeypatch.setattr(puzzles, "MARGIN", 0.0)
    assert judged(EVEN, EVEN, EVEN)


def test_what_looks_otherwise_at_another_look_makes_none(judged: Callable[..., list[Estimate]]) -> None:
    other = [CLEAR[1], CLEAR[0], CLEAR[2]]
    assert judged(CLEAR, CLEAR, other, scout=CLEAR) == []


def test_after_a_look_that_makes_none_the_judge_does_not_look_again(
    judged: Callable[..., list[Estimate]],
) -> None:
    # There is no second look to be had here.
    assert judged(EVEN, scout=CLEAR) == []
    assert judged(CLEAR, scout=CLEAR, obvious=0) == []


def test_what_everybody_would_do_makes_none(judged: Callable[..., list[Estimate]]) -> None:
    assert judged(CLEAR, CLEAR, CLEAR, obvious=0) == []
    assert judged(CLEAR, CLEAR, CLEAR, obvious=1)


def test_what_brings_the_win_and_costs_the_lead_makes_none(judged: Callable[..., list[Estimate]]) -> None:
    costly: Look = [(0.5, 100), (0.4, 500), (0.3, 0)]
    assert judged(costly, costly, costly) == []


@pytest.mark.parametrize("chance", [0.05, 0.99])
def test_a_game_that_is_decided_makes_none(judged: Callable[..., list[Estimate]], chance: float) -> None:
    decided: Look = [(chance, 800), (chance - 0.08, 500)]
    assert judged(decided, decided, decided) == []


def test_a_decision_without_a_choice_makes_none() -> None:
    seen = some_decision()
    assert clearly_best("acquire", replace(seen, legal=seen.legal[:1]), "x") == []
    assert clearly_best("acquire", replace(seen, legal=()), "x") == []


def test_every_system_has_its_judges() -> None:
    assert list(JUDGES) == list(SYSTEMS)
    for system, judges in JUDGES.items():
        levels = BOTS[system]
        assert levels[judges.judge].advise and levels[judges.scout].advise
        assert levels[judges.plain] and levels[judges.player]
        assert judges.judge != judges.plain


def game_of(seed: int) -> list[Any]:
    """What the seats see that have a choice, in a game of medium players."""
    rng, found = Random(seed), []
    state = acquire.deal(acquire.PRESETS["avalon-hill"], 3, rng.randbytes(32))
    while (seat := acquire.decider(state)) is not None:
        seen = acquire.observe(state, seat)
        if len(seen.legal) > 1:
            found.append(seen)
        acquire.apply(state, BOTS["acquire"]["medium"].choose(seen, seen.legal, rng))
    return found


def test_the_judges_find_puzzles_in_games_and_the_same_again() -> None:
    decisions = game_of(1)
    Random(1).shuffle(decisions)
    found = next(
        (seen, told)
        for number, seen in enumerate(decisions)
        if (told := clearly_best("acquire", seen, str(number)))
    )
    seen, told = found
    again = clearly_best("acquire", seen, str(decisions.index(seen)))
    assert again == told
    best, *others = told
    assert best.move in seen.legal and others
    assert all(best.chance - other.chance >= puzzles.MARGIN for other in others)
    assert best.lead >= others[0].lead
