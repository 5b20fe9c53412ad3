"""Sentences on players who are away, and on what happens to those who run out of time."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Final

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.models import Game, Seat
from games.play.seats.absence_vote import replacement_voters
from games.play.seats.left_seats import KEPT_AFTER, has_company
from games.play.seats.seat_reservations import reserved_time
from games.web.text.game_titles import format_duration, format_roughly

# A shorter absence from a live table is not mentioned: pages are reloaded, and connections come back.
TOLD_AFTER: Final = timedelta(seconds=10)


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


def away_sentences(
    seats: Sequence[Seat], away_since: Mapping[int, datetime], reader: int | None
) -> list[str]:
    """A sentence on each player but the reader who is away from a live table.

    `away_since` is that of `games.play.seats.left_seats`.
    """
    now = timezone.now()
    is_kept = has_company(seats, away_since)
    found = {number: now - since for number, since in away_since.items() if now - since >= TOLD_AFTER}
    return [
        _away_sentence(seats[number].name, time, is_kept=is_kept)
        for number, time in sorted(found.items())
        if number != reader
    ]


def _away_sentence(name: str, time: timedelta, *, is_kept: bool) -> str:
    if time < KEPT_AFTER:
        seconds = round(time.total_seconds())
        length = ngettext("{n} second", "{n} seconds", seconds).format(n=seconds)
    else:
        length = format_roughly(time)
    if is_kept:
        said = _("{name} has been away for {time}. After a minute a computer player takes over.")
    else:
        said = _("{name} has been away for {time}.")
    return said.format(name=name, time=length)


def _after_it_is_kept(game: Game) -> str:
    if game.visibility == Game.Visibility.INVITED:
        return _("After that another invited member can take it over for good.")
    return _("After that another member can take it over for good.")
