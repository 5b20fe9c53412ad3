"""Search for the better moves of mistakes, a few seconds at a time.

Only mistakes that the search confirms become retries: a second search with other random numbers must find the
move that was played clearly worse than the best one.
"""

import logging
from random import Random
from typing import Any, Final

from django.core.cache import cache
from django.db.models import F, QuerySet

from games.analysis.severity import MISTAKE, SLIP
from games.engine.bots.bot_levels import ADVISERS, BOTS
from games.engine.bots.move_estimate import Estimate, well_tried
from games.engine.bots.thinking_time import OutOfTime, ThinkingTime, no_time_limit
from games.models import Game, Mistake
from games.models.playable_systems import withheld_systems
from games.puzzles.puzzle_positions import asked_at, played_instead
from games.realtime import worker_queue
from games.retries.retry_puzzle import retry_puzzle

logger = logging.getLogger(__name__)

# Seconds for one decision.
LONGEST: Final = 3.0
# A mistake over which this many workers died is given up.
TRIES: Final = 3
# Seconds before a worker is asked again; a search takes less.
PATIENCE: Final = 60

_ASKED: Final = "mistakes-asked-for"


def request_search() -> None:
    """Request a worker if mistakes wait for the search."""
    if (
        _waiting().exists()
        and cache.add(_ASKED, True, PATIENCE)
        and not worker_queue.request_mistake_search()
    ):
        cache.delete(_ASKED)


def search_mistakes(out_of_time: OutOfTime = no_time_limit) -> int:
    """Search mistakes, the latest first, while there is time; return how many became retries.

    Safe to run twice at once: two workers find the same.
    """
    found = 0
    while not out_of_time() and (mistake := _waiting().first()) is not None:
        # Saved first: a position that kills a worker must not be tried for ever.
        Mistake.objects.filter(pk=mistake.pk).update(tried=F("tried") + 1)
        estimates = _confirmed_estimates(mistake)
        if estimates:
            stored = [(str(one.move), one.chance, one.lead, one.tries) for one in estimates]
            Mistake.objects.filter(pk=mistake.pk).update(estimates=stored, best=stored[0][0])
            found += 1
        else:
            Mistake.objects.filter(pk=mistake.pk).delete()
    return found


def _waiting() -> QuerySet[Mistake]:
    waiting = Mistake.objects.filter(
        estimates__isnull=True,
        tried__lt=TRIES,
        decision__review__game__status=Game.Status.FINISHED,
        decision__review__game__deleted=None,
    ).exclude(decision__system__in=withheld_systems())
    related = waiting.select_related("decision__review__game")
    return related.defer("decision__review__game__state").order_by("tried", "-pk")


def _confirmed_estimates(mistake: Mistake) -> list[Estimate]:
    """The adviser's estimates of moves, its choice first; empty if the mistake is not confirmed."""
    puzzle = retry_puzzle(mistake)
    decision = asked_at(puzzle)
    if decision is None:
        return []
    system, played = mistake.decision.system, played_instead(puzzle)
    try:
        return _clearly_better(BOTS[system][ADVISERS[system]], decision.seen, played, f"mistake {mistake.pk}")
    except Exception:  # including the task's time limit
        logger.exception("Mistake %s could not be searched", mistake.pk)
        return []


def _clearly_better(adviser: Any, seen: Any, played: Any, chance: str) -> list[Estimate]:
    estimates = well_tried(adviser.advise(seen, seen.legal, Random(chance), ThinkingTime(LONGEST)))
    rating = adviser.rate(seen, seen.legal, played, Random(f"{chance} again"), ThinkingTime(LONGEST))
    if not estimates or rating is None or rating.best.chance - rating.played.chance < MISTAKE:
        return []
    # The adviser's choice need not have the highest estimate: one from fewer tries may have been lucky.
    best, *others = estimates
    if best.move == played:
        return []
    # By the second, fairer comparison the move of the game is not as good.
    worse = [one for one in others if one.move != played or one.chance <= best.chance - SLIP]
    return [best, *sorted(worse, key=lambda one: -one.chance)]
