"""All races by name, and how often each is run where there is little time."""

from tests.safety import clock_races, move_races, seat_races, stored_answer_races
from tests.safety.race_stage import FEW, Race

RACES = (*move_races.RACES, *stored_answer_races.RACES, *seat_races.RACES, *clock_races.RACES)

_MANY = {move_races.the_same_move: (300, 100), move_races.different_moves: (100, 30)}


def rounds(race: Race, threads: int) -> int:
    """How many rounds of a race are run each time that the tests are."""
    usual, few = _MANY.get(race, (8, 3))
    return usual if threads > FEW else few
