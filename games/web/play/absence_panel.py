"""The panel of a table about absent players, and the views behind it."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from accounts.refusals import Refusal
from games.models import Game
from games.play.game_view import GameView
from games.play.seats import absence_vote, substitutes
from games.web.requests import Request


@dataclass(frozen=True, slots=True)
class FreeSeat:
    """A seat that a substitute may take over: its player and the target of the form."""

    name: str
    url: str


@dataclass(frozen=True, slots=True)
class Away:
    """A player on vacation until the end of a day; `me` marks the viewer."""

    name: str
    until: date
    me: bool = False


@dataclass(frozen=True, slots=True)
class Absences:
    """The absences shown to one viewer; addresses are "" if the viewer can do nothing.

    `back_url` reclaims the viewer's seat from a bot, `vote_url` takes a vote on the absent player `late`;
    `said` is the viewer's vote so far. `away` are the players on vacation.
    """

    away: tuple[Away, ...] = ()
    back_url: str = ""
    places: tuple[FreeSeat, ...] = ()
    late: str = ""
    vote_url: str = ""
    said: bool | None = None

    def __bool__(self) -> bool:
        return bool(self.away or self.back_url or self.places or self.late)


def absence_panel(look: GameView, user: Any) -> Absences:
    """Return the absences that the viewer's table shows."""
    game = look.game
    if not game.is_running or game.paused is not None:
        return Absences()
    mine = look.seats[look.seat] if look.seat is not None else None
    late = next((seat for seat in look.seats if seat.replacement_vote_open), None)
    votes = late is not None and mine in absence_vote.replacement_voters(look.seats, late)
    return Absences(
        away=_away(look),
        back_url=reverse("reclaim-seat", args=[game.public_id]) if mine and mine.can_be_reclaimed else "",
        places=_places(look, user),
        late=late.name if late and late != mine else "",
        vote_url=reverse("vote-on-absent", args=[game.public_id]) if votes else "",
        said=absence_vote.replacement_vote(game, late, mine) if late and mine and votes else None,
    )


def _away(look: GameView) -> tuple[Away, ...]:
    """The players on vacation."""
    people = [seat for seat in look.seats if seat.user_id and not seat.is_bot_playing]
    return tuple(
        Away(seat.name, until, seat.number == look.seat)
        for seat in people
        if (until := getattr(seat, "away", None)) is not None
    )


def _places(look: GameView, user: Any) -> tuple[FreeSeat, ...]:
    if not user.is_authenticated or look.seat is not None:
        return ()
    return tuple(
        FreeSeat(seat.name, reverse("take-over", args=[look.game.public_id, seat.number]))
        for seat in substitutes.seats_to_take_over(look.game, look.seats, user)
    )


@require_POST
@login_required
def come_back(request: Request, public_id: str) -> HttpResponse:
    """Reclaim one's seat from a stand-in."""
    return _done(
        request, public_id, lambda game: substitutes.reclaim_seat(game_id=game.pk, user=request.user)
    )


@require_POST
@login_required
def take_over(request: Request, public_id: str, number: int) -> HttpResponse:
    """Take over the seat of an absent player."""
    return _done(
        request,
        public_id,
        lambda game: substitutes.take_over_seat(game_id=game.pk, number=number, user=request.user),
    )


@require_POST
@login_required
def vote_on_absent(request: Request, public_id: str) -> HttpResponse:
    """Vote on whether a bot takes the seat of an absent player."""
    replace = request.POST.get("replace") == "yes"
    return _done(
        request,
        public_id,
        lambda game: absence_vote.vote_on_absent(game_id=game.pk, user=request.user, replace=replace),
    )


def _done(request: Request, public_id: str, work: Callable[[Game], None]) -> HttpResponse:
    """Run the action and redirect to the table, with a message if it was refused."""
    game = get_object_or_404(Game, public_id=public_id, state__isnull=False)
    try:
        work(game)
    except Refusal as error:
        messages.error(request, error.message)
    return redirect(game)
