"""Ratings: who counts in a game that is over and how, and what that makes of their ratings."""

from .counting import count_results, read_anew, results_are_due
from .folding import recount

__all__ = ["count_results", "read_anew", "recount", "results_are_due"]
