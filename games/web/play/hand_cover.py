"""Cover of the hands at a practice table.

The session of the device holds the open hand with the version of the game at which it was opened.
"""

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from games.play.game_view import GameView
from games.web.addresses import address


@dataclass(frozen=True, slots=True)
class HandCover:
    """The cover of a practice table: `name` takes the device for `seat`, to decide `what`.

    Without a name the hand of the player to move is open, and `url` covers it.
    """

    url: str
    name: str = ""
    seat: int | None = None
    what: str = ""


def hand_cover(look: GameView, headline: str) -> dict[str, Any]:
    """The headline and cover of a practice table with several people; for other tables no cover.

    The next game is not offered after a move: it would be the host's, who may not be the one at the device.
    """
    several = sum(not seat.is_bot_playing for seat in look.seats) > 1
    if not (look.game.is_practice and several and look.game.is_running):
        return {"cover": None}
    url = address("hand", look.game.public_id)
    if look.covered is not None:
        name = look.seats[look.covered].name
        hand_on = _("Pass the device to {name}").format(name=name)
        return {"headline": hand_on, "cover": HandCover(url, name, look.covered, headline)}
    if look.seat is None:
        return {"cover": None}
    # Says whom "you" means.
    name = look.seats[look.seat].name
    cover = HandCover(url) if look.game.rule_system.HAS_HIDDEN_INFORMATION else None
    mine = _("{name} · {headline}").format(name=name, headline=headline)
    return {"headline": mine, "cover": cover, "others_waiting": 0}
