"""Invariants of every state of a game."""

from collections import Counter
from collections.abc import Iterator
from typing import Final

from games.engine.rules.acquire.board import EMPTY, LONE_TILE, NEIGHBOURS, SQUARE_NAMES, SQUARES
from games.engine.rules.acquire.chains import CHAIN_NAMES, CHAINS, SHARES
from games.engine.rules.acquire.legal_moves import legal_moves
from games.engine.rules.acquire.mergers import largest
from games.engine.rules.acquire.state import HAND, SEATS, State
from games.engine.rules.acquire.teams import seat_counts
from games.engine.rules.acquire.tile_placement import is_dead

_ALL: Final = list(SQUARES)
_BORDERS: Final = [(square, other) for square in SQUARES for other in NEIGHBOURS[square] if square < other]


def invariants(state: State) -> list[str]:
    """Every fault of the state, in words; an empty list for a sound state."""
    parts = (_of_seats, _of_tiles, _of_chains, _of_shares, _of_decision)
    return [fault for part in parts for fault in part(state)]


def _of_seats(state: State) -> Iterator[str]:
    if state.seats not in SEATS:
        yield f"{state.seats} seats"
    elif state.seats not in seat_counts(state.rules):
        yield f"{state.seats} seats for teams={state.rules.teams}"
    for name, length in (("cash", len(state.cash)), ("hands", len(state.hands))):
        if length != state.seats:
            yield f"{name} of {length} seats instead of {state.seats}"
    for name, seat in (("first", state.first), ("turn", state.turn)):
        if seat not in range(state.seats):
            yield f"no seat {seat} ({name})"
    for seat, cash in enumerate(state.cash):
        if cash < 0:
            yield f"seat {seat} owes ${-cash}"


def _of_tiles(state: State) -> Iterator[str]:
    tiles = [square for square, value in enumerate(state.board) if value != EMPTY]
    tiles += [*state.bag, *state.aside, *(tile for hand in state.hands for tile in hand)]
    if sorted(tiles) != _ALL:
        counts = Counter(tiles)
        for square in SQUARES:
            if counts[square] != 1:
                yield f"tile {SQUARE_NAMES[square]} is in {counts[square]} places"
    for seat, hand in enumerate(state.hands):
        if len(hand) > HAND:
            yield f"seat {seat} holds {len(hand)} tiles"


def _of_chains(state: State) -> Iterator[str]:
    board = state.board
    for chain in CHAINS:
        count = board.count(chain)
        if state.size[chain] != count:
            yield f"{CHAIN_NAMES[chain]} counts {state.size[chain]} tiles and has {count}"
        if count == 1:
            yield f"{CHAIN_NAMES[chain]} is a single tile"
        if count and _connected(board, board.index(chain)) != count:
            yield f"{CHAIN_NAMES[chain]} is in pieces"
    for square, other in _BORDERS:
        one, two = board[square], board[other]
        if one != two and one and two and state.tile not in (square, other):
            yield f"{SQUARE_NAMES[square]} and {SQUARE_NAMES[other]} touch and are not one chain"


def _connected(board: list[int], start: int) -> int:
    """The number of tiles of the chain that are connected with this square."""
    chain, found, border = board[start], {start}, [start]
    while border:
        for neighbour in NEIGHBOURS[border.pop()]:
            if board[neighbour] == chain and neighbour not in found:
                found.add(neighbour)
                border.append(neighbour)
    return len(found)


def _of_shares(state: State) -> Iterator[str]:
    for chain in CHAINS:
        held = state.holdings[chain]
        if len(held) != state.seats:
            yield f"{CHAIN_NAMES[chain]} is held by {len(held)} seats instead of {state.seats}"
        if min(held) < 0 or state.bank[chain] < 0 or sum(held) + state.bank[chain] != SHARES:
            yield f"{CHAIN_NAMES[chain]} has {sum(held)} shares held and {state.bank[chain]} in the bank"


def _of_decision(state: State) -> Iterator[str]:
    kind, seat = state.decision.kind, state.decision.seat
    if kind == "over":
        if not state.ended:
            yield "the game is over without a reason"
        return
    if state.ended:
        yield f"the game ended ({state.ended}) and goes on"
    if kind == "dispose":
        if seat not in state.to_dispose[:1] or state.rules.disposal == "hold":
            yield f"seat {seat} has nothing to dispose of"
    elif seat != state.turn:
        yield f"seat {seat} decides in the turn of seat {state.turn}"
    yield from _of_merger(state)
    if not _is_unreadable(state) and not legal_moves(state):
        yield f"seat {seat} has no legal answer ({kind})"


def _of_merger(state: State) -> Iterator[str]:
    kind = state.decision.kind
    merging = kind in ("survivor", "next", "dispose")
    if (state.tile >= 0) != (merging or kind == "found"):
        yield "a tile is pending without a decision about it, or the other way round"
    elif state.tile >= 0 and state.board[state.tile] != LONE_TILE:
        yield f"the pending tile {SQUARE_NAMES[state.tile]} does not lie alone"
    if bool(state.defunct) != (kind == "dispose"):
        yield "a chain is being disposed of without a decision about it, or the other way round"
    if bool(state.survivor) != (kind in ("next", "dispose")):
        yield "a merger has no survivor, or one too early"
    yield from _of_tile(state)
    if kind in ("survivor", "next") and (not state.queue or len(largest(state)) < 2):
        yield f"a choice with one option is asked ({kind})"


def _of_tile(state: State) -> Iterator[str]:
    """Check that the chains around the tile that founds or merges are those being settled."""
    if state.tile < 0:
        return
    name, size = SQUARE_NAMES[state.tile], state.size
    around = {state.board[neighbour] for neighbour in NEIGHBOURS[state.tile]} - {EMPTY}
    if state.decision.kind == "found":
        if around != {LONE_TILE}:
            yield f"{name} founds nothing"
        return
    chains = around - {LONE_TILE}
    named = {chain for chain in (*state.queue, state.survivor, state.defunct) if chain}
    if len(chains) < 2 or not named <= chains or (state.decision.kind == "survivor" and named != chains):
        yield f"{name} does not merge these chains"
    elif is_dead(state, state.tile):
        yield f"{name} may not merge these chains"
    elif state.survivor and size[state.survivor] < max(size[chain] for chain in chains):
        yield f"{CHAIN_NAMES[state.survivor]} survives and is not the largest"
    for seat in state.to_dispose:
        if seat not in range(state.seats) or not state.holdings[state.defunct][seat]:
            yield f"seat {seat} holds nothing of the defunct chain"


def _is_unreadable(state: State) -> bool:
    """Return whether the decision names chains that do not exist, so that it has no legal moves."""
    return state.decision.kind in ("survivor", "next") and not state.queue
