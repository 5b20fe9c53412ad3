"""Seats of live games whose players have left the table, and the stand-ins for them.

A player is at the table while a page of it is open, even a hidden one, or asks for it without a socket.
Players none of whose pages has had a socket do not count as away: hidden, such a page gives no sign. Time
before the game became live, or went on after a pause or a ruling, does not count. Nor does time in which the
site was away: after that everybody's absence begins anew.
"""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.db.models import Exists, F, Max, OuterRef, Q, QuerySet, Subquery
from django.utils import timezone

from accounts.refusals import Refusal
from games.clocks import site_presence
from games.log.rulings import parse_ruling
from games.models import Game, GameVisit, LogEntry, OpenPage, Seat
from games.models.game import MAX_LIVE_PACE
from games.models.prepared_query import Placeholder, PreparedQuery
from games.play.game_lock import lock_game
from games.play.seats import substitutes
from games.play.visits import LIVE_SAVE_INTERVAL

# A stand-in takes the seat of a player who has been away for this long.
KEPT_AFTER: Final = timedelta(seconds=60)

# A player without a socket is company for so long after a request for the table.
_ASKS_WITHIN: Final = 2 * LIVE_SAVE_INTERVAL

_OF_SEAT: Final = {"user": OuterRef("user"), "game": OuterRef("game")}

_VISITED_AT = Subquery(GameVisit.objects.filter(**_OF_SEAT).values("at"))
# The ends of the pages of each player of a game, and the player's last visit, for each page of the table.
_SIGNS: PreparedQuery[tuple[int, datetime, datetime, datetime | None]] = PreparedQuery(
    lambda: (
        OpenPage.objects.filter(game=Placeholder("game"), game__seats__user=F("user"))
        .order_by()
        .values("user", "game")
        .annotate(opened=Max("open_until"), visible=Max("visible_until"), at=_VISITED_AT)
        .values_list("user", "opened", "visible", "at")
    )
)

# Rulings after which all players, or the player of the seat, have that time again to come to the table.
_FOR_ALL: Final = frozenset(("paces", "goes on", "releases", "restores", "rolls", "redeals", "reopens"))
_FOR_SEAT: Final = frozenset(("returns", "adopts", "appoints"))


def live_games() -> QuerySet[Game]:
    """The live games that run and are not paused."""
    return Game.objects.filter(
        status=Game.Status.RUNNING, seconds_per_move__lte=MAX_LIVE_PACE, paused__isnull=True
    )


class Company:
    """The live tables at which a person is, and since when without a break, as one process has seen them.

    The site may be there and yet out of reach for all players. Who is back first must not cost the others
    their seats, so a table needs company for as long as it takes to lose a seat.
    """

    def __init__(self) -> None:
        self._since: dict[int, datetime] = {}

    def look(self, now: datetime) -> list[int]:
        """Look where people are; return the games that have had company for `KEPT_AFTER`."""
        self._since = {game: self._since.get(game, now) for game in _games_with_company(now)}
        return [game for game, since in self._since.items() if since <= now - KEPT_AFTER]


def _games_with_company(now: datetime) -> set[int]:
    is_open, has_asked = _signs_since(now), _visits_since(now - _ASKS_WITHIN)
    return set(_seats_of_people().filter(is_open | has_asked).values_list("game", flat=True))


def find_left_seats(now: datetime, games: Collection[int]) -> list[tuple[int, int]]:
    """The games, among these live ones, and numbers of seats whose players may have left.

    One query over all games; `keep_left_seat` looks closely.
    """
    since = now - KEPT_AFTER
    there_since = site_presence.there_since()
    if not games or there_since is None or there_since > since:
        return []
    left = _seats_of_people().filter(
        ~_signs_since(since), ~_visits_since(since), _pages(), game__in=games, game__started__lte=since
    )
    return list(left.order_by("pk").values_list("game", "number"))


def _seats_of_people() -> QuerySet[Seat]:
    return Seat.objects.filter(user__is_bot_account=False, bot_level="", game__in=live_games())


def _pages(*lookups: Q) -> Exists:
    """The condition that the player of a seat has, or had lately, a page of the game with a socket."""
    return Exists(OpenPage.objects.filter(*lookups, **_OF_SEAT))


def _signs_since(moment: datetime) -> Exists:
    # A page that is visible is open: an earlier version of the site renews nothing else.
    return _pages(Q(open_until__gt=moment) | Q(visible_until__gt=moment))


def _visits_since(moment: datetime) -> Exists:
    return Exists(GameVisit.objects.filter(at__gt=moment, **_OF_SEAT))


@transaction.atomic
def keep_left_seat(game_id: int, number: int, now: datetime) -> bool:
    """Let a stand-in play for a player who has left a live game; return whether it does so now.

    It does not if the player is back, or an order or a plan of the player is about to answer, or nobody else
    is at the table: then the game goes on by the clock.
    """
    try:
        game = lock_game(game_id)
    except Refusal:
        return False
    seats = list(game.seats.select_related("user"))
    away = away_since(game, seats)
    gone = {seat for seat, since in away.items() if since <= now - KEPT_AFTER}
    is_about_to_answer = game.answer_due_at is not None and game.seat_to_move == number
    if number not in gone or is_about_to_answer or not has_company(seats, gone):
        return False
    substitutes.keep_seat(game, seats, seats[number])
    return True


def has_company(seats: Sequence[Seat], gone: Collection[int]) -> bool:
    """Return whether a person is at the table besides the seats that are gone."""
    return any(seat.number not in gone for seat in _people(seats))


def away_since(game: Game, seats: Sequence[Seat]) -> dict[int, datetime]:
    """The seats of a running live game whose players are away from the table, and since when."""
    if not game.is_live or not game.is_running or game.paused is not None or game.started is None:
        return {}
    if game.rounds_late:
        return {}
    now = timezone.now()
    people = _people(seats)
    signs = _last_signs(game, people)
    last = {seat.number: signs.get(seat.user_id or 0) for seat in people}
    away = {number: since for number, since in last.items() if since is not None and since <= now}
    if not away:
        return {}
    began = _beginnings(game, now, away)
    return {number: max(since, began[number]) for number, since in away.items()}


def _people(seats: Sequence[Seat]) -> list[Seat]:
    """The seats in which a person plays, not a computer and no bot account."""
    people = [seat for seat in seats if seat.user_id is not None and not seat.is_bot_playing]
    return [seat for seat in people if not seat.is_bot_account]


def _last_signs(game: Game, people: Iterable[Seat]) -> dict[int, datetime]:
    """The players who had the game open, and until when; that is in the future for open pages.

    Players none of whose pages had a socket are left out.
    """
    users = {seat.user_id for seat in people}
    return {user: max(filter(None, signs)) for user, *signs in _SIGNS.rows(game=game.pk) if user in users}


def _beginnings(game: Game, now: datetime, numbers: Iterable[int]) -> dict[int, datetime]:
    """The times from which absence from these seats counts."""
    assert game.started is not None
    began = max(game.started, site_presence.there_since() or game.started)
    found = dict.fromkeys(numbers, began)
    lately = game.moves.filter(kind=LogEntry.Kind.RULING, created_at__gt=now - KEPT_AFTER)
    for text, at in lately.values_list("text", "created_at"):
        ruling = parse_ruling(text)
        for number in found:
            if ruling.kind in _FOR_ALL or (ruling.kind in _FOR_SEAT and ruling.number == number):
                found[number] = max(found[number], at)
    return found
