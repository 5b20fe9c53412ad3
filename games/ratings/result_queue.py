"""Queue of finished games whose results must be read or read again.

The end of a game leaves a `GameOutcome` that is due, and so do later changes of what it counts for. Tasks and
the sweeper read due ones; a lock lets only one process at a time do so for a rule system.
"""

import logging
import math
import time
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone

from games.engine.rules.rule_systems import SYSTEMS
from games.log.standings import has_result, standings
from games.models import Game, GameOutcome, RatingLedger, Result, Seat
from games.play.finished_game import mark_result_due
from games.processes import task_failures
from games.ratings import rating_history, record_totals
from games.ratings.rated_places import rated_game

logger = logging.getLogger(__name__)

# Number of games to read before updating the ratings.
BATCH = 200

# When to try again after an error.
AGAIN_AFTER = timedelta(hours=1)


def has_due_results(since: datetime) -> bool:
    """Return whether an outcome has been due since then, or ratings are out of date."""
    return (
        GameOutcome.objects.filter(due__lte=since).exists()
        or RatingLedger.objects.filter(recount_from__isnull=False).exists()
    )


def count_results(now: datetime | None = None, *, seconds: float = math.inf) -> int:
    """Read all due outcomes and update the ratings; return how many were read.

    Skips rule systems that another process is at. Begins nothing new after this many seconds.
    """
    now, end = now or timezone.now(), time.monotonic() + seconds
    read = 0
    for system in SYSTEMS:
        goes_on = True
        while goes_on and time.monotonic() < end:
            batch = _read_batch(system, now)
            goes_on = rating_history.update_ratings(system) or batch > 0
            read += batch
    return read


def recount_all_results() -> int:
    """Make all finished games due again; return how many.

    This includes games without an outcome, which ended before outcomes existed.
    """
    for game in Game.all_games.filter(status=Game.Status.FINISHED, is_practice=False, outcome=None):
        mark_result_due(game)
    return GameOutcome.objects.update(due=timezone.now())


def read_results(system: str) -> int:
    """Read all due outcomes of a rule system without updating the ratings; return how many."""
    now, read = timezone.now(), 0
    while batch := _read_batch(system, now):
        read += batch
    return read


def unread(system: str) -> int:
    """The number of games of a rule system that wait to be read, or to be tried again."""
    return GameOutcome.objects.filter(system=system, due__isnull=False).count()


def _read_batch(system: str, now: datetime) -> int:
    """Read a batch of due outcomes, in the order in which the games ended; return how many."""
    found = GameOutcome.objects.filter(system=system, due__lte=now).order_by("finished", "game")
    read = 0
    for key in found.values_list("pk", flat=True)[:BATCH]:
        try:
            read += _read(system, key)
        except Exception as error:  # one broken game must not hold up the others
            logger.exception("The outcome of game %s could not be read", key)
            task_failures.record("reading the result of a game", error)
            GameOutcome.objects.filter(pk=key).update(due=timezone.now() + AGAIN_AFTER)
    return read


@transaction.atomic
def _read(system: str, key: int) -> bool:
    """Read one due outcome; return whether it was still due."""
    ledger = rating_history.lock(system)
    if ledger is None:
        return False
    outcome = GameOutcome.objects.select_for_update(no_key=True).filter(pk=key, due__isnull=False).first()
    if outcome is None:
        return False
    game = Game.all_games.defer(None).get(pk=key)
    seats = list(Seat.objects.filter(game=game).select_related("user"))
    entries = list(game.moves.all())
    ended = standings(game, seats)
    before = outcome.places
    if game.finished is not None and game.finished != outcome.finished:
        # It was reopened and has ended again: it does not count any more where it ended first.
        if before is not None:
            rating_history.mark_stale(ledger, outcome)
        outcome.finished, before = game.finished, None
    _write_results(game, seats, ended)
    record_totals.replace_totals(outcome, game, record_totals.game_totals(game, seats, entries, ended))
    counted = rated_game(game, seats, entries)
    outcome.places = None if counted is None else [list(place) for place in counted.places]
    outcome.losses = {} if counted is None else {str(who): str(why) for who, why in counted.losses.items()}
    if outcome.places != before:
        rating_history.mark_stale(ledger, outcome)
    outcome.due = None
    outcome.save(update_fields=["due", "finished", "places", "losses", "counted_totals"])
    return True


def _write_results(game: Game, seats: list[Seat], ended: list[tuple[int, int, int]]) -> None:
    """Save the results of the game's people, unless the game is deleted."""
    Result.objects.filter(game=game).delete()
    if game.deleted is not None:
        return
    counted = [seat for seat in seats if has_result(game, seat)]
    user = {seat.number: seat.user_id for seat in counted if seat.user_id is not None}
    public = game.visibility == Game.Visibility.PUBLIC
    Result.objects.bulk_create(
        Result(game=game, user_id=user[seat], rank=rank, points=points, public=public)
        for rank, seat, points in ended
        if seat in user
    )
