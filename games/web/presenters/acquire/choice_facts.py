"""The facts for a choice among some answers, for a board that is shown without its table."""

from collections.abc import Iterable, Iterator, Sequence

from django.utils.translation import gettext as _

from games.engine.rules.acquire.board import SQUARE_NAMES
from games.engine.rules.acquire.moves import Buy, Dispose, Found, Move, Next, Place, Survivor
from games.engine.rules.acquire.observation import Observation
from games.engine.rules.acquire.tile_placement import tile_effect
from games.web.presenters.acquire.chain_names import in_order, label, price
from games.web.presenters.acquire.chain_standing import standing
from games.web.presenters.table_people import TablePeople, join_list, money


def choice_facts(seen: Observation, people: TablePeople, moves: Sequence[Move]) -> list[str]:
    """Sentences on the observer's tiles and cash, and on the chains that these moves are about."""
    assert seen.seat is not None
    facts = [_("You have {dollars}.").format(dollars=money(seen.cash[seen.seat] or 0))]
    if tiles := choice_squares(seen, moves):
        names = join_list([SQUARE_NAMES[square] for square in tiles])
        facts.append(_("The board marks the tiles you can place: {tiles}.").format(tiles=names))
    chains = in_order(seen.rules, {chain for move in moves for chain in _chains(seen, move)})
    return facts + [_chain(seen, people, chain) for chain in chains]


def choice_squares(seen: Observation, moves: Iterable[Move]) -> list[int]:
    """The squares of the tiles that the observer can place, if some of these moves place one."""
    if not any(isinstance(move, Place) for move in moves):
        return []
    return sorted(move.square for move in seen.legal if isinstance(move, Place))


def _chain(seen: Observation, people: TablePeople, chain: int) -> str:
    size = seen.size[chain] or tile_effect(seen, seen.tile).size  # it is about to be founded
    return _("{chain} costs {price} a share: {standing}.").format(
        chain=label(seen.rules, chain),
        price=money(price(seen.rules, chain, size)),
        standing=standing(seen, people, chain),
    )


def _chains(seen: Observation, move: Move) -> Iterator[int]:
    if isinstance(move, Place):
        yield from tile_effect(seen, move.square).chains
    elif isinstance(move, Buy):
        yield from move.shares
    elif isinstance(move, Found | Survivor | Next):
        yield move.chain
    elif isinstance(move, Dispose):
        yield from (seen.defunct, seen.survivor)
