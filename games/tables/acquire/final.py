"""The end of a game: standings, where the money came from, and how everybody's worth went."""

from collections.abc import Sequence
from dataclasses import astuple, dataclass

from django.utils.translation import gettext as _

from games.rules.acquire import Observation

from ..log import Entry
from ..people import People, money
from .chart import Chart, chart
from .sources import Sources, sources


@dataclass(frozen=True, slots=True)
class Standing:
    """One seat's line: rank, name, final money, and dollars by source."""

    rank: int
    name: str
    me: bool
    won: bool
    dollars: str
    sources: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Final:
    """The panel: the sources' headings, standings from the winner on, the chart and its numbers."""

    headings: tuple[str, ...]
    standings: tuple[Standing, ...]
    names: tuple[str, ...]
    chart: Chart | None
    rows: tuple[tuple[int, tuple[str, ...]], ...]


def final(
    seen: Observation, people: People, entries: Sequence[Entry], worth: Sequence[Sequence[int]]
) -> Final | None:
    """The panel of a game that is over; None before.

    `entries` are the whole log, `worth` what each seat was worth after each turn, the start included.
    """
    if not seen.ended:
        return None
    cash = [dollars or 0 for dollars in seen.cash]
    origin = sources(seen.seats, (event for entry in entries for event in entry.events))
    # A game that began from a position given outright does not add up from the deal.
    whole = all(origin[seat].total() == cash[seat] for seat in range(seen.seats))
    names = tuple(_("you") if seat == seen.seat else str(people[seat]) for seat in range(seen.seats))
    order = sorted(range(seen.seats), key=lambda seat: -cash[seat])
    return Final(
        headings=_headings() if whole else (),
        standings=tuple(
            _standing(seen, names, cash, seat, origin[seat] if whole else None) for seat in order
        ),
        names=names,
        chart=chart(names, worth) if len(worth) > 1 else None,
        rows=tuple((turn, tuple(map(money, row))) for turn, row in enumerate(worth)),
    )


def _headings() -> tuple[str, ...]:
    return (
        _("At the start"),
        _("Spent on shares"),
        _("Bonuses"),
        _("Shares sold"),
        _("Final bonuses"),
        _("Final shares"),
    )


def _standing(
    seen: Observation, names: tuple[str, ...], cash: list[int], seat: int, origin: Sources | None
) -> Standing:
    rank = 1 + sum(other > cash[seat] for other in cash)
    return Standing(
        rank=rank,
        name=names[seat],
        me=seat == seen.seat,
        won=rank == 1,
        dollars=money(cash[seat]),
        sources=tuple(map(money, astuple(origin))) if origin else (),
    )
