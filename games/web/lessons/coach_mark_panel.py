"""The coach mark on a table."""

from dataclasses import dataclass
from typing import Any

from games.lessons.coach_marks import is_coached, next_mark
from games.lessons.course import SYSTEM, marks_that_fit
from games.play.game_view import GameView
from games.web.addresses import address
from games.web.presenters.presenter_registry import PRESENTERS


@dataclass(frozen=True, slots=True)
class CoachMark:
    """A coach mark: its name, its words, and where the reader says that it is read."""

    name: str
    text: str
    url: str


def coach_mark(look: GameView, reader: Any) -> CoachMark | None:
    """The coach mark on the reader's decision, or None."""
    if not look.seen.legal or look.game.system != SYSTEM:
        return None
    if not is_coached(reader, has_finished=getattr(look.game, "has_finished", True)):
        return None
    name = next_mark(reader, marks_that_fit(look.seen))
    if not name:
        return None
    url = address("coach-mark", look.game.public_id)
    return CoachMark(name, PRESENTERS[SYSTEM].coach_mark(name, look.seen), url)
