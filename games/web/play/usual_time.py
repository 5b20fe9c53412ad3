"""The sentence of a table on the time that the player to move usually takes."""

from django.utils.translation import gettext as _

from games.log.usual_wait import usual_wait
from games.play.game_view import GameView
from games.web.text.game_titles import format_roughly


def usual_time(look: GameView) -> str:
    """Return the sentence; "" if the reader or a bot is to move, or too few decisions tell it.

    Live decisions take no time that is worth telling.
    """
    asked = look.game.seat_to_move
    if asked is None or asked == look.seat or look.game.is_practice or look.game.is_live:
        return ""
    seat = look.seats[asked]
    if seat.user_id is None or seat.bot_level:
        return ""
    usual = usual_wait(look.entries, seat, look.gone)
    if usual is None:
        return ""
    time = format_roughly(usual)
    return _("{name} usually decides in about {time}.").format(name=seat.name, time=time)
