"""Goals of lessons: predicates over a legal answer and what the rules made of it."""

from games.engine.rules.acquire.bonuses import bonuses
from games.engine.rules.acquire.chains import CHAIN_BY_NAME, CHAINS, SAFE
from games.engine.rules.acquire.events import BonusPaid, Disposed, Founded, Merged, Placed
from games.engine.rules.acquire.moves import MAX_BOUGHT
from games.engine.rules.acquire.state import State
from games.engine.rules.acquire.turns import standings
from games.lessons.lesson import READER, Attempt


def stays_alone(attempt: Attempt) -> bool:
    """Return whether the tile touches no other."""
    return any(isinstance(event, Placed) and event.effect == "alone" for event in attempt.events)


def begins_chain(attempt: Attempt) -> bool:
    """Return whether the tile founds a chain, which must then be chosen."""
    return any(isinstance(event, Placed) and event.effect == "founds" for event in attempt.events)


def founds_dearest(attempt: Attempt) -> bool:
    """Return whether no chain that could be founded has a higher price."""
    founded = next(event for event in attempt.events if isinstance(event, Founded))
    prices = attempt.after.rules.prices
    dearest = max(prices[chain][founded.size] for chain in CHAINS if not attempt.before.size[chain])
    return bool(prices[CHAIN_BY_NAME[founded.chain]][founded.size] == dearest)


def buys_most(attempt: Attempt) -> bool:
    """Return whether as many shares are bought as one turn allows."""
    return len(attempt.move.shares) == MAX_BOUGHT


def brings_in_lone_tile(attempt: Attempt) -> bool:
    """Return whether a chain grows by more than the tile."""
    return any(attempt.after.size[chain] > attempt.before.size[chain] + 1 for chain in CHAINS)


def raises_price(attempt: Attempt) -> bool:
    """Return whether a share of the reader's costs more than before."""
    return any(
        _price(attempt.after, chain) > _price(attempt.before, chain)
        for chain in CHAINS
        if attempt.before.holdings[chain][READER]
    )


def gets_majority(attempt: Attempt) -> bool:
    """Return whether the purchase gives the reader a majority bonus alone."""
    return _newly_placed(attempt, place=1)


def gets_minority(attempt: Attempt) -> bool:
    """Return whether the purchase gives the reader a minority bonus alone."""
    return _newly_placed(attempt, place=2)


def merges(attempt: Attempt) -> bool:
    """Return whether the tile merges chains."""
    return any(isinstance(event, Merged) for event in attempt.events)


def pays_majority(attempt: Attempt) -> bool:
    """Return whether the reader is paid a majority bonus at once."""
    return any(
        isinstance(event, BonusPaid) and event.seat == READER and event.place == 1 for event in attempt.events
    )


def sells_all(attempt: Attempt) -> bool:
    """Return whether all shares of the defunct chain are sold."""
    mine = _disposal(attempt)
    return not mine.traded and not mine.held


def trades_for_majority(attempt: Attempt) -> bool:
    """Return whether the reader then holds most shares of the survivor, alone."""
    held = attempt.after.holdings[attempt.before.survivor]
    return bool(held[READER] > max(held[:READER] + held[READER + 1 :]))


def holds_all(attempt: Attempt) -> bool:
    """Return whether all shares of the defunct chain are held."""
    mine = _disposal(attempt)
    return not mine.traded and not mine.sold


def makes_safe(attempt: Attempt) -> bool:
    """Return whether a chain becomes safe."""
    return any(attempt.before.size[chain] < SAFE <= attempt.after.size[chain] for chain in CHAINS)


def declares_end(attempt: Attempt) -> bool:
    """Return whether the end is declared."""
    return bool(attempt.after.ended == "declared")


def wins(attempt: Attempt) -> bool:
    """Return whether the game is over and the reader has won it alone."""
    (_rank, winner, most), (_next_rank, _second, less), *_rest = standings(attempt.after)
    return declares_end(attempt) and winner == READER and most > less


def _price(state: State, chain: int) -> int:
    return state.rules.prices[chain][state.size[chain]]


def _disposal(attempt: Attempt) -> Disposed:
    return next(event for event in attempt.events if isinstance(event, Disposed) and event.seat == READER)


def _newly_placed(attempt: Attempt, place: int) -> bool:
    return any(
        _has_place(attempt.after, chain, place) and not _has_place(attempt.before, chain, place)
        for chain in CHAINS
    )


def _has_place(state: State, chain: int, place: int) -> bool:
    paid = bonuses(state.rules, state.holdings[chain], _price(state, chain))
    return any(one.seat == READER and one.place == place and one.tied == 1 and not one.sole for one in paid)
