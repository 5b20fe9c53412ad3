"""Why a file does not become a game."""

from enum import StrEnum

from games.services.errors import Refused


class Wrong(StrEnum):
    """What can be wrong with a file. Those about one entry of the log come with its number."""

    NO_FILE = "no file"
    TOO_BIG = "too big"
    NO_TEXT = "no text"
    NO_GAME = "no game"
    NEWER = "newer"
    FIELD = "field"
    SYSTEM = "system"
    RULES = "rules"
    PRESET = "preset"
    OPTIONS = "options"
    NOT_OVER = "not over"
    SEATS = "seats"
    NAME = "name"
    DEAL = "deal"
    ENTRY = "entry"
    NUMBERS = "numbers"
    NOT_ASKED = "not asked"
    ILLEGAL = "illegal"
    EVENTS = "events"
    RULING = "ruling"
    BACK = "back"
    AFTER_END = "after end"
    ENDING = "ending"
    POSITION = "position"
    STANDINGS = "standings"


class NotImported(Refused):
    """The file is not taken: `wrong` says why, `entry` where in the log, `field` in which value."""

    def __init__(self, wrong: Wrong, *, entry: int = 0, field: str = "") -> None:
        super().__init__(wrong, entry, field)
        self.wrong, self.entry, self.field = wrong, entry, field


class TooManyImported(Refused):
    """The member has imported `most` games, which is as many as one may keep."""

    def __init__(self, most: int) -> None:
        super().__init__(most)
        self.most = most
