"""What lies over the hands of a practice table, whose people hand one device on.

Which hand is open is kept in the session of the device, with the version of the game at which it was opened.
"""

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _

from games.queries import Look
from games.services import Opened

_KEY = "opened_hands"

# As many tables as one device plays at once; the one that was opened longest ago is covered again.
_MOST = 20


@dataclass(frozen=True, slots=True)
class Cover:
    """The cover of a table: `name` is to take the device, `seat` is theirs, and `what` they are asked.

    Without a name the hand of whoever decides is open; it can be covered at the `url`, too.
    """

    url: str
    name: str = ""
    seat: int | None = None
    what: str = ""


def opened(request: HttpRequest, public_id: str) -> Opened | None:
    """The hand that was opened last on this device at this table."""
    kept = request.session.get(_KEY, {}).get(public_id)
    return Opened(*kept) if kept else None


def keep_opened(request: HttpRequest, public_id: str, hand: Opened | None) -> None:
    """Note which hand is open on this device at this table; None covers it."""
    hands = {key: kept for key, kept in request.session.get(_KEY, {}).items() if key != public_id}
    if hand is not None:
        hands[public_id] = [hand.seat, hand.version]
    request.session[_KEY] = dict(list(hands.items())[-_MOST:])


def covering(look: Look, headline: str) -> dict[str, Any]:
    """The `headline` and the `cover` of a practice table with several people; nothing for other tables.

    Nor does it offer the next game after a move: that would be the host's, whoever has the device.
    """
    several = sum(not seat.by_computer for seat in look.seats) > 1
    if not (look.game.practice and several and look.game.is_running):
        return {}
    url = reverse("hand", args=[look.game.public_id])
    if look.covered is not None:
        name = look.seats[look.covered].name
        hand_on = _("Hand the device to {name}").format(name=name)
        return {"headline": hand_on, "cover": Cover(url, name, look.covered, headline)}
    if look.seat is None:
        return {}
    # It must say who "you" are.
    name = look.seats[look.seat].name
    cover = Cover(url) if look.game.rule_system.HIDES else None
    mine = _("{name} · {headline}").format(name=name, headline=headline)
    return {"headline": mine, "cover": cover, "others_wait": False}
