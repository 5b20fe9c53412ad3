"""The observer's net worth after a purchase."""

from collections.abc import Callable, Mapping

from games.engine.rules.acquire.bonuses import bonuses
from games.engine.rules.acquire.observation import Observation
from games.web.presenters.acquire.chain_names import price
from games.web.presenters.table_people import money

# Words the net worth after buying these numbers of shares by chain, "" while it is hidden.
WorthAfter = Callable[[Mapping[int, int]], str]


def worth_after(seen: Observation, most: Mapping[int, int]) -> WorthAfter:
    """Return the function for purchases of at most so many shares by chain.

    A share costs what it is worth, so a purchase changes nothing but the bonuses.
    """
    assert seen.seat is not None
    now = seen.worth[seen.seat]
    if now is None:
        return lambda bought: ""
    # Few shares of few chains make up all purchases, of which there may be a hundred.
    gains = {
        number: [_bonus(seen, number, count) - _bonus(seen, number, 0) for count in range(limit + 1)]
        for number, limit in most.items()
    }
    return lambda bought: money(now + sum(gains[number][count] for number, count in bought.items()))


def _bonus(seen: Observation, number: int, bought: int) -> int:
    """The observer's bonus for a chain if the game ended after buying so many of its shares."""
    held = [count or 0 for count in seen.holdings[number]]
    assert seen.seat is not None
    held[seen.seat] += bought
    paid = bonuses(seen.rules, held, price(seen.rules, number, seen.size[number]))
    return sum(bonus.dollars for bonus in paid if bonus.seat == seen.seat)
