"""Events of a game, for the log: one immutable class for each thing that can happen.

Events are public and hold no secrets. Squares and chains are given by name, seats
by number, money in dollars.
"""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any, Final

from games.engine.rules.acquire.rule_options import Rules


@dataclass(frozen=True, slots=True)
class Event:
    """Base class of events; an event's kind is its class name in lower case."""


@dataclass(frozen=True, slots=True)
class Placed(Event):
    """A tile was placed; `effect` is "alone", "joins", "founds", "grows" or "merges"."""

    seat: int
    square: str
    effect: str


@dataclass(frozen=True, slots=True)
class Founded(Event):
    """A chain was founded; `free` tells whether the founder got a share from the bank."""

    seat: int
    chain: str
    size: int
    free: bool


@dataclass(frozen=True, slots=True)
class ChainGrew(Event):
    """A chain grew to this size."""

    chain: str
    size: int


@dataclass(frozen=True, slots=True)
class Merged(Event):
    """A merger began between the survivor and the chains that will become defunct."""

    seat: int
    survivor: str
    defunct: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Dissolved(Event):
    """A chain became defunct at this size and price."""

    chain: str
    size: int
    price: int
    survivor: str


@dataclass(frozen=True, slots=True)
class BankTile(Event):
    """A tile was turned up for the bank of a two-player game; its column is the bank's number of shares."""

    chain: str
    square: str
    shares: int


@dataclass(frozen=True, slots=True)
class BonusPaid(Event):
    """A bonus was paid: `place` counts from 1, `tied` holders share it, a `sole` holder takes two places."""

    seat: int
    chain: str
    dollars: int
    shares: int
    place: int
    tied: int
    sole: bool


@dataclass(frozen=True, slots=True)
class Disposed(Event):
    """A holder sold, traded two for one, and held shares of a defunct chain."""

    seat: int
    chain: str
    survivor: str
    sold: int
    traded: int
    held: int
    dollars: int


@dataclass(frozen=True, slots=True)
class Absorbed(Event):
    """A merger is complete: the survivor has this size."""

    survivor: str
    size: int


@dataclass(frozen=True, slots=True)
class Bought(Event):
    """A purchase, possibly empty: pairs of chain and number of shares, and the total price."""

    seat: int
    shares: tuple[tuple[str, int], ...]
    dollars: int


@dataclass(frozen=True, slots=True)
class Drew(Event):
    """A player drew this number of tiles."""

    seat: int
    count: int


@dataclass(frozen=True, slots=True)
class DeadTilesShown(Event):
    """A player showed dead tiles, which are then out of the game."""

    seat: int
    squares: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class HandRedrawn(Event):
    """A player without a playable tile showed the hand, set it aside and drew `count` new tiles."""

    seat: int
    squares: tuple[str, ...]
    count: int


@dataclass(frozen=True, slots=True)
class Passed(Event):
    """A player had no playable tile."""

    seat: int


@dataclass(frozen=True, slots=True)
class Ended(Event):
    """The game ended: `reason` is "declared", "unchanged" or "no tiles"; `seat` ended it."""

    seat: int
    reason: str


@dataclass(frozen=True, slots=True)
class SoldAtEnd(Event):
    """A seat's shares of a chain on the board were sold at the end."""

    seat: int
    chain: str
    shares: int
    dollars: int


# The name of each kind of event in logs and exports, which must never change.
KINDS: dict[str, type[Event]] = {
    "placed": Placed, "founded": Founded, "grew": ChainGrew, "merged": Merged, "dissolved": Dissolved,
    "banktile": BankTile, "bonuspaid": BonusPaid, "disposed": Disposed, "absorbed": Absorbed,
    "bought": Bought, "drew": Drew, "turnedup": DeadTilesShown, "redrew": HandRedrawn, "passed": Passed,
    "ended": Ended, "soldatend": SoldAtEnd,
}  # fmt: skip
_NAMES: Final = {kind: name for name, kind in KINDS.items()}


# Events that show tiles nobody, or only one player, had seen. At the end everything is shown.
_REVEALING: Final = (BankTile, Drew, DeadTilesShown, HandRedrawn, Ended)


def reveals_secret(rules: Rules, events: Iterable[Event]) -> bool:
    """Return whether the events showed any player something that was hidden from that player before.

    A placed tile does not count: its owner gave it away. With hidden holdings, a chain that dissolves
    shows who holds how much of it.
    """
    revealing = (*_REVEALING, Dissolved) if rules.holdings == "hidden" else _REVEALING
    return any(isinstance(event, revealing) for event in events)


def event_to_json(event: Event) -> dict[str, Any]:
    """The event as a dictionary of plain values, its kind under "kind"."""
    return {"kind": _NAMES[type(event)], **asdict(event)}


def event_from_json(record: dict[str, Any]) -> Event:
    """The event of a dictionary from `event_to_json`, also after a round trip through JSON."""
    values = {name: _frozen(value) for name, value in record.items() if name != "kind"}
    return KINDS[record["kind"]](**values)


def _frozen(value: Any) -> Any:
    return tuple(_frozen(item) for item in value) if isinstance(value, list | tuple) else value
