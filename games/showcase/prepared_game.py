"""A game that computer players have played, for sites on which no public game is over yet.

It was played once by bots of the given levels, from the given seed, and is kept as its moves, so that no
visitor waits for bots to think.
"""

from dataclasses import dataclass
from typing import Any, Final

from games.engine.rules.rule_systems import SYSTEMS

SYSTEM: Final = "acquire"
PRESET: Final = "avalon-hill"
LEVELS: Final = ("medium", "hard", "medium", "hard")
_SEED: Final = bytes([6]) * 32
_MOVES: Final = """
    place 9E / buy nothing / place 10C / found continental / buy 2 continental / place 6I / buy 3 continental
    / place 2G / found imperial / buy 1 continental 2 imperial / place 12H / buy 3 imperial / place 10H /
    found worldwide / buy 1 continental 2 worldwide / place 11F / buy 2 continental 1 worldwide / place 2E /
    found tower / buy 3 worldwide / place 2A / buy 2 tower 1 imperial / place 3F / buy 2 continental 1
    worldwide / place 11B / buy 2 tower 1 continental / place 12G / found luxor / buy 1 tower 2 worldwide /
    place 7A / buy 1 tower 2 luxor / place 11A / found american / buy 1 continental 1 luxor 1 worldwide /
    place 8A / buy 1 tower 1 continental 1 american / place 3G / buy 1 tower 2 american / place 3I / buy 1
    tower 2 festival / place 1I / buy 1 american 1 luxor 1 worldwide / place 5E / buy 1 tower 2 american /
    place 12A / buy 2 tower 1 american / place 4G / buy 2 tower 1 luxor / place 7C / buy 1 continental 2
    american / place 9D / buy 1 american / place 2C / buy 1 american 1 imperial 1 luxor / place 9A / buy 1
    imperial 1 luxor 1 worldwide / place 8F / buy 3 luxor / place 6F / buy nothing / place 9G / buy nothing /
    place 5G / buy 1 luxor / place 4C / buy nothing / place 7H / buy nothing / place 7E / buy 1 luxor / place
    4H / buy nothing / place 8E / buy nothing / place 9B / buy nothing / place 1E / buy nothing / place 9C /
    dispose sell 2 / dispose sell 1 / buy 1 continental 1 luxor 1 worldwide / place 11D / buy nothing / place
    6H / buy 2 tower 1 continental / place 12B / buy nothing / place 1C / buy 1 tower 2 festival / place 8G /
    dispose trade 6 / dispose sell 1 / dispose sell 3 / dispose trade 2 / buy 2 festival 1 luxor / place 7D /
    buy 1 american 2 festival / place 4E / buy 2 tower 1 american / place 10I / buy 1 tower 1 festival 1
    worldwide / place 3H / buy 1 american 1 festival / place 9F / buy nothing / place 10A / dispose sell 3
    trade 2 / dispose sell 1 trade 4 / dispose sell 5 / buy 3 tower / place 3A / buy 1 imperial 1 festival 1
    luxor / place 3C / buy 1 tower 1 american 1 festival / place 11E / buy 1 american 2 festival / place 10E /
    buy 2 american 1 imperial / place 7I / buy 1 festival / place 1D / buy 1 american 1 festival 1 worldwide /
    place 6G / dispose sell 5 / dispose sell 5 / dispose sell 5 / buy 2 american 1 worldwide / place 5A / buy
    2 american 1 worldwide / place 4D / dispose sell 1 / dispose sell 1 / dispose sell 1 / dispose sell 2 /
    buy 3 american / place 9I / buy 3 american / place 1F / buy 3 american / place 5B / found worldwide / buy
    3 american / place 12E / buy 3 american / place 11C / buy 2 imperial 1 luxor / place 1H / buy 3 worldwide
    / place 5C / dispose sell 3 / dispose sell 3 / buy 1 imperial 2 luxor / place 6B / buy 2 imperial 1 luxor
    / place 4B / buy 2 luxor / place 10F / buy 2 imperial 1 luxor / place 11I / buy 2 imperial / place 8D /
    buy 1 imperial 2 luxor / place 3D / buy 3 imperial / place 9H / buy 1 imperial / place 1B / buy nothing /
    place 11H / dispose sell 10 / dispose sell 9 / dispose sell 1 / dispose sell 5 / buy nothing / place 4I /
    buy nothing / place 12D / buy nothing / place 3B / dispose sell 7 / dispose sell 7 / dispose sell 5 /
    dispose sell 6 / buy nothing / place 2B / buy nothing and end
"""


@dataclass(frozen=True, slots=True)
class PlayedMove:
    """A move of the prepared game: its place in the log, its events, and what a spectator knew after it."""

    number: int
    events: tuple[Any, ...]
    seen: Any


def prepared_moves() -> list[PlayedMove]:
    """All moves of the prepared game, played by the rules engine."""
    system = SYSTEMS[SYSTEM]
    state = system.deal(system.PRESETS[PRESET], len(LEVELS), _SEED)
    played = []
    for number, text in enumerate(" ".join(_MOVES.split()).split(" / "), start=1):
        move = system.parse_move(text)
        system.check_move(state, move)
        events = tuple(system.play(state, move))
        played.append(PlayedMove(number, events, system.observe(state, None)))
    return played
