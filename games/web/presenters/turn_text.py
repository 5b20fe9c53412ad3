"""Log entries grouped into turns and worded, for any rule system."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.utils.html import format_html

from games.web.presenters.log_entry_view import LogEntryView
from games.web.presenters.table_people import TablePeople


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn: the numbers of its first and last entry, when it ended, and paragraphs on what happened.

    `new` means that part of it happened after the reader's last visit.
    """

    first: int
    last: int
    at: datetime | None
    paragraphs: tuple[str, ...]
    new: bool = False


# The events of a paragraph, none for a ruling or a note, and its text.
Told = tuple[Sequence[Any], str]
# Words the events of an entry in paragraphs, for the people at the table then.
Tell = Callable[[Sequence[Any], TablePeople], list[Told]]


def turns(
    entries: Iterable[LogEntryView],
    people: TablePeople,
    tell: Tell,
    ends_turn: Callable[[Sequence[Any]], bool],
    *,
    brief: bool = False,
    most: int | None = None,
) -> list[Turn]:
    """Group the entries into turns, latest first, `most` of them at most.

    A ruling is a turn of its own. `ends_turn` tells whether the events of an entry end a turn. With `brief`,
    a paragraph does not repeat the name with which the one before began.
    """
    return [
        Turn(
            group[0].number,
            group[-1].number,
            group[-1].at,
            tuple(_paragraphs(group, people, tell, brief)),
            new=any(entry.new for entry in group),
        )
        for group in _by_turn(entries, ends_turn)[::-1][:most]
    ]


def _told(entry: LogEntryView, people: TablePeople, tell: Tell) -> list[Told]:
    if entry.text:
        return [((), entry.text)]
    told = tell(entry.events, people)
    whole = [((), entry.note), *told] if entry.note else told
    if entry.gone:
        # No events: the next paragraph must not continue one that is struck through.
        return [((), format_html("<s>{}</s>", text)) for _events, text in whole]
    return whole


def _paragraphs(
    entries: Iterable[LogEntryView], people: TablePeople, tell: Tell, brief: bool
) -> Iterator[str]:
    before: int | None = None
    for entry in entries:
        then = replace(entry.people, html=people.html) if entry.people else people
        for events, text in _told(entry, then, tell):
            seats = [getattr(event, "seat", None) for event in events]
            named = {seat for seat in seats if seat is not None}
            first = seats[0] if seats else None
            yield then.without_name(first, text) if brief and first is not None and first == before else text
            # After a paragraph about several seats, the next one names its seat again.
            before = first if named == {first} else None


def _by_turn(
    entries: Iterable[LogEntryView], ends_turn: Callable[[Sequence[Any]], bool]
) -> list[list[LogEntryView]]:
    groups: list[list[LogEntryView]] = []
    over = True
    for entry in entries:
        if over or entry.text:
            groups.append([])
        groups[-1].append(entry)
        over = bool(entry.text) or ends_turn(entry.events)
    return groups
