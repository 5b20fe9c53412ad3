"""Placement of building tiles, and the buyout of a group of three."""

from collections.abc import Iterable, Sequence

from games.engine.rules.acquisition.board import EMPTY, NEIGHBOURS, SQUARE_NAMES, group
from games.engine.rules.acquisition.buildings import count
from games.engine.rules.acquisition.events import BoughtOut, Completed, Declined, Landmark, Placed
from games.engine.rules.acquisition.moves import BuyOut, Decline, Place
from games.engine.rules.acquisition.state import BUYOUTS, LARGE, State
from games.engine.rules.acquisition.turns import has_room, next_turn


def place(state: State, move: Place) -> None:
    """Place a tile of the seat on turn, and start a buyout if it completes a group."""
    square, turn = move.square, state.turn
    forced = len(state.open) == 1
    state.board[square] = turn + 1
    state.reserve[turn] -= 1
    squares = group(state.board, square)
    if len(squares) > 1:
        count(state, [other for other in squares if other != square], -1)
    count(state, squares, 1)
    for member in squares:
        state.size[member] = len(squares)
    _close(state, squares)
    if state.events is not None:
        state.events.append(Placed(turn, SQUARE_NAMES[square], len(squares), forced))
    if len(squares) == LARGE:
        _complete(state, square, squares)
    else:
        next_turn(state)


def _close(state: State, squares: Sequence[int]) -> None:
    """Remove from `open` the squares that this group occupies or leaves no room on."""
    board = state.board
    around = {neighbour for square in squares for neighbour in NEIGHBOURS[square]}
    closed = {square for square in around if board[square] == EMPTY and not has_room(state, square)}
    closed.update(squares)
    state.open = tuple([move for move in state.open if move.square not in closed])  # type: ignore[assignment]


def _complete(state: State, square: int, squares: Sequence[int]) -> None:
    owners = tuple([state.board[member] - 1 for member in squares])
    buyer = buyer_of(state, squares)
    if state.events is not None:
        if len(set(owners)) == 1:
            state.events.append(Landmark(state.turn, _names(squares)))
        else:
            state.events.append(Completed(_names(squares), owners, buyer))
    if buyer is None:
        next_turn(state)
    else:
        state.tile = square
        state.decision = BUYOUTS[buyer]


def buyer_of(state: State, squares: Sequence[int]) -> int | None:
    """The seat that may buy out the others of a group of three that the seat on turn has completed.

    This is the owner of two of its tiles, or among three owners the seat on turn. It is None if there
    is nobody to buy out, or the reserve of that seat is too small.
    """
    return buyer_among([state.board[square] - 1 for square in squares], state.turn, state.reserve)


def buyer_among(owners: Sequence[int], turn: int, reserve: Sequence[int]) -> int | None:
    """`buyer_of` for the seats of three tiles, the seat on turn, and the tiles in reserve by seat."""
    seat = next((owner for owner in owners if owners.count(owner) > 1), turn)
    return seat if 0 < len(owners) - owners.count(seat) <= reserve[seat] else None


def buy_out(state: State, move: BuyOut) -> None:
    """Replace the tiles of others by those of the deciding seat; the others get them back."""
    seat, board, reserve = state.decision.seat, state.board, state.reserve
    squares = group(board, state.tile)
    replaced = [square for square in squares if board[square] != seat + 1]
    owners = tuple([board[square] - 1 for square in replaced])
    count(state, squares, -1)
    for square, owner in zip(replaced, owners, strict=True):
        board[square] = seat + 1
        reserve[owner] += 1
        reserve[seat] -= 1
    count(state, squares, 1)
    if state.events is not None:
        state.events.append(BoughtOut(seat, _names(replaced), owners))
    _settle(state)


def decline(state: State, move: Decline) -> None:
    """Leave the group as it is, for the rest of the game."""
    if state.events is not None:
        state.events.append(Declined(state.decision.seat, _names(group(state.board, state.tile))))
    _settle(state)


def _settle(state: State) -> None:
    state.tile = -1
    next_turn(state)


def _names(squares: Iterable[int]) -> tuple[str, ...]:
    return tuple([SQUARE_NAMES[square] for square in squares])
