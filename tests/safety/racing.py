"""All races by name, and how often each is run where there is little time."""

from . import racing_answers, racing_clocks, racing_moves, racing_seats
from .stage import FEW, Race

RACES = (*racing_moves.RACES, *racing_answers.RACES, *racing_seats.RACES, *racing_clocks.RACES)

_MANY = {racing_moves.the_same_move: (300, 100), racing_moves.different_moves: (100, 30)}


def rounds(race: Race, threads: int) -> int:
    """How many rounds of a race are run each time that the tests are."""
    usual, few = _MANY.get(race, (8, 3))
    return usual if threads > FEW else few
