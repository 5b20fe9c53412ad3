"""The bonuses of a merger, each for a cell of the strip above the button that confirms it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from games.engine.rules.acquire.board import SQUARE_NAMES
from games.engine.rules.acquire.bonuses import Bonus, bonuses
from games.engine.rules.acquire.chains import CHAIN_NAMES, SHARES
from games.engine.rules.acquire.events import BonusPaid, Event
from games.engine.rules.acquire.moves import Next, Survivor
from games.engine.rules.acquire.observation import Observation
from games.engine.rules.acquire.tile_placement import TileEffect
from games.web.presenters.acquire.chain_names import Chain, chain, label, price
from games.web.presenters.acquire.merger_panel import events_of_chain, place_in_words
from games.web.presenters.acquire.merger_preview import defunct_chains
from games.web.presenters.table_people import TablePeople, money


@dataclass(frozen=True, slots=True)
class Payout:
    """A bonus: the chain that pays it, to whom, how much and for which place."""

    chain: Chain
    who: str
    me: bool
    dollars: str
    why: str


@dataclass(frozen=True, slots=True)
class Payouts:
    """The bonuses that follow from an answer, given by the key of its choice; the reader's come first.

    Without an `answer` they are paid already. `note` says why they cannot be told yet.
    """

    answer: str
    cells: tuple[Payout, ...]
    note: str = ""


def payouts(
    seen: Observation, people: TablePeople, known: dict[int, TileEffect], events: Sequence[Event]
) -> list[Payouts]:
    """The bonuses of each answer to the observer's decision, or those that its merger has paid.

    `known` are the effects of the observer's tiles, `events` those of the current turn. While shareholdings
    are hidden, what has been paid is in the log, and nobody can tell who will be paid.
    """
    if not people.decides(seen.decision.seat):
        return []
    if seen.decision.kind == "dispose":
        paid = [event for event in events_of_chain(events) if isinstance(event, BonusPaid)]
        return [Payouts("", _cells(seen, people, [(seen.defunct, bonus) for bonus in paid]))]
    if seen.decision.kind == "place":
        return [
            _paid_by_tile(seen, people, square, fate)
            for square, fate in known.items()
            if fate.kind == "merges"
        ]
    return [
        _to_be_paid(seen, people, CHAIN_NAMES[move.chain], _defunct_by(seen, move))
        for move in seen.legal
        if isinstance(move, Survivor | Next)
    ]


def _defunct_by(seen: Observation, move: Survivor | Next) -> list[int]:
    """The chains that go defunct by this choice of a chain."""
    if isinstance(move, Next):
        return [move.chain]
    return [number for number in seen.queue if number != move.chain]


def _paid_by_tile(seen: Observation, people: TablePeople, square: int, fate: TileEffect) -> Payouts:
    if len(fate.survivors) > 1:
        note = _("The sizes tie. The bonuses depend on the survivor you choose.")
        return Payouts(SQUARE_NAMES[square], (), note)
    return _to_be_paid(seen, people, SQUARE_NAMES[square], defunct_chains(fate))


def _to_be_paid(seen: Observation, people: TablePeople, answer: str, defunct: Sequence[int]) -> Payouts:
    if seen.seats == 2:
        return Payouts(answer, (), _("The bonuses depend on a tile that will be turned up for the bank."))
    if None in seen.cash:
        return Payouts(answer, (), _note_on_hidden(seen, defunct))
    due = [
        (number, bonus)
        for number in defunct
        for bonus in bonuses(
            seen.rules,
            [held or 0 for held in seen.holdings[number]],
            price(seen.rules, number, seen.size[number]),
        )
    ]
    return Payouts(answer, _cells(seen, people, due), "" if due else _("No bonus is paid."))


def _note_on_hidden(seen: Observation, defunct: Sequence[int]) -> str:
    """A note on the bonuses of these chains while shareholdings are hidden, from what everybody knows."""
    held = [number for number in defunct if seen.bank[number] < SHARES]
    if not held:
        return _("No bonus is paid.")
    told = [
        _("The majority bonus for {chain} is {dollars}.").format(
            chain=label(seen.rules, number), dollars=money(10 * price(seen.rules, number, seen.size[number]))
        )
        for number in held
    ]
    return " ".join((*told, _("Shareholdings are hidden.")))


def _cells(
    seen: Observation, people: TablePeople, due: Iterable[tuple[int, Bonus | BonusPaid]]
) -> tuple[Payout, ...]:
    cells = [
        Payout(
            chain(seen.rules, number),
            _("you") if bonus.seat == people.reader else str(people[bonus.seat]),
            bonus.seat == seen.seat,
            money(bonus.dollars),
            place_in_words(bonus),
        )
        for number, bonus in due
    ]
    return tuple(sorted(cells, key=lambda cell: not cell.me))
