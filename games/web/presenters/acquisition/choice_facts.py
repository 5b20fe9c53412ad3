"""The facts for a choice among some answers, for a board that is shown without its table."""

from collections.abc import Iterable, Sequence

from django.utils.translation import ngettext

from games.engine.rules.acquisition.moves import Move, Place
from games.engine.rules.acquisition.observation import Observation
from games.web.presenters.acquisition.material_names import material
from games.web.presenters.table_people import TablePeople


def choice_facts(seen: Observation, people: TablePeople, moves: Sequence[Move]) -> list[str]:
    """A sentence on the observer's building material and tiles left."""
    assert seen.seat is not None
    left = seen.reserve[seen.seat]
    text = ngettext(
        "You build in {material} and have {n} tile left.",
        "You build in {material} and have {n} tiles left.",
        left,
    )
    return [text.format(material=material(seen.seat).label, n=left)]


def choice_squares(seen: Observation, moves: Iterable[Move]) -> list[int]:
    """The squares on which these moves build."""
    return sorted(move.square for move in moves if isinstance(move, Place))
