"""Sources of each seat's money, added up from the log."""

from collections.abc import Iterable
from dataclasses import astuple, dataclass

from games.engine.rules.acquire.events import BonusPaid, Bought, Disposed, Ended, Event, SoldAtEnd
from games.engine.rules.acquire.state import CASH


@dataclass(slots=True)
class Sources:
    """A seat's dollars by source; `spent` is zero or less."""

    start: int = CASH
    spent: int = 0
    bonuses: int = 0
    sold: int = 0
    final_bonuses: int = 0
    final_shares: int = 0

    def total(self) -> int:
        return sum(astuple(self))


def sources(seats: int, events: Iterable[Event]) -> list[Sources]:
    """The sources by seat, from all events of a game, oldest first."""
    money = [Sources() for _ in range(seats)]
    ended = False
    for event in events:
        match event:
            case Bought(seat=seat, dollars=dollars):
                money[seat].spent -= dollars
            case Disposed(seat=seat, dollars=dollars):
                money[seat].sold += dollars
            case BonusPaid(seat=seat, dollars=dollars) if ended:
                money[seat].final_bonuses += dollars
            case BonusPaid(seat=seat, dollars=dollars):
                money[seat].bonuses += dollars
            case SoldAtEnd(seat=seat, dollars=dollars):
                money[seat].final_shares += dollars
            case Ended():
                ended = True
    return money
