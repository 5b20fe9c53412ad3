"""Mergers: survivor, order of the defunct chains, bonuses and disposals.

While a merger is resolved the merging tile lies on the board as a lone tile and
every chain keeps its tiles; the survivor takes them all at the end.
"""

from collections.abc import Sequence

from games.engine.rules.acquire.board import EMPTY, LONE_TILE, NEIGHBOURS, claim_tiles
from games.engine.rules.acquire.bonuses import pay_bonuses
from games.engine.rules.acquire.chains import CHAIN_NAMES
from games.engine.rules.acquire.events import Absorbed, Disposed, Dissolved, Merged
from games.engine.rules.acquire.moves import Dispose, Next, Survivor
from games.engine.rules.acquire.state import DISPOSES, NEXTS, SURVIVORS, State, ask_purchase


def begin(state: State, square: int, chains: Sequence[int]) -> None:
    """Start the merger of these two or more chains by the tile on this square."""
    state.tile = square
    state.queue = tuple(sorted(chains))
    candidates = largest(state)
    if len(candidates) == 1:
        _survive(state, candidates[0])
    else:
        state.decision = SURVIVORS[state.turn]


def largest(state: State) -> list[int]:
    """The chains of the queue that have the largest size."""
    size = state.size
    most = max([size[chain] for chain in state.queue])
    return [chain for chain in state.queue if size[chain] == most]


def survivor(state: State, move: Survivor) -> None:
    """Let the chosen chain survive."""
    _survive(state, move.chain)


def _survive(state: State, chain: int) -> None:
    state.survivor = chain
    state.queue = _without(state.queue, chain)
    if state.events is not None:
        defunct = sorted(state.queue, key=lambda other: -state.size[other])
        state.events.append(
            Merged(state.turn, CHAIN_NAMES[chain], tuple(CHAIN_NAMES[other] for other in defunct))
        )
    _next_defunct(state)


def _without(queue: tuple[int, ...], chain: int) -> tuple[int, ...]:
    return tuple([other for other in queue if other != chain])


def _next_defunct(state: State) -> None:
    if not state.queue:
        _absorb(state)
        return
    candidates = largest(state)
    if len(candidates) == 1:
        _dissolve(state, candidates[0])
    else:
        state.decision = NEXTS[state.turn]


def next_defunct(state: State, move: Next) -> None:
    """Dissolve the chosen one of several defunct chains of the same size."""
    _dissolve(state, move.chain)


def _dissolve(state: State, chain: int) -> None:
    state.queue = _without(state.queue, chain)
    state.defunct = chain
    if state.events is not None:
        size = state.size[chain]
        price = state.rules.prices[chain][size]
        state.events.append(Dissolved(CHAIN_NAMES[chain], size, price, CHAIN_NAMES[state.survivor]))
    pay_bonuses(state, chain)
    if state.rules.disposal == "all":
        held, turn, seats = state.holdings[chain], state.turn, state.seats
        state.to_dispose = tuple([seat % seats for seat in range(turn, turn + seats) if held[seat % seats]])
    _ask_holder(state)


def _ask_holder(state: State) -> None:
    if state.to_dispose:
        state.decision = DISPOSES[state.to_dispose[0]]
    else:
        state.defunct = 0
        _next_defunct(state)


def dispose(state: State, move: Dispose) -> None:
    """Dispose of one holder's shares of the defunct chain."""
    seat, defunct, bank = state.decision.seat, state.defunct, state.bank
    given = move.sell + move.trade
    dollars = move.sell * state.rules.prices[defunct][state.size[defunct]]
    held = state.holdings[defunct]
    held[seat] -= given
    bank[defunct] += given
    bank[state.survivor] -= move.trade // 2
    state.holdings[state.survivor][seat] += move.trade // 2
    state.cash[seat] += dollars
    if state.events is not None:
        names = CHAIN_NAMES[defunct], CHAIN_NAMES[state.survivor]
        state.events.append(Disposed(seat, *names, move.sell, move.trade, held[seat], dollars))
    state.to_dispose = state.to_dispose[1:]
    _ask_holder(state)


def _absorb(state: State) -> None:
    """Give the survivor the tiles of the defunct chains, the merging tile and the lone tiles it touches."""
    board, size, survivor = state.board, state.size, state.survivor
    defunct = {board[neighbour] for neighbour in NEIGHBOURS[state.tile]} - {EMPTY, LONE_TILE, survivor}
    for chain in defunct:
        square = -1
        for _ in range(size[chain]):
            square = board.index(chain, square + 1)
            board[square] = survivor
        size[survivor] += size[chain]
        size[chain] = 0
    size[survivor] += claim_tiles(board, state.tile, survivor)
    state.tile = -1
    state.survivor = 0
    if state.events is not None:
        state.events.append(Absorbed(CHAIN_NAMES[survivor], size[survivor]))
    ask_purchase(state)
