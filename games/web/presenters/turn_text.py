"""A log in sentences, turn by turn, whatever the rule system."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.utils.html import format_html

from games.web.presenters.log_entry_view import LogEntryView
from games.web.presenters.table_people import TablePeople


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn: the numbers of its first and last entry, when it ended, and what happened, in paragraphs.

    `new` tells that some of it happened since the reader last looked.
    """

    first: int
    last: int
    at: datetime | None
    paragraphs: tuple[str, ...]
    new: bool = False


# A paragraph and the events that it tells, none for a ruling or a note.
Told = tuple[Sequence[Any], str]
# Puts the events of an entry into paragraphs, for those who sat at the table then.
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
    """The turns that the entries make, the latest first, and of these so many at `most`.

    A ruling is a turn of its own. `ends_turn` says whether a turn ends with the events of an entry. With
    `brief` a paragraph does not name again whom the one before it has named.
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
        # Struck through, it is not to be continued by the next paragraph.
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
            # Where others come in as well, the next paragraph says again whom it is about.
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
