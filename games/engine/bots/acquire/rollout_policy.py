"""Rollout policy: a quick bot with a rough value of each move and some randomness.

On its own it is the easy level. In a search it plays all seats after the move that is tried, some
thousand times a second, so as much as possible is looked up in tables.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from random import Random
from typing import Final

from games.engine.bots.acquire.bonus_cache import Payments, payments_for
from games.engine.bots.acquire.net_worth import sides, worth
from games.engine.bots.thinking_time import OutOfTime, no_time_limit
from games.engine.rules.acquire.apply_move import apply
from games.engine.rules.acquire.board import LONE_TILE, NEIGHBOURS
from games.engine.rules.acquire.chains import CHAINS, SAFE, SHARES
from games.engine.rules.acquire.legal_moves import legal_moves
from games.engine.rules.acquire.moves import BUY, DISPOSE, Buy, Dispose, Move, Place
from games.engine.rules.acquire.observation import Observation, sample_state
from games.engine.rules.acquire.state import State
from games.engine.rules.acquire.teams import partners
from games.engine.rules.acquire.turns import may_declare_end

# Returns uniform random numbers from 0 to 1.
Chance = Callable[[], float]
# Returns whether the seat on turn, which may, declares the end with a purchase of these chains.
Ending = Callable[[State, Sequence[int], Payments], bool]


# Probability of placing a random tile: in a search, so that every tile is tried sometimes; by the easy level,
# to make it easy.
RARE_MISTAKES: Final = 0.15
FREQUENT_MISTAKES: Final = 0.4

# Dollars of random noise in the values below, or estimates of what they leave out.
TILE_NOISE: Final = 200.0
SHARE_NOISE: Final = 300.0
FOUNDING: Final = 1500.0
STILL_MERGES: Final = 150.0
A_SHARE: Final = 20.0
A_DEFUNCT_SHARE: Final = 50.0
# Shares that a typical other player has of a chain: growth is worth something to holders of more only.
USUAL_HOLDING: Final = 1.5
OTHERS_BONUS: Final = 0.9
DEARNESS: Final = 0.3


def choose(
    seen: Observation, legal: Sequence[Move], rng: Random, out_of_time: OutOfTime = no_time_limit
) -> Move:
    """Choose a move by the policy, with frequent mistakes."""
    state = sample_state(seen, rng)
    if seen.decision.kind == "dispose" and rng.random() < FREQUENT_MISTAKES:
        return rng.choice(legal)
    return move(state, rng.random, payments_for(seen.rules, seen.seats), FREQUENT_MISTAKES)


def end_at_once(state: State, bought: Sequence[int], payments: Payments) -> bool:
    """Declare the end as soon as it is allowed, whether it wins or not."""
    return True


def end_when_leading(state: State, bought: Sequence[int], payments: Payments) -> bool:
    """Declare the end only if no other side would have more: a game that is lost now may still be won.

    The game ends all the same, when no tiles are left.
    """
    turn, holdings = state.turn, state.holdings
    dollars = 0
    for chain in bought:
        dollars += state.rules.prices[chain][state.size[chain]]
        holdings[chain][turn] += 1
    own, others = sides(state, worth(state, payments, bonuses=1.0), turn)
    for chain in bought:
        holdings[chain][turn] -= 1
    return own - dollars >= max(others)


def move(
    state: State, chance: Chance, payments: Payments, careless: float, ending: Ending = end_when_leading
) -> Move:
    """Answer the decision; `careless` is the probability of placing a random tile."""
    kind = state.decision.kind
    if kind == "place":
        if chance() < careless:
            return state.playable[int(chance() * len(state.playable))]
        return _tile(state, chance, payments)
    if kind == "buy":
        return _purchase(state, chance, payments, ending)
    if kind == "dispose":
        return disposal(state)
    moves = legal_moves(state)
    if kind == "survivor":
        return max(moves, key=lambda answer: _own(state, state.holdings[answer.chain]))  # type: ignore[attr-defined]
    if kind == "stuck":
        return moves[0]
    return moves[int(chance() * len(moves))]


def roll_out(
    state: State, turns: int, chance: Chance, payments: Payments, ending: Ending = end_when_leading
) -> None:
    """Play on until this number of turns have begun, or to the end."""
    turn = state.turn
    while True:
        if state.turn != turn:
            turn = state.turn
            turns -= 1
            if not turns:
                return
        if state.ended:
            return
        apply(state, move(state, chance, payments, RARE_MISTAKES, ending))


def _tile(state: State, chance: Chance, payments: Payments) -> Place:
    board = state.board
    best = state.playable[0]
    most = -1e9
    for place in state.playable:
        score = chance() * TILE_NOISE
        chain = lone = 0
        merges = False
        for neighbour in NEIGHBOURS[place.square]:
            value = board[neighbour]
            if value == LONE_TILE:
                lone += 1
            elif value:
                merges = merges or (chain != 0 and value != chain)
                chain = value
        if merges:
            score += _merger(state, place.square, lone, payments)
        elif chain:
            score += _growth(state, chain, 1 + lone) + A_SHARE * _own(state, state.holdings[chain])
        elif lone:
            score += FOUNDING
        if score > most:
            most = score
            best = place
    return best


def _growth(state: State, chain: int, tiles: int) -> float:
    """Value of a price rise to the side on turn, relative to the others."""
    rules, held, size = state.rules, state.holdings[chain], state.size[chain]
    gain = rules.prices[chain][size + tiles] - rules.prices[chain][size]
    if rules.teams == "none":
        return gain * (held[state.turn] - USUAL_HOLDING)
    team = partners(rules, state.seats, state.turn)
    return gain * (sum([held[seat] for seat in team]) - len(team) * USUAL_HOLDING)


def _merger(state: State, square: int, lone: int, payments: Payments) -> float:
    board, size = state.board, state.size
    rivals = state.seats - len(partners(state.rules, state.seats, state.turn))
    chains = {board[neighbour] for neighbour in NEIGHBOURS[square] if 0 < board[neighbour] < LONE_TILE}
    survivor = max(sorted(chains), key=size.__getitem__)
    score = 0.0
    tiles = 1 + lone
    for chain in chains:
        if chain != survivor:
            paid = payments.of(state, chain)
            own = _own(state, paid)
            tiles += size[chain]
            score += own - OTHERS_BONUS * (sum(paid) - own) / rivals
            score += A_DEFUNCT_SHARE * _own(state, state.holdings[chain])
    return score + _growth(state, survivor, tiles)


def _own(state: State, values: Sequence[float]) -> float:
    """The part of the side on turn, from values by seat: the seat's, or the sum of its team."""
    if state.rules.teams == "none":
        return values[state.turn]
    return sum([values[seat] for seat in partners(state.rules, state.seats, state.turn)], 0.0)


def _purchase(state: State, chance: Chance, payments: Payments, ending: Ending) -> Buy:
    """Up to three shares, each where it counts most, and the end if `ending` wants it."""
    turn, size, bank = state.turn, state.size, state.bank
    prices, holdings = state.rules.prices, state.holdings
    cash = state.cash[turn]
    in_team = state.rules.teams != "none"
    offers = []
    for chain in CHAINS:
        tiles = size[chain]
        if tiles and bank[chain]:
            price = prices[chain][tiles]
            if price <= cash:
                basis = chance() * SHARE_NOISE - price * DEARNESS
                if tiles < SAFE:
                    basis += STILL_MERGES
                held = holdings[chain]
                urgency = _share_urgency(*_race(state, held) if in_team else (tuple(held), turn))
                score = basis + price * urgency[0]
                if score > 0:
                    offers.append((score, chain, price, basis, urgency))
    bought: list[int] = []
    while offers:
        best = max(offers)
        _, chain, price, basis, urgency = best
        bought.append(chain)
        if len(bought) == 3:
            break
        cash -= price
        offers.remove(best)
        more = bought.count(chain)
        if more < bank[chain]:
            score = basis + price * urgency[more]
            if score > 0:
                offers.append((score, chain, price, basis, urgency))
        offers = [offer for offer in offers if offer[2] <= cash]
    bought.sort()
    return BUY[tuple(bought), may_declare_end(state) and ending(state, bought, payments)]


def _race(state: State, held: Sequence[int]) -> tuple[tuple[int, ...], int]:
    """The shares of the seat on turn and of its opponents, and its place: partners do not race each other."""
    partners_of = partners(state.rules, state.seats, state.turn)
    return (held[state.turn], *(held[seat] for seat in range(state.seats) if seat not in partners_of)), 0


# Value of each of the next three shares, by the lead over the best other seat: highest near the
# majority. Negative leads are indexed from the end of the list.
_MAJORITY: Final = [
    tuple(1.0 if own <= 0 else 0.6 if own <= 3 else 0.0 for own in range(lead, lead + 3))
    for lead in (*range(SHARES + 1), *range(-SHARES, 0))
]
MIN_MAJORITY_LEAD: Final = -3


@lru_cache(maxsize=1 << 12)
def _share_urgency(held: tuple[int, ...], seat: int) -> tuple[float, ...]:
    others = [*held]
    own = others.pop(seat)
    lead = own - max(others)
    if lead >= MIN_MAJORITY_LEAD:
        return _MAJORITY[lead]
    # The majority is out of reach; the minority may not be.
    behind = own - sorted(others)[-2] if len(others) > 1 else own
    return tuple(
        _MAJORITY[lead + more][0]
        if lead + more >= MIN_MAJORITY_LEAD
        else 0.4
        if -2 <= behind + more <= 1
        else 0.0
        for more in range(3)
    )


def disposal(state: State) -> Dispose:
    """Trade two for one if the survivor's share will cost at least twice as much, and sell the rest."""
    held = state.holdings[state.defunct][state.decision.seat]
    prices, size = state.rules.prices, state.size
    # The survivor gains the merging tile; lone tiles and other chains that join are ignored.
    after = prices[state.survivor][size[state.survivor] + 1 + size[state.defunct]]
    traded = 0
    if after >= 2 * prices[state.defunct][size[state.defunct]]:
        traded = 2 * min(held // 2, state.bank[state.survivor])
    return DISPOSE[held - traded, traded]
