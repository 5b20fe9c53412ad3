"""Invariants of every state of a game."""

from collections.abc import Iterator

from games.engine.rules.acquisition.board import EMPTY, PARK, SQUARE_NAMES, SQUARES, group
from games.engine.rules.acquisition.buildings import buildings
from games.engine.rules.acquisition.parks import is_symmetrical, open_parks, parks_on
from games.engine.rules.acquisition.rule_options import PARKS, SEATS
from games.engine.rules.acquisition.state import LARGE, State
from games.engine.rules.acquisition.tile_placement import buyer_of
from games.engine.rules.acquisition.turns import open_places


def invariants(state: State) -> list[str]:
    """Every fault of the state, in words; an empty list for a sound state."""
    if faults := [*_of_seats(state), *_of_values(state)]:
        return faults
    parts = (_of_parks, _of_reserves, _of_groups, _of_buildings, _of_open, _of_decision)
    return [fault for part in parts for fault in part(state)]


def _of_seats(state: State) -> Iterator[str]:
    if state.seats not in SEATS:
        yield f"{state.seats} seats"
    elif state.turn not in range(state.seats):
        yield f"no seat {state.turn}"
    lengths = [("reserve", len(state.reserve)), *(("buildings", len(owned)) for owned in state.buildings)]
    for name, length in lengths:
        if length != state.seats:
            yield f"{name} of {length} seats instead of {state.seats}"


def _of_values(state: State) -> Iterator[str]:
    for square, value in enumerate(state.board):
        if value != PARK and value not in range(state.seats + 1):
            yield f"there is nothing like {value} to be on {SQUARE_NAMES[square]}"


def _of_parks(state: State) -> Iterator[str]:
    parks = parks_on(state)
    if len(parks) + state.parks != PARKS[state.seats] or state.parks < 0:
        yield f"{len(parks)} parks are on the board and {state.parks} to come"
    elif not state.parks and is_symmetrical(parks):
        yield "the parks are symmetrical"
    if state.parks and any(_tiles(state)):
        yield "a tile is on the board before the last park"


def _tiles(state: State) -> list[int]:
    """The number of tiles on the board, by seat."""
    return [state.board.count(seat + 1) for seat in range(state.seats)]


def _of_reserves(state: State) -> Iterator[str]:
    each = state.rules.tiles_each(state.seats)
    for seat, (placed, left) in enumerate(zip(_tiles(state), state.reserve, strict=True)):
        if placed + left != each or left < 0:
            yield f"seat {seat} has {placed} tiles on the board and {left} in reserve, out of {each}"


def _of_groups(state: State) -> Iterator[str]:
    for square in SQUARES:
        tile = EMPTY < state.board[square] < PARK
        size = len(group(state.board, square)) if tile else 0
        if size > LARGE:
            yield f"{SQUARE_NAMES[square]} is in a group of {size} tiles"
        elif state.size[square] != size:
            yield f"the group of {SQUARE_NAMES[square]} counts {state.size[square]} tiles and has {size}"


def _of_buildings(state: State) -> Iterator[str]:
    counts = [[0] * state.seats for _ in state.buildings]
    tiles = [square for square in SQUARES if EMPTY < state.board[square] < PARK]
    for owner, size in buildings(state.board, tiles):
        counts[min(size, LARGE)][owner] += 1
    if counts != state.buildings:
        yield f"the buildings are {counts[1:]} and counted as {state.buildings[1:]}"


def _of_open(state: State) -> Iterator[str]:
    """Check the open squares and their order, which `legal_moves` relies on."""
    if state.open != (open_parks(state) if state.parks > 0 else open_places(state)):
        yield "the open squares are not those where a piece may go"


def _of_decision(state: State) -> Iterator[str]:
    kind, seat = state.decision.kind, state.decision.seat
    if (state.tile >= 0) != (kind == "buyout"):
        yield "a group is pending without a decision about it, or the other way round"
    if kind == "over":
        yield from _of_end(state)
        return
    if state.ended:
        yield f"the game ended ({state.ended}) and goes on"
    if kind == "buyout":
        yield from _of_buyout(state)
        return
    if seat != state.turn:
        yield f"seat {seat} decides in the turn of seat {state.turn}"
    if (kind == "park") != (state.parks > 0):
        yield "tiles come before the last park, or parks after it"
    if kind == "place" and not state.reserve[state.turn]:
        yield f"seat {seat} has no tile to place"
    elif len(state.open) < 2:
        yield f"seat {seat} is asked for a {kind} with {len(state.open)} squares to choose from"


def _of_buyout(state: State) -> Iterator[str]:
    if state.tile not in SQUARES:
        return
    name = SQUARE_NAMES[state.tile]
    if state.board[state.tile] != state.turn + 1:
        yield f"{name} is no tile of seat {state.turn}, whose turn it is"
    elif state.size[state.tile] != LARGE:
        yield f"the group of {name} is not complete"
    elif state.decision.seat != buyer_of(state, group(state.board, state.tile)):
        yield f"seat {state.decision.seat} cannot buy out the group of {name}"


def _of_end(state: State) -> Iterator[str]:
    if state.parks:
        yield "the game ends before the last park"
    elif state.ended == "no tile":
        if state.reserve[state.turn]:
            yield f"the game is over and seat {state.turn} has a tile"
    elif state.ended == "no square":
        if state.open:
            yield "the game is over and there is a square for a tile"
    else:
        yield f"the game is over without a reason ({state.ended})"
