"""The panel of a table about absent players, and the views behind it."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.refusals import Refusal
from games.log.handovers import rulings_of, successor_of
from games.models import Game, Seat
from games.play.game_view import GameView, get_dealt_game
from games.play.seats import absence_vote, substitutes
from games.play.seats.left_seats import away_since
from games.play.spectator_position import seats_now
from games.ratings.rated_places import counts_for
from games.web.requests import Request
from games.web.text.absence_text import after_extension, away_sentences
from games.web.text.game_titles import title


@dataclass(frozen=True, slots=True)
class FreeSeat:
    """A seat that a substitute may take over: its player and the target of the form.

    If its player lost the seat or left the site, it has the name of the computer player and is `left`.
    """

    name: str
    url: str
    left: bool = False


@dataclass(frozen=True, slots=True)
class Away:
    """A player on vacation until the end of a day; `me` marks the viewer."""

    name: str
    until: date
    me: bool = False


@dataclass(frozen=True, slots=True)
class Absences:
    """The absences shown to one viewer; addresses are "" if the viewer can do nothing.

    `back_url` reclaims the viewer's seat from a bot. Until `reserved_until`, None once it has passed, nobody
    else can take it; afterwards another member can, with `by_invitation` only one who is invited.
    `lost_to` has the seat that the viewer has lost for good; `conceded` tells whether that counts for the
    viewer's rating. `vote_url` takes a vote on the absent player `late`; `said` is the viewer's vote so far.
    `warning` tells a player to move, who has had the extension, what the next timeout leads to.
    `away` are the players on vacation, `left` the sentences on those who are away from a live table, and
    `kept` the names of others whose seats there a computer keeps. In a rated game the panel says what a seat
    counts for.
    """

    away: tuple[Away, ...] = ()
    warning: str = ""
    back_url: str = ""
    reserved_until: datetime | None = None
    by_invitation: bool = False
    lost_to: str = ""
    conceded: bool = False
    places: tuple[FreeSeat, ...] = ()
    late: str = ""
    vote_url: str = ""
    said: bool | None = None
    rated: bool = False
    live: bool = False
    left: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        shown = (self.away, self.warning, self.back_url, self.lost_to, self.places, self.late)
        return self.live or any(map(bool, shown))


def absence_panel(look: GameView, user: Any) -> Absences:
    """Return the absences that the viewer's table shows."""
    game = look.game
    successor = _successor(look, user)
    if not game.is_running or game.paused is not None:
        # A finished game shows its ratings instead.
        conceded = game.is_running and successor is not None and _counts_as_conceded(game, user.pk)
        return Absences(lost_to=successor.name if successor else "", conceded=conceded)
    mine = look.seats[look.seat] if look.seat is not None else None
    late = next((seat for seat in look.seats if seat.replacement_vote_open), None)
    votes = late is not None and mine in absence_vote.replacement_voters(look.seats, late)
    return Absences(
        away=_away(look),
        warning=_warning(look, mine),
        reserved_until=mine.reserved_until if mine and not mine.can_be_taken_over else None,
        by_invitation=game.visibility == Game.Visibility.INVITED,
        lost_to=successor.name if successor else "",
        conceded=successor is not None and _counts_as_conceded(game, user.pk),
        back_url=reverse("reclaim-seat", args=[game.public_id]) if mine and mine.can_be_reclaimed else "",
        places=_places(look, user),
        late=late.name if late and late != mine else "",
        vote_url=reverse("vote-on-absent", args=[game.public_id]) if votes else "",
        said=absence_vote.replacement_vote(game, late, mine) if late and mine and votes else None,
        rated=game.rated and not game.teams,
        live=game.is_live,
        left=tuple(away_sentences(look.seats, away_since(game, look.seats), look.seat)),
        kept=_kept(look),
    )


def _successor(look: GameView, user: Any) -> Seat | None:
    """The seat that the viewer has lost for good; None for players."""
    if not user.is_authenticated or user.is_guest or look.seat is not None:
        return None
    # A late reader may have lost the seat after the entry at which the log stops.
    is_whole = not look.game.rounds_late and (not look.entries or look.entries[0].number == 1)
    number = successor_of(look.entries if is_whole else rulings_of(look.game), user.pk)
    return None if number is None else look.seats[number]


def _warning(look: GameView, mine: Seat | None) -> str:
    """The sentence on the next timeout of a player to move whose seat is at stake; else ""."""
    game = look.game
    if mine is None or mine.user_id is None or game.waiting_for_id != mine.user_id or game.deadline is None:
        return ""
    if not mine.grace_used or game.on_timeout == Game.OnTimeout.DECIDE or mine.replacement_vote_open:
        return ""
    return " ".join(
        [_("You have used your extension. Move in time."), after_extension(game, look.seats, mine)]
    )


def _away(look: GameView) -> tuple[Away, ...]:
    """The players on vacation."""
    people = [seat for seat in look.seats if seat.user_id and not seat.is_bot_playing]
    return tuple(
        Away(seat.name, until, seat.number == look.seat)
        for seat in people
        if (until := getattr(seat, "away", None)) is not None
    )


def _kept(look: GameView) -> tuple[str, ...]:
    """The names of others for whom a stand-in plays at a live table, for the players there."""
    if not look.game.is_live or look.seat is None:
        return ()
    return tuple(seat.name for seat in look.seats if seat.can_be_reclaimed and seat.number != look.seat)


def _places(look: GameView, user: Any) -> tuple[FreeSeat, ...]:
    if not user.is_authenticated or look.seat is not None:
        return ()
    seats = [*seats_now(look.game, look.seats)]
    return tuple(
        FreeSeat(
            seat.name,
            reverse("take-over", args=[look.game.public_id, seat.number]),
            left=seat.user_id is None,
        )
        for seat in substitutes.seats_to_take_over(look.game, seats, user)
    )


@require_POST
@login_required
def come_back(request: Request, public_id: str) -> HttpResponse:
    """Reclaim one's seat from a stand-in."""
    return _done(
        request, public_id, lambda game: substitutes.reclaim_seat(game_id=game.pk, user=request.user)
    )


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def take_over(request: Request, public_id: str, number: int) -> HttpResponse:
    """Ask for confirmation (GET); take over the seat of an absent player (POST)."""
    if request.method != "POST":
        return _ask_to_take_over(request, public_id, number)
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


def _ask_to_take_over(request: Request, public_id: str, number: int) -> HttpResponse:
    game, seats = get_dealt_game(public_id, request.user)
    if refusal := substitutes.reason_against_taking_over(game, seats, number, request.user):
        messages.error(request, refusal.message)
        return redirect(game)
    context = {
        "title": title(game),
        "game_url": game.get_absolute_url(),
        "question": _("Take over {name}’s seat?").format(name=seats[number].name),
        "button": _("Take over seat"),
        "explanation": _what_taking_over_does(game, seats[number]),
        "url": reverse("take-over", args=[public_id, number]),
    }
    return render(request, "games/play/confirm.html", context)


def _counts_as_conceded(game: Game, user_id: int) -> bool:
    """Return whether the rating counts a lost seat as conceded; in a team game it counts the team's place."""
    return not game.teams and counts_for(game, user_id)


def _what_taking_over_does(game: Game, seat: Seat) -> str:
    told = [_("This is final. The seat is yours until the game ends, and you cannot give it back.")]
    if seat.user_id is not None:
        told.append(_("{name} cannot come back.").format(name=seat.name))
    told.append(_("This game does not change your rating.") if game.rated else _("The game is not rated."))
    if seat.user_id is not None and _counts_as_conceded(game, seat.user_id):
        told.append(_("For {name}’s rating, the game counts as conceded.").format(name=seat.name))
    return " ".join(told)


def _done(request: Request, public_id: str, work: Callable[[Game], None]) -> HttpResponse:
    """Run the action and redirect to the table, with a message if it was refused."""
    game = get_object_or_404(Game, public_id=public_id, state__isnull=False)
    try:
        work(game)
    except Refusal as error:
        messages.error(request, error.message)
    return redirect(game)
