"""What happened, for the log: one immutable value for each thing that can happen.

Squares stand in them by name, seats by number.
"""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from .rules import Rules


@dataclass(frozen=True, slots=True)
class Event:
    """The common ancestor; an event's kind is the name of its class in small letters."""


@dataclass(frozen=True, slots=True)
class Parked(Event):
    """A park was placed; so many are `left` to be placed."""

    seat: int
    square: str
    left: int


@dataclass(frozen=True, slots=True)
class Placed(Event):
    """A building tile was placed; `size` is that of its group.

    `forced` tells that it was the only square left, so that nobody was asked.
    """

    seat: int
    square: str
    size: int
    forced: bool


@dataclass(frozen=True, slots=True)
class Landmark(Event):
    """A player completed a group of three tiles of that player alone: a large building."""

    seat: int
    squares: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Completed(Event):
    """A group of three tiles of several owners is complete.

    `owners` are the seats of the tiles, `buyer` the seat that may buy the others out, None where the
    reserve is too small for that.
    """

    squares: tuple[str, ...]
    owners: tuple[int, ...]
    buyer: int | None


@dataclass(frozen=True, slots=True)
class BoughtOut(Event):
    """A player replaced these tiles by own ones; they went back to their `owners`. A large building."""

    seat: int
    squares: tuple[str, ...]
    owners: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Declined(Event):
    """A player left a group as it was."""

    seat: int
    squares: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Ended(Event):
    """The game ended, as `seat` could not place a tile: `reason` is "no tile" or "no square"."""

    seat: int
    reason: str


@dataclass(frozen=True, slots=True)
class Scored(Event):
    """What a player built."""

    seat: int
    large: int
    medium: int
    small: int


KINDS: dict[str, type[Event]] = {
    kind.__name__.lower(): kind
    for kind in (Parked, Placed, Landmark, Completed, BoughtOut, Declined, Ended, Scored)
}


def reveals(rules: Rules, events: Iterable[Event]) -> bool:
    """Whether the events showed anybody what was hidden before: nothing is hidden in this game."""
    return False


def event_to_json(event: Event) -> dict[str, Any]:
    """The event as a dictionary of plain values, its kind under "kind"."""
    return {"kind": type(event).__name__.lower(), **asdict(event)}


def event_from_json(record: dict[str, Any]) -> Event:
    """The event of such a dictionary, also after a way through JSON."""
    values = {name: _frozen(value) for name, value in record.items() if name != "kind"}
    return KINDS[record["kind"]](**values)


def _frozen(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
