"""Arena: repeatable matches of many games that measure how strong the bots are.

A `Match` defines the players and rules. `play(match, number)` plays one of its games;
`play_missing_games` plays those missing in a `Results` file, in several processes if wanted; `scores`
adds them up. `ladder_plan` lists the matches that measure the levels, and `page` reports them.
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
