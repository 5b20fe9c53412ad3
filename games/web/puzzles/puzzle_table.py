"""The table of a puzzle for the seat to move, which reveals neither the players nor the game."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from django.utils.translation import gettext as _

from games.models import Puzzle
from games.web.presenters.log_entry_view import LogEntryView
from games.web.presenters.presenter_registry import PRESENTERS
from games.web.presenters.table_people import Person, TablePeople


def puzzle_people(puzzle: Puzzle) -> TablePeople:
    """Anonymous players in their teams, with names short enough for the narrowest column."""
    teams = puzzle.source.rule_system.teams(puzzle.source.rules, puzzle.seats)
    team_of = {seat: team for team, seats in enumerate(teams) for seat in seats}
    persons = (Person(_("P{n}").format(n=seat + 1), team=team_of.get(seat)) for seat in range(puzzle.seats))
    return TablePeople(tuple(persons), puzzle.seat)


def table_context(
    puzzle: Puzzle,
    seen: Any,
    before: Sequence[tuple[int, list[Any]]],
    people: TablePeople,
    *,
    is_answered: bool,
) -> dict[str, Any]:
    """The context of the table: with the decision's form, or without it once the reader has answered.

    `seen` is the observation of the seat with its legal moves, `before` the moves before with their events.
    """
    table = PRESENTERS[puzzle.source.system]
    entries = [LogEntryView(number, events) for number, events in before]
    return {
        **table.context(replace(seen, legal=()) if is_answered else seen, people, entries),
        "cover": None,
        "exploring": True,
        "version": int(is_answered),
        "table_template": table.TEMPLATE,
        "stylesheet": table.STYLESHEET,
        "question": table.headline(seen, people),
        "seats": puzzle.seats,
        "in_teams": bool(people.teams),
    }
