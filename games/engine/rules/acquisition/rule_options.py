"""Options of Acquisition, and the tiles and parks for each number of players."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

SEATS: Final = range(2, 5)
# By number of players: building tiles of each player, and parks on the board.
TILES: Final = {2: 40, 3: 27, 4: 20}
PARKS: Final = {2: 6, 3: 6, 4: 4}

# The building material of each seat, as in the box, and its letter.
MATERIALS: Final = ("brick", "steel", "concrete", "glass")
MATERIAL_LETTERS: Final = "BSCG"

OPTIONS: Final[dict[str, tuple[Any, ...]]] = {"tiles": tuple(range(TILES[2], 0, -1))}


@dataclass(frozen=True, slots=True)
class Rules:
    """The options of one game; the defaults are the designer's rules.

    `tiles` is the maximum number of building tiles of each player. Players may agree on fewer than
    the box gives them, never on more: with three or four players a larger number changes nothing.
    """

    tiles: int = TILES[2]

    def __post_init__(self) -> None:
        if type(self.tiles) is not int or self.tiles not in OPTIONS["tiles"]:
            raise ValueError(f"tiles is a number from 1 to {TILES[2]}, not {self.tiles!r}.")

    def tiles_each(self, seats: int) -> int:
        """The building tiles of each player in a game with this number of seats."""
        return min(self.tiles, TILES[seats])


PRESETS: Final = {"standard": Rules()}


def to_options(rules: Rules) -> dict[str, Any]:
    """The options that differ from the designer's rules, by name."""
    return {} if rules == PRESETS["standard"] else {"tiles": rules.tiles}


def from_options(options: Mapping[str, Any]) -> Rules:
    """The rules with these options, and the designer's for the rest.

    Raises ValueError, with a sentence, for an unknown option or value.
    """
    for name in options:
        if name not in OPTIONS:
            raise ValueError(f"There is no option {name!r}; the options are {', '.join(OPTIONS)}.")
    return Rules(**options)


def check_seats(seats: int) -> None:
    """Raise ValueError, with a sentence, unless this number of players is possible."""
    if seats not in SEATS:
        raise ValueError(f"Acquisition is for {SEATS.start} to {SEATS.stop - 1} players, not {seats}.")
