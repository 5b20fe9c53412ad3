"""Moves and score breakdowns in words, for game reviews."""

from collections.abc import Sequence

from django.utils.translation import gettext as _

from games.engine.rules.acquisition.moves import BuyOut, Move, Park, Place
from games.engine.rules.acquisition.observation import Observation
from games.engine.rules.acquisition.rule_options import Rules
from games.engine.rules.acquisition.state import LARGE, MEDIUM, SMALL
from games.web.presenters.acquisition.about_text import amount
from games.web.presenters.acquisition.material_names import building
from games.web.presenters.log_entry_view import LogEntryView
from games.web.presenters.score_breakdown import ScoreBreakdown, breakdown


def phrase(move: Move, rules: Rules) -> str:
    """Word the move, to continue a sentence."""
    square = move.text.rpartition(" ")[2]
    if isinstance(move, Park):
        return _("place a park on {square}").format(square=square)
    if isinstance(move, Place):
        return _("build on {square}").format(square=square)
    return _("buy the others out") if isinstance(move, BuyOut) else _("decline to buy the others out")


def breakdowns(
    seen: Observation, names: Sequence[str], entries: Sequence[LogEntryView]
) -> list[ScoreBreakdown]:
    """A breakdown of each player's buildings: large ones win, the others break ties."""
    sizes = (LARGE, MEDIUM, SMALL)
    return [
        breakdown(
            _("What was built"),
            _("Large buildings win; medium ones, then small ones break ties."),
            names,
            [building(size) for size in sizes],
            zip(*(seen.buildings[size] for size in sizes), strict=True),
            amount,
            adds_up=False,
        )
    ]
