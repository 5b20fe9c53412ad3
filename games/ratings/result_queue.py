"""Reading games that are over: what each of them counts for, once, whoever is told of it how often.

The end of a game leaves an `Outcome` that is due, and so does what changes what it counts for later. Tasks
and the sweeper read what is due; only one of them at a time does so for a rule system.
"""

import logging
import math
import time
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone

from games.engine.rules.rule_systems import SYSTEMS
from games.log.standings import standings
from games.models import Game, GameOutcome, LogEntry, RatingLedger, Result, Seat
from games.play.finished_game import mark_result_due
from games.ratings import rating_history, record_totals
from games.ratings.rated_places import rated_places

logger = logging.getLogger(__name__)

# So many games are read before the ratings are changed by what they told.
BATCH = 200

# What could not be read is tried again then.
AGAIN_AFTER = timedelta(hours=1)


def has_due_results(since: datetime) -> bool:
    """Whether some game waits since then to be read, or ratings to be changed by one that was."""
    return (
        GameOutcome.objects.filter(due__lte=since).exists()
        or RatingLedger.objects.filter(recount_from__isnull=False).exists()
    )


def count_results(now: datetime | None = None, *, seconds: float = math.inf) -> int:
    """Read all games that are due, and change the ratings by what they tell; returns how many were read.

    Where somebody else is at it, that is left to them. After so many seconds nothing more is begun.
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
    """Have all games that are over read once more; returns how many. For `count_results` to do.

    So it is with those that left no outcome, as code that did not know of outcomes ended them.
    """
    for game in Game.all_games.filter(status=Game.Status.FINISHED, is_practice=False, outcome=None):
        mark_result_due(game)
    return GameOutcome.objects.update(due=timezone.now())


def _read_batch(system: str, now: datetime) -> int:
    """Read some games that are due, those that ended first before the others; how many were read."""
    found = GameOutcome.objects.filter(system=system, due__lte=now).order_by("finished", "game")
    read = 0
    for key in found.values_list("pk", flat=True)[:BATCH]:
        try:
            read += _read(system, key)
        except Exception:  # one broken game must not keep the others waiting
            logger.exception("The outcome of game %s could not be read", key)
            GameOutcome.objects.filter(pk=key).update(due=timezone.now() + AGAIN_AFTER)
    return read


@transaction.atomic
def _read(system: str, key: int) -> bool:
    """Read one game that is due; whether that was for us to do."""
    ledger = rating_history.lock(system)
    if ledger is None:
        return False
    outcome = GameOutcome.objects.select_for_update(no_key=True).filter(pk=key, due__isnull=False).first()
    if outcome is None:
        return False
    game = Game.all_games.defer(None).get(pk=key)
    seats = list(Seat.objects.filter(game=game).select_related("user"))
    entries = list(game.moves.all())
    rulings = [entry for entry in entries if entry.kind == LogEntry.Kind.RULING]
    ended = standings(game, seats)
    _write_results(game, seats, ended)
    record_totals.replace_totals(outcome, game, record_totals.game_totals(game, seats, entries, ended))
    before, counted = outcome.places, rated_places(game, seats, rulings)
    outcome.places = None if counted is None else [list(place) for place in counted]
    if outcome.places != before:
        rating_history.mark_stale(ledger, outcome)
    outcome.due = None
    outcome.save(update_fields=["due", "places", "counted_totals"])
    return True


def _write_results(game: Game, seats: list[Seat], ended: list[tuple[int, int, int]]) -> None:
    """Put down how the game ended for each of its people, unless it is not there any more."""
    Result.objects.filter(game=game).delete()
    if game.deleted is not None:
        return
    user = {seat.number: seat.user_id for seat in seats if seat.user_id is not None}
    public = game.visibility == Game.Visibility.PUBLIC
    Result.objects.bulk_create(
        Result(game=game, user_id=user[seat], rank=rank, points=points, public=public)
        for rank, seat, points in ended
        if seat in user
    )
