"""Log entries as presenters receive them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from games.web.presenters.table_people import TablePeople


@dataclass(frozen=True, slots=True)
class LogEntryView:
    """A log entry in words and events.

    `number` is its place, `events` are those of the rule system, `at` is its time. An entry without events
    is a ruling, and `text` is its sentence. `note` is a sentence about how the move was made, if there is
    anything to say. A `gone` move was taken back: the log strikes it through, and everything else ignores
    it. `new` entries came after the reader's last visit. `people` are the people at the table then, if
    different from now.
    """

    number: int
    events: Sequence[Any] = ()
    at: datetime | None = None
    text: str = ""
    note: str = ""
    gone: bool = False
    new: bool = False
    people: TablePeople | None = None


def without_taken_back(entries: Iterable[LogEntryView]) -> list[LogEntryView]:
    """The entries without those that were taken back."""
    return [entry for entry in entries if not entry.gone]
