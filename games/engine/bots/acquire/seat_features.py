"""Features of each seat in a position, from which the valuation judges who will win.

`feature_list` names them. The hand of the seat on turn counts; all other hands and the bag do not, beyond the
number of tiles. In a search the position is a deal of the unseen tiles. Positions are meant to be those at
the beginning of a turn, where no merger is going on.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from struct import Struct
from typing import Final

from games.engine.bots.acquire.bonus_cache import MAX_CACHED, Payments
from games.engine.bots.acquire.evaluation import cash_scores, chain_scores
from games.engine.bots.acquire.feature_list import CHAIN_FEATURES, COUNT
from games.engine.rules.acquire.board import LONE_TILE, NEIGHBOURS
from games.engine.rules.acquire.chains import CHAIN_NAMES, CHAINS, END_SIZE, SAFE
from games.engine.rules.acquire.state import State
from games.engine.rules.acquire.turns import may_declare_end

# Log odds of the linear valuation that make one unit of the score.
SCORE_UNIT: Final = 5.0
# Part of the bonuses that counts in the lead before the end: not all will be paid to today's holders.
BONUS_PART: Final = 0.5
# Amounts in dollars at which cash is capped, one feature for each.
CASH_STEPS: Final = (500, 1000, 2000, 4000)
# Leads of more shares count as this many.
MAX_SHARE_LEAD: Final = 5

# The features of a seat as packed doubles: all of them, and blocks that stand side by side. A block that
# positions share is copied as one, and numpy reads a batch without converting each number.
_ROW: Final = Struct(f"{COUNT}d")
_SCORE: Final = Struct("d")
_SHARED: Final = Struct("9d")
_CASH: Final = Struct(f"{1 + len(CASH_STEPS)}d")
_MONEY: Final = Struct("10d")
_PLACE: Final = Struct("7d")
_AT_END: Final = Struct("2d")
_CHAIN: Final = Struct(f"{len(CHAIN_FEATURES)}d")

# The features about declaring the end, while nobody may.
_NO_END: Final = _AT_END.pack(0.0, 0.0)
_NO_CHAINS: Final = [0.0] * len(CHAIN_NAMES)
_NO_HAND: Final = (0.0,) * 4
_NO_TILES: Final = (0.0, 0.0, 0.0)
# The features of a chain off the board that come after its bank.
_AFTER_BANK: Final = (0.0,) * 8


class _Squares:
    """Counts of empty squares by what a tile there would do, on the whole board and in one hand.

    The lists are by chain. A square that would merge chains of the same size counts half for each as a
    threat, as each may survive.
    """

    __slots__ = (
        *("lone", "founding", "merging", "growth", "threat"),
        *("hand_alone", "hand_founds", "hand_dead", "hand_merges"),
        *("hand_growth", "hand_threat", "hand_survives"),
    )

    def __init__(self, state: State, hand: list[int]) -> None:
        board, size = state.board, state.size
        may_found = 0 in size[1:]
        joins = state.rules.eighth_chain != "blocked"
        may_merge_safe = state.rules.safe_merger
        self.lone = board.count(LONE_TILE)
        founding = merging = hand_alone = hand_founds = hand_dead = hand_merges = 0
        growth, threat = _NO_CHAINS[:], _NO_CHAINS[:]
        hand_growth, hand_threat, hand_survives = _NO_CHAINS[:], _NO_CHAINS[:], _NO_CHAINS[:]
        for square, value in enumerate(board):
            if value:
                continue
            one = two = 0
            lone = False
            more: tuple[int, ...] = ()
            for neighbour in NEIGHBOURS[square]:
                there = board[neighbour]
                if not there or there in (one, two):
                    continue
                if there == LONE_TILE:
                    lone = True
                elif not one:
                    one = there
                elif not two:
                    two = there
                elif there not in more:
                    more += (there,)
            if not two:
                if one:
                    growth[one] += 1
                    if square in hand:
                        hand_growth[one] += 1
                elif lone:
                    founding += 1
                    if square in hand:
                        if may_found:
                            hand_founds += 1
                        elif not joins:
                            hand_dead += 1
                elif square in hand:
                    hand_alone += 1
                continue
            chains = (one, two, *more)
            sizes = [size[chain] for chain in chains]
            most = max(sizes)
            safe = sum([tiles >= SAFE for tiles in sizes])
            in_hand = square in hand
            if safe > 1 or (safe and not may_merge_safe):
                hand_dead += in_hand
                continue
            merging += 1
            hand_merges += in_hand
            tied = sizes.count(most) > 1
            for chain, tiles in zip(chains, sizes, strict=True):
                part = 1.0 if tiles < most else 0.5 if tied else 0.0
                threat[chain] += part
                if in_hand:
                    hand_threat[chain] += part
                    hand_survives[chain] += tiles == most
        self.founding, self.merging, self.growth, self.threat = founding, merging, growth, threat
        self.hand_alone, self.hand_founds = hand_alone, hand_founds
        self.hand_dead, self.hand_merges = hand_dead, hand_merges
        self.hand_growth, self.hand_threat, self.hand_survives = hand_growth, hand_threat, hand_survives


class _Board:
    """The common part of positions with the same board, turn, and hand of the seat on turn.

    `prices` has the chains on the board, `order` all chains by size; `places` are the packed features of each
    seat's place in the order of turns and of its hand, `before_bag` and `after_bag` those that all seats
    share, except the size of the bag, which comes between.
    """

    __slots__ = (
        *("after_bag", "before_bag", "ending", "hand", "order", "places", "prices", "squares", "turn"),
        *("_chains", "_payments"),
    )

    def __init__(self, state: State, payments: Payments) -> None:
        size, seats, turn = state.size, state.seats, state.turn
        hand = state.hands[turn]
        squares = _Squares(state, hand)
        self.turn, self.hand, self.squares = turn, hand, squares
        self.prices = {chain: state.rules.prices[chain][size[chain]] for chain in CHAINS if size[chain]}
        self.order = _by_size(state)
        self.ending = may_declare_end(state)
        self.before_bag = (1.0, max(size) / END_SIZE)
        self.after_bag = (
            len(self.prices) / 7,
            sum([size[chain] >= SAFE for chain in self.prices]) / 4,
            squares.lone / 15,
            float(self.ending),
            squares.founding / 20,
            squares.merging / 10,
        )
        in_hand = (
            squares.hand_founds / 3,
            squares.hand_alone / 3,
            squares.hand_dead / 3,
            squares.hand_merges / 3,
        )
        self.places = [
            _PLACE.pack(
                (seat - turn) % seats / seats,
                float(seat == turn),
                *(in_hand if seat == turn else _NO_HAND),
                1 / seats,
            )
            for seat in range(seats)
        ]
        self._payments = payments
        self._chains: dict[int, _Chain] = {}

    def chain(self, state: State, chain: int) -> "_Chain":
        """The bonuses, log odds and features of a chain; a purchase of other shares leaves them alone."""
        last = self._chains.get(chain)
        # The seats' shares tell those left in the bank, and the board everything else.
        if last is None or last.shares != state.holdings[chain]:
            last = self._chains[chain] = _Chain(state, chain, self, self._payments)
        return last


class _Chain:
    """A chain on a board, with its shares, bonuses, log odds and packed features by seat."""

    __slots__ = ("features", "paid", "scores", "shares")

    def __init__(self, state: State, chain: int, board: _Board, payments: Payments) -> None:
        self.shares = state.holdings[chain]
        held = tuple(self.shares)
        self.paid: tuple[float, ...] = ()
        if price := board.prices.get(chain):
            self.paid = payments.to_holders(held, price)
            squares = board.squares
            self.features = _chain_features(
                state.size[chain],
                price,
                state.bank[chain],
                held,
                self.paid,
                state.turn,
                squares.growth[chain],
                squares.threat[chain],
                (squares.hand_growth[chain], squares.hand_threat[chain], squares.hand_survives[chain]),
            )
        else:
            self.features = _shelved_chain_features(state.bank[chain], held)
        self.scores = chain_scores(state, chain, held, self.paid)


def features_of(states: Iterable[State], payments: Payments) -> Iterator[list[bytes]]:
    """The features by position and seat, each seat's as packed doubles, of positions of one game.

    Purchases that are compared lead to positions with the same board, which is looked at once.
    """
    seen: _Board | None = None
    board: list[int] = []
    for state in states:
        turn = state.turn
        if seen is None or state.board != board or turn != seen.turn or state.hands[turn] != seen.hand:
            board, seen = state.board, _Board(state, payments)
        yield _features(state, seen)


def seat_features(state: State, payments: Payments) -> list[list[float]]:
    """The features by seat, in the order of `feature_list.NAMES`."""
    return [unpacked(row) for row in _features(state, _Board(state, payments))]


def unpacked(row: bytes) -> list[float]:
    """The features of a seat from their packed form."""
    return [*_ROW.unpack(row)]


def _features(state: State, board: _Board) -> list[bytes]:
    seats, cash = state.seats, state.cash
    every_seat = range(seats)
    prices, ending = board.prices, board.ending
    chains = [board.chain(state, chain) for chain in CHAINS]
    scores = cash_scores(state)
    stock, bonus, shelved = [0] * seats, [0.0] * seats, [0] * seats
    for number, chain in zip(CHAINS, chains, strict=True):
        held, added = chain.shares, chain.scores
        price = prices.get(number, 0)
        for seat in every_seat:
            scores[seat] += added[seat]
            if price:
                stock[seat] += price * held[seat]
                bonus[seat] += chain.paid[seat]
            else:
                shelved[seat] += held[seat]
    likely = [cash[seat] + stock[seat] + BONUS_PART * bonus[seat] for seat in every_seat]
    final = [cash[seat] + stock[seat] + bonus[seat] for seat in every_seat]
    best_likely, best_final, best_cash = _best_others(likely), _best_others(final), _best_others(cash)
    all_cash, all_likely = sum(cash) + 1, sum(likely)
    cheapest = min([price for number, price in prices.items() if state.bank[number]], default=1_000_000)
    mean_score = sum(scores) / seats
    shared = _SHARED.pack(*board.before_bag, len(state.bag) / 90, *board.after_bag)
    of_chains = [chains[number - 1].features for number in board.order]
    rows: list[bytes] = []
    for seat in every_seat:
        own, mine = cash[seat], likely[seat]
        final_lead = final[seat] - best_final[seat]
        row = [
            _SCORE.pack((scores[seat] - mean_score) / SCORE_UNIT),
            shared,
            _cash_features(own),
            _MONEY.pack(
                own / all_cash,
                (own - best_cash[seat]) / 6000,
                float(own < cheapest),
                stock[seat] / 10_000,
                bonus[seat] / 10_000,
                (mine - best_likely[seat]) / 10_000,
                (mine - (all_likely - mine) / (seats - 1)) / 10_000,
                sum([other > mine for other in likely]) / 3,
                final_lead / 10_000,
                shelved[seat] / 10,
            ),
            board.places[seat],
            _AT_END.pack(final_lead / 5000, float(final_lead > 0)) if ending else _NO_END,
        ]
        row += [by_seat[seat] for by_seat in of_chains]
        rows.append(b"".join(row))
    return rows


def _best_others(values: Sequence[float]) -> list[float]:
    """The most that any other seat has, by seat."""
    second, first = sorted(values)[-2:]
    leader = values.index(first)
    return [second if seat == leader else first for seat in range(len(values))]


def _by_size(state: State) -> list[int]:
    """The chains, the largest first; of the same size, the dearer first."""
    size, prices = state.size, state.rules.prices
    return sorted(CHAINS, key=lambda chain: (-size[chain], -prices[chain][2], chain))


@lru_cache(maxsize=MAX_CACHED)
def _cash_features(cash: int) -> bytes:
    """Cash, and how much of it counts in each step, packed."""
    return _CASH.pack(cash / 6000, *[min(cash, step) / step for step in CASH_STEPS])


@lru_cache(maxsize=MAX_CACHED)
def _chain_features(
    tiles: int,
    dollars: int,
    bank: int,
    held: tuple[int, ...],
    paid: tuple[float, ...],
    turn: int,
    growth: float,
    threat: float,
    hand: tuple[float, float, float],
) -> tuple[bytes, ...]:
    """The features of a chain on the board, by seat, packed.

    `hand` is the growth, the threat and the survivals by tiles of the seat on turn.
    """
    price = dollars / 1000
    by_seat: list[bytes] = []
    for seat, own in enumerate(held):
        first, second = _largest_others(held, seat)
        ahead, behind = own - first, own - second
        majority = own > 0 and ahead >= 0
        minority = own > 0 and ahead < 0 <= behind
        place = 0.0
        if tiles < SAFE and own and behind >= 0:
            place = price if ahead > 0 else 0.5 * price
        pays = paid[seat] / 5000
        hand_growth, hand_threat, hand_survives = hand if seat == turn else _NO_TILES
        by_seat.append(
            _CHAIN.pack(
                tiles / 20,
                price,
                own / 10,
                own * price / 5,
                max(-MAX_SHARE_LEAD, min(ahead, MAX_SHARE_LEAD)) / 5,
                max(-MAX_SHARE_LEAD, min(behind, MAX_SHARE_LEAD)) / 5,
                float(majority),
                float(minority),
                pays,
                bank / 25,
                place,
                threat / 4,
                growth / 12,
                threat * pays / 2,
                hand_growth / 2,
                hand_threat / 2,
                hand_survives / 2,
                hand_threat * pays,
            )
        )
    return tuple(by_seat)


@lru_cache(maxsize=MAX_CACHED)
def _shelved_chain_features(bank: int, held: tuple[int, ...]) -> tuple[bytes, ...]:
    """The features of a chain off the board, by seat, packed: shares, leads and what is left in the bank."""
    by_seat: list[bytes] = []
    for seat, own in enumerate(held):
        first, second = _largest_others(held, seat)
        ahead = max(-MAX_SHARE_LEAD, min(own - first, MAX_SHARE_LEAD)) / 5
        behind = max(-MAX_SHARE_LEAD, min(own - second, MAX_SHARE_LEAD)) / 5
        by_seat.append(
            _CHAIN.pack(0.0, 0.0, own / 10, 0.0, ahead, behind, 0.0, 0.0, 0.0, bank / 25, *_AFTER_BANK)
        )
    return tuple(by_seat)


def _largest_others(held: tuple[int, ...], seat: int) -> tuple[int, int]:
    """The two largest holdings of the other seats, 0 where there is no other."""
    others = sorted(held[:seat] + held[seat + 1 :])
    if len(others) == 1:
        return others[0], 0
    return others[-1], others[-2]
