"""Moves and score breakdowns in words, for game reviews."""

from collections.abc import Sequence

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from games.engine.rules.acquisition.board import SIDE
from games.engine.rules.acquisition.moves import BuyOut, Move, Park, Place
from games.engine.rules.acquisition.observation import Observation
from games.engine.rules.acquisition.rule_options import Rules
from games.engine.rules.acquisition.state import LARGE, MEDIUM, SMALL
from games.web.presenters.acquisition.about_text import amount
from games.web.presenters.acquisition.material_names import building
from games.web.presenters.board_shapes import better_svg
from games.web.presenters.log_entry_view import LogEntryView
from games.web.presenters.score_breakdown import ScoreBreakdown, breakdown
from games.web.presenters.table_people import say_with_name


def was_made(move: Move, rules: Rules, name: str) -> str:
    """Word a move that was made, as HTML: "Ann built on b2."."""
    if isinstance(move, Park):
        text = _("{name} placed a park on {square}.")
    elif isinstance(move, Place):
        text = _("{name} built on {square}.")
    elif isinstance(move, BuyOut):
        text = _("{name} bought out the other players.")
    else:
        text = _("{name} declined the buyout.")
    return say_with_name(text, name, square=_square(move))


def would_be_made(move: Move, rules: Rules, level: str) -> str:
    """Word the move that a bot of this level would have made: "Expert would build on b2."."""
    if isinstance(move, Park):
        text = _("{level} would place a park on {square}.")
    elif isinstance(move, Place):
        text = _("{level} would build on {square}.")
    elif isinstance(move, BuyOut):
        text = _("{level} would buy out the other players.")
    else:
        text = _("{level} would decline the buyout.")
    return text.format(level=level, square=_square(move))


def better_move(seen: Observation, move: Move) -> SafeString:
    """A drawing for the board of where the move would have placed its piece."""
    square = move.square if isinstance(move, Park | Place) else None
    return better_svg(SIDE, SIDE, square=square)


def _square(move: Move) -> str:
    return move.text.rpartition(" ")[2]


def breakdowns(
    seen: Observation, names: Sequence[str], entries: Sequence[LogEntryView]
) -> list[ScoreBreakdown]:
    """A breakdown of each player's buildings: large ones win, the others break ties."""
    sizes = (LARGE, MEDIUM, SMALL)
    return [
        breakdown(
            _("Buildings"),
            _("Large buildings decide. Medium and then small buildings break ties."),
            names,
            [building(size) for size in sizes],
            zip(*(seen.buildings[size] for size in sizes), strict=True),
            amount,
            adds_up=False,
        )
    ]
