"""Cost of a game review: assessing every decision of a whole game."""

from collections.abc import Iterator
from random import Random
from time import process_time

from games.engine.bots.bot_levels import ADVISERS, BOTS
from games.engine.rules.acquire import rule_system as acquire

PLAYERS = 4
Figure = tuple[str, float | str, str]


def story() -> Iterator[Figure]:
    """Seconds of worker time for a game of four medium players, and number of its decisions."""
    rng = Random(2718)
    medium, rate = BOTS["acquire"]["medium"].choose, BOTS["acquire"][ADVISERS["acquire"]].rate
    assert rate is not None
    state = acquire.deal(acquire.PRESETS["avalon-hill"], PLAYERS, rng.randbytes(32))
    decisions, spent = 0, 0.0
    while (seat := acquire.decider(state)) is not None:
        seen = acquire.observe(state, seat, memory=True)
        move = medium(seen, seen.legal, rng)
        if len(seen.legal) > 1:
            began = process_time()
            rate(seen, seen.legal, move, Random(decisions))
            spent += process_time() - began
            decisions += 1
        acquire.apply(state, move)
    yield "story_of_a_game", spent, "s"
    yield "story_decisions", decisions, "decisions"
