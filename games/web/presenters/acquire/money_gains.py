"""What made everybody's money: each dollar at the end, by what it was gained with.

Shares count at the price of the day, so buying and selling them is no gain: they become dearer while they
are held, and that is one. What somebody has is always cash and shares at their price.
"""

from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass

from django.utils.translation import gettext as _

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
    """One seat's dollars by what they were gained with.

    `traded` is how much more the survivor's shares were worth than those given for them. `kept` is what
    shares of chains that vanished were worth, less than nothing, and what they are worth again where the
    chain came back.
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


def gains(rules: Rules, seats: int, events: Iterable[Event], worth: Sequence[int]) -> list[Gains]:
    """The gains by seat, from all events of a game that is over, oldest first.

    `worth` is what each seat has at the end. Where the players ended the game, the bonuses that this counts
    are the final ones.
    """
    book = _MoneyLedger(rules, seats)
    for event in events:
        book.enter(event)
    if not book.ended:
        book.close(worth)
    return book.gains


def gain_names() -> tuple[str, ...]:
    """What the gains are called, in their order."""
    return (
        _("At the start"),
        _("Founder’s shares"),
        _("Shares that grew dearer"),
        _("Bonuses of mergers"),
        _("Trading two for one"),
        _("Shares of vanished chains"),
        _("Bonuses at the end"),
    )


class _MoneyLedger:
    """Follows the sizes of chains and everybody's shares from event to event."""

    def __init__(self, rules: Rules, seats: int) -> None:
        self.gains = [Gains() for _seat in range(seats)]
        self.ended = False
        self._rules = rules
        self._size = dict.fromkeys(CHAINS, 0)
        self._held = {chain: [0] * seats for chain in CHAINS}
        # The chains of the merger that goes on which were paid, each with those who have disposed of it.
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
        """The players have ended the game: what they have beyond cash and shares are bonuses."""
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
        """The shares that these seats still hold are worth nothing any more."""
        for seat in seats:
            self.gains[seat].kept -= self._held[chain][seat] * self._price(chain)
