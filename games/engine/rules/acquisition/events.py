"""Events of a game, for the log: one immutable class for each thing that can happen.

Squares are given by name, seats by number.
"""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any, Final

from games.engine.rules.acquisition.rule_options import Rules


@dataclass(frozen=True, slots=True)
class Event:
    """Base class of events; an event's kind is its class name in lower case."""


@dataclass(frozen=True, slots=True)
class Parked(Event):
    """A park was placed; `left` parks are still to be placed."""

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
    """A player completed a group of three of their own tiles: a large building."""

    seat: int
    squares: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Completed(Event):
    """A group of three tiles of several owners is complete.

    `owners` are the seats of the tiles, `buyer` the seat that may buy the others out, None if its
    reserve is too small.
    """

    squares: tuple[str, ...]
    owners: tuple[int, ...]
    buyer: int | None


@dataclass(frozen=True, slots=True)
class BoughtOut(Event):
    """A player replaced these tiles by their own; the `owners` got theirs back. A large building."""

    seat: int
    squares: tuple[str, ...]
    owners: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Declined(Event):
    """A player declined to buy out a group."""

    seat: int
    squares: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Ended(Event):
    """The game ended because `seat` could not place a tile: `reason` is "no tile" or "no square"."""

    seat: int
    reason: str


@dataclass(frozen=True, slots=True)
class Scored(Event):
    """The final number of a player's buildings."""

    seat: int
    large: int
    medium: int
    small: int


# The name of each kind of event in logs and exports, which must never change.
KINDS: dict[str, type[Event]] = {
    "parked": Parked, "placed": Placed, "landmark": Landmark, "completed": Completed, "boughtout": BoughtOut,
    "declined": Declined, "ended": Ended, "scored": Scored,
}  # fmt: skip
_NAMES: Final = {kind: name for name, kind in KINDS.items()}


def reveals_secret(rules: Rules, events: Iterable[Event]) -> bool:
    """Return False, as nothing is hidden in this game."""
    return False


def event_to_json(event: Event) -> dict[str, Any]:
    """The event as a dictionary of plain values, its kind under "kind"."""
    return {"kind": _NAMES[type(event)], **asdict(event)}


def event_from_json(record: dict[str, Any]) -> Event:
    """The event of a dictionary from `event_to_json`, also after a round trip through JSON."""
    values = {name: _frozen(value) for name, value in record.items() if name != "kind"}
    return KINDS[record["kind"]](**values)


def _frozen(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
