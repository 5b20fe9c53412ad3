"""Second tries: another answer to a decision of a finished game, compared with its assessment.

Nothing is stored, and no game changes.
"""

from dataclasses import dataclass
from enum import Enum
from typing import Any

from games.analysis.severity import SLIP
from games.engine.bots.move_estimate import Estimate
from games.models import MoveAssessment


class Grade(Enum):
    """The quality of an answer."""

    BEST = "best"
    AS_GOOD = "as good"
    AS_PLAYED = "as played"
    WORSE = "worse"
    UNKNOWN = "unknown"

    @property
    def is_right(self) -> bool:
        return self in (Grade.BEST, Grade.AS_GOOD)


@dataclass(frozen=True, slots=True)
class Verdict:
    """The grade of an answer, and the share of the win that it keeps, None if it was not considered."""

    grade: Grade
    chance: float | None


def is_askable(rated: MoveAssessment, asked: Any) -> bool:
    """Return whether the decision can be asked again; `asked` is what its player saw before the move.

    Not if the rules of today refuse the best move that was found.
    """
    return asked is not None and rated.game.rule_system.parse_move(rated.best) in asked.legal


def judge_retry(rated: MoveAssessment, played: str, answer: str) -> Verdict:
    """Compare an answer, given in the notation of the rules like the move played, with the assessment."""
    if answer == rated.best:
        return Verdict(Grade.BEST, rated.best_chance)
    chances = {move: chance for move, chance, _lead in rated.others} | {played: rated.chance}
    if answer not in chances:
        return Verdict(Grade.UNKNOWN, None)
    # The estimate of a move that was tried only a few times may be too high.
    chance = min(chances[answer], rated.best_chance)
    if rated.best_chance - chance < SLIP:
        return Verdict(Grade.AS_GOOD, chance)
    return Verdict(Grade.AS_PLAYED if answer == played else Grade.WORSE, chance)


def estimates(rated: MoveAssessment, played: str) -> list[Estimate]:
    """The estimates of the best move, which comes first, of the one played and of the others considered."""
    parse = rated.game.rule_system.parse_move
    best = Estimate(parse(rated.best), rated.best_chance, rated.best_lead, 1)
    own = [Estimate(parse(played), rated.chance, rated.lead, 1)] if played != rated.best else []
    others = [Estimate(parse(move), chance, lead, 1) for move, chance, lead in rated.others]
    return [best, *sorted([*own, *others], key=lambda one: -one.chance)]
