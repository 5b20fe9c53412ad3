"""A game as a card in a list."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from .people import Person


@dataclass(frozen=True, slots=True)
class Card:
    """What a list says of a game, from its columns alone.

    `line` says what the game waits for or how it ended, `details` the rules and the number of players;
    `to_decide` is the seat that must decide, None when nobody must. `key` names the game in ids of
    the page, `free` seats are taken by nobody yet, `join_url` is where the form for one of them goes.
    """

    url: str
    title: str
    line: str
    details: str
    people: Sequence[Person]
    my_turn: bool = False
    to_decide: int | None = None
    deadline: datetime | None = None
    ended: datetime | None = None
    key: str = ""
    free: int = 0
    join_url: str = ""

    @property
    def open_seats(self) -> range:
        """Something for each free seat."""
        return range(self.free)
