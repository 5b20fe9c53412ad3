"""The introduction of a game in an invitation: what it is, who plays, and how fast."""

from django.utils.translation import gettext as _

from games.models import Game
from games.web.presenters.presenter_registry import PRESENTERS
from games.web.presenters.table_people import join_list
from games.web.text.game_titles import HOUR, format_pace, players
from games.web.text.seat_names import table_persons


def introduction(game: Game) -> tuple[str, str, str]:
    """Three sentences on the game for somebody who does not know the site."""
    return PRESENTERS[game.system].introduction(), _who_plays(game), _how_fast(game)


def _who_plays(game: Game) -> str:
    seats = game.seats.select_related("user").order_by("number")
    people = join_list([str(person) for person in table_persons(seats)])
    return _("This game is for {players}. At the table so far: {people}.").format(
        players=players(game), people=people
    )


def _how_fast(game: Game) -> str:
    if game.seconds_per_move is None:
        return _("There is no time limit. You move whenever you visit, so a game can take days or weeks.")
    if game.seconds_per_move < HOUR:
        return _("Everyone is online at the same time. The time limit is {pace}.").format(
            pace=format_pace(game)
        )
    return _(
        "You do not have to be online at the same time. The time limit is {pace}. You get an email "
        "when it is your turn."
    ).format(pace=format_pace(game))
