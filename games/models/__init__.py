"""What the site remembers of games."""

from .block import Block
from .choices import LastChoices
from .endpoint import Endpoint
from .exploration import Exploration
from .failure import Failure
from .game import Game
from .hearing import Attention, ClosedAddress, MutedKind
from .heartbeat import Heartbeat
from .invitation import Departure, Invitation, Kick
from .move import Move
from .note import Note
from .notification import Delivery, Kind, Notification
from .order import Order
from .plan import Plan
from .presence import Presence
from .reliability import Reliability
from .report import Report, ReportAnswer
from .seat import Seat
from .talk import Line, MutedPerson
from .vacation import Vacation
from .visit import Visit
from .vote import Vote

__all__ = [
    "Attention",
    "Block",
    "ClosedAddress",
    "Delivery",
    "Departure",
    "Endpoint",
    "Exploration",
    "Failure",
    "Game",
    "Heartbeat",
    "Invitation",
    "Kick",
    "Kind",
    "LastChoices",
    "Line",
    "Move",
    "MutedKind",
    "MutedPerson",
    "Note",
    "Notification",
    "Order",
    "Plan",
    "Presence",
    "Reliability",
    "Report",
    "ReportAnswer",
    "Seat",
    "Vacation",
    "Visit",
    "Vote",
]
