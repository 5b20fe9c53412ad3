"""Criteria of puzzles: a clearly best move in each evaluation that is not the obvious one."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import count
from random import Random
from typing import Any

import pytest

from games.engine.bots import puzzle_criteria
from games.engine.bots.bot_levels import BOTS, Bot
from games.engine.bots.move_estimate import Estimate
from games.engine.bots.puzzle_criteria import JUDGES, clearly_best_move
from games.engine.rules.acquire import rule_system as acquire
from games.engine.rules.rule_systems import SYSTEMS

Evaluation = Sequence[tuple[float, float]]


def some_decision() -> Any:
    """The observation of a seat with several tiles to choose from."""
    state = acquire.deal(acquire.PRESETS["avalon-hill"], 4, bytes(32))
    while True:
        seen = acquire.observe(state, state.decision.seat)
        if len(seen.legal) > 3:
            return seen
        acquire.apply(state, seen.legal[0])


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[Estimate]]:
    """Find the clearly best move for given evaluations (chance and lead) of the scout and the judge.

    The obvious move is that with the index `obvious`.
    """

    def judged(*evaluations: Evaluation, scout: Evaluation | None = None, obvious: int = 3) -> list[Estimate]:
        seen, left = some_decision(), list(evaluations)

        def estimates(evaluation: Evaluation) -> list[Estimate]:
            found = [
                Estimate(seen.legal[place], chance, lead, 100)
                for place, (chance, lead) in enumerate(evaluation)
            ]
            return sorted(found, key=lambda one: -one.chance)

        levels = {
            "plain": Bot("", "", lambda seen, legal, rng: legal[obvious]),
            "scout": Bot("", "", min, advise=lambda *_: estimates(scout or evaluations[0])),
            "judge": Bot("", "", min, advise=lambda *_: estimates(left.pop(0))),
        }
        monkeypatch.setattr(puzzle_criteria, "BOTS", {"acquire": levels})
        monkeypatch.setattr(
            puzzle_criteria,
            "JUDGES",
            {"acquire": puzzle_criteria.PuzzleJudges("judge", "scout", "plain", "plain")},
        )
        return clearly_best_move("acquire", seen, "a word")

    return judged


CLEAR: Evaluation = [(0.5, 800), (0.4, 500), (0.3, 0)]
EVEN: Evaluation = [(0.5, 800), (0.49, 790), (0.3, 0)]


def test_move_that_is_always_better_makes_puzzle(judged: Callable[..., list[Estimate]]) -> None:
    best, second, third = judged(CLEAR, CLEAR, CLEAR)
    assert best.move is some_decision().legal[0]
    assert (best.chance, best.lead, best.tries) == (pytest.approx(0.5), pytest.approx(800), 300)
    assert second.chance > third.chance


def test_two_equal_moves_make_no_puzzle(
    judged: Callable[..., list[Estimate]], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert judged(EVEN, EVEN, EVEN) == []
    assert judged(CLEAR, EVEN, CLEAR) == []
    # The sabotage twin: without a margin it would be a puzzle.
    monkeypatch.setattr(puzzle_criteria, "MARGIN", 0.0)
    assert judged(EVEN, EVEN, EVEN)


def test_disagreeing_evaluations_make_no_puzzle(judged: Callable[..., list[Estimate]]) -> None:
    other = [CLEAR[1], CLEAR[0], CLEAR[2]]
    assert judged(CLEAR, CLEAR, other, scout=CLEAR) == []


def test_judge_stops_after_disagreeing_evaluation(judged: Callable[..., list[Estimate]]) -> None:
    # A second evaluation would fail, as there is none.
    assert judged(EVEN, scout=CLEAR) == []
    assert judged(CLEAR, scout=CLEAR, obvious=0) == []


def test_obvious_move_makes_no_puzzle(judged: Callable[..., list[Estimate]]) -> None:
    assert judged(CLEAR, CLEAR, CLEAR, obvious=0) == []
    assert judged(CLEAR, CLEAR, CLEAR, obvious=1)


def test_best_move_with_lower_lead_makes_no_puzzle(judged: Callable[..., list[Estimate]]) -> None:
    costly: Evaluation = [(0.5, 100), (0.4, 500), (0.3, 0)]
    assert judged(costly, costly, costly) == []


@pytest.mark.parametrize("chance", [0.05, 0.99])
def test_decided_game_makes_no_puzzle(judged: Callable[..., list[Estimate]], chance: float) -> None:
    decided: Evaluation = [(chance, 800), (chance - 0.08, 500)]
    assert judged(decided, decided, decided) == []


def test_single_move_makes_no_puzzle() -> None:
    seen = some_decision()
    assert clearly_best_move("acquire", replace(seen, legal=seen.legal[:1]), "x") == []
    assert clearly_best_move("acquire", replace(seen, legal=()), "x") == []


def test_every_system_has_puzzle_judges() -> None:
    assert list(JUDGES) == list(SYSTEMS)
    for system, judges in JUDGES.items():
        levels = BOTS[system]
        assert levels[judges.judge].advise and levels[judges.scout].advise
        assert levels[judges.plain] and levels[judges.player]
        assert judges.judge != judges.plain


def game_of(seed: int) -> list[Any]:
    """The observations with a choice in a game of medium bots."""
    rng, found = Random(seed), []
    state = acquire.deal(acquire.PRESETS["avalon-hill"], 3, rng.randbytes(32))
    while (seat := acquire.decider(state)) is not None:
        seen = acquire.observe(state, seat)
        if len(seen.legal) > 1:
            found.append(seen)
        acquire.apply(state, BOTS["acquire"]["medium"].choose(seen, seen.legal, rng))
    return found


def shuffled(decisions: list[Any]) -> list[Any]:
    return Random(1).sample(decisions, len(decisions))


def test_judges_find_same_puzzles_again() -> None:
    # Game 17 has a puzzle; if that changes, a later game will do.
    seen, chance, puzzle = next(
        (seen, str(number), puzzle)
        for game in count(17)
        for number, seen in enumerate(shuffled(game_of(game)))
        if (puzzle := clearly_best_move("acquire", seen, str(number)))
    )
    assert clearly_best_move("acquire", seen, chance) == puzzle
    best, *others = puzzle
    assert best.move in seen.legal and others
    assert all(best.chance - other.chance >= puzzle_criteria.MARGIN for other in others)
    assert best.lead >= others[0].lead
