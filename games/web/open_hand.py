"""The open hand of a practice table, kept in the session of the device."""

from django.http import HttpRequest

from games.play.seats.practice_hands import OpenHand

_KEY = "opened_hands"

# As many tables as one device plays at once; the one that was opened longest ago is covered again.
_MOST = 20


def get_open_hand(request: HttpRequest, public_id: str) -> OpenHand | None:
    """The open hand of this table on this device, None when all are covered."""
    kept = request.session.get(_KEY, {}).get(public_id)
    return OpenHand(*kept) if kept else None


def save_open_hand(request: HttpRequest, public_id: str, hand: OpenHand | None) -> None:
    """Store which hand is open on this device at this table; None covers it."""
    hands = {key: kept for key, kept in request.session.get(_KEY, {}).items() if key != public_id}
    if hand is not None:
        hands[public_id] = [hand.seat, hand.version]
    request.session[_KEY] = dict(list(hands.items())[-_MOST:])
