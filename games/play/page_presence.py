"""Open game pages and whether they are visible, and who is at the table of a live game."""

from collections.abc import Sequence
from datetime import datetime

from django.db.models import Count, DateTimeField, Exists, F, OuterRef
from django.utils import timezone

from games.models import Game, OpenPage, Seat
from games.models.game import MAX_LIVE_PACE
from games.models.prepared_query import Placeholder, PreparedQuery
from games.models.presence import OPEN_FOR, VISIBLE_FOR
from games.realtime import ticks

# Pages in one statement, fewer than the parameters that any database takes.
_AT_ONCE = 500

# Each page of a live table asks for it with each move.
_PLAYERS_HERE: PreparedQuery[int] = PreparedQuery(
    lambda: (
        OpenPage.objects.filter(
            game=Placeholder("game"),
            game__seats__user=F("user"),
            visible_until__gt=Placeholder("now", DateTimeField()),
        )
        .order_by()
        .values_list("user", flat=True)
        .distinct()
    )
)


def mark_visible(user_id: int, game_id: int, socket: str) -> None:
    """Mark that the user has a visible page of the game; `socket` identifies the page."""
    now = timezone.now()
    until = {"visible_until": now + VISIBLE_FOR, "open_until": now + OPEN_FOR}
    pages = OpenPage.objects.filter(socket=socket)
    if pages.filter(visible_until__gt=now).update(**until):
        return
    if not pages.update(**until):
        _add(OpenPage(user_id=user_id, game_id=game_id, socket=socket, **until))
    _send_tick(user_id, game_id)


def mark_open(user_id: int, game_id: int, socket: str) -> None:
    """Mark that the user has a page of the game open that was never visible, such as a tab behind others."""
    now = timezone.now()
    never_seen = now - VISIBLE_FOR
    _add(
        OpenPage(
            user_id=user_id,
            game_id=game_id,
            socket=socket,
            visible_until=never_seen,
            open_until=now + OPEN_FOR,
        )
    )
    _send_tick(user_id, game_id)


def mark_hidden(socket: str) -> None:
    """Mark that the page is hidden; it stays open."""
    now = timezone.now()
    page = OpenPage.objects.filter(socket=socket, visible_until__gt=now).first()
    if page is not None:
        OpenPage.objects.filter(pk=page.pk).update(visible_until=now)
        _send_tick(page.user_id, page.game_id)


def mark_closed(socket: str, last_sign: datetime | None = None) -> None:
    """Mark that the page is closed, since now or, if its socket was cut, since its last sign."""
    until = last_sign or timezone.now()
    page = OpenPage.objects.filter(socket=socket).first()
    if page is not None:
        OpenPage.objects.filter(pk=page.pk).update(
            visible_until=min(page.visible_until, until), open_until=until
        )
        _send_tick(page.user_id, page.game_id)


def keep_open(sockets: Sequence[str]) -> None:
    """Mark these pages as still open; only those of live games, because nobody asks about others."""
    for first in range(0, len(sockets), _AT_ONCE):
        pages = OpenPage.objects.filter(
            socket__in=sockets[first : first + _AT_ONCE],
            game__status=Game.Status.RUNNING,
            game__seconds_per_move__lte=MAX_LIVE_PACE,
        )
        pages.update(open_until=timezone.now() + OPEN_FOR)


def seats_here(game: Game, seats: Sequence[Seat], reader_id: int | None) -> frozenset[int]:
    """The seats of a live game that runs whose players see its table; no seats in other games.

    None for spectators who see the game late. The reader sees it, with or without a socket.
    """
    if not game.is_live or not game.is_running or game.rounds_late:
        return frozenset()
    here = {reader_id, *_PLAYERS_HERE.rows(game=game.pk, now=timezone.now())} - {None}
    return frozenset(seat.number for seat in seats if seat.user_id in here)


def watching_members(games: Sequence[Game]) -> dict[int, int]:
    """The number of members who see the table of each game without a seat, by key, in one query."""
    seated = Seat.objects.filter(game=OuterRef("game"), user=OuterRef("user"))
    pages = OpenPage.objects.filter(~Exists(seated), game__in=games, visible_until__gt=timezone.now())
    return dict(pages.values_list("game").annotate(Count("user", distinct=True)))


def _add(page: OpenPage) -> None:
    OpenPage.objects.bulk_create([page], ignore_conflicts=True)


def _send_tick(user_id: int, game_id: int) -> None:
    """Let the open pages of a live game ask who is here, if this is one of its players."""
    found = Game.objects.filter(
        pk=game_id,
        seats__user=user_id,
        status=Game.Status.RUNNING,
        seconds_per_move__lte=MAX_LIVE_PACE,
    )
    for game in found:
        if game.spectator_delay:
            # Spectators would learn when a player comes or goes.
            players = game.seats.filter(user__isnull=False).values_list("user", flat=True)
            ticks.send_tick_to([*players], game.public_id, game.version)
        else:
            ticks.send_tick(game.public_id, game.version, [])
