"""What a table is told about the log, whatever the rule system."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of the log.

    `number` is its place, `events` what the rules say happened, `at` when. An entry without events is a
    ruling, and `text` is its sentence. `note` is a sentence about how a move came to be made, if there is
    anything to say.
    """

    number: int
    events: Sequence[Any] = ()
    at: datetime | None = None
    text: str = ""
    note: str = ""
