"""The public profile of a member: public games and results."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from allauth.account.models import EmailAddress
from django.conf import settings
from django.db.models import Q, QuerySet
from django.http import Http404

from accounts.models import User
from games.clocks.on_time_rate import share_in_time
from games.log.standings import has_result, standings
from games.models import Game, Reliability, Seat
from games.models.playable_systems import withheld_systems

PAGE = 20
MAX_RUNNING = 50


@dataclass(frozen=True)
class Result:
    """A player's result of a finished game: the rank, and the points.

    `places` is the number of ranks: that of the players, or of the teams in a team game.

    Both are None for a game that ended without a result, at least for this player.
    """

    game: Game
    rank: int | None
    points: int | None
    players: int
    places: int
    finished: datetime


@dataclass(frozen=True)
class KnownReliability:
    """Percentage of decisions `in_time`, None while too few are known, and seats `left` to bots."""

    in_time: int | None
    left: int


@dataclass(frozen=True)
class Results:
    """A page of results, the latest first; `older` names the next page, if any."""

    results: list[Result]
    older: str


def player(name: str) -> User:
    """Return the member with this name, in any case. Raises Http404 for guests and deleted accounts."""
    members = User.objects.select_related("program__owner").filter(
        username__iexact=name, is_active=True, is_guest=False
    )
    member = members.first()
    if member is None or not _is_known(member):
        raise Http404
    return member


def _is_known(member: User) -> bool:
    """Return whether the member has confirmed an address, where the site requires it."""
    if not settings.EMAIL_MUST_BE_CONFIRMED or member.is_staff or member.is_bot_account:
        return True
    return EmailAddress.objects.filter(user=member, verified=True).exists()


def _public_seats(user: User) -> QuerySet[Seat]:
    public = {"game__visibility": Game.Visibility.PUBLIC, "game__deleted": None}
    seats = Seat.objects.filter(user=user, **public)
    out = withheld_systems()
    return seats.exclude(game__system__in=out) if out else seats


def running_of(user: User) -> QuerySet[Game]:
    """The user's running public games, the latest move first, with prefetched seats and users."""
    return (
        Game.objects.filter(seats__user=user, status=Game.Status.RUNNING, visibility=Game.Visibility.PUBLIC)
        .prefetch_related("seats__user")
        .order_by("-last_change_at", "-pk")[:MAX_RUNNING]
    )


def counts_of(user: User) -> dict[str, int]:
    """The numbers of the user's running and finished public games."""
    seats = _public_seats(user)
    return {
        "running": seats.filter(game__status=Game.Status.RUNNING).count(),
        "finished": seats.filter(game__status=Game.Status.FINISHED).count(),
    }


def reliability_of(user: User) -> KnownReliability:
    """The user's on-time record, as far as it is significant."""
    known = Reliability.objects.filter(user=user).first()
    return KnownReliability(share_in_time(known), known.left if known else 0)


def results_of(user: User, after: str = "") -> Results:
    """A page of the user's finished public games; `after` is the last page's `older`."""
    seats = _public_seats(user).filter(game__status=Game.Status.FINISHED)
    if place := _place(after):
        ended, game_id = place
        seats = seats.filter(Q(ended__lt=ended) | Q(ended=ended, game__lt=game_id))
    found = list(seats.order_by("-ended", "-game")[: PAGE + 1])
    shown = found[:PAGE]
    # Load the positions only for this page: the result is not a column of the game.
    found_games = Game.with_secrets.filter(pk__in=[seat.game_id for seat in shown])
    games = found_games.prefetch_related("seats__user").in_bulk()
    results = [_result(games[seat.game_id], seat) for seat in shown]
    older = _written(shown[-1]) if len(found) > PAGE else ""
    return Results(results, older)


def _result(game: Game, seat: Seat) -> Result:
    seats = list(game.seats.all())
    places = {number: (rank, points) for rank, number, points in standings(game, seats)}
    rank, points = places.get(seat.number, (None, None)) if has_result(game, seat) else (None, None)
    assert game.finished is not None
    return Result(game, rank, points, len(seats), len(game.teams) or len(seats), game.finished)


def _written(seat: Seat) -> str:
    assert seat.ended is not None
    return f"{seat.ended.isoformat()},{seat.game_id}"


def _place(text: str) -> tuple[Any, int] | None:
    """The place in the list that a text names, or None."""
    moment, _comma, number = text.rpartition(",")
    try:
        ended = datetime.fromisoformat(moment)
        if ended.tzinfo is None or not 0 < int(number) < 2**63:
            return None
        # The first and the last representable day may not exist in the database's time zone.
        return ended.astimezone(UTC), int(number)
    except (ValueError, OverflowError):
        return None
