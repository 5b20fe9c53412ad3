"""How strong the computer opponents are: matches of many games, repeatable to the last move.

A `Match` says who plays what. `play(match, number)` plays one of its games; `played` plays those
that are missing in a `Results` file, in several processes if wanted; `scores` adds up. `ladder` is
the table of matches that say how strong the levels are, and `page` what is told of them.
"""

from . import ladder
from .matches import BrokenGame, Match, Result, play
from .pages import page
from .playing import played
from .progress import Progress
from .results import Results, ResultsError, read
from .scores import Score, scores, wilson
from .wording import as_json, table

__all__ = [
    "BrokenGame",
    "Match",
    "Progress",
    "Result",
    "Results",
    "ResultsError",
    "Score",
    "as_json",
    "ladder",
    "page",
    "play",
    "played",
    "read",
    "scores",
    "table",
    "wilson",
]
