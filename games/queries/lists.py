"""Lists of games, a page at a time.

None of them loads a state. Each reads only as many rows as it shows, through an index in its order,
so a page costs the same however many games there are.
"""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from django.db.models import Exists, F, OuterRef, Prefetch, Q, QuerySet, Subquery, prefetch_related_objects

from games.models import OVERALL, Departure, Game, Invitation, Kick, Rating, Result, Seat
from games.models.systems import withheld
from games.services import apart
from games.services.limits import MOST_DEPARTURES
from games.services.reliability import unreliable

# More than one person may have unfinished at once.
MOST_LISTED = 100
PAGE = 24
FEW = 6

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class Page:
    """Some games of a list; `following` names the next page, "" at the end."""

    games: list[Game]
    following: str = ""


@dataclass(frozen=True, kw_only=True)
class Wanted:
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


def waiting_for(user: Any) -> QuerySet[Game]:
    """Games that wait for this user: the soonest deadline first, then those that wait longest."""
    asked = _asking(user) if user.is_authenticated else Game.objects.none()
    return asked.order_by(F("deadline").asc(nulls_last=True), "moved", "pk")[:MOST_LISTED]


def waiting_count(user: Any) -> int:
    """How many games wait for a decision of this user."""
    if not user.is_authenticated:
        return 0
    return _asking(user).count()


def _asking(user: Any) -> QuerySet[Game]:
    """Games in which this user can decide something now: one that is paused asks nobody."""
    return Game.objects.filter(asked=user.pk, paused=None)


def next_game(user: Any, after: str = "") -> Game | None:
    """The game to play next, the one with the id `after` only when no other waits; None without any."""
    games = list(waiting_for(user))
    return next((game for game in games if game.public_id != after), games[0] if games else None)


def others(user: Any) -> QuerySet[Game]:
    """The user's games that wait for somebody else or have not begun, the latest news first."""
    if not user.is_authenticated:
        return Game.objects.none()
    return _unfinished(user).exclude(asked=user.pk, paused=None)[:MOST_LISTED]


def unfinished(user: Any) -> QuerySet[Game]:
    """All games of this user that are not over, at one moment, the latest news first."""
    return _unfinished(user)[:MOST_LISTED]


def _unfinished(user: Any) -> QuerySet[Game]:
    return Game.objects.filter(seats__user=user.pk, seats__ended=None).order_by("-moved", "-pk")


def practice_tables(user: Any) -> QuerySet[Game]:
    """The practice tables of this user that are not over, the latest played first. They wait for nobody."""
    if not user.is_authenticated:
        return Game.objects.none()
    tables = Game.objects.filter(host=user.pk, practice=True, finished=None)
    return tables.order_by("-moved", "-pk")[:MOST_LISTED]


def invited(user: Any) -> QuerySet[Game]:
    """Open games that the user is asked to and has not answered, the latest first."""
    if not user.is_authenticated:
        return Game.objects.none()
    invitations = Invitation.objects.filter(user=user.pk, state=Invitation.State.PENDING)
    asked_to = Game.objects.filter(status=Game.Status.OPEN, pk__in=invitations.values("game"))
    return asked_to.order_by("-opened", "-pk")[:MOST_LISTED]


# -- Everybody's ---------------------------------------------------------------------------------------


def open_games(user: Any, wanted: Wanted) -> QuerySet[Game]:
    """Public games that wait for players, the latest first."""
    games = Game.objects.filter(status=Game.Status.OPEN, visibility=Game.Visibility.PUBLIC)
    if wanted.joinable:
        games = games.filter(taken__lt=F("most"))
        if user.is_authenticated:
            games = games.filter(~_of(user, Seat), ~_of(user, Kick))
            games = games.filter(~_left_too_often(user), ~_asks_too_much(user), ~apart.sits_at(user))
    if wanted.reliable is not None:
        games = games.filter(~_has_unreliable(wanted.reliable))
    if wanted.pace is not None:
        games = games.filter(pace__lte=wanted.pace) if wanted.pace else games.filter(pace=None)
    if wanted.system:
        games = games.filter(system=wanted.system)
    if wanted.preset:
        games = games.filter(preset=wanted.preset)
    if wanted.players is not None:
        games = games.filter(least__lte=wanted.players, most__gte=wanted.players)
    if wanted.free is not None:
        games = games.filter(most__gte=F("taken") + wanted.free)
    return games.order_by("-opened", "-pk")


def running_games(user: Any) -> QuerySet[Game]:
    """Public games that the user can watch and does not play, those with the latest moves first."""
    games = Game.objects.filter(status=Game.Status.RUNNING, visibility=Game.Visibility.PUBLIC)
    if user.is_authenticated:
        games = games.filter(~_of(user, Seat))
    return games.order_by("-moved", "-pk")


def vacant_games(user: Any) -> QuerySet[Game]:
    """Public games in which a computer plays for somebody and the user may take over, the latest first."""
    games = Game.objects.filter(status=Game.Status.RUNNING, visibility=Game.Visibility.PUBLIC)
    # No seat of a running game has ended; said here because the index is of such seats alone.
    vacated = Seat.objects.filter(game=OuterRef("pk"), vacated__isnull=False, ended__isnull=True)
    playing = Seat.objects.filter(game=OuterRef("pk"), user__isnull=False, computer="")
    games = games.filter(Exists(vacated), Exists(playing))
    if user.is_authenticated:
        games = games.filter(~_of(user, Seat), ~_of(user, Kick), ~apart.sits_at(user))
    return games.order_by("-moved", "-pk")


def finished_games() -> QuerySet[Game]:
    """Public games that are over, the latest first."""
    games = Game.objects.filter(status=Game.Status.FINISHED, visibility=Game.Visibility.PUBLIC)
    return games.order_by("-finished", "-pk")


def own_ended(user: Any) -> QuerySet[Seat]:
    """The user's seats in games that are over, the latest first.

    They have an index in this order for each user, which games have not.
    """
    seats = Seat.objects.filter(user=user.pk, ended__isnull=False, game__deleted=None)
    if out := withheld():
        seats = seats.exclude(game__system__in=out)
    return seats.order_by("-ended", "-game_id")


def own_practised(user: Any) -> QuerySet[Game]:
    """The user's practice tables that are over, the latest first."""
    tables = Game.objects.filter(host=user.pk, practice=True, finished__isnull=False, imported=None)
    return tables.order_by("-finished", "-pk")


def own_imported(user: Any) -> QuerySet[Game]:
    """The games that the user has imported, the latest first."""
    games = Game.objects.filter(host=user.pk, practice=True, imported__isnull=False)
    return games.order_by("-imported", "-pk")


def _of(user: Any, model: type[Seat] | type[Kick]) -> Exists:
    return Exists(model.objects.filter(game=OuterRef("pk"), user=user.pk))


def _left_too_often(user: Any) -> Exists:
    often = Departure.objects.filter(game=OuterRef("pk"), user=user.pk, times__gte=MOST_DEPARTURES)
    return Exists(often)


def _asks_too_much(user: Any) -> Exists:
    return Exists(unreliable(OuterRef("reliable")).filter(user=user.pk))


def _has_unreliable(least: int) -> Exists:
    known = unreliable(least).values("user")
    return Exists(Seat.objects.filter(game=OuterRef("pk"), user__in=known))


# -- Pages ---------------------------------------------------------------------------------------------


def open_page(user: Any, wanted: Wanted, after: str = "", size: int = PAGE) -> Page:
    """A page of `open_games`, behind the place that `after` names."""
    return page_of(open_games(user, wanted), "opened", after, size)


def running_page(user: Any, after: str = "", size: int = PAGE) -> Page:
    """A page of `running_games`."""
    return page_of(running_games(user), "moved", after, size)


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
        *place_behind(own_ended(user), "ended", "game_id", after).values_list("game_id", "ended")[: size + 1],
        *place_behind(own_practised(user), "finished", "pk", after).values_list("pk", "finished")[: size + 1],
    ]
    found = sorted(found, key=lambda place: (place[1], place[0]), reverse=True)[: size + 1]
    games = Game.objects.in_bulk([key for key, _ in found[:size]])
    return _with_winners(Page([games[key] for key, _ in found[:size]], following(found, size)))


def page_of(games: QuerySet[Game], column: str, after: str, size: int) -> Page:
    """A page of games that are ordered by this column, a time, and then by their keys, both descending."""
    found = list(place_behind(games, column, "pk", after)[: size + 1])
    return Page(found[:size], following([(game.pk, getattr(game, column)) for game in found], size))


def place_behind(rows: QuerySet[Any], column: str, key: str, after: str) -> QuerySet[Any]:
    """The rows behind a place, in a list ordered by a time and then by a key, both descending."""
    micros, _, number = after.partition("-")
    if not (_is_number(micros) and _is_number(number)):
        return rows
    moment = EPOCH + timedelta(microseconds=int(micros))
    # The first condition is for the index, which makes nothing of the second alone.
    return rows.filter(
        Q(**{f"{column}__lte": moment}),
        Q(**{f"{column}__lt": moment}) | Q(**{f"{key}__lt": int(number)}),
    )


def following(found: list[tuple[int, datetime]], size: int) -> str:
    """The name of the place behind the last row of a page, "" when nothing is there."""
    if len(found) <= size:
        return ""
    key, moment = found[size - 1]
    return f"{(moment - EPOCH) // timedelta(microseconds=1)}-{key}"


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 18
