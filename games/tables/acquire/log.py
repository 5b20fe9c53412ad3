"""The log in sentences, turn by turn."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from games.rules.acquire import Event, Rules
from games.rules.acquire.events import (
    Absorbed,
    BankTile,
    BonusPaid,
    Bought,
    Dissolved,
    Drew,
    Ended,
    SoldAtEnd,
)

from ..log import Entry
from ..people import People
from .wording import sentences


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn: the numbers of its first and last entry, when it ended, and what happened, in paragraphs."""

    first: int
    last: int
    at: datetime | None
    paragraphs: tuple[str, ...]


# A paragraph and the events that it tells, none for a ruling or a note.
Told = tuple[Sequence[Event], str]


def turns(entries: Iterable[Entry], people: People, rules: Rules, *, brief: bool = False) -> list[Turn]:
    """The turns that the entries make, the latest first. A ruling is a turn of its own.

    With `brief` a paragraph does not name again whom the one before it has named.
    """
    return [
        Turn(
            group[0].number,
            group[-1].number,
            group[-1].at,
            tuple(
                _paragraphs([told for entry in group for told in _told(entry, people, rules)], people, brief)
            ),
        )
        for group in reversed(_by_turn(entries))
    ]


def _told(entry: Entry, people: People, rules: Rules) -> list[Told]:
    if entry.text:
        return [((), entry.text)]
    # Everybody knows that a turn ends with drawing a tile; the log does not repeat it.
    events = [event for event in entry.events if not isinstance(event, Drew)]
    told: list[Told] = [(part, people.paragraph(sentences(part, people, rules))) for part in _parts(events)]
    return [((), entry.note), *told] if entry.note else told


def _paragraphs(told: Iterable[Told], people: People, brief: bool) -> Iterator[str]:
    before: int | None = None
    for events, text in told:
        seats = [getattr(event, "seat", None) for event in events]
        named = {seat for seat in seats if seat is not None}
        first = seats[0] if seats else None
        yield people.without_name(first, text) if brief and first is not None and first == before else text
        # Where others come in as well, the next paragraph says again whom it is about.
        before = first if named == {first} else None


def _parts(events: Iterable[Event]) -> list[list[Event]]:
    """The events of one entry in paragraphs: in a merger and at the end one for each chain."""
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


def _by_turn(entries: Iterable[Entry]) -> list[list[Entry]]:
    groups: list[list[Entry]] = []
    over = True
    for entry in entries:
        if over or entry.text:
            groups.append([])
        groups[-1].append(entry)
        over = bool(entry.text) or _ends_turn(entry.events)
    return groups


def _ends_turn(events: Iterable[Event]) -> bool:
    return any(isinstance(event, Bought | Ended) for event in events)


def events_of_turn(entries: Sequence[Entry]) -> list[Event]:
    """What happened so far in the turn that is going on, oldest first."""
    current: list[Event] = []
    for entry in entries:
        if _ends_turn(entry.events):
            current = []
        else:
            current += entry.events
    return current
