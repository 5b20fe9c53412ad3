"""One game as one viewer may see it."""

from dataclasses import dataclass, replace
from typing import Any

from django.db.models import CharField, Count, DateTimeField, Exists, IntegerField, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce
from django.http import Http404
from django.utils import timezone

from games.clocks.vacations import with_vacations
from games.log.handovers import Handover, handovers
from games.log.positions import taken_back
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
from games.models.prepared_query import Placeholder, PreparedQuery, set_prefetched
from games.play.seats import practice_hands
from games.play.seats.practice_hands import OpenHand

# More than the turns that a table shows, and than a round of six; the whole log has a page of its own.
RECENT_ENTRIES = 60


@dataclass(frozen=True)
class GameView:
    """A game for one viewer: `seat` is None for a spectator, `seen` is what the rules let that seat know.

    `entries` are the latest of the log, oldest first; `gone` are the numbers of those that were taken back,
    `handovers` tell whose seats others have now, and
    `covered` is the seat of a practice table to whose person the device is to be handed.
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
    """What a page tells its reader besides, read along: it would cost a query each.

    `hears` is how much the reader wants to hear of the game, `waiting` how many games wait for the reader,
    and `in_trouble` whether news do not reach some place of the reader's. The others tell what needs no
    query, because there is nothing: open votes, and the reader's own plan, orders, notes and unread lines.
    """
    here = {"game": OuterRef("pk")}
    asked = (
        Game.objects.filter(waiting_for=user, paused=None)
        .order_by()
        .values("waiting_for")
        .annotate(n=Count("pk"))
    )
    read = GameVisit.objects.filter(user=user, game=OuterRef("game")).values("read")
    lines = ChatMessage.objects.filter(**here, removed=None, pk__gt=Coalesce(Subquery(read), 0))
    return {
        "hears": Subquery(GameNotificationLevel.objects.filter(user=user, **here).values("level")),
        "waiting": Coalesce(Subquery(asked.values("n"), output_field=IntegerField()), 0),
        "in_trouble": Exists(Endpoint.objects.filter(user=user, stopped__isnull=False)),
        "has_votes": Exists(Vote.objects.filter(**here, closed=None)),
        "has_plan": Exists(PlannedTurn.objects.filter(**here, user=user)),
        "has_orders": Exists(StandingOrder.objects.filter(**here, user=user)),
        "has_notes": Exists(Note.objects.filter(**here, user=user)),
        "has_unread": Exists(lines.exclude(user=user)),
    }


_PUBLIC_ID, _READER = Placeholder("public_id", CharField()), Placeholder("reader")
_GAME = PreparedQuery(
    lambda: Game.with_secrets.filter(public_id=_PUBLIC_ID, state__isnull=False).annotate(
        **_reader_annotations(_READER)
    )
)
_NOT_NEWER = PreparedQuery(
    lambda: Game.objects.filter(
        Q(is_practice=False) | Q(host=_READER), public_id=_PUBLIC_ID, version__lte=Placeholder("version")
    ).values_list("pk")
)
_SEATS = PreparedQuery(
    lambda: with_vacations(Seat.objects.select_related("user"), Placeholder("now", DateTimeField())).filter(
        game=Placeholder("game")
    )
)
_ENTRIES = PreparedQuery(
    lambda: LogEntry.objects.filter(
        game=Placeholder("game"), number__range=(Placeholder("first"), Placeholder("last"))
    )
)
# Strangers have no key, and this is nobody's.
NOBODY = 0


def game_view(
    public_id: str,
    user: Any,
    *,
    newer_than: int = -1,
    whole_log: bool = False,
    opened: OpenHand | None = None,
) -> GameView | None:
    """The game for this user, or None when it is not newer than a version.

    The log is cut to its latest entries unless it is asked for whole or the game is over. Of a practice table
    with several people it shows the hand that is `opened` on the device, as long as it is open, else none.
    Raises Http404 without such a game, for others than the host of a practice table, and before it is dealt.
    """
    asked = {"public_id": public_id, "reader": user.pk or NOBODY}
    if newer_than >= 0 and _NOT_NEWER.rows(version=newer_than, **asked):
        return None
    game, seats = get_dealt_game(public_id, user)
    mine = practice_hands.acting_seat(game, seats, user, opened)
    seat = None if mine is None else mine.number
    covered = practice_hands.next_hand_to_open(game, mine, seats, user)
    system = game.rule_system
    seen = system.observe(system.state_from_json(game.state), seat, ended=game.ending)
    first = 1 if whole_log or not game.is_running else game.version - RECENT_ENTRIES
    if game.paused is not None:
        # Until it goes on nobody may move.
        seen = replace(seen, legal=())
    entries = entries_of(game, first, game.version)
    gone, device_to = frozenset(taken_back(entries)), None if covered is None else covered.number
    told = handovers(entries, by_name=game.imported is not None)
    return GameView(game, seats, seat, seen, entries, gone, told, device_to)


def get_dealt_game(public_id: str, user: Any) -> tuple[Game, list[Seat]]:
    """A game with its secrets and its seats, for somebody who may look at its table; else Http404."""
    game = _GAME.first(public_id=public_id, reader=user.pk or NOBODY)
    if game is None or (game.is_practice and game.host_id != user.pk):
        raise Http404
    seats = _SEATS.rows(game=game.pk, now=timezone.now())
    set_prefetched(seats, game, "seats", "game")
    return game, seats


def entries_of(game: Game, first: int, last: int) -> list[LogEntry]:
    """The entries of its log with these numbers, and what they caused, oldest first."""
    entries = _ENTRIES.rows(game=game.pk, first=first, last=last)
    for entry in entries:
        entry.game = game
    return entries
