"""Criteria of a puzzle: a decision with one clearly best move that is not the obvious one.

Everything is judged by what the deciding seat saw at that moment, as the solver sees it too.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from games.engine.bots.bot_levels import BOTS
from games.engine.bots.move_estimate import Estimate

# The best move must have a chance to win (0 to 1) that is higher than any other by this margin.
MARGIN: Final = 0.07
# The margin may be lower by this much in the quick evaluation by the scout.
MAX_DOUBT: Final = 0.02
# Number of evaluations with different random numbers, which must all agree.
EVALUATION_ROUNDS: Final = 3
# Limits of the chance to win: nearly lost or nearly won positions are no puzzles.
CHANCE_LIMITS: Final = (0.08, 0.95)


@dataclass(frozen=True, slots=True)
class PuzzleJudges:
    """Levels that judge the puzzles of one rule system.

    `judge` decides which move is best, `scout` quickly rules out decisions that are not worth its time,
    `plain` gives the obvious move, and `player` plays the games from which puzzles are made.
    """

    judge: str
    scout: str
    plain: str
    player: str


JUDGES: Final[dict[str, PuzzleJudges]] = {
    "acquire": PuzzleJudges(judge="master", scout="expert", plain="medium", player="hard"),
    "acquisition": PuzzleJudges(judge="hard", scout="hard", plain="medium", player="medium"),
}


def clearly_best_move(system: str, seen: Any, chance: str) -> list[Estimate]:
    """Estimates of the observer's moves, beginning with the clearly best one; empty if there is none.

    It is also empty if the best move is the obvious one. The result depends only on the observation and
    the word `chance`, not on time.
    """
    levels, legal = BOTS[system], seen.legal
    if len(legal) < 2:
        return []
    judges = JUDGES[system]
    obvious = levels[judges.plain].choose(seen, legal, Random(f"{chance} plain"))
    scouted = _evaluations(levels[judges.scout], seen, [f"{chance} scout"])
    if not _agreed_estimates(scouted, obvious, MARGIN - MAX_DOUBT):
        return []
    judged = _evaluations(
        levels[judges.judge], seen, [f"{chance} {number}" for number in range(EVALUATION_ROUNDS)]
    )
    return _agreed_estimates(judged, obvious, MARGIN)


def _evaluations(level: Any, seen: Any, chances: Sequence[str]) -> Iterator[list[Estimate]]:
    return (level.advise(seen, seen.legal, Random(chance)) for chance in chances)


def _agreed_estimates(
    evaluations: Iterable[Sequence[Estimate]], obvious: Any, margin: float
) -> list[Estimate]:
    """Pool the evaluations if all agree on a best move, by `margin` and with a lead, that is not obvious.

    Return an empty list otherwise. No further evaluation is made after one that disagrees.
    """
    found: list[Sequence[Estimate]] = []
    for evaluation in evaluations:
        found.append(evaluation)
        first = evaluation[0].move
        if first == obvious or first != found[0][0].move:
            return []
        if len(evaluation) < 2 or evaluation[0].chance - evaluation[1].chance < margin:
            return []
    best, *others = pooled = pool_evaluations(found)
    if not CHANCE_LIMITS[0] < best.chance < CHANCE_LIMITS[1] or best.lead < others[0].lead:
        return []
    # A move given up after a few tries may look better than it is; not even that may be close.
    return pooled if all(best.chance - other.chance >= margin for other in others) else []


def pool_evaluations(evaluations: Sequence[Sequence[Estimate]]) -> list[Estimate]:
    """Pool several evaluations weighted by tries; the moves with most tries come first."""
    sums: dict[Any, list[float]] = {}
    for evaluation in evaluations:
        for one in evaluation:
            total = sums.setdefault(one.move, [0.0, 0.0, 0])
            total[0] += one.chance * one.tries
            total[1] += one.lead * one.tries
            total[2] += one.tries
    found = [
        Estimate(move, chance / tries, lead / tries, int(tries))
        for move, (chance, lead, tries) in sums.items()
    ]
    return sorted(found, key=lambda one: (-one.tries, -one.chance))
