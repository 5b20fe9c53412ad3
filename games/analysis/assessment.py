"""What a computer opponent thinks of the decisions of a game that is over, found out in the background.

Workers do it in small batches, so that no computer's move waits behind a whole game, and with a lower
priority. Each batch begins where the last one was written down: one that is lost, comes twice or is
killed half way costs its own time and nothing else. The sweeper finds what nobody is at.
"""

import logging
import time
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from random import Random
from typing import Any, Final

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from games.engine.bots.bot_levels import move_rater
from games.engine.bots.move_estimate import Rating
from games.engine.bots.thinking_time import ThinkingTime
from games.log.positions import initial_state, standing_moves
from games.models import Game, GameReview, LogEntry, MoveAssessment
from games.models.playable_systems import withheld_systems
from games.realtime import worker_queue

logger = logging.getLogger(__name__)

# A worker is held for about so many seconds, and for one decision never longer than the last.
BATCH: Final = 2.0
LONGEST: Final = 3.0
# Whoever was at a story so long ago, or was asked for it, will not come to it any more.
GIVEN_UP: Final = timedelta(seconds=worker_queue.VOID_AFTER)
# A decision over which so many workers ended is left out.
TRIES: Final = 3
# Where that did not help either, a day may.
RETRY_AFTER: Final = timedelta(days=1)
# The sweeper asks for no more at once: behind those others wait as well as in the table.
MOST_ASKED: Final = 50


def reports_due(now: datetime) -> QuerySet[GameReview]:
    """Those that are not finished and that no worker is at, the one that waits longest first."""
    due = GameReview.objects.filter(done=None, touched__lt=now - GIVEN_UP, game__deleted=None)
    due = due.filter(Q(tried__lte=TRIES) | Q(touched__lt=now - RETRY_AFTER))
    out = withheld_systems()
    return (due.exclude(game__system__in=out) if out else due).order_by("touched")


def request_due_reports(now: datetime) -> int:
    """Ask workers for the stories that nobody is at; how many. They wait where there is no broker.

    Two at one story would do the same twice, so whoever was asked for one has some time to come to it.
    """
    found = list(reports_due(now).values_list("game", flat=True)[:MOST_ASKED])
    asked = [game_id for game_id in found if worker_queue.request_assessment(game_id)]
    GameReview.objects.filter(game__in=asked, done=None).update(touched=now)
    return len(asked)


def assess_next_moves(game_id: int, seconds: float = BATCH) -> bool:
    """Rate as many further decisions of the game as there is time for; whether any are left.

    Assumes to be late or second: it begins behind what is written down, and what another one has
    written meanwhile stands. The chance is drawn from what names the decision, so that rating it twice
    comes to the same.
    """
    story = GameReview.objects.filter(game=game_id, done=None).first()
    game = Game.with_secrets.filter(pk=game_id, status=Game.Status.FINISHED).first()
    rate = move_rater(game.system) if game else None
    if story is None or game is None or rate is None:
        return False
    GameReview.objects.filter(pk=story.pk).update(tried=story.tried + 1, touched=timezone.now())
    # Where a worker did not come back, it goes on by single decisions, to see over which one.
    end = time.monotonic() + (0.0 if story.tried else seconds)
    found: list[MoveAssessment] = []
    rated = story.rated
    for move, state in _to_rate(game, story.rated):
        if rated > story.rated and time.monotonic() >= end:
            break
        if story.tried < TRIES:
            found += _assessed(game, move, state, rate)
        rated = move.number
    else:
        rated = game.version
    return _write_down(story, game, found, rated)


def _to_rate(game: Game, after: int) -> Iterator[tuple[LogEntry, Any]]:
    """The moves behind an entry of the log, each with the position in which it was made."""
    system, state = game.rule_system, initial_state(game)
    for move in standing_moves(game.moves.all()):
        if move.number > after:
            yield move, state
        system.apply(state, system.parse_move(move.text))


def _assessed(
    game: Game, move: LogEntry, state: Any, rate: Callable[..., Rating | None]
) -> list[MoveAssessment]:
    """What is thought of a move: nothing where there was nothing to decide, or where thinking fails.

    It is thought of as its seat saw it: what that player could not know counts neither for nor against.
    """
    system = game.rule_system
    seen = system.observe(state, move.seat, memory=True)
    if move.origin == LogEntry.Origin.FORCED_MOVE or len(seen.legal) < 2:
        return []
    chance = Random(f"{game.public_id} {move.number}")
    try:
        rating = rate(seen, seen.legal, system.parse_move(move.text), chance, ThinkingTime(LONGEST))
    except Exception:  # the task's time limit is among them
        logger.exception("Entry %s of game %s could not be assessed", move.number, game)
        return []
    if rating is None:
        return []
    best, played = rating.best, rating.played
    return [
        MoveAssessment(
            game=game,
            number=move.number,
            seat=seen.decision.seat,
            best=str(best.move),
            chance=_share(played.chance),
            best_chance=_share(max(best.chance, played.chance)),
            lead=played.lead,
            best_lead=max(best.lead, played.lead),
        )
    ]


def _share(chance: float) -> float:
    """A sum of shares can be off by the last digit."""
    return min(1.0, max(0.0, chance))


@transaction.atomic
def _write_down(story: GameReview, game: Game, found: list[MoveAssessment], rated: int) -> bool:
    """Keep what was found, unless somebody else was faster; whether there is more to rate."""
    is_over = rated >= game.version
    done = timezone.now() if is_over else None
    mine = GameReview.objects.filter(pk=story.pk, rated=story.rated, done=None)
    if not mine.update(rated=rated, tried=0, touched=timezone.now(), done=done):
        return False
    MoveAssessment.objects.bulk_create(found)
    return not is_over
