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
from .outcome import Feat, Outcome, Result, Tally
from .plan import Plan
from .presence import Presence
from .puzzle import Puzzle, PuzzleAnswer, PuzzleSource
from .rating import OVERALL, Ledger, Rating, RatingChange
from .reliability import Reliability
from .report import Report, ReportAnswer
from .seat import Seat
from .story import Assessment, Story
from .talk import Line, MutedPerson
from .vacation import Vacation
from .visit import Visit
from .vote import Vote

__all__ = [
    "OVERALL",
    "Assessment",
    "Attention",
    "Block",
    "ClosedAddress",
    "Delivery",
    "Departure",
    "Endpoint",
    "Exploration",
    "Failure",
    "Feat",
    "Game",
    "Heartbeat",
    "Invitation",
    "Kick",
    "Kind",
    "LastChoices",
    "Ledger",
    "Line",
    "Move",
    "MutedKind",
    "MutedPerson",
    "Note",
    "Notification",
    "Order",
    "Outcome",
    "Plan",
    "Presence",
    "Puzzle",
    "PuzzleAnswer",
    "PuzzleSource",
    "Rating",
    "RatingChange",
    "Reliability",
    "Report",
    "ReportAnswer",
    "Result",
    "Seat",
    "Story",
    "Tally",
    "Vacation",
    "Visit",
    "Vote",
]
