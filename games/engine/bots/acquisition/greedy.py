"""Bot that looks one move ahead."""

from collections.abc import Sequence
from random import Random

from games.engine.bots.acquisition.lookahead import chances
from games.engine.bots.thinking_time import OutOfTime, no_time_limit
from games.engine.rules.acquisition.moves import Move
from games.engine.rules.acquisition.observation import Observation, sample_state


def choose(
    seen: Observation, legal: Sequence[Move], rng: Random, out_of_time: OutOfTime = no_time_limit
) -> Move:
    """The move after which the seat's chance is best, chosen at random among equals.

    Parks belong to nobody and are placed at random.
    """
    if seen.parks or len(legal) == 1:
        return rng.choice(legal)
    values = chances(sample_state(seen, rng), legal)
    most = max(values)
    return rng.choice([move for move, value in zip(legal, values, strict=True) if value == most])
