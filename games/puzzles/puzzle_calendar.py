"""The puzzle of each day. Days are in UTC, the same for everybody."""

from datetime import UTC, date, timedelta
from typing import Final

from django.conf import settings
from django.core.cache import cache
from django.db import IntegrityError, transaction
from django.utils import timezone

from games.models import Puzzle
from games.puzzles.shown_puzzles import visible_puzzles
from games.realtime import worker_queue

# Seconds before a worker is asked again; a search takes less.
PATIENCE: Final = 60
DAY: Final = timedelta(days=1)

_ASKED: Final = "puzzles-asked-for"


def today() -> date:
    """The day whose puzzle counts now."""
    return timezone.now().astimezone(UTC).date()


def first_free_day() -> date:
    """The first day from today on that has no puzzle."""
    now = today()
    taken = set(Puzzle.objects.filter(day__gte=now).values_list("day", flat=True))
    return next(day for number in range(len(taken) + 1) if (day := now + number * DAY) not in taken)


def missing_puzzles() -> int:
    """The number of puzzles missing for today and the days ahead."""
    return max(0, settings.PUZZLE_DAYS_AHEAD - visible_puzzles().filter(day__gte=today()).count())


def maintain_puzzles() -> None:
    """Withdraw puzzles that may no longer be shown, ensure one for today and request more in time."""
    now = today()
    coming = visible_puzzles().filter(day__gte=now).values_list("day", "pk")
    kept = {day: key for day, key in coming if day is not None}
    gone = list(
        Puzzle.objects.filter(day__gte=now).exclude(pk__in=kept.values()).values_list("pk", flat=True)
    )
    if gone:
        Puzzle.objects.filter(pk__in=gone).update(day=None)
    if kept and now not in kept:
        _move(kept[max(kept)], now)
    if (
        len(kept) < settings.PUZZLE_DAYS_AHEAD
        and cache.add(_ASKED, True, PATIENCE)
        and not worker_queue.request_puzzles()
    ):
        cache.delete(_ASKED)


def _move(puzzle: int, day: date) -> None:
    """Move a puzzle to another day, unless that day has got one meanwhile."""
    try:
        with transaction.atomic():
            Puzzle.objects.filter(pk=puzzle).update(day=day)
    except IntegrityError:
        pass
