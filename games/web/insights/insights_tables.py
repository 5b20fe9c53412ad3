"""Insights as tables: a line for each theme, third, tier or source, and a column for everybody compared."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from games.insights.decision_figures import FEWEST, Figure, Group, Insights, enough
from games.models import GameMoney, RatedDecision
from games.web.presenters.presenter_registry import PRESENTERS
from games.web.presenters.table_people import money
from games.web.text.seat_names import level_name
from games.web.text.win_points import win_points


@dataclass(frozen=True, slots=True)
class Cell:
    """An average with its margin and the number behind it; `value` is "" if fewer than `needed`."""

    value: str
    margin: str
    count: int
    needed: int


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a table; `remark` says if the member clearly differs from members of a similar rating."""

    name: str
    cells: list[Cell]
    remark: str


@dataclass(frozen=True, slots=True)
class Table:
    """A table of insights: its heading, a note on its numbers, its columns and lines."""

    title: str
    note: str
    columns: list[str]
    lines: list[Line]


def tables(found: Insights, system: str, own: str) -> list[Table]:
    """The tables that have figures of the member; `own` is the heading of the member's column."""
    table = PRESENTERS[system]
    groups = [found.own, found.similar, *found.levels.values()]
    columns = [own, _("Similar rating"), *(level_name(system, level) for level in found.levels)]
    losses = _("Points of winning chance lost per decision. Lower is better.")
    thirds = {1: _("First third"), 2: _("Second third"), 3: _("Last third")}
    made = [
        Table(
            _("All decisions"),
            losses,
            columns,
            [_line(_("All decisions"), [group.overall for group in groups], RatedDecision)],
        ),
        _by(_("By kind of decision"), losses, columns, groups, table.theme_names(), lambda one: one.by(0)),
        _by(_("By part of the game"), losses, columns, groups, thirds, lambda one: one.by(1)),
        _by(_("By tier of the chain"), losses, columns, groups, table.tier_names(), lambda one: one.by(2)),
        _by(
            _("Money by source"),
            _("Dollars per game."),
            columns,
            groups,
            table.money_source_names(),
            lambda one: one.by_source,
            model=GameMoney,
        ),
    ]
    return [one for one in made if one.lines]


def _by(
    title: str,
    note: str,
    columns: list[str],
    groups: list[Group],
    names: Mapping[Any, str],
    figures: Callable[[Group], Mapping[Any, Figure]],
    *,
    model: Any = RatedDecision,
) -> Table:
    found = [figures(group) for group in groups]
    rows = {name: [one.get(key, Figure()) for one in found] for key, name in names.items()}
    lines = [_line(name, row, model) for name, row in rows.items() if enough(row, model)]
    return Table(title, note, columns, lines)


def _line(name: str, row: list[Figure], model: Any) -> Line:
    own, similar, *_others = row
    known = min(own.count, similar.count) >= FEWEST[model]
    return Line(name, [_cell(figure, model) for figure in row], _remark(own, similar, model) if known else "")


def _remark(own: Figure, similar: Figure, model: Any) -> str:
    """The difference from members of a similar rating in words; "" if chance may explain it."""
    difference = own.differs_from(similar)
    if not difference:
        return ""
    if model is GameMoney:
        return _("clearly more") if difference > 0 else _("clearly less")
    return _("clearly weaker") if difference > 0 else _("clearly stronger")


def _cell(figure: Figure, model: Any) -> Cell:
    fewest = FEWEST[model]
    if figure.count < fewest:
        return Cell("", "", figure.count, fewest)
    written = (lambda value: money(100 * round(value / 100))) if model is GameMoney else win_points
    return Cell(written(figure.mean), written(figure.margin), figure.count, fewest)
