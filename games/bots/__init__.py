"""The computer opponents of each rule system, by level.

A computer opponent is asked as `choose(observation, legal_moves, rng)` and answers with one of
the legal moves. It gets what a person in its seat would see and could have noted (an observation
with `memory=True`), never a state; one that wants to try moves does so on `determinize(observation,
rng)`. The same observation, moves and chance give the same answer. `name` and `character` are
English: whoever shows them translates them.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from .acquire import greedy, uniform


@dataclass(frozen=True, slots=True)
class Bot:
    """A level of computer opponent: its name and its character in a sentence, and how it chooses."""

    name: str
    character: str
    choose: Callable[[Any, Sequence[Any], Random], Any]


BOTS: Final[dict[str, dict[str, Bot]]] = {
    "acquire": {
        "random": Bot("Random", "plays any legal move.", uniform.choose),
        "medium": Bot(
            "Medium", "looks one move ahead and takes what is best for it right now.", greedy.choose
        ),
    },
}
