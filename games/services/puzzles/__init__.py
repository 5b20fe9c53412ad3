"""Puzzles: found in games that are over, one for each day, answered once by everybody."""

from .answering import Streak, answer_puzzle, check_answer, streak_of
from .days import look_after_puzzles, missing, today
from .finding import fill_stock, find_puzzles
from .positions import Asked, asked, entries_before, played_instead
from .shown import shown

__all__ = [
    "Asked",
    "Streak",
    "answer_puzzle",
    "asked",
    "check_answer",
    "entries_before",
    "fill_stock",
    "find_puzzles",
    "look_after_puzzles",
    "missing",
    "played_instead",
    "shown",
    "streak_of",
    "today",
]
