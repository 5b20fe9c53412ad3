"""The sentence of a table on the time that the player to move usually takes."""

from datetime import timedelta

from django.utils.translation import gettext as _

from games.log.usual_wait import usual_wait
from games.play.game_view import GameView
from games.web.text.game_titles import format_duration

LEAST = timedelta(minutes=1)


def usual_time(look: GameView) -> str:
    """Return the sentence; "" if the reader or a bot is to move, or the player has decided too rarely."""
    asked = look.game.seat_to_move
    if asked is None or asked == look.seat or look.game.is_practice:
        return ""
    seat = look.seats[asked]
    if seat.user_id is None or seat.bot_level:
        return ""
    usual = usual_wait(look.entries, seat, look.gone)
    if usual is None:
        return ""
    time = format_duration(_roughly(max(usual, LEAST)))
    return _("{name} usually decides in about {time}.").format(name=seat.name, time=time)


def _roughly(usual: timedelta) -> int:
    """Round to whole days, hours or minutes, whichever leaves at least two; in seconds."""
    unit = next(
        (unit for unit in (timedelta(days=1), timedelta(hours=1)) if usual >= 2 * unit), timedelta(minutes=1)
    )
    return round(usual / unit) * int(unit.total_seconds())
