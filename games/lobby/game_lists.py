"""Lists of games, one page at a time.

None of them loads a state. Each reads only the rows it shows, through an index in its order, so a page costs
the same however many games there are.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import Exists, F, OuterRef, Prefetch, Q, QuerySet, Subquery, prefetch_related_objects
from django.db.models.functions import Coalesce
from django.utils import timezone

from games.clocks.on_time_rate import unreliable
from games.keyset_page import after_cursor, next_cursor
from games.log.handovers import losses_of
from games.models import DepartureCount, Game, Invitation, Kick, Rating, Result, Seat
from games.models.game import MAX_LIVE_PACE
from games.models.playable_systems import withheld_systems
from games.players import blocks
from games.players.limits import MAX_DEPARTURES
from games.ratings.rating_pools import rating_pool

# More than the unfinished games a user may have.
MAX_LISTED = 100
PAGE = 24
FEW = 6


@dataclass(frozen=True)
class Page:
    """Some games of a list; `following` is the cursor of the next page, "" at the end."""

    games: list[Game]
    following: str = ""


@dataclass(frozen=True, kw_only=True)
class OpenGameFilter:
    """A reader's filter of open games; None and "" match any game.

    `pace` is the longest time per decision in seconds, 0 for games without a limit. `players` is a number of
    players that the game admits, `free` the least number of free seats. `reliable` leaves out tables with a
    player whose known on-time rate is below this percentage. `joinable` leaves out games that the reader
    could not join.
    """

    pace: int | None = None
    system: str = ""
    preset: str = ""
    players: int | None = None
    free: int | None = None
    reliable: int | None = None
    joinable: bool = True


def with_seats(games: list[Game]) -> list[Game]:
    """Prefetch the seats of the games with their users and, as `mu`, the users' ratings in such games."""
    known = Rating.objects.filter(
        user=OuterRef("user"), system=OuterRef("game__system"), month="", players=OuterRef("pool")
    )
    seats = Seat.objects.select_related("user").alias(pool=rating_pool("game"))
    seats = seats.annotate(mu=Subquery(known.values("mu")))
    prefetch_related_objects(games, Prefetch("seats", seats))
    return games


def _with_winners(page: Page) -> Page:
    """Prefetch the results of the members who won, as `winners` of each game, and return the page."""
    won = Result.objects.filter(rank=1)
    prefetch_related_objects(page.games, Prefetch("results", won, to_attr="winners"))
    return page


# -- The reader's own ----------------------------------------------------------------------------------


def games_to_move(user: Any) -> QuerySet[Game]:
    """Games that wait for this user: the soonest deadline first, then those that have waited longest."""
    asked = _asking(user) if user.is_authenticated else Game.objects.none()
    soonest = Coalesce("ready_by", "deadline").asc(nulls_last=True)
    return asked.order_by(soonest, "last_change_at", "pk")[:MAX_LISTED]


def waiting_count(user: Any, besides: str = "") -> int:
    """The number of games that wait for this user, besides the one with this public id."""
    if not user.is_authenticated:
        return 0
    return _asking(user).exclude(public_id=besides).count() if besides else _asking(user).count()


def waits_for(game: Game, user: Any) -> bool:
    """Return whether the game waits for this user to decide, or to say that they are ready.

    A paused game waits for nobody. The seats are read only during a ready check.
    """
    if user.pk is None or game.paused is not None:
        return False
    if game.ready_by is not None:
        return any(seat.user_id == user.pk and not seat.is_ready for seat in game.seats.all())
    return game.waiting_for_id == user.pk


def _asking(user: Any) -> QuerySet[Game]:
    """Games that wait for this user as `waits_for` says."""
    to_decide = Game.objects.filter(waiting_for=user.pk, paused=None).values("pk")
    checks = Game.objects.filter(ready_by__isnull=False, paused=None, seats__in=_unready_seats(user))
    # A union, because neither index would serve a condition with "or".
    return Game.objects.filter(pk__in=to_decide.union(checks.values("pk")))


def _unready_seats(user: Any) -> QuerySet[Seat]:
    return Seat.objects.filter(user=user.pk, is_ready=False, ended=None)


def next_game(user: Any, after: str = "") -> Game | None:
    """The next game to play, or None; the game `after` only if no other waits."""
    games = list(games_to_move(user))
    return next((game for game in games if game.public_id != after), games[0] if games else None)


def other_games(user: Any) -> QuerySet[Game]:
    """The user's games that wait for somebody else or have not started, the latest change first."""
    if not user.is_authenticated:
        return Game.objects.none()
    return _unfinished(user).exclude(pk__in=_asking(user).values("pk"))[:MAX_LISTED]


def unfinished(user: Any) -> QuerySet[Game]:
    """All unfinished games of this user, the latest change first."""
    return _unfinished(user)[:MAX_LISTED]


def _unfinished(user: Any) -> QuerySet[Game]:
    return Game.objects.filter(seats__user=user.pk, seats__ended=None).order_by("-last_change_at", "-pk")


def has_played(user: Any) -> bool:
    """Return whether the user has ever had a seat in a game that has begun."""
    return bool(
        user.is_authenticated and Game.objects.filter(seats__user=user.pk, started__isnull=False).exists()
    )


def is_newcomer(over: Iterable[Game]) -> bool:
    """Return whether none of a user's latest games that are over, as home lists them, was finished."""
    return not any(game.is_finished and not game.is_practice for game in over)


def practice_tables(user: Any) -> QuerySet[Game]:
    """The user's unfinished practice tables, the latest change first. They wait for nobody."""
    if not user.is_authenticated:
        return Game.objects.none()
    tables = Game.objects.filter(host=user.pk, is_practice=True, finished=None)
    return tables.order_by("-last_change_at", "-pk")[:MAX_LISTED]


def invited(user: Any) -> QuerySet[Game]:
    """Open games to which the user has a pending invitation, the latest first."""
    if not user.is_authenticated:
        return Game.objects.none()
    invitations = Invitation.objects.filter(user=user.pk, state=Invitation.State.PENDING)
    asked_to = Game.objects.filter(status=Game.Status.OPEN, pk__in=invitations.values("game"))
    return asked_to.order_by("-opened", "-pk")[:MAX_LISTED]


# -- Everybody's ---------------------------------------------------------------------------------------


def open_games(user: Any, wanted: OpenGameFilter) -> QuerySet[Game]:
    """Public games that wait for players, the latest first."""
    games = Game.objects.filter(status=Game.Status.OPEN, visibility=Game.Visibility.PUBLIC)
    if wanted.joinable:
        games = games.filter(seats_taken__lt=F("max_players"))
        if user.is_authenticated:
            games = games.filter(~_seats(user), ~_has_removed(user), ~_left_too_often(user))
            games = games.filter(~_asks_for_higher_rate(user), ~blocks.blocked_member_seated(user))
    if wanted.reliable is not None:
        games = games.filter(~_has_unreliable(wanted.reliable))
    if wanted.pace is not None:
        games = games.filter(_has_pace(wanted.pace))
    if wanted.system:
        games = games.filter(system=wanted.system)
    if wanted.preset:
        games = games.filter(preset=wanted.preset)
    if wanted.players is not None:
        games = games.filter(min_players__lte=wanted.players, max_players__gte=wanted.players)
    if wanted.free is not None:
        games = games.filter(max_players__gte=F("seats_taken") + wanted.free)
    return games.order_by("-opened", "-pk")


def running_games(user: Any) -> QuerySet[Game]:
    """Public games that the user can watch but does not play, the latest move first."""
    games = Game.objects.filter(status=Game.Status.RUNNING, visibility=Game.Visibility.PUBLIC)
    if user.is_authenticated:
        games = games.filter(~_seats(user))
    return games.order_by("-last_change_at", "-pk")


def vacant_games(user: Any) -> QuerySet[Game]:
    """Public games with a seat that the user may take over from a stand-in, the latest change first."""
    games = Game.objects.filter(status=Game.Status.RUNNING, visibility=Game.Visibility.PUBLIC)
    # No seat of a running game has ended; the condition lets the database use a partial index.
    vacated = Seat.objects.filter(
        Q(reserved_until=None) | Q(reserved_until__lte=timezone.now()),
        game=OuterRef("pk"),
        replaced_at__isnull=False,
        ended__isnull=True,
    )
    playing = Seat.objects.filter(game=OuterRef("pk"), user__isnull=False, bot_level="")
    games = games.filter(Exists(vacated), Exists(playing))
    if user.is_authenticated:
        lost = Exists(losses_of(user.pk).filter(game=OuterRef("pk")))
        games = games.filter(~_seats(user), ~_has_removed(user), ~blocks.blocked_member_seated(user), ~lost)
    return games.order_by("-last_change_at", "-pk")


def finished_games() -> QuerySet[Game]:
    """Public games that are over, the latest first."""
    games = Game.objects.filter(status=Game.Status.FINISHED, visibility=Game.Visibility.PUBLIC)
    return games.order_by("-finished", "-pk")


def own_ended(user: Any) -> QuerySet[Seat]:
    """The user's seats in games that are over, the latest first.

    Seats have an index in this order for each user; games have none.
    """
    seats = Seat.objects.filter(user=user.pk, ended__isnull=False, game__deleted=None)
    if out := withheld_systems():
        seats = seats.exclude(game__system__in=out)
    return seats.order_by("-ended", "-game_id")


def own_practised(user: Any) -> QuerySet[Game]:
    """The user's practice tables that are over, the latest first."""
    tables = Game.objects.filter(host=user.pk, is_practice=True, finished__isnull=False, imported=None)
    return tables.order_by("-finished", "-pk")


def own_imported(user: Any) -> QuerySet[Game]:
    """The games that the user has imported, the latest first."""
    games = Game.objects.filter(host=user.pk, is_practice=True, imported__isnull=False)
    return games.order_by("-imported", "-pk")


# These conditions list a reader's few games at once. For conditions about each game PostgreSQL expects that
# hardly any game fulfils all of them, and reads every open game instead of the latest.


def _seats(user: Any) -> Q:
    """The condition that the user has a seat in a game that is not over."""
    return Q(pk__in=Seat.objects.filter(user=user.pk, ended=None).values("game"))


def _has_removed(user: Any) -> Q:
    """The condition that the host has removed the user from the game."""
    return Q(pk__in=Kick.objects.filter(user=user.pk).values("game"))


def _left_too_often(user: Any) -> Q:
    often = DepartureCount.objects.filter(user=user.pk, times__gte=MAX_DEPARTURES)
    return Q(pk__in=often.values("game"))


def _asks_for_higher_rate(user: Any) -> Exists:
    return Exists(unreliable(OuterRef("min_on_time_percent")).filter(user=user.pk))


def _has_unreliable(least: int) -> Exists:
    known = unreliable(least).values("user")
    return Exists(Seat.objects.filter(game=OuterRef("pk"), user__in=known))


# -- Pages ---------------------------------------------------------------------------------------------


def open_page(user: Any, wanted: OpenGameFilter, after: str = "", size: int = PAGE) -> Page:
    """A page of `open_games` after the cursor `after`."""
    return page_of(open_games(user, wanted), "opened", after, size)


def running_page(user: Any, after: str = "", size: int = PAGE) -> Page:
    """A page of `running_games` after the cursor `after`."""
    return page_of(running_games(user), "last_change_at", after, size)


def finished_page(after: str = "", size: int = PAGE) -> Page:
    """A page of `finished_games` after the cursor `after`."""
    return _with_winners(page_of(finished_games(), "finished", after, size))


def finished_page_of(user: Any, after: str = "", size: int = PAGE) -> Page:
    """A page of the user's games that are over, the latest first.

    Includes practice tables and games that never started.
    """
    if not user.is_authenticated:
        return Page([])
    found = [
        *after_cursor(own_ended(user), "ended", "game_id", after).values_list("game_id", "ended")[: size + 1],
        *after_cursor(own_practised(user), "finished", "pk", after).values_list("pk", "finished")[: size + 1],
    ]
    found = sorted(found, key=lambda place: (place[1], place[0]), reverse=True)[: size + 1]
    games = Game.objects.in_bulk([key for key, _ in found[:size]])
    return _with_winners(Page([games[key] for key, _ in found[:size]], next_cursor(found, size)))


def page_of(games: QuerySet[Game], column: str, after: str, size: int) -> Page:
    """A page of games ordered by this column, a time, and then by key, both descending."""
    found = list(after_cursor(games, column, "pk", after)[: size + 1])
    return Page(found[:size], next_cursor([(game.pk, getattr(game, column)) for game in found], size))


def _has_pace(pace: int) -> Q:
    """Games of at most this many seconds per move; 0 is without a limit. Only live paces find live games."""
    if not pace:
        return Q(seconds_per_move=None)
    live = Q(seconds_per_move__lte=MAX_LIVE_PACE)
    return live if pace <= MAX_LIVE_PACE else Q(seconds_per_move__lte=pace) & ~live
