"""The bot levels of each rule system, the weakest first.

A bot is called as `choose(observation, legal_moves, rng, out_of_time)` and returns one of the legal
moves. It gets what a person in its seat would see and could have noted (an observation with
`memory=True`), never a state; to try moves it uses `sample_state(observation, rng)`. The same
observation, moves and generator give the same answer, unless the time runs out: a searching bot calls
`out_of_time()` regularly, and once that is true returns the best move found so far.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from games.engine.bots import random_bot
from games.engine.bots.acquire import greedy, rollout_policy
from games.engine.bots.acquire.monte_carlo import EXPERT_1, HARD, MASTER_1, PLAIN_300
from games.engine.bots.acquire.plan_search import EXPERT, MASTER, PUZZLE_JUDGE, REVIEWER
from games.engine.bots.acquisition import greedy as builder
from games.engine.bots.acquisition.beam_search import HARD as FAR_SIGHTED
from games.engine.bots.acquisition.beam_search import REVIEWER as BUILD_REVIEWER
from games.engine.bots.move_estimate import Estimate, Rating


@dataclass(frozen=True, slots=True)
class Bot:
    """A bot level.

    `name` and `character` (a sentence) are in English; translate them for display.
    `seconds` limits the time of one decision, None for levels that need hardly any.
    `advise(observation, legal_moves, rng, out_of_time)` returns an `Estimate` for each legal move worth
    considering, the best first; None for levels without estimates.
    `rate(observation, legal_moves, played, rng, out_of_time)` returns a `Rating` of a move that was
    played, or None if there is nothing to rate.
    """

    name: str
    character: str
    choose: Callable[..., Any]
    seconds: float | None = None
    advise: Callable[..., list[Estimate]] | None = None
    rate: Callable[..., Rating | None] | None = None


def _searching(
    name: str, character: str, search: Any, seconds: float, *, adviser: Any = None, reviewer: Any = None
) -> Bot:
    advise, rate = (adviser or search).advise, (reviewer or search).rate
    return Bot(name, character, search.choose, seconds, advise, rate)


BOTS: Final[dict[str, dict[str, Bot]]] = {
    "acquire": {
        "random": Bot("Random", "plays any legal move.", random_bot.choose),
        "easy": Bot(
            "Easy", "estimates roughly and makes a careless move now and then.", rollout_policy.choose
        ),
        "medium": Bot("Medium", "looks one move ahead and picks the best immediate result.", greedy.choose),
        "hard": _searching(
            "Hard", "plays out its moves 100 times in all and picks the best result.", HARD, 0.2
        ),
        "expert": _searching(
            "Expert",
            "plans whole turns, and has learned from thousands of games which positions win.",
            EXPERT,
            0.8,
            reviewer=REVIEWER,
        ),
        "master": _searching(
            "Master",
            "plans like Expert, and predicts what the others will buy.",
            MASTER,
            4.0,
            adviser=PUZZLE_JUDGE,
        ),
    },
    "acquisition": {
        "random": Bot("Random", "plays any legal move.", random_bot.choose),
        "medium": Bot("Medium", "looks one move ahead and picks the best immediate result.", builder.choose),
        "hard": _searching(
            "Hard", "plays out its best moves for six rounds.", FAR_SIGHTED, 1.0, reviewer=BUILD_REVIEWER
        ),
    },
}

# The level that gives advice and rates moves, by rule system.
ADVISERS: Final = {"acquire": "expert", "acquisition": "hard"}

# Bots for measuring others, which are not offered to players, by rule system.
YARDSTICKS: Final[dict[str, dict[str, Bot]]] = {
    "acquire": {
        "plain-300": _searching(
            "Plain 300", "is the first searching player, with 300 tries.", PLAIN_300, 3.0
        ),
        "expert-1": _searching("Expert 1", "is the first expert, with 400 tries.", EXPERT_1, 3.0),
        "master-1": _searching("Master 1", "is the first master, with 3,000 tries.", MASTER_1, 3.0),
    }
}


def move_rater(system: str) -> Callable[..., Rating | None] | None:
    """The function that rates moves of this rule system, or None."""
    bot = BOTS[system].get(ADVISERS.get(system, ""))
    return None if bot is None else bot.rate
