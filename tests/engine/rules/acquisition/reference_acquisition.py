"""Reference implementation of placement, buyouts and scoring, slow and from the board alone."""

from games.engine.rules.acquisition.board import EMPTY, PARK
from games.engine.rules.acquisition.moves import MOVES, Move, Park, Place
from games.engine.rules.acquisition.rule_options import PARKS
from games.engine.rules.acquisition.state import State

Board = dict[tuple[int, int], int]
SIDE = 12


def board_of(state: State) -> Board:
    """Column and row, from 0, of everything on the board."""
    return {
        (square % SIDE, square // SIDE): value for square, value in enumerate(state.board) if value != EMPTY
    }


def connected(board: Board, x: int, y: int, *, colour: bool = False) -> set[tuple[int, int]]:
    """The tiles connected with this one, or only those of its colour."""
    found = {(x, y)}
    while True:
        more = {
            (a, b)
            for c, d in found
            for a, b in ((c + 1, d), (c - 1, d), (c, d + 1), (c, d - 1))
            if board.get((a, b), PARK) != PARK and (not colour or board[a, b] == board[x, y])
        }
        if more <= found:
            return found
        found |= more


def symmetrical(parks: set[tuple[int, int]]) -> bool:
    """Return whether a rotation or reflection maps the set onto itself."""
    turned = parks
    for times in range(1, 5):
        turned = {(SIDE - 1 - y, x) for x, y in turned}
        if turned == parks and times < 4:
            return True
        if {(SIDE - 1 - x, y) for x, y in turned} == parks:
            return True
    return False


def legal_moves(state: State) -> set[Move]:
    board = board_of(state)
    kind = state.decision.kind
    if kind == "over":
        return set()
    if kind == "buyout":
        return {move for move in MOVES if move.kind in ("buyout", "decline")}
    legal: set[Move] = set()
    parks = {place for place, value in board.items() if value == PARK}
    for move in MOVES:
        if not isinstance(move, Park | Place) or move.kind != kind:
            continue
        place = (move.square % SIDE, move.square // SIDE)
        if place in board:
            continue
        if kind == "park":
            allowed = len(parks) + 1 < PARKS[state.seats] or not symmetrical(parks | {place})
        else:
            allowed = len(connected({**board, place: 1}, *place)) <= 3
        if allowed:
            legal.add(move)
    return legal


def scores(state: State) -> list[list[int]]:
    """Large, medium and small buildings by seat."""
    board = board_of(state)
    counts = [[0, 0, 0] for _ in range(state.seats)]
    seen: set[tuple[int, int]] = set()
    for place, value in board.items():
        if value != PARK and place not in seen:
            building = connected(board, *place, colour=True)
            seen |= building
            counts[value - 1][3 - len(building)] += 1
    return counts


def asked(before: State, square: int) -> int | None:
    """The seat that may buy out after the seat on turn has put a tile on this square."""
    board = board_of(before)
    place = (square % SIDE, square // SIDE)
    turn = before.turn
    board[place] = turn + 1
    owners = [board[member] - 1 for member in connected(board, *place)]
    left = [before.rules.tiles_each(before.seats)] * before.seats
    for value in board.values():
        if value != PARK:
            left[value - 1] -= 1
    if len(owners) < 3 or len(set(owners)) == 1:
        return None
    if len(set(owners)) == 3:
        return turn if left[turn] >= 2 else None
    most = max(set(owners), key=owners.count)
    return most if left[most] >= 1 else None
