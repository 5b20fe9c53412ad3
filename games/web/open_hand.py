"""Open hands of practice tables, kept in the session of the device."""

from django.http import HttpRequest

from games.play.seats.practice_hands import OpenHand

_KEY = "opened_hands"

# When a device has more tables open, the hand opened longest ago is covered again.
_MAX_TABLES = 20


def get_open_hand(request: HttpRequest, public_id: str) -> OpenHand | None:
    """The hand that is open at this table on this device, or None if all are covered."""
    kept = request.session.get(_KEY, {}).get(public_id)
    return OpenHand(*kept) if kept else None


def save_open_hand(request: HttpRequest, public_id: str, hand: OpenHand | None) -> None:
    """Store which hand is open at this table on this device; None covers it."""
    hands = {key: kept for key, kept in request.session.get(_KEY, {}).items() if key != public_id}
    if hand is not None:
        hands[public_id] = [hand.seat, hand.version]
    request.session[_KEY] = dict(list(hands.items())[-_MAX_TABLES:])
