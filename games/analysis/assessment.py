"""Assessment of the moves of finished games by a bot, in the background.

Workers do it in small batches at low priority, so that no bot's move waits for a whole game. Each batch
continues where the last one was saved, so a lost, repeated or killed batch costs only its own time. The
sweeper finds abandoned reviews.
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

from games.analysis.severity import MISTAKE, SLIP
from games.engine.bots.bot_levels import move_rater
from games.engine.bots.move_estimate import Estimate, Rating, well_tried
from games.engine.bots.thinking_time import ThinkingTime
from games.log.positions import initial_state, walk_moves
from games.models import Game, GameReview, LogEntry, MoveAssessment
from games.models.game_review import EDITION
from games.models.playable_systems import withheld_systems
from games.realtime import worker_queue

logger = logging.getLogger(__name__)

# Seconds for which a batch holds a worker; one decision may take as long as its own limit.
BATCH: Final = 2.0
LONGEST: Final = 3.0
# A review that a worker began or was asked for this long ago is abandoned.
GIVEN_UP: Final = timedelta(seconds=worker_queue.VOID_AFTER)
# A decision at which this many workers died is skipped.
TRIES: Final = 3
# Digits of a kept share: a hundredth of a point.
DIGITS: Final = 4
# Wait before trying again if skipping did not help either.
RETRY_AFTER: Final = timedelta(days=1)
# Limit of the sweeper's requests: more would hold up others in the queue.
MAX_ASKED: Final = 50

_REPLACED: Final = ("seat", "best", "chance", "best_chance", "lead", "best_lead", "chances", "others")


def reviews_due(now: datetime) -> QuerySet[GameReview]:
    """Unfinished reviews that no worker is at, the one that waits longest first."""
    due = GameReview.objects.filter(done=None, touched__lt=now - GIVEN_UP, game__deleted=None)
    due = due.filter(Q(tried__lte=TRIES) | Q(touched__lt=now - RETRY_AFTER))
    out = withheld_systems()
    return (due.exclude(game__system__in=out) if out else due).order_by("touched")


def request_due_reviews(now: datetime) -> int:
    """Request workers for abandoned reviews and return how many; 0 without a broker.

    Two workers on one review would do the same twice, so a requested worker gets some time to begin.
    """
    found = list(reviews_due(now).values_list("game", flat=True)[:MAX_ASKED])
    asked = [game_id for game_id in found if worker_queue.request_assessment(game_id)]
    GameReview.objects.filter(game__in=asked, done=None).update(touched=now)
    return len(asked)


def outdated_reviews() -> QuerySet[GameReview]:
    """Complete reviews of an earlier edition."""
    return GameReview.objects.filter(edition__lt=EDITION, done__isnull=False, game__deleted=None)


def review_outdated_games(most: int) -> int:
    """Begin up to `most` reviews of earlier editions anew, the latest games first; return how many.

    What they tell so far stays until it is replaced. The sweeper requests the workers, a few at a time.
    """
    found = list(outdated_reviews().order_by("-game").values_list("pk", flat=True)[:most])
    begun = GameReview.objects.filter(pk__in=found, edition__lt=EDITION)
    return begun.update(
        edition=EDITION, rated=0, tried=0, done=None, counted=None, touched=timezone.now() - GIVEN_UP
    )


def assess_next_moves(game_id: int, seconds: float = BATCH) -> bool:
    """Assess the next moves of the game until time is up; return whether any are left.

    It continues after what is saved, and keeps what another worker has saved meanwhile. The random seed is
    derived from the decision, so that assessing it twice gives the same result.
    """
    review = GameReview.objects.filter(game=game_id, done=None).first()
    game = Game.with_secrets.filter(pk=game_id, status=Game.Status.FINISHED).first()
    rate = move_rater(game.system) if game else None
    if review is None or game is None or rate is None:
        return False
    GameReview.objects.filter(pk=review.pk).update(tried=review.tried + 1, touched=timezone.now())
    # After a crash, go on by single decisions to find the one that causes it.
    end = time.monotonic() + (0.0 if review.tried else seconds)
    found: list[MoveAssessment] = []
    rated = review.rated
    for move, state in _moves_to_assess(game, review.rated):
        if rated > review.rated and time.monotonic() >= end:
            break
        if review.tried < TRIES:
            found += _assessed(game, move, state, rate)
        rated = move.number
    else:
        rated = game.version
    return _save_assessments(review, game, found, rated)


def _moves_to_assess(game: Game, after: int) -> Iterator[tuple[LogEntry, Any]]:
    """The moves after a log entry, each with the position in which it was made."""
    state = initial_state(game)
    for move in walk_moves(game, state, game.moves.all()):
        if move.number > after:
            yield move, state


def _assessed(
    game: Game, move: LogEntry, state: Any, rate: Callable[..., Rating | None]
) -> list[MoveAssessment]:
    """The assessment of a move; empty if there was no choice or the bot failed.

    The bot sees what the seat saw: what the player could not know does not count.
    """
    system = game.rule_system
    seen = system.observe(state, move.seat, memory=True)
    if move.origin == LogEntry.Origin.FORCED_MOVE or len(seen.legal) < 2:
        return []
    chance = Random(f"{game.public_id} {move.number}")
    try:
        rating = rate(seen, seen.legal, system.parse_move(move.text), chance, ThinkingTime(LONGEST))
    except Exception:  # including the task's time limit
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
            chances=[round(chance, DIGITS) for chance in rating.chances],
            others=[_kept(one) for one in well_tried(rating.others)] if _mattered(rating) else [],
        )
    ]


def _mattered(rating: Rating) -> bool:
    """Return whether the decision was a slip or worse, or the next best move would have been a mistake."""
    lost = rating.best.chance - rating.played.chance
    ahead = rating.played.chance - rating.others[0].chance if rating.others else 0.0
    return lost >= SLIP or (not lost and ahead >= MISTAKE)


def _kept(estimate: Estimate) -> tuple[str, float, int]:
    return str(estimate.move), round(_share(estimate.chance), DIGITS), round(estimate.lead)


def _share(chance: float) -> float:
    """Clamp a share to 0 and 1: a sum of shares can be off by the last digit."""
    return min(1.0, max(0.0, chance))


@transaction.atomic
def _save_assessments(review: GameReview, game: Game, found: list[MoveAssessment], rated: int) -> bool:
    """Save the assessments unless another worker was faster; return whether moves are left."""
    is_over = rated >= game.version
    done = timezone.now() if is_over else None
    mine = GameReview.objects.filter(pk=review.pk, rated=review.rated, done=None)
    if not mine.update(rated=rated, tried=0, touched=timezone.now(), done=done):
        return False
    # A review that is made again replaces what the earlier edition told.
    MoveAssessment.objects.bulk_create(
        found, update_conflicts=True, unique_fields=["game", "number"], update_fields=_REPLACED
    )
    return not is_over
