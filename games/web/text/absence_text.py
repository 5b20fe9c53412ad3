"""Sentences on what happens to players who run out of time."""

from collections.abc import Sequence

from django.utils.translation import gettext as _

from games.models import Game, Seat
from games.play.seats.absence_vote import replacement_voters
from games.play.seats.seat_handover import reserved_time
from games.web.text.game_titles import format_duration


def after_extension(game: Game, seats: Sequence[Seat], late: Seat) -> str:
    """The consequence if the player of this seat, who has had the extension, runs out of time again."""
    if game.on_timeout == Game.OnTimeout.TAKE:
        kept = _(
            "Otherwise a computer player takes over your seat. We then keep the seat for you for {time}."
        ).format(time=format_duration(reserved_time(game).total_seconds()))
        return f"{kept} {_after_it_is_kept(game)}"
    if game.on_timeout == Game.OnTimeout.VOTE and replacement_voters(list(seats), late):
        return _(
            "Otherwise the other players vote on whether a computer player makes this move or takes over "
            "your seat."
        )
    return _("Otherwise a computer player makes this move.")


def _after_it_is_kept(game: Game) -> str:
    if game.visibility == Game.Visibility.INVITED:
        return _("After that another invited member can take it over for good.")
    return _("After that another member can take it over for good.")
