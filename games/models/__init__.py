"""What the site remembers of games."""

from .choices import LastChoices
from .endpoint import Endpoint
from .game import Game
from .hearing import Attention, ClosedAddress, MutedKind
from .invitation import Departure, Invitation, Kick
from .move import Move
from .notification import Delivery, Kind, Notification
from .presence import Presence
from .seat import Seat

__all__ = [
    "Attention",
    "ClosedAddress",
    "Delivery",
    "Departure",
    "Endpoint",
    "Game",
    "Invitation",
    "Kick",
    "Kind",
    "LastChoices",
    "Move",
    "MutedKind",
    "Notification",
    "Presence",
    "Seat",
]
