"""Tile placement: what a tile would do, which tiles may be placed, and placing one."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from games.engine.rules.acquire import mergers
from games.engine.rules.acquire.board import EMPTY, LONE_TILE, NEIGHBOURS, SQUARE_NAMES, claim_tiles
from games.engine.rules.acquire.chains import CHAIN_NAMES, CHAINS, SAFE
from games.engine.rules.acquire.events import ChainGrew, Founded, Placed
from games.engine.rules.acquire.moves import PLACE, Found, Place
from games.engine.rules.acquire.rule_options import Rules
from games.engine.rules.acquire.state import FOUNDS, State, ask_purchase


class Position(Protocol):
    """The public part of a board, shared by `State` and `Observation`."""

    @property
    def rules(self) -> Rules: ...
    @property
    def board(self) -> Sequence[int]: ...
    @property
    def size(self) -> Sequence[int]: ...


@dataclass(frozen=True, slots=True)
class TileEffect:
    """The effect of a tile on its square.

    kind        "alone", "founds", "grows", "merges", "joins" (connects lone tiles without founding, as all
                chains are on the board), "dead" (never playable again) or "blocked" (not playable
                while all chains are on the board)
    chains      the chains it touches, largest first
    survivors   the chains that may survive a merger: the largest, several when they tie
    size        the tiles of the founded, grown or surviving chain afterwards, else 0
    """

    kind: str
    chains: tuple[int, ...] = ()
    survivors: tuple[int, ...] = ()
    size: int = 0


def tile_effect(position: Position, square: int) -> TileEffect:
    """The effect of the tile of an empty square on the board."""
    size, rules = position.size, position.rules
    chains = tuple(sorted(_touched(position.board, square), key=lambda chain: (-size[chain], chain)))
    if is_dead(position, square):
        return TileEffect("dead", chains)
    cluster = len(_cluster(position.board, square))
    if not chains:
        if cluster == 1:
            return TileEffect("alone")
        if 0 in size[1:]:
            return TileEffect("founds", size=cluster)
        return TileEffect("blocked" if rules.eighth_chain == "blocked" else "joins")
    after = cluster + sum(size[chain] for chain in chains)
    if len(chains) == 1:
        return TileEffect("grows", chains, size=after)
    survivors = tuple(chain for chain in chains if size[chain] == size[chains[0]])
    return TileEffect("merges", chains, survivors, after)


def is_dead(position: Position, square: int) -> bool:
    """Return whether the tile can never be placed, as it would merge safe chains or the rules forbid it."""
    touched = _touched(position.board, square)
    safe = sum(position.size[chain] >= SAFE for chain in touched)
    return safe > 1 or (safe == 1 and len(touched) > 1 and not position.rules.safe_merger)


def _touched(board: Sequence[int], square: int) -> set[int]:
    return {board[neighbour] for neighbour in NEIGHBOURS[square]} - {EMPTY, LONE_TILE}


def _cluster(board: Sequence[int], square: int) -> set[int]:
    """The square and the lone tiles connected with it."""
    cluster = {square}
    border = [square]
    while border:
        for neighbour in NEIGHBOURS[border.pop()]:
            if board[neighbour] == LONE_TILE and neighbour not in cluster:
                cluster.add(neighbour)
                border.append(neighbour)
    return cluster


def joined_squares(position: Position, square: int) -> set[int]:
    """The squares of the chain that the tile founds, grows or leaves after a merger, its own among them."""
    touched = _touched(position.board, square)
    return _cluster(position.board, square) | {
        other for other, chain in enumerate(position.board) if chain in touched
    }


def gives_free_share(bank: Sequence[int], chain: int) -> bool:
    """Return whether the founder of the chain gets a share from the bank."""
    return bank[chain] > 0


def playable(state: State, hand: Iterable[int]) -> tuple[Place, ...]:
    """The moves for the tiles of the hand that may be placed now."""
    if nothing_dead(state) and 0 in state.size[1:]:
        return tuple([PLACE[square] for square in hand])
    return tuple([PLACE[square] for square in hand if _is_playable(state, square)])


def nothing_dead(state: State) -> bool:
    """Return whether the sizes alone rule out dead tiles, which settles most positions quickly."""
    size = state.size
    return max(size) < SAFE or (state.rules.safe_merger and sorted(size)[-2] < SAFE)


def _is_playable(state: State, square: int) -> bool:
    """Return whether the tile may be placed; a fast equivalent of `tile_effect`."""
    board, size = state.board, state.size
    one = safe = EMPTY
    merges = lone = False
    for neighbour in NEIGHBOURS[square]:
        value = board[neighbour]
        if not value:
            continue
        if value == LONE_TILE:
            lone = True
            continue
        if not one:
            one = value
        elif value != one:
            merges = True
        if size[value] >= SAFE:
            if safe and safe != value:
                return False
            safe = value
    if merges:
        return not safe or state.rules.safe_merger
    if lone and not one and 0 not in size[1:]:
        return state.rules.eighth_chain != "blocked"
    return True


def place(state: State, move: Place) -> None:
    """Place a tile from the hand and set the decision that follows."""
    square, board, turn = move.square, state.board, state.turn
    state.hands[turn].remove(square)
    state.unchanged = 0
    chains: list[int] = []
    lone = False
    for neighbour in NEIGHBOURS[square]:
        value = board[neighbour]
        if value == LONE_TILE:
            lone = True
        elif value and value not in chains:
            chains.append(value)
    founds = lone and not chains and 0 in state.size[1:]
    if state.events is not None:
        what = "founds" if founds else "joins" if lone else "alone"
        what = "merges" if len(chains) > 1 else "grows" if chains else what
        state.events.append(Placed(turn, SQUARE_NAMES[square], what))
    if len(chains) > 1:
        board[square] = LONE_TILE
        mergers.begin(state, square, chains)
    elif chains:
        chain = chains[0]
        state.size[chain] += claim_tiles(board, square, chain)
        if state.events is not None:
            state.events.append(ChainGrew(CHAIN_NAMES[chain], state.size[chain]))
        ask_purchase(state)
    else:
        board[square] = LONE_TILE
        if founds:
            _ask_for_chain(state, square)
        else:
            ask_purchase(state)


def _ask_for_chain(state: State, square: int) -> None:
    state.tile = square
    free = [chain for chain in CHAINS if not state.size[chain]]
    if len(free) == 1:
        _found(state, free[0])
    else:
        state.decision = FOUNDS[state.turn]


def found_chain(state: State, move: Found) -> None:
    """Found the chosen chain."""
    _found(state, move.chain)


def _found(state: State, chain: int) -> None:
    turn = state.turn
    state.size[chain] = claim_tiles(state.board, state.tile, chain)
    state.tile = -1
    free = gives_free_share(state.bank, chain)
    if free:
        state.bank[chain] -= 1
        state.holdings[chain][turn] += 1
    if state.events is not None:
        state.events.append(Founded(turn, CHAIN_NAMES[chain], state.size[chain], free))
    ask_purchase(state)
