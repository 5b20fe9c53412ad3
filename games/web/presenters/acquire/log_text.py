"""The log of Acquire in sentences, by turn."""

from collections import Counter
from collections.abc import Iterable, Sequence

from games.engine.rules.acquire.events import (
    Absorbed,
    BankTile,
    BonusPaid,
    Bought,
    Dissolved,
    Drew,
    Ended,
    Event,
    Founded,
    Merged,
    SoldAtEnd,
)
from games.engine.rules.acquire.rule_options import Rules
from games.web.presenters import turn_text as shared
from games.web.presenters.acquire.event_text import sentences
from games.web.presenters.log_entry_view import LogEntryView
from games.web.presenters.table_people import TablePeople, money
from games.web.presenters.turn_text import Turn


def turns(
    entries: Iterable[LogEntryView],
    people: TablePeople,
    rules: Rules,
    *,
    most: int | None = None,
) -> list[Turn]:
    """Group the entries into turns, latest first, `most` of them at most. A ruling is a turn of its own."""
    return shared.turns(entries, people, rules, _tell, _ends_turn, most=most)


def _tell(events: Sequence[Event], people: TablePeople, rules: Rules) -> list[str]:
    # Every turn ends with drawing a tile, so the log leaves that out.
    known = [event for event in events if not isinstance(event, Drew)]
    return [people.paragraph(sentences(part, people, rules)) for part in _parts(known)]


def _parts(events: Iterable[Event]) -> list[list[Event]]:
    """Split the events of one entry into paragraphs: in a merger and at the end, one for each chain."""
    parts: list[list[Event]] = []
    chain = ""
    for event in events:
        about = getattr(event, "chain", "")
        paid = isinstance(event, BankTile | BonusPaid | SoldAtEnd)
        if not parts or isinstance(event, Dissolved | Absorbed | Bought | Ended) or (paid and about != chain):
            parts.append([])
        parts[-1].append(event)
        chain = about
    return parts


def _ends_turn(events: Iterable[Event]) -> bool:
    return any(isinstance(event, Bought | Ended) for event in events)


def highlights(events: Iterable[Event]) -> list[Event]:
    """The events that matter most besides bonuses: chains founded and merged."""
    return [event for event in events if isinstance(event, Founded | Merged)]


def news(events: Iterable[Event]) -> list[Event]:
    """The events that change what chains and shares are worth, and the end."""
    told = [event for event in events if isinstance(event, Founded | Merged | BonusPaid | Bought | Ended)]
    return [event for event in told if not isinstance(event, Bought) or event.shares]


def gains(events: Iterable[Event]) -> dict[int, str]:
    """The bonuses that seats received, added up."""
    paid = Counter[int]()
    for event in events:
        if isinstance(event, BonusPaid):
            paid[event.seat] += event.dollars
    return {seat: f"+{money(dollars)}" for seat, dollars in paid.items()}


def events_of_turn(entries: Sequence[LogEntryView]) -> list[Event]:
    """The events of the current turn, oldest first."""
    current: list[Event] = []
    for entry in entries:
        if _ends_turn(entry.events):
            current = []
        else:
            current += entry.events
    return current
