"""The clocks of a live game, as its table shows them and lets them tick."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.clocks import game_clock
from games.log.public_times import deadline_shown
from games.models import Game, Seat

_SECOND = timedelta(seconds=1)


@dataclass(frozen=True, slots=True)
class LiveClock:
    """The clocks by seat in words, "" for a computer; `ends` is the end of the one that runs, or None.

    Instants are in milliseconds since 1970 by the clock of the server, which may not be that of the device.
    """

    shown: tuple[str, ...]
    now: int
    ends: int | None
    low: bool


def live_clock(game: Game, seats: Sequence[Seat]) -> LiveClock | None:
    """The clocks of a live game that runs; None for other games, and for spectators who see it late."""
    if not game.is_live or not game.is_running or game.rounds_late:
        return None
    now = timezone.now()
    ends = deadline_shown(game.deadline, now)
    left = [_left(game, seat, ends, now) for seat in seats]
    return LiveClock(
        shown=tuple("" if time is None else _in_words(time) for time in left),
        now=milliseconds(now),
        ends=None if ends is None else milliseconds(ends),
        low=ends is not None and ends - now <= 10 * _SECOND,
    )


def time_left(game: Game) -> str:
    """The time left on the clock that runs in a live game, "" while none runs."""
    now = timezone.now()
    ends = deadline_shown(game.deadline, now)
    return "" if ends is None else _in_words(max(ends - now, timedelta()))


def server_now() -> int:
    """The time of the server in milliseconds since 1970."""
    return milliseconds(timezone.now())


@require_safe
@never_cache
def server_time(request: HttpRequest) -> HttpResponse:
    """Answer with the time of the server in milliseconds since 1970."""
    return HttpResponse(str(server_now()), content_type="text/plain; charset=utf-8")


def milliseconds(moment: datetime) -> int:
    """Return an instant in milliseconds since 1970, as scripts count it."""
    return round((moment - datetime(1970, 1, 1, tzinfo=UTC)) / timedelta(milliseconds=1))


def _left(game: Game, seat: Seat, ends: datetime | None, now: datetime) -> timedelta | None:
    if seat.user_id is None:
        return None
    if seat.user_id != game.waiting_for_id:
        return game_clock.full_time(game, seat)
    return game_clock.remaining(game) if ends is None else max(ends - now, timedelta())


def _in_words(time: timedelta) -> str:
    minutes, seconds = divmod(round(time.total_seconds()), 60)
    return f"{minutes}:{seconds:02}"
