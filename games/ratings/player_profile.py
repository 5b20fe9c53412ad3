"""What everybody may know about one member: public games and how they ended."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from allauth.account.models import EmailAddress
from django.conf import settings
from django.db.models import Q, QuerySet
from django.http import Http404

from accounts.models import User
from games.clocks.on_time_rate import share_in_time
from games.log.standings import standings
from games.models import Game, Reliability, Seat
from games.models.playable_systems import withheld_systems

PAGE = 20
MOST_RUNNING = 50


@dataclass(frozen=True)
class Result:
    """How a finished game ended for one player: the rank among so many, and the points that won it.

    Both are None for a game that ended without a result.
    """

    game: Game
    rank: int | None
    points: int | None
    players: int
    finished: datetime


@dataclass(frozen=True)
class KnownReliability:
    """So many per cent of decisions `in_time`, None while too few are known; seats `left` to a computer."""

    in_time: int | None
    left: int


@dataclass(frozen=True)
class Results:
    """A page of results, the latest first; `older` leads to the next one, if there is any."""

    results: list[Result]
    older: str


def player(name: str) -> User:
    """The member of this name, in any case. Raises Http404 for guests and for accounts that were given up."""
    members = User.objects.select_related("program__owner").filter(
        username__iexact=name, is_active=True, is_guest=False
    )
    member = members.first()
    if member is None or not _is_known(member):
        raise Http404
    return member


def _is_known(member: User) -> bool:
    """Where addresses must be confirmed, an account begins with that."""
    if not settings.EMAIL_MUST_BE_CONFIRMED or member.is_staff or member.is_bot_account:
        return True
    return EmailAddress.objects.filter(user=member, verified=True).exists()


def _public_seats(user: User) -> QuerySet[Seat]:
    public = {"game__visibility": Game.Visibility.PUBLIC, "game__deleted": None}
    seats = Seat.objects.filter(user=user, **public)
    out = withheld_systems()
    return seats.exclude(game__system__in=out) if out else seats


def running_of(user: User) -> QuerySet[Game]:
    """The public games that the user is playing, the liveliest first; seats and their users come along."""
    return (
        Game.objects.filter(seats__user=user, status=Game.Status.RUNNING, visibility=Game.Visibility.PUBLIC)
        .prefetch_related("seats__user")
        .order_by("-last_change_at", "-pk")[:MOST_RUNNING]
    )


def counts_of(user: User) -> dict[str, int]:
    """How many public games the user plays and has finished."""
    seats = _public_seats(user)
    return {
        "running": seats.filter(game__status=Game.Status.RUNNING).count(),
        "finished": seats.filter(game__status=Game.Status.FINISHED).count(),
    }


def reliability_of(user: User) -> KnownReliability:
    """How far the user can be relied on, as far as that is known."""
    known = Reliability.objects.filter(user=user).first()
    return KnownReliability(share_in_time(known), known.left if known else 0)


def results_of(user: User, after: str = "") -> Results:
    """The public games that the user has finished, a page at a time; `after` is the last page's `older`."""
    seats = _public_seats(user).filter(game__status=Game.Status.FINISHED)
    if place := _place(after):
        ended, game_id = place
        seats = seats.filter(Q(ended__lt=ended) | Q(ended=ended, game__lt=game_id))
    found = list(seats.order_by("-ended", "-game")[: PAGE + 1])
    shown = found[:PAGE]
    # The final positions are read for the games of this page alone: a result is no column of its own.
    found_games = Game.with_secrets.filter(pk__in=[seat.game_id for seat in shown])
    games = found_games.prefetch_related("seats").in_bulk()
    results = [_result(games[seat.game_id], seat.number) for seat in shown]
    older = _written(shown[-1]) if len(found) > PAGE else ""
    return Results(results, older)


def _result(game: Game, seat: int) -> Result:
    seats = list(game.seats.all())
    places = {number: (rank, points) for rank, number, points in standings(game, seats)}
    rank, points = places.get(seat, (None, None))
    assert game.finished is not None
    return Result(game, rank, points, len(seats), game.finished)


def _written(seat: Seat) -> str:
    assert seat.ended is not None
    return f"{seat.ended.isoformat()},{seat.game_id}"


def _place(text: str) -> tuple[Any, int] | None:
    """The place in the list that a text names; None for what names none."""
    moment, _comma, number = text.rpartition(",")
    try:
        ended = datetime.fromisoformat(moment)
        if ended.tzinfo is None or not 0 < int(number) < 2**63:
            return None
        # In the zone of the database, where the first and the last days of all may not exist.
        return ended.astimezone(UTC), int(number)
    except (ValueError, OverflowError):
        return None
