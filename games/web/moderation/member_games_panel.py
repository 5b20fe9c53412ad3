"""The games of a member on their page in the admin, and those shared with linked accounts."""

from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from accounts.models import User
from games.models import Seat
from games.moderation import member_games
from games.web.text.game_titles import title

Lines = list[tuple[str, str]]


def tables(user: User) -> list[tuple[str, Lines]]:
    """The unfinished games of a member with their admin pages."""
    lines = [
        (
            f"{title(game)} ({game.get_status_display()})",
            reverse("admin:games_game_change", args=[game.pk]),
        )
        for game in member_games.unfinished_games_of(user)
    ]
    return [(_("Games"), lines or [(_("No games right now."), "")])]


def tables_in_common(user: User, others: set[int]) -> list[tuple[int, str, str]]:
    """The games in which the member and one of the others sit: key of the other, result, admin page."""
    return [
        (seat.user_id, _result(user, seat), reverse("admin:games_game_change", args=[seat.game_id]))
        for seat in member_games.common_seats(user, others)
        if seat.user_id is not None
    ]


def _result(user: User, seat: Seat) -> str:
    """The ranks of the member and of the one in the seat, or the status of the game."""
    game, name = title(seat.game), seat.name
    rank = {result.user_id: result.rank for result in seat.game.results.all()}
    own, others = rank.get(user.pk), rank.get(seat.user_id or 0)
    if seat.game.finished is None or own is None or others is None:
        return _("Both have a seat in {game} ({status}).").format(
            game=game, status=seat.game.get_status_display()
        )
    return _("{user} and {name} finished {game} on {day} with ranks {own} and {rank}.").format(
        game=game,
        day=date_format(timezone.localtime(seat.game.finished), "j F Y"),
        user=user.username,
        own=own,
        name=name,
        rank=others,
    )
