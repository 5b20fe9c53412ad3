"""A game as one viewer may see it."""

from dataclasses import dataclass, replace
from typing import Any

from django.db.models import (
    CharField,
    Count,
    Exists,
    IntegerField,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    TextField,
)
from django.db.models.functions import Cast, Coalesce
from django.http import Http404

from accounts.models import User
from games.log.handovers import Handover, handovers
from games.log.positions import taken_back
from games.log.turn_count import turn_annotations
from games.models import (
    ChatMessage,
    Endpoint,
    Game,
    GameNotificationLevel,
    GameVisit,
    LogEntry,
    Note,
    PlannedTurn,
    Seat,
    StandingOrder,
    Vote,
)
from games.models.prepared_query import Placeholder, PreparedQuery, prefetched
from games.play.seats import practice_hands
from games.play.seats.practice_hands import OpenHand
from games.play.spectator_position import shown_to
from games.play.table_seats import load_seats

# More than a table shows and more than one round of six players; the whole log has a page of its own.
RECENT_ENTRIES = 60


@dataclass(frozen=True)
class GameView:
    """A game for one viewer: `seat` is None for a spectator, `seen` is the observation of the viewer.

    `entries` are the latest of the log, oldest first; `gone` are the numbers of those that were taken back;
    `handovers` tell which seats changed hands; `covered` is the seat at a practice table whose hand is to be
    opened next.
    """

    game: Game
    seats: list[Seat]
    seat: int | None
    seen: Any
    entries: list[LogEntry]
    gone: frozenset[int] = frozenset()
    handovers: tuple[Handover, ...] = ()
    covered: int | None = None


def _reader_annotations(user: Any) -> dict[str, Any]:
    """Annotations for the game's query that save the page of its reader one query each.

    `hears` is the reader's notification level for the game, `waiting` the number of games that wait for the
    reader, `in_trouble` whether one of the reader's endpoints has stopped, `has_finished` whether the reader
    has played any game to its end. `visit_…` are columns of the
    reader's visit to the game, None without one. The others tell which queries can be skipped because they
    would find nothing: open votes, and the reader's own plan, orders, notes and unread messages.
    """
    here = {"game": OuterRef("pk")}
    asked = (
        Game.objects.filter(waiting_for=user, paused=None)
        .order_by()
        .values("waiting_for")
        .annotate(n=Count("pk"))
    )
    checks = (
        Seat.objects.filter(user=user, is_ready=False, game__ready_by__isnull=False, game__paused=None)
        .order_by()
        .values("user")
        .annotate(n=Count("pk"))
    )
    read = GameVisit.objects.filter(user=user, game=OuterRef("game")).values("read")
    visit = GameVisit.objects.filter(user=user, **here)
    lines = ChatMessage.objects.filter(**here, removed=None, pk__gt=Coalesce(Subquery(read), 0))
    return {
        "hears": Subquery(GameNotificationLevel.objects.filter(user=user, **here).values("level")),
        "waiting": _count(asked) + _count(checks),
        "has_finished": Exists(Seat.objects.filter(user=user, game__finished__isnull=False)),
        "in_trouble": Exists(Endpoint.objects.filter(user=user, stopped__isnull=False)),
        "visit_seen": Subquery(visit.values("seen")),
        "visit_seen_before": Subquery(visit.values("seen_before")),
        "visit_at": Subquery(visit.values("at")),
        "has_votes": Exists(Vote.objects.filter(**here, closed=None)),
        "has_plan": Exists(PlannedTurn.objects.filter(**here, user=user)),
        "has_orders": Exists(StandingOrder.objects.filter(**here, user=user)),
        "has_notes": Exists(Note.objects.filter(**here, user=user)),
        "has_unread": Exists(lines.exclude(user=user)),
    }


def _count(counted: QuerySet[Any, Any]) -> Coalesce:
    return Coalesce(Subquery(counted.values("n"), output_field=IntegerField()), 0)


_PUBLIC_ID, _READER = Placeholder("public_id", CharField()), Placeholder("reader")
_GAME = PreparedQuery(
    lambda: Game.with_secrets.filter(public_id=_PUBLIC_ID, state__isnull=False).annotate(
        **_reader_annotations(_READER), **turn_annotations()
    )
)
_NOT_NEWER = PreparedQuery(
    lambda: Game.objects.filter(
        Q(is_practice=False) | Q(host=_READER), public_id=_PUBLIC_ID, version__lte=Placeholder("version")
    ).values_list("pk")
)
_FACTS = PreparedQuery(
    lambda: (
        Game.objects.filter(pk=Placeholder("game"))
        .annotate(**_reader_annotations(_READER), **turn_annotations())
        .values(*_reader_annotations(_READER), *turn_annotations())
    )
)
_ENTRIES = PreparedQuery(
    lambda: (
        LogEntry.objects.filter(
            game=Placeholder("game"), number__range=(Placeholder("first"), Placeholder("last"))
        )
        .annotate(events_text=Cast("events", TextField()))
        .defer("events")
    )
)
# Stands for visitors, who have no key; no user has this one.
NOBODY = 0


def game_view(
    public_id: str,
    user: Any,
    *,
    newer_than: int = -1,
    whole_log: bool = False,
    opened: OpenHand | None = None,
) -> GameView | None:
    """Return the game for this user, or None if it is not newer than the version `newer_than`.

    The log is cut to its latest entries unless `whole_log` is set or the game is over. A practice table with
    several people shows the hand `opened` on the device while it is open, else none. Raises Http404 if there
    is no game of this id, if it is not dealt yet, and to anybody but the host of a practice table.
    """
    asked = {"public_id": public_id, "reader": user.pk or NOBODY}
    if newer_than >= 0 and _NOT_NEWER.rows(version=newer_than, **asked):
        return None
    game, seats = get_dealt_game(public_id, user)
    if game.version <= newer_than:
        return None
    return _view(game, seats, user, opened, whole_log)


def view_after_move(entry: LogEntry, user: User, opened: OpenHand | None = None) -> GameView:
    """Return the game for the user who has just played this entry, from what the move has read and written.

    Raises Http404 if the game has been deleted since.
    """
    game = entry.game
    seats = prefetched(game, "seats")
    # The end of a game changes more than what the move holds.
    if seats is None or not game.is_running:
        found = game_view(game.public_id, user, opened=opened)
        assert found is not None
        return found
    facts = _FACTS.first(game=game.pk, reader=user.pk)
    if facts is None:
        raise Http404
    for name, value in facts.items():
        setattr(game, name, value)
    return _view(game, seats, user, opened)


def _view(
    game: Game, seats: list[Seat], user: Any, opened: OpenHand | None, whole_log: bool = False
) -> GameView:
    mine = practice_hands.acting_seat(game, seats, user, opened)
    seat = None if mine is None else mine.number
    covered = practice_hands.next_hand_to_open(game, mine, seats, user)
    system = game.rule_system
    seen = system.observe(system.state_from_json(game.state), seat, ended=game.ending)
    first = 1 if whole_log or not game.is_running else game.version - RECENT_ENTRIES
    if game.paused is not None:
        # Nobody may move while the game is paused.
        seen = replace(seen, legal=())
    entries = entries_of(game, first, game.version)
    return GameView(
        game,
        seats,
        seat,
        seen,
        entries,
        gone=frozenset(taken_back(entries)),
        handovers=handovers(entries, by_name=game.imported is not None),
        covered=None if covered is None else covered.number,
    )


def get_dealt_game(public_id: str, user: Any) -> tuple[Game, list[Seat]]:
    """Return a game with its secrets, and its seats, as this user may see it now.

    Raises Http404 if the user may not see its table.
    """
    game = _GAME.first(public_id=public_id, reader=user.pk or NOBODY)
    if game is None or (game.is_practice and game.host_id != user.pk):
        raise Http404
    load_seats(game)
    shown = shown_to(game, user)
    return shown, list(shown.seats.all())


def entries_of(game: Game, first: int, last: int) -> list[LogEntry]:
    """The log entries from number `first` to `last` with their events, oldest first."""
    entries: list[LogEntry] = [*_ENTRIES.rows(game=game.pk, first=first, last=last)]
    for entry in entries:
        entry.game = game
    return entries


def entries_after(game: Game, since: int) -> list[LogEntry]:
    """All log entries after number `since` up to the game's version, oldest first, without their events."""
    later = game.moves.filter(number__gt=since, number__lte=game.version)
    return list(later.order_by("number").defer("events"))
