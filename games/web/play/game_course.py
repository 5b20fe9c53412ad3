"""The course of a finished game in two sentences: how long it took, and what ended it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.utils.translation import ngettext

from games.log.positions import last_entry_of_play
from games.models import Game
from games.play.game_view import GameView
from games.web.presenters.log_entry_view import LogEntryView, without_taken_back
from games.web.text.game_titles import format_roughly


@dataclass(frozen=True, slots=True)
class GameCourse:
    """The length of a game, and the ruling that ended it, "" if it ended by the rules."""

    length: str
    ruling: str


def game_course(look: GameView, entries: Sequence[LogEntryView]) -> GameCourse:
    """Return the course of a finished game; `entries` are the views of its whole log."""
    return GameCourse(_length(look.game, without_taken_back(entries)), _ruling(look, entries))


def _length(game: Game, entries: Iterable[LogEntryView]) -> str:
    events = (event for entry in entries for event in entry.events)
    turns = sum(game.rule_system.turns(events).values())
    if game.started is None or game.finished is None or game.imported is not None:
        return ngettext("{n} turn.", "{n} turns.", turns).format(n=turns)
    time = format_roughly(game.finished - game.started)
    return ngettext("{n} turn in {time}.", "{n} turns in {time}.", turns).format(n=turns, time=time)


def _ruling(look: GameView, entries: Iterable[LogEntryView]) -> str:
    last = last_entry_of_play(look.entries)
    return next((entry.text for entry in entries if entry.number == last), "")
