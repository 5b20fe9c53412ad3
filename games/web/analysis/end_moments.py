"""The moments of a finished game that its table shows: turning points and the costliest decision."""

from collections.abc import Sequence
from typing import Any, Final

from games.analysis import review_figures
from games.analysis.review_figures import ReviewData, Turn, TurningPoint
from games.archive.past_position import spectator_positions
from games.models import LogEntry
from games.web.analysis.review_text import assessed_move, mistake_mark, turning_point
from games.web.presenters.presenter_registry import PRESENTERS
from games.web.presenters.table_people import TablePeople, people
from games.web.text.log_view import log_entry_views
from games.web.text.seat_names import table_persons

MAX_MOMENTS: Final = 3
# Of a turn: the tile, and what it caused.
MAX_PARAGRAPHS: Final = 2


def end_moments(found: ReviewData) -> dict[str, Any]:
    """The context of games/analysis/_end_moments.html besides the progress of the review."""
    look = found.look
    around = people(table_persons(look.seats), look.seat)
    points = review_figures.turning_points(found.turns, look.game.teams, MAX_MOMENTS)
    costliest = _costliest(found)
    numbers = [point.after for point in points]
    shown = [*numbers, costliest["before"]] if costliest else numbers
    seen = spectator_positions(look.game, look.entries, shown)
    table = PRESENTERS[look.game.system]
    return {
        "moments": [
            _moment(found, around, found.turns[point.turn - 1], point, seen[point.after]) for point in points
        ],
        "costliest": costliest,
        "costliest_board": table.mini_board(seen[costliest["before"]], ()) if costliest else "",
        "is_own": look.seat is not None,
    }


def _moment(
    found: ReviewData, around: TablePeople, turn: Turn, point: TurningPoint, seen: Any
) -> dict[str, Any]:
    """A turning point with its board, the log of its turn, and the worst decision of the turn, if it was bad.

    `seen` is the position after it, as everybody may see it.
    """
    look = found.look
    entries = [entry for entry in look.entries if turn.before < entry.number <= point.after]
    told = [entry for entry in log_entry_views(look, entries) if not entry.text and not entry.gone]
    spoken = TablePeople(around.persons, around.reader, html=True)
    table = PRESENTERS[look.game.system]
    turns = table.log_context(look.seen.rules, spoken, told)["turns"]
    return {
        **turning_point(look, around, point),
        "what": turns[-1].paragraphs[:MAX_PARAGRAPHS],
        "board": table.mini_board(seen, told),
        "mistake": _worst_mistake(found, entries),
    }


def _worst_mistake(found: ReviewData, entries: Sequence[LogEntry]) -> dict[str, Any] | None:
    """The costliest of these moves as it was assessed, None if none lost much."""
    by_number = {entry.number: entry for entry in entries}
    rated = [one for one in found.assessments if one.number in by_number]
    worst = max(rated, key=lambda one: one.lost_chance, default=None)
    if worst is None or not mistake_mark(worst):
        return None
    return assessed_move(found.look, worst, by_number[worst.number])


def _costliest(found: ReviewData) -> dict[str, Any] | None:
    """The costliest decision so far: the reader's own, for spectators that of all; None without a loss."""
    look = found.look
    entries = {entry.number: entry for entry in look.entries}

    lost = review_figures.costliest_moves(found, most=len(found.assessments))
    worst = next(
        (rated for rated in lost if review_figures.concerns_reader(look, entries[rated.number])), None
    )
    return None if worst is None else assessed_move(look, worst, entries[worst.number])
