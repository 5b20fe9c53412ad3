"""The panel of a merger: survivor, bonuses and disposals."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from games.engine.rules.acquire.board import SQUARE_NAMES
from games.engine.rules.acquire.bonuses import Bonus
from games.engine.rules.acquire.events import BankTile, BonusPaid, Disposed, Dissolved, Event, Placed
from games.engine.rules.acquire.observation import Observation
from games.engine.rules.acquire.tile_placement import tile_effect
from games.web.presenters.acquire import tile_effect_text
from games.web.presenters.acquire.chain_names import Chain, chain, chain_labels, in_order, price
from games.web.presenters.acquire.event_text import disposal
from games.web.presenters.acquire.merger_preview import Takeover, takeovers
from games.web.presenters.table_people import TablePeople, join_list, money


@dataclass(frozen=True, slots=True)
class Shareholder:
    """A holder of the defunct chain: shares at the beginning, bonus paid, and disposal."""

    who: str
    me: bool
    shares: int
    bonus: str
    why: str
    decided: str
    now: bool


@dataclass(frozen=True, slots=True)
class Merger:
    """The panel. `survivor` and `defunct` are None while that chain is being chosen, among `open`.

    `coming` are the takeovers that follow, or that may follow while chains are being chosen.
    """

    survivor: Chain | None
    survivor_size: int
    defunct: Chain | None
    defunct_size: int
    price: str
    how: str
    open: tuple[Chain, ...]
    shareholders: tuple[Shareholder, ...]
    bank: str
    coming: tuple[Takeover, ...]


def merger(seen: Observation, people: TablePeople, events: Sequence[Event]) -> Merger | None:
    """The merger being resolved, or None.

    `events` are those of the current turn, oldest first.
    """
    if seen.tile < 0 or seen.decision.kind not in ("survivor", "next", "dispose"):
        return None
    fate = tile_effect(seen, seen.tile)
    settled = seen.survivor or 0
    defunct = seen.defunct
    waiting = [number for number in seen.queue if number != settled]
    return Merger(
        survivor=chain(seen.rules, settled) if settled else None,
        survivor_size=seen.size[settled],
        defunct=chain(seen.rules, defunct) if defunct else None,
        defunct_size=seen.size[defunct],
        price=money(price(seen.rules, defunct, seen.size[defunct])) if defunct else "",
        how=_how(seen, people, events, fate.size),
        open=tuple(chain(seen.rules, number) for number in in_order(seen.rules, _choice(seen))),
        shareholders=tuple(_shareholders(seen, people, events)) if defunct else (),
        bank=_bank(events),
        coming=tuple(takeovers(seen, people, in_order(seen.rules, waiting))),
    )


def _choice(seen: Observation) -> list[int]:
    """The chains among which the merge maker chooses now."""
    if seen.decision.kind == "dispose":
        return []
    most = max(seen.size[number] for number in seen.queue)
    return [number for number in seen.queue if seen.size[number] == most]


def _how(seen: Observation, people: TablePeople, events: Sequence[Event], after: int) -> str:
    maker = next((event.seat for event in reversed(events) if isinstance(event, Placed)), seen.turn)
    tile = SQUARE_NAMES[seen.tile]
    joined = people.say(_("{who} joined them with {tile}."), who=people.sentence_start(maker), tile=tile)
    if seen.survivor:
        return people.paragraph([joined, tile_effect_text.outcome(seen, seen.survivor, after)])
    names = join_list(chain_labels(seen.rules, in_order(seen.rules, _choice(seen))))
    tie = people.say(
        _("{chains} are the same size, so the player who placed the tile chooses the survivor."), chains=names
    )
    return people.paragraph([joined, tie])


def events_of_chain(events: Sequence[Event]) -> list[Event]:
    """The events since the chain being resolved went defunct."""
    for start in range(len(events) - 1, -1, -1):
        if isinstance(events[start], Dissolved):
            return list(events[start:])
    return []


def _bank(events: Sequence[Event]) -> str:
    for event in events_of_chain(events):
        if isinstance(event, BankTile):
            return _("{tile} was turned up for the bank, which counts as holding {n}.").format(
                tile=event.square, n=event.shares
            )
    return ""


def _shareholders(seen: Observation, people: TablePeople, events: Sequence[Event]) -> list[Shareholder]:
    """The holders in order, from the merge maker on."""
    events = events_of_chain(events)
    paid = {event.seat: event for event in events if isinstance(event, BonusPaid)}
    done = {event.seat: event for event in events if isinstance(event, Disposed)}
    rows = []
    for turn in range(seen.turn, seen.turn + seen.seats):
        seat = turn % seen.seats
        answer = done.get(seat)
        shares = (seen.holdings[seen.defunct][seat] or 0) + (answer.sold + answer.traded if answer else 0)
        if not shares:
            continue
        bonus = paid.get(seat)
        rows.append(
            Shareholder(
                who=_("you") if seat == people.reader else str(people[seat]),
                me=seat == seen.seat,
                shares=shares,
                bonus=money(bonus.dollars) if bonus else "–",
                why=place_in_words(bonus) if bonus else "",
                decided=disposal(seen.rules, answer) if answer else _when(seen, people, seat),
                now=seat == seen.decision.seat,
            )
        )
    return rows


def place_in_words(bonus: Bonus | BonusPaid) -> str:
    """Word the place among the shareholders for which a bonus is paid: "majority, shared"."""
    if bonus.sole:
        return _("both, as the only shareholder")
    if bonus.tied > 1:
        return _tied(bonus.place)
    return {1: _("majority"), 2: _("minority"), 3: _("third"), 4: _("fourth")}[bonus.place]


def _tied(place: int) -> str:
    names = {
        1: _("majority, shared"),
        2: _("minority, shared"),
        3: _("third, shared"),
        4: _("fourth, shared"),
    }
    return names[place]


def _when(seen: Observation, people: TablePeople, seat: int) -> str:
    if seat == seen.decision.seat:
        return _("now")
    if seat not in seen.to_dispose:
        return "–"
    before = seen.to_dispose[seen.to_dispose.index(seat) - 1]
    return people.say(_("after {who}"), who=people.name(before))
