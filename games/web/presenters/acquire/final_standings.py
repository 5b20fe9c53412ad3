"""Final standings, sources of money and the course of worth."""

from collections.abc import Sequence
from dataclasses import astuple, dataclass

from django.utils.translation import gettext as _

from games.engine.rules.acquire.observation import Observation
from games.engine.rules.acquire.teams import ranking, teams
from games.log.standings import Place, rank_with_concessions
from games.models import Game
from games.web.presenters.acquire.money_sources import Sources, sources
from games.web.presenters.log_entry_view import LogEntryView
from games.web.presenters.table_people import TablePeople, money
from games.web.presenters.worth_chart import Chart, chart


@dataclass(frozen=True, slots=True)
class Standing:
    """A seat's line: rank, name, final money, and dollars by source."""

    rank: int
    name: str
    me: bool
    won: bool
    dollars: str
    sources: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Final:
    """The panel: headings of the sources, standings from the winner on, the chart and its numbers."""

    headings: tuple[str, ...]
    standings: tuple[Standing, ...]
    names: tuple[str, ...]
    chart: Chart | None
    rows: tuple[tuple[int, tuple[str, ...]], ...]


def final(
    seen: Observation, people: TablePeople, entries: Sequence[LogEntryView], worth: Sequence[Sequence[int]]
) -> Final | None:
    """The panel of a finished game; None before the end.

    `entries` are the whole log without moves taken back, `worth` is each seat's worth at the start and after
    each turn.
    """
    if not seen.ended:
        return None
    dollars = [dollars or 0 for dollars in seen.worth]
    origin = sources(seen.seats, (event for entry in entries for event in entry.events))
    # The sources do not add up if the players agreed to end the game, or if it began from a given position.
    whole = all(origin[seat].total() == dollars[seat] for seat in range(seen.seats))
    names = tuple(_("you") if seat == people.reader else str(people[seat]) for seat in range(seen.seats))
    return Final(
        headings=source_names() if whole else (),
        standings=tuple(
            _standing(seen, people, names, place, origin[place[1]] if whole else None)
            for place in places(seen, people)
        ),
        names=names,
        chart=chart(names, worth) if len(worth) > 1 else None,
        rows=tuple((turn, tuple(map(money, row))) for turn, row in enumerate(worth)),
    )


def places(seen: Observation, people: TablePeople) -> list[Place]:
    """Rank, seat and dollars if the game ended now, the winner first.

    Empty while money is hidden, and for a finished game without a result.
    """
    if seen.ended == Game.Ending.NONE or None in seen.worth:
        return []
    found = ranking(seen.rules, [dollars or 0 for dollars in seen.worth])
    return rank_with_concessions(found, people.conceded, teams(seen.rules, seen.seats))


def source_names() -> tuple[str, ...]:
    """The headings of the sources of money, in their order."""
    return (
        _("At the start"),
        _("Spent on shares"),
        _("Merger bonuses"),
        _("Shares sold in mergers"),
        _("Final bonuses"),
        _("Shares sold at the end"),
    )


def _standing(
    seen: Observation, people: TablePeople, names: tuple[str, ...], place: Place, origin: Sources | None
) -> Standing:
    rank, seat, dollars = place
    return Standing(
        rank=rank,
        name=people.at_the_end(seat, names[seat]),
        me=seat == seen.seat,
        won=rank == 1,
        dollars=money(dollars),
        sources=tuple(map(money, astuple(origin))) if origin else (),
    )
