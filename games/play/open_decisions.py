"""The open decisions of one user, for programs that play."""

from dataclasses import dataclass
from typing import Any

from django.db.models import F

from accounts.models import User
from games.models import Game, Seat

# A little more than the unfinished games a user may have.
MAX_OPEN_DECISIONS = 40


@dataclass(frozen=True)
class OpenDecision:
    """A game in which a seat must decide, what that seat may know, and the number of the next entry."""

    game: Game
    seats: list[Seat]
    seat: int
    number: int
    seen: Any


def open_decisions(user: User) -> list[OpenDecision]:
    """The decisions asked of this user, the soonest deadline first, in three queries."""
    games = Game.with_secrets.filter(waiting_for=user.pk, paused=None, is_practice=False)
    by_deadline = games.order_by(F("deadline").asc(nulls_last=True), "last_change_at", "pk")
    return [_open_decision(game) for game in by_deadline.prefetch_related("seats__user")[:MAX_OPEN_DECISIONS]]


def numbers_asked(user: User) -> set[tuple[str, int]]:
    """The open decisions as public ids and entry numbers alone, without reading positions."""
    asked = Game.objects.filter(waiting_for=user.pk, paused=None, is_practice=False)
    return {(public_id, version + 1) for public_id, version in asked.values_list("public_id", "version")}


def _open_decision(game: Game) -> OpenDecision:
    assert game.seat_to_move is not None
    system = game.rule_system
    seen = system.observe(system.state_from_json(game.state), game.seat_to_move, ended=game.ending)
    return OpenDecision(game, list(game.seats.all()), game.seat_to_move, game.version + 1, seen)
