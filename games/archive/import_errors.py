"""Refusals of imported files."""

from typing import Final

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy

from accounts.refusals import Refusal

# A whole game has some 50,000 bytes; many votes or takebacks make it larger.
MAX_BYTES: Final = 1_000_000


class ImportFault(TextChoices):
    """The possible faults of a file, with their messages."""

    NO_FILE = "no file", gettext_lazy("Choose a file first.")
    TOO_BIG = "too big", gettext_lazy("This file is too big. Files can have at most {most}.")
    NO_TEXT = (
        "no text",
        gettext_lazy("This file is not a text file. Choose the JSON file of an exported game."),
    )
    NO_GAME = (
        "no game",
        gettext_lazy("This is not an exported game. Choose the unchanged JSON file that “Export” gave you."),
    )
    NEWER = (
        "newer",
        gettext_lazy("This file was made by a newer version of the site and cannot be read here yet."),
    )
    FIELD = "field", gettext_lazy("“{field}” is missing from this file or has the wrong value.")
    SYSTEM = "system", gettext_lazy("This site does not offer the game in this file.")
    RULES = "rules", gettext_lazy("This game was played with a different version of the rules engine.")
    PRESET = (
        "preset",
        gettext_lazy("This site does not know the set of rules used in this game."),
    )
    OPTIONS = (
        "options",
        gettext_lazy("This site does not know a rule option used in this game."),
    )
    NOT_OVER = "not over", gettext_lazy("This game is not finished. Export it again when it is over.")
    SEATS = "seats", gettext_lazy("This game cannot be played with that number of players.")
    NAME = "name", gettext_lazy("Each player needs a name of 1 to 20 characters.")
    DEAL = (
        "deal",
        gettext_lazy("The seed does not match its fingerprint, so this is not the deal that was played."),
    )
    ENTRY = "entry", gettext_lazy("Log entry {entry} cannot be read.")
    NUMBERS = (
        "numbers",
        gettext_lazy("The log entries are not numbered in order: entry {entry} is out of place."),
    )
    NOT_ASKED = (
        "not asked",
        gettext_lazy("Log entry {entry} is a move by a seat that was not due to move."),
    )
    ILLEGAL = (
        "illegal",
        gettext_lazy("Log entry {entry} is a move that the rules do not allow there."),
    )
    EVENTS = (
        "events",
        gettext_lazy("Log entry {entry} does not match the effects of its move."),
    )
    RULING = "ruling", gettext_lazy("Log entry {entry} is not a valid ruling.")
    BACK = (
        "back",
        gettext_lazy("Log entry {entry} goes back to a position that did not come before it."),
    )
    AFTER_END = "after end", gettext_lazy("Log entry {entry} comes after the end of the game.")
    ENDING = "ending", gettext_lazy("The game did not end the way the file says.")
    POSITION = "position", gettext_lazy("The log leads to a different position from the one in the file.")
    STANDINGS = "standings", gettext_lazy("The log leads to different standings from those in the file.")


class ImportFailed(Refusal):
    """A file that is not accepted: `wrong` is the fault, `entry` its log entry, `field` its value."""

    status = 422

    def __init__(self, wrong: ImportFault, *, entry: int = 0, field: str = "") -> None:
        super().__init__(wrong, entry, field)
        self.wrong, self.entry, self.field = wrong, entry, field

    @property
    def message(self) -> str:
        return str(self.wrong.label).format(
            entry=self.entry, field=self.field, most=f"{MAX_BYTES // 1_000_000} MB"
        )
