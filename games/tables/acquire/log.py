"""The log in sentences, turn by turn."""

from collections.abc import Iterable, Sequence
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


def turns(entries: Iterable[Entry], people: People, rules: Rules) -> list[Turn]:
    """The turns that the entries make, the latest first. A ruling is a turn of its own."""
    return [
        Turn(
            group[0].number,
            group[-1].number,
            group[-1].at,
            tuple(text for entry in group for text in _paragraphs(entry, people, rules)),
        )
        for group in reversed(_by_turn(entries))
    ]


def _paragraphs(entry: Entry, people: People, rules: Rules) -> list[str]:
    if entry.text:
        return [entry.text]
    # Everybody knows that a turn ends with drawing a tile; the log does not repeat it.
    told = [event for event in entry.events if not isinstance(event, Drew)]
    paragraphs = [people.paragraph(sentences(part, people, rules)) for part in _parts(told)]
    return [entry.note, *paragraphs] if entry.note else paragraphs


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
