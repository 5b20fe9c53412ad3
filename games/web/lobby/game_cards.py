"""Cards that show games in lists."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.log.public_times import deadline_shown
from games.models import Game
from games.web.presenters.presenter_registry import PRESENTERS
from games.web.presenters.table_people import Person, join_list
from games.web.text.game_titles import format_pace, players, rules_title, title
from games.web.text.seat_names import table_persons


@dataclass(frozen=True, slots=True)
class Card:
    """A game in a list, from its columns alone.

    `line` says what the game waits for or how it ended, `details` the rules and the number of players;
    `to_decide` is the seat to move, or None. `key` identifies the game in element ids, `free` is the number
    of free seats, and `join_url` the target of the form to join.
    """

    url: str
    title: str
    line: str
    details: str
    people: Sequence[Person]
    my_turn: bool = False
    to_decide: int | None = None
    deadline: datetime | None = None
    ended: datetime | None = None
    key: str = ""
    free: int = 0
    join_url: str = ""

    @property
    def open_seats(self) -> range:
        return range(self.free)


def card(game: Game, me: Any) -> Card:
    """Return the card of a game for a reader."""
    seats = list(game.seats.all())
    people = table_persons(seats)
    my_turn = game.waiting_for_id is not None and game.waiting_for_id == me.pk and game.paused is None
    seated = any(seat.user_id is not None and seat.user_id == me.pk for seat in seats)
    can_ask = game.is_open and game.free_seats > 0 and not seated and me.is_authenticated and not me.is_guest
    return Card(
        url=game.get_absolute_url(),
        title=title(game),
        line=_("A computer plays for you until you come back")
        if game.is_running and any(seat.can_be_reclaimed and seat.user_id == me.pk for seat in seats)
        else _line(game, people, me, my_turn),
        details=" · ".join(_details(game)),
        people=people,
        my_turn=my_turn,
        to_decide=game.seat_to_move,
        deadline=deadline_shown(game.deadline, timezone.now()),
        ended=game.finished,
        key=game.public_id,
        free=game.free_seats if game.is_open else 0,
        join_url=reverse("join", args=[game.public_id]) if can_ask else "",
    )


def _details(game: Game) -> list[str]:
    found = [rules_title(game), players(game)]
    if game.imported is not None:
        found.append(_("imported"))
    elif game.is_practice:
        found.append(_("practice table"))
    return [*found, format_pace(game)] if game.seconds_per_move else found


def _line(game: Game, people: list[Person], me: Any, my_turn: bool) -> str:
    table = PRESENTERS[game.system]
    if game.held_at is not None:
        return _("Paused by a moderator")
    if game.is_open:
        return waiting_for_players(game)
    if game.status == Game.Status.CLOSED:
        return _("Closed by a moderator") if game.ended_by_moderator else _("Closed before it began")
    if game.is_finished and game.ended_by_moderator:
        return _("Ended by a moderator")
    if game.is_finished:
        return _ended(game, people, me)
    assert game.seat_to_move is not None
    if my_turn:
        return table.your_turn(game.decision_kind)
    return table.waiting_for(game.decision_kind, people[game.seat_to_move].name)


def _ended(game: Game, people: list[Person], me: Any) -> str:
    """Return how a game ended, and its winners if the query has loaded them."""
    how = {
        Game.Ending.RULES: _("Finished"),
        Game.Ending.STANDINGS: _("Ended by agreement"),
        Game.Ending.NONE: _("Ended without a result"),
        Game.Ending.CONCEDED: _("Ended by concession"),
    }[Game.Ending(game.ending)]
    scores = {result.user_id: result.points for result in getattr(game, "winners", ())}
    won = [seat for seat in game.seats.all() if seat.user_id in scores]
    if not won:
        return how
    names = join_list([_("you") if seat.user_id == me.pk else people[seat.number].name for seat in won])
    score = PRESENTERS[game.system].score(scores[won[0].user_id])
    return _("{how}: won by {names} with {score}").format(how=how, names=names, score=score)


def waiting_for_players(game: Game) -> str:
    """Return what an open game waits for."""
    if game.held_at is not None:
        return _(
            "A moderator has paused this game. It will go on; nobody can sit down or start it meanwhile."
        )
    if not game.free_seats:
        return _("All seats are taken; the host starts the game")
    if game.start == Game.Start.FULL:
        return ngettext(
            "Starts when {n} more player joins", "Starts when {n} more players join", game.free_seats
        ).format(n=game.free_seats)
    missing = game.min_players - game.seats_taken
    if missing > 0:
        return ngettext("Needs {n} more player at least", "Needs {n} more players at least", missing).format(
            n=missing
        )
    return ngettext(
        "The host can start it; {n} seat is free",
        "The host can start it; {n} seats are free",
        game.free_seats,
    ).format(n=game.free_seats)
