"""Previews of the bonuses that merging tiles would pay."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.translation import gettext as _

from games.engine.rules.acquire.board import SQUARE_NAMES
from games.engine.rules.acquire.bonuses import bonuses
from games.engine.rules.acquire.observation import Observation
from games.engine.rules.acquire.tile_placement import TileEffect
from games.web.presenters.acquire import tile_effect_text
from games.web.presenters.acquire.chain_names import Chain, chain, label, price
from games.web.presenters.table_people import TablePeople, money


@dataclass(frozen=True, slots=True)
class Payment:
    """A holder of the defunct chain: shares, and the bonus ("–" for none)."""

    who: str
    me: bool
    shares: int
    dollars: str


@dataclass(frozen=True, slots=True)
class Takeover:
    """A chain that would go defunct."""

    chain: Chain
    size: int
    price: str
    payments: tuple[Payment, ...]
    note: str


@dataclass(frozen=True, slots=True)
class Preview:
    """The takeovers that one tile would cause; `title` names its effect."""

    tile: str
    title: str
    outcome: str
    takeovers: tuple[Takeover, ...]


def previews(seen: Observation, people: TablePeople, fates: dict[int, TileEffect]) -> list[Preview]:
    """A preview for each of the reader's merging tiles, in the order of the board."""
    return [
        Preview(
            SQUARE_NAMES[square],
            tile_effect_text.order(seen, square, fate),
            tile_effect_text.consequence(seen, fate),
            tuple(takeovers(seen, people, defunct_chains(fate))),
        )
        for square, fate in fates.items()
        if fate.kind == "merges"
    ]


def defunct_chains(fate: TileEffect) -> tuple[int, ...]:
    """The chains that would go defunct, or all that might when the largest tie."""
    return fate.chains if len(fate.survivors) > 1 else fate.chains[1:]


def takeovers(seen: Observation, people: TablePeople, defunct: Iterable[int]) -> list[Takeover]:
    """The takeovers of these chains, with their bonuses."""
    return [_takeover(seen, people, number) for number in defunct]


def _takeover(seen: Observation, people: TablePeople, number: int) -> Takeover:
    size = seen.size[number]
    share = price(seen.rules, number, size)
    known = [held for held in seen.holdings[number] if held is not None]
    return Takeover(
        chain(seen.rules, number),
        size,
        money(share),
        () if None in seen.cash else tuple(_payments(seen, people, known, share)),
        _note(seen, known, number, share),
    )


def _payments(seen: Observation, people: TablePeople, held: list[int], share: int) -> list[Payment]:
    paid = {bonus.seat: bonus.dollars for bonus in bonuses(seen.rules, held, share)}
    holders = sorted((seat for seat in range(seen.seats) if held[seat]), key=lambda seat: -held[seat])
    return [
        Payment(
            _("you") if seat == people.reader else str(people[seat]),
            seat == seen.seat,
            held[seat],
            money(paid[seat]) if seat in paid else "–",
        )
        for seat in holders
    ]


def _note(seen: Observation, known: list[int], number: int, share: int) -> str:
    if None in seen.cash:
        return _("The majority bonus is {dollars}. Shareholdings are hidden.").format(
            dollars=money(10 * share)
        )
    if not any(known):
        return _("Nobody holds {chain}, so no bonus is paid.").format(chain=label(seen.rules, number))
    if seen.seats == 2:
        return _("The bank is not included. A tile will be turned up for it.")
    return ""
