"""Lists of games, a page at a time.

None of them loads a state. Each reads only as many rows as it shows, through an index in its order,
so a page costs the same however many games there are.
"""

from dataclasses import dataclass
from typing import Any

from django.db.models import Exists, F, OuterRef, Prefetch, QuerySet, Subquery, prefetch_related_objects

from games.clocks.on_time_rate import unreliable
from games.keyset_page import after_cursor, next_cursor
from games.models import OVERALL, DepartureCount, Game, Invitation, Kick, Rating, Result, Seat
from games.models.playable_systems import withheld_systems
from games.players import blocks
from games.players.limits import MAX_DEPARTURES

# More than one person may have unfinished at once.
MOST_LISTED = 100
PAGE = 24
FEW = 6


@dataclass(frozen=True)
class Page:
    """Some games of a list; `following` names the next page, "" at the end."""

    games: list[Game]
    following: str = ""


@dataclass(frozen=True, kw_only=True)
class OpenGameFilter:
    """Which open games a reader wants to see; what is None or "" does not matter.

    At no table of them sits anybody known to decide in time less often than `reliable` per cent.
    `pace` is in seconds: at most so long for each decision, 0 for games without a limit. `players`
    may sit down in all, `free` seats are free at least. `joinable` leaves out where the reader could
    not sit down.
    """

    pace: int | None = None
    system: str = ""
    preset: str = ""
    players: int | None = None
    free: int | None = None
    reliable: int | None = None
    joinable: bool = True


def with_seats(games: list[Game]) -> list[Game]:
    """The games with their seats, the users in them and, as `mu`, their ratings, read together."""
    known = Rating.objects.filter(
        user=OuterRef("user"), system=OuterRef("game__system"), month="", players=OVERALL
    )
    seats = Seat.objects.select_related("user").annotate(mu=Subquery(known.values("mu")))
    prefetch_related_objects(games, Prefetch("seats", seats))
    return games


def _with_winners(page: Page) -> Page:
    """The page; its games know as `winners` the results of the members who won, read together."""
    won = Result.objects.filter(rank=1)
    prefetch_related_objects(page.games, Prefetch("results", won, to_attr="winners"))
    return page


# -- The reader's own ----------------------------------------------------------------------------------


def games_to_move(user: Any) -> QuerySet[Game]:
    """Games that wait for this user: the soonest deadline first, then those that wait longest."""
    asked = _asking(user) if user.is_authenticated else Game.objects.none()
    return asked.order_by(F("deadline").asc(nulls_last=True), "last_change_at", "pk")[:MOST_LISTED]


def waiting_count(user: Any) -> int:
    """How many games wait for a decision of this user."""
    if not user.is_authenticated:
        return 0
    return _asking(user).count()


def _asking(user: Any) -> QuerySet[Game]:
    """Games in which this user can decide something now: one that is paused asks nobody."""
    return Game.objects.filter(waiting_for=user.pk, paused=None)


def next_game(user: Any, after: str = "") -> Game | None:
    """The game to play next, the one with the id `after` only when no other waits; None without any."""
    games = list(games_to_move(user))
    return next((game for game in games if game.public_id != after), games[0] if games else None)


def other_games(user: Any) -> QuerySet[Game]:
    """The user's games that wait for somebody else or have not begun, the latest news first."""
    if not user.is_authenticated:
        return Game.objects.none()
    return _unfinished(user).exclude(waiting_for=user.pk, paused=None)[:MOST_LISTED]


def unfinished(user: Any) -> QuerySet[Game]:
    """All games of this user that are not over, at one moment, the latest news first."""
    return _unfinished(user)[:MOST_LISTED]


def _unfinished(user: Any) -> QuerySet[Game]:
    return Game.objects.filter(seats__user=user.pk, seats__ended=None).order_by("-last_change_at", "-pk")


def practice_tables(user: Any) -> QuerySet[Game]:
    """The practice tables of this user that are not over, the latest played first. They wait for nobody."""
    if not user.is_authenticated:
        return Game.objects.none()
    tables = Game.objects.filter(host=user.pk, is_practice=True, finished=None)
    return tables.order_by("-last_change_at", "-pk")[:MOST_LISTED]


def invited(user: Any) -> QuerySet[Game]:
    """Open games that the user is asked to and has not answered, the latest first."""
    if not user.is_authenticated:
        return Game.objects.none()
    invitations = Invitation.objects.filter(user=user.pk, state=Invitation.State.PENDING)
    asked_to = Game.objects.filter(status=Game.Status.OPEN, pk__in=invitations.values("game"))
    return asked_to.order_by("-opened", "-pk")[:MOST_LISTED]


# -- Everybody's ---------------------------------------------------------------------------------------


def open_games(user: Any, wanted: OpenGameFilter) -> QuerySet[Game]:
    """Public games that wait for players, the latest first."""
    games = Game.objects.filter(status=Game.Status.OPEN, visibility=Game.Visibility.PUBLIC)
    if wanted.joinable:
        games = games.filter(seats_taken__lt=F("max_players"))
        if user.is_authenticated:
            games = games.filter(~_of(user, Seat), ~_of(user, Kick))
            games = games.filter(
                ~_left_too_often(user), ~_asks_too_much(user), ~blocks.blocked_member_seated(user)
            )
    if wanted.reliable is not None:
        games = games.filter(~_has_unreliable(wanted.reliable))
    if wanted.pace is not None:
        games = (
            games.filter(seconds_per_move__lte=wanted.pace)
            if wanted.pace
            else games.filter(seconds_per_move=None)
        )
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
    """Public games that the user can watch and does not play, those with the latest moves first."""
    games = Game.objects.filter(status=Game.Status.RUNNING, visibility=Game.Visibility.PUBLIC)
    if user.is_authenticated:
        games = games.filter(~_of(user, Seat))
    return games.order_by("-last_change_at", "-pk")


def vacant_games(user: Any) -> QuerySet[Game]:
    """Public games in which a computer plays for somebody and the user may take over, the latest first."""
    games = Game.objects.filter(status=Game.Status.RUNNING, visibility=Game.Visibility.PUBLIC)
    # No seat of a running game has ended; said here because the index is of such seats alone.
    vacated = Seat.objects.filter(game=OuterRef("pk"), replaced_at__isnull=False, ended__isnull=True)
    playing = Seat.objects.filter(game=OuterRef("pk"), user__isnull=False, bot_level="")
    games = games.filter(Exists(vacated), Exists(playing))
    if user.is_authenticated:
        games = games.filter(~_of(user, Seat), ~_of(user, Kick), ~blocks.blocked_member_seated(user))
    return games.order_by("-last_change_at", "-pk")


def finished_games() -> QuerySet[Game]:
    """Public games that are over, the latest first."""
    games = Game.objects.filter(status=Game.Status.FINISHED, visibility=Game.Visibility.PUBLIC)
    return games.order_by("-finished", "-pk")


def own_ended(user: Any) -> QuerySet[Seat]:
    """The user's seats in games that are over, the latest first.

    They have an index in this order for each user, which games have not.
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


def _of(user: Any, model: type[Seat] | type[Kick]) -> Exists:
    return Exists(model.objects.filter(game=OuterRef("pk"), user=user.pk))


def _left_too_often(user: Any) -> Exists:
    often = DepartureCount.objects.filter(game=OuterRef("pk"), user=user.pk, times__gte=MAX_DEPARTURES)
    return Exists(often)


def _asks_too_much(user: Any) -> Exists:
    return Exists(unreliable(OuterRef("min_on_time_percent")).filter(user=user.pk))


def _has_unreliable(least: int) -> Exists:
    known = unreliable(least).values("user")
    return Exists(Seat.objects.filter(game=OuterRef("pk"), user__in=known))


# -- Pages ---------------------------------------------------------------------------------------------


def open_page(user: Any, wanted: OpenGameFilter, after: str = "", size: int = PAGE) -> Page:
    """A page of `open_games`, behind the place that `after` names."""
    return page_of(open_games(user, wanted), "opened", after, size)


def running_page(user: Any, after: str = "", size: int = PAGE) -> Page:
    """A page of `running_games`."""
    return page_of(running_games(user), "last_change_at", after, size)


def finished_page(after: str = "", size: int = PAGE) -> Page:
    """A page of `finished_games`."""
    return _with_winners(page_of(finished_games(), "finished", after, size))


def finished_page_of(user: Any, after: str = "", size: int = PAGE) -> Page:
    """A page of the user's games that are over, the latest first.

    Those that never began are among them, and practice tables.
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
    """A page of games that are ordered by this column, a time, and then by their keys, both descending."""
    found = list(after_cursor(games, column, "pk", after)[: size + 1])
    return Page(found[:size], next_cursor([(game.pk, getattr(game, column)) for game in found], size))
