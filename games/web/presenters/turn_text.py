"""Log entries grouped into turns and worded, for any rule system."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from typing import Any

from django.utils.html import format_html
from django.utils.translation import get_language

from games.web.presenters.log_entry_view import LogEntryView
from games.web.presenters.table_people import TablePeople


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn: the numbers of its first and last entry, when it ended, and paragraphs on what happened.

    `new` means that part of it happened after the reader's last visit.
    """

    first: int
    last: int
    at: datetime | None
    paragraphs: tuple[str, ...]
    new: bool = False


# Words the events of an entry in paragraphs, for the people at the table then and the rules of the game.
Tell = Callable[[Sequence[Any], TablePeople, Any], list[str]]


def turns(
    entries: Iterable[LogEntryView],
    people: TablePeople,
    rules: Any,
    tell: Tell,
    ends_turn: Callable[[Sequence[Any]], bool],
    *,
    most: int | None = None,
) -> list[Turn]:
    """Group the entries into turns, latest first, `most` of them at most.

    A ruling is a turn of its own. `ends_turn` tells whether the events of an entry end a turn.
    """
    return [
        Turn(
            group[0].number,
            group[-1].number,
            group[-1].at,
            tuple(_paragraphs(group, people, rules, tell)),
            new=any(entry.new for entry in group),
        )
        for group in _by_turn(entries, ends_turn)[::-1][:most]
    ]


# A table shows some forty paragraphs, which stay the same for each reader, move after move. All that they
# depend on must be in the key, above all the reader and the names, and whether the move still stands.
@lru_cache(maxsize=8192, typed=True)
def _told(
    events: tuple[Any, ...],
    people: TablePeople,
    note: str,
    gone: bool,
    rules: Any,
    tell: Tell,
    language: str | None,
) -> tuple[str, ...]:
    told = tell(events, people, rules)
    whole = [note, *told] if note else told
    return tuple(format_html("<s>{}</s>", text) for text in whole) if gone else tuple(whole)


def _paragraphs(
    entries: Iterable[LogEntryView], people: TablePeople, rules: Any, tell: Tell
) -> Iterator[str]:
    language = get_language()
    for entry in entries:
        then = replace(entry.people, html=people.html) if entry.people else people
        if entry.text:
            yield entry.text
        else:
            yield from _told(tuple(entry.events), then, entry.note, entry.gone, rules, tell, language)


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
