"""What a table is told about the log, whatever the rule system."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from games.web.presenters.table_people import TablePeople


@dataclass(frozen=True, slots=True)
class LogEntryView:
    """One entry of the log.

    `number` is its place, `events` what the rules say happened, `at` when. An entry without events is a
    ruling, and `text` is its sentence. `note` is a sentence about how a move came to be made, if there is
    anything to say. A move that is `gone` was taken back: the log shows it struck through, and nothing else
    knows of it. `new` tells that it happened since the reader last looked. `people` are those who sat at the
    table then, if they are not those of now.
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
