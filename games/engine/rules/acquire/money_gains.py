"""Gains of each seat, by kind, that add up to its money at the end.

Shares count at their current price, so buying and selling them is no gain, but a rising price is. A seat's
worth is always its cash and its shares at their price.
"""

from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass, fields
from typing import Final

from games.engine.rules.acquire.chains import CHAIN_BY_NAME, CHAINS
from games.engine.rules.acquire.events import (
    Absorbed,
    BonusPaid,
    Bought,
    ChainGrew,
    Disposed,
    Dissolved,
    Ended,
    Event,
    Founded,
    Merged,
    SoldAtEnd,
)
from games.engine.rules.acquire.rule_options import Rules
from games.engine.rules.acquire.state import CASH


@dataclass(slots=True)
class Gains:
    """A seat's dollars by kind of gain.

    `traded` is how much more the survivor's shares were worth than those given for them. `kept` is minus the
    worth of shares in chains that went defunct, plus their worth when the chain was founded again.
    """

    start: int = CASH
    founded: int = 0
    growth: int = 0
    bonuses: int = 0
    traded: int = 0
    kept: int = 0
    final_bonuses: int = 0

    def total(self) -> int:
        return sum(astuple(self))


# Sources of the money that a seat gained during the game, in the order of the columns above.
MONEY_SOURCES: Final = tuple(field.name for field in fields(Gains) if field.name != "start")


def gains(rules: Rules, seats: int, events: Iterable[Event], worth: Sequence[int]) -> list[Gains]:
    """The gains by seat, from all events of a finished game, oldest first.

    `worth` is each seat's final worth. If the players agreed to end the game, bonuses counted in it are the
    final ones.
    """
    book = _MoneyLedger(rules, seats)
    for event in events:
        book.enter(event)
    if not book.ended:
        book.close(worth)
    return book.gains


def money_by_source(
    rules: Rules, seats: int, events: Iterable[Event], worth: Sequence[int]
) -> list[dict[str, int]]:
    """The dollars of each seat by MONEY_SOURCES; empty if they do not explain the worth.

    The latter is so in games that began from a given position.
    """
    found = gains(rules, seats, events, worth)
    if [gained.total() for gained in found] != list(worth):
        return []
    return [{source: getattr(gained, source) for source in MONEY_SOURCES} for gained in found]


class _MoneyLedger:
    """Chain sizes, holdings and gains, updated event by event."""

    def __init__(self, rules: Rules, seats: int) -> None:
        self.gains = [Gains() for _seat in range(seats)]
        self.ended = False
        self._rules = rules
        self._size = dict.fromkeys(CHAINS, 0)
        self._held = {chain: [0] * seats for chain in CHAINS}
        # Chains of the current merger whose bonuses were paid, with the seats that have disposed of them.
        self._dissolved: dict[int, set[int]] = {}

    def enter(self, event: Event) -> None:
        match event:
            case Founded(seat=seat, chain=chain, size=size, free=free):
                self._found(CHAIN_BY_NAME[chain], seat, size, free)
            case ChainGrew(chain=chain, size=size):
                self._grow(CHAIN_BY_NAME[chain], size)
            case Bought(seat=seat, shares=shares):
                for chain, count in shares:
                    self._held[CHAIN_BY_NAME[chain]][seat] += count
            case BonusPaid(seat=seat, dollars=dollars) if self.ended:
                self.gains[seat].final_bonuses += dollars
            case BonusPaid(seat=seat, dollars=dollars):
                self.gains[seat].bonuses += dollars
            case SoldAtEnd(seat=seat, chain=chain, shares=shares):
                self._held[CHAIN_BY_NAME[chain]][seat] -= shares
            case Merged():
                self._dissolved = {}
            case Dissolved(chain=chain):
                self._dissolved[CHAIN_BY_NAME[chain]] = set()
            case Disposed():
                self._dispose(event)
            case Absorbed(survivor=chain, size=size):
                self._absorb(CHAIN_BY_NAME[chain], size)
            case Ended():
                self.ended = True

    def close(self, worth: Sequence[int]) -> None:
        """Book the worth beyond cash and shares as bonuses, for a game that the players agreed to end."""
        for chain, disposed in self._dissolved.items():
            nobody_sells = self._rules.disposal != "all"
            self._vanish(chain, range(len(self.gains)) if nobody_sells else disposed)
        for seat, gained in enumerate(self.gains):
            gained.final_bonuses = worth[seat] - gained.total()

    def _price(self, chain: int) -> int:
        return self._rules.prices[chain][self._size[chain]] if self._size[chain] else 0

    def _found(self, chain: int, founder: int, size: int, free: bool) -> None:
        self._size[chain] = size
        for seat, held in enumerate(self._held[chain]):
            self.gains[seat].kept += held * self._price(chain)
        if free:
            self._held[chain][founder] += 1
            self.gains[founder].founded += self._price(chain)

    def _grow(self, chain: int, size: int) -> None:
        before, self._size[chain] = self._price(chain), size
        for seat, held in enumerate(self._held[chain]):
            self.gains[seat].growth += held * (self._price(chain) - before)

    def _dispose(self, event: Disposed) -> None:
        defunct, survivor, seat = CHAIN_BY_NAME[event.chain], CHAIN_BY_NAME[event.survivor], event.seat
        self._held[defunct][seat] -= event.sold + event.traded
        self._held[survivor][seat] += event.traded // 2
        given = event.traded * self._price(defunct)
        self.gains[seat].traded += event.traded // 2 * self._price(survivor) - given
        self._dissolved[defunct].add(seat)

    def _absorb(self, survivor: int, size: int) -> None:
        for chain in self._dissolved:
            self._vanish(chain, range(len(self.gains)))
            self._size[chain] = 0
        self._dissolved = {}
        self._grow(survivor, size)

    def _vanish(self, chain: int, seats: Iterable[int]) -> None:
        """Write off the shares that these seats still hold."""
        for seat in seats:
            self.gains[seat].kept -= self._held[chain][seat] * self._price(chain)
