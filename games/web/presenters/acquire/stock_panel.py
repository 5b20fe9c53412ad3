"""The panel of chains, prices, the bank, holdings and money."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from games.engine.rules.acquire.bonuses import bonuses
from games.engine.rules.acquire.chains import END_SIZE, SAFE
from games.engine.rules.acquire.observation import Observation
from games.log.standings import team_places
from games.web.presenters.acquire.chain_names import Chain, chain, next_price, price, tier_order
from games.web.presenters.acquire.chain_standing import standing
from games.web.presenters.acquire.final_standings import places
from games.web.presenters.table_people import TablePeople, money

# Marks of the places that are paid a bonus.
_MARKS = {1: "M", 2: "m", 3: "3", 4: "4"}


@dataclass(frozen=True, slots=True)
class Holding:
    """A seat's shares of a chain: "" when hidden, and the mark of a place that would be paid."""

    who: str
    shares: str
    mark: str
    me: bool


@dataclass(frozen=True, slots=True)
class Stock:
    """A chain's row; off the board it has no price. `filled` is its size in per cent of the end size.

    `next` is the next price and the size at which it begins, "" at the top price. `standing` is the
    observer's among the shareholders, in words.
    """

    chain: Chain
    on_board: bool
    safe: bool
    size: int
    filled: int
    price: str
    next: str
    bank: int
    holdings: tuple[Holding, ...]
    mine: Holding | None
    standing: str
    majority: str


@dataclass(frozen=True, slots=True)
class Seat:
    """A player's money; "" where it is hidden. `letter` begins the name on the mark of the seat.

    `team` is the number of the team that it is shown with, "" if everybody plays alone.
    """

    name: str
    letter: str
    team: str
    computer: bool
    level: str
    me: bool
    to_decide: bool
    on_turn: bool
    cash: str
    worth: str


@dataclass(frozen=True, slots=True)
class Team:
    """A team with its people, the sum of its net worth, and whether it is ahead of others.

    The sum is "" where it is hidden.
    """

    name: str
    worth: str
    me: bool
    leads: bool


@dataclass(frozen=True, slots=True)
class Stocks:
    """The panel: rows of chains, the players in the order of their seats, and whether holdings are hidden.

    Of the tiles that the observer does not see, `bag` are left to draw and `elsewhere` in other hands.
    """

    rows: tuple[Stock, ...]
    seats: tuple[Seat, ...]
    teams: tuple[Team, ...]
    hidden: bool
    crowded: bool
    bag: int
    elsewhere: int


def stocks(seen: Observation, people: TablePeople) -> Stocks:
    """The panel as the observer may see it."""
    order = sorted(tier_order(seen.rules), key=lambda number: not seen.size[number])
    seats = tuple(_seat(seen, people, seat) for seat in range(seen.seats))
    rows = tuple(_stock(seen, people, number) for number in order)
    elsewhere = sum(size for seat, size in enumerate(seen.hand_sizes) if seat != seen.seat)
    return Stocks(
        rows, seats, _teams(seen, people), None in seen.cash, len(seats) > 4, seen.bag_size, elsewhere
    )


def _seat(seen: Observation, people: TablePeople, seat: int) -> Seat:
    return Seat(
        name=_("you") if seat == people.reader else people[seat].name,
        letter=people[seat].name[:1].upper(),
        team="" if (team := people[seat].team) is None else str(team + 1),
        computer=people[seat].is_machine,
        level=people[seat].level,
        me=seat == seen.seat,
        to_decide=seat == seen.decision.seat,
        on_turn=seat == seen.turn and not seen.ended,
        cash=_known(seen.cash[seat]),
        worth=_known(seen.worth[seat]),
    )


def _teams(seen: Observation, people: TablePeople) -> tuple[Team, ...]:
    """The teams in the order of their numbers; none if everybody plays alone."""
    found = {place.team: place for place in team_places(places(seen, people), people.teams)}
    return tuple(
        Team(
            name=people.partners(team),
            worth=money(found[team].points) if team in found else "",
            me=people.reader in seats,
            leads=team in found and found[team].rank == 1 < max(place.rank for place in found.values()),
        )
        for team, seats in enumerate(people.teams)
    )


def _known(dollars: int | None) -> str:
    return "" if dollars is None else money(dollars)


def _stock(seen: Observation, people: TablePeople, number: int) -> Stock:
    size = seen.size[number]
    marks = _marks(seen, number)
    holdings = tuple(
        Holding(
            _("you") if seat == people.reader else people[seat].name,
            "" if held is None else str(held or "–"),
            marks.get(seat, ""),
            seat == seen.seat,
        )
        for seat, held in enumerate(seen.holdings[number])
    )
    share = price(seen.rules, number, size)
    return Stock(
        chain=chain(seen.rules, number),
        on_board=size > 0,
        safe=size >= SAFE,
        size=size,
        filled=min(100, round(100 * size / END_SIZE)),
        price=money(share) if size else "",
        next=_next(seen, number) if size else "",
        bank=seen.bank[number],
        holdings=holdings,
        mine=None if seen.seat is None else holdings[seen.seat],
        standing=standing(seen, people, number),
        majority=money(10 * share),
    )


def _next(seen: Observation, number: int) -> str:
    step = next_price(seen.rules, number, seen.size[number])
    return _("{price} at {size}").format(price=money(step[1]), size=step[0]) if step else ""


def _marks(seen: Observation, number: int) -> dict[int, str]:
    """The marks of the seats that would be paid; empty while holdings are hidden."""
    size, held = seen.size[number], [count for count in seen.holdings[number] if count is not None]
    if not size or len(held) < seen.seats or None in seen.cash:
        return {}
    paid = bonuses(seen.rules, held, price(seen.rules, number, size))
    return {bonus.seat: _MARKS[bonus.place] for bonus in paid}
