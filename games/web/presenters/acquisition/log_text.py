"""The log of Acquisition in sentences, by turn."""

from collections.abc import Iterable, Sequence

from games.engine.rules.acquisition.events import BoughtOut, Completed, Ended, Event, Landmark, Placed
from games.engine.rules.acquisition.rule_options import Rules
from games.web.presenters import turn_text as shared
from games.web.presenters.acquisition.event_text import sentences
from games.web.presenters.log_entry_view import LogEntryView
from games.web.presenters.table_people import TablePeople
from games.web.presenters.turn_text import Turn


def turns(
    entries: Iterable[LogEntryView],
    people: TablePeople,
    rules: Rules,
    *,
    most: int | None = None,
) -> list[Turn]:
    """Group the entries into turns, latest first: a piece, and the buyout that it led to, if any.

    A ruling is a turn of its own. There are `most` turns at most.
    """
    return shared.turns(entries, people, rules, _tell, _ends_turn, most=most)


def highlights(events: Iterable[Event]) -> list[Event]:
    """The events that matter most: groups that were bought out."""
    return [event for event in events if isinstance(event, BoughtOut)]


def news(events: Iterable[Event]) -> list[Event]:
    """The events that change what a player has built, and the end."""
    return [event for event in events if isinstance(event, Landmark | BoughtOut | Ended)]


def gains(events: Iterable[Event]) -> dict[int, str]:
    """Nothing: what a seat gets is part of its score."""
    return {}


def _tell(events: Sequence[Event], people: TablePeople, rules: Rules) -> list[str]:
    return [people.paragraph(sentences(part, people, rules)) for part in _parts(events)]


def _parts(events: Iterable[Event]) -> list[list[Event]]:
    """Split the events of one entry into paragraphs: forced tiles and the end have their own."""
    parts: list[list[Event]] = []
    for event in events:
        if not parts or isinstance(event, Placed | Ended):
            parts.append([])
        parts[-1].append(event)
    return parts


def _ends_turn(events: Sequence[Event]) -> bool:
    last = events[-1] if events else None
    return not (isinstance(last, Completed) and last.buyer is not None)
