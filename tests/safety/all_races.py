"""All races by name, and how often `make safety` runs each; `make races` runs them for long."""

from tests.safety import clock_races, move_races, seat_races, stored_answer_races
from tests.safety.race_stage import FEW, Race

RACES = (*move_races.RACES, *stored_answer_races.RACES, *seat_races.RACES, *clock_races.RACES)

_MANY: dict[Race, tuple[int, int]] = {move_races.the_same_move: (20, 5), move_races.different_moves: (20, 5)}


def rounds(race: Race, threads: int) -> int:
    """Return how many rounds of a race `make safety` runs."""
    usual, few = _MANY.get(race, (2, 1))
    return usual if threads > FEW else few
