"""Seats of a game with what its table and its moves need of them, in one query."""

from django.db.models import DateTimeField, Exists, OuterRef
from django.utils import timezone

from games.clocks.vacations import with_vacations
from games.models import Game, PlannedTurn, Seat, StandingOrder
from games.models.prepared_query import Placeholder, PreparedQuery, set_prefetched

_OWN = {"game": OuterRef("game"), "user": OuterRef("user")}
_SEATS: PreparedQuery[Seat] = PreparedQuery(
    lambda: (
        with_vacations(Seat.objects.select_related("user"), Placeholder("now", DateTimeField()))
        .annotate(
            has_plan=Exists(PlannedTurn.objects.filter(**_OWN)),
            has_orders=Exists(StandingOrder.objects.filter(**_OWN)),
        )
        .filter(game=Placeholder("game"))
    )
)


def load_seats(game: Game) -> list[Seat]:
    """Read the seats of the game and return them; `game.seats.all()` needs no query from then on.

    Each has its `user`, `away` (the last day of the vacation), `has_plan` and `has_orders`; the last two are
    secrets of the seat's player. For a locked game they stay true until the transaction ends, because plans
    and orders are written under the same lock.
    """
    seats = _SEATS.rows(game=game.pk, now=timezone.now())
    set_prefetched(seats, game, "seats", "game")
    return seats
