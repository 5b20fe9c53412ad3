"""What lies over the hands of a practice table, whose people hand one device on.

Which hand is open is kept in the session of the device, with the version of the game at which it was opened.
"""

from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from games.play.game_view import GameView


@dataclass(frozen=True, slots=True)
class HandCover:
    """The cover of a table: `name` is to take the device, `seat` is theirs, and `what` they are asked.

    Without a name the hand of whoever decides is open; it can be covered at the `url`, too.
    """

    url: str
    name: str = ""
    seat: int | None = None
    what: str = ""


def hand_cover(look: GameView, headline: str) -> dict[str, Any]:
    """The `headline` and the `cover` of a practice table with several people; nothing for other tables.

    Nor does it offer the next game after a move: that would be the host's, whoever has the device.
    """
    several = sum(not seat.is_bot_playing for seat in look.seats) > 1
    if not (look.game.is_practice and several and look.game.is_running):
        return {}
    url = reverse("hand", args=[look.game.public_id])
    if look.covered is not None:
        name = look.seats[look.covered].name
        hand_on = _("Hand the device to {name}").format(name=name)
        return {"headline": hand_on, "cover": HandCover(url, name, look.covered, headline)}
    if look.seat is None:
        return {}
    # It must say who "you" are.
    name = look.seats[look.seat].name
    cover = HandCover(url) if look.game.rule_system.HAS_HIDDEN_INFORMATION else None
    mine = _("{name} · {headline}").format(name=name, headline=headline)
    return {"headline": mine, "cover": cover, "others_wait": False}
