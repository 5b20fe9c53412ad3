"""What makes a good puzzle: a decision with one clearly best answer that is not the obvious one.

Everything is seen as the seat that is asked saw it then, and so does whoever solves the puzzle.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from . import BOTS
from .estimates import Estimate

# So much of the win, from 0 to 1, the best answer brings more than any other one.
MARGIN: Final = 0.07
# At a first look it may seem to be so much less.
DOUBT: Final = 0.02
# So often the judge looks, each time with another chance, and must come to the same.
LOOKS: Final = 3
# Who has hardly a chance, or has won as good as surely, has nothing to think about.
OPEN: Final = (0.08, 0.95)


@dataclass(frozen=True, slots=True)
class Judges:
    """Levels of one rule system: `judge` says what is best, `scout` finds quickly what is not worth its
    time, `plain` would answer at once, and `player` plays games from which puzzles are made.
    """

    judge: str
    scout: str
    plain: str
    player: str


JUDGES: Final[dict[str, Judges]] = {
    "acquire": Judges(judge="master", scout="expert", plain="medium", player="hard"),
    "acquisition": Judges(judge="hard", scout="hard", plain="medium", player="medium"),
}


def clearly_best(system: str, seen: Any, chance: str) -> list[Estimate]:
    """What the judge thinks of the answers to what is asked of the observer, the one that is clearly best
    first; nothing where no answer is, or where everybody would find it.

    The same observation and the same word for the chance give the same, however long it takes.
    """
    levels, legal = BOTS[system], seen.legal
    if len(legal) < 2:
        return []
    judges = JUDGES[system]
    obvious = levels[judges.plain].choose(seen, legal, Random(f"{chance} plain"))
    scouted = _looks(levels[judges.scout], seen, [f"{chance} scout"])
    if not _standing_out(scouted, obvious, MARGIN - DOUBT):
        return []
    judged = _looks(levels[judges.judge], seen, [f"{chance} {number}" for number in range(LOOKS)])
    return _standing_out(judged, obvious, MARGIN)


def _looks(level: Any, seen: Any, chances: Sequence[str]) -> Iterator[list[Estimate]]:
    return (level.advise(seen, seen.legal, Random(chance)) for chance in chances)


def _standing_out(looks: Iterable[Sequence[Estimate]], obvious: Any, margin: float) -> list[Estimate]:
    """What the looks come to, where each finds the same answer best, by so much, and not the obvious one,
    and where it is worth no less than the next one; else nothing. After a look that does not, none is taken.
    """
    found: list[Sequence[Estimate]] = []
    for look in looks:
        found.append(look)
        first = look[0].move
        if first == obvious or first != found[0][0].move:
            return []
        if len(look) < 2 or look[0].chance - look[1].chance < margin:
            return []
    best, *others = told = together(found)
    if not OPEN[0] < best.chance < OPEN[1] or best.lead < others[0].lead:
        return []
    # What was given up after a few tries may look better than it is; here it does not even look so.
    return told if all(best.chance - other.chance >= margin for other in others) else []


def together(looks: Sequence[Sequence[Estimate]]) -> list[Estimate]:
    """What several looks come to, each counted as much as it tried: what was tried most comes first."""
    sums: dict[Any, list[float]] = {}
    for look in looks:
        for one in look:
            told = sums.setdefault(one.move, [0.0, 0.0, 0])
            told[0] += one.chance * one.tries
            told[1] += one.lead * one.tries
            told[2] += one.tries
    found = [
        Estimate(move, chance / tries, lead / tries, int(tries))
        for move, (chance, lead, tries) in sums.items()
    ]
    return sorted(found, key=lambda one: (-one.tries, -one.chance))
