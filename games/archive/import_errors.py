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
    TOO_BIG = "too big", gettext_lazy("This file is too big: at most {most} are taken.")
    NO_TEXT = "no text", gettext_lazy("This file is no text. Choose the JSON file of an exported game.")
    NO_GAME = (
        "no game",
        gettext_lazy("This is not an exported game. Choose the JSON file that “Export” gives, unchanged."),
    )
    NEWER = "newer", gettext_lazy("This file was made by a newer site, and cannot be read here yet.")
    FIELD = "field", gettext_lazy("“{field}” is missing in this file, or is not what it should be.")
    SYSTEM = "system", gettext_lazy("The game of this file is not played here.")
    RULES = "rules", gettext_lazy("This game was played by other rules of computing than this site has.")
    PRESET = (
        "preset",
        gettext_lazy("This site does not know the set of rules that the game was played by."),
    )
    OPTIONS = (
        "options",
        gettext_lazy("This site does not know an option of the rules that the game was played by."),
    )
    NOT_OVER = "not over", gettext_lazy("This game is not over. Export it again when it is.")
    SEATS = "seats", gettext_lazy("So many cannot play this game.")
    NAME = "name", gettext_lazy("Each player needs a name of 1 to 20 letters.")
    DEAL = (
        "deal",
        gettext_lazy("The seed does not fit its fingerprint, so this is not the deal that was played."),
    )
    ENTRY = "entry", gettext_lazy("Entry {entry} of the log cannot be read.")
    NUMBERS = (
        "numbers",
        gettext_lazy("The entries of the log are not numbered one by one: {entry} is not in its place."),
    )
    NOT_ASKED = (
        "not asked",
        gettext_lazy("Entry {entry} of the log is a move of a seat that was not asked."),
    )
    ILLEGAL = (
        "illegal",
        gettext_lazy("Entry {entry} of the log is a move that the rules do not allow there."),
    )
    EVENTS = (
        "events",
        gettext_lazy("Entry {entry} of the log tells something else than what its move causes."),
    )
    RULING = "ruling", gettext_lazy("Entry {entry} of the log is a ruling that there cannot be.")
    BACK = (
        "back",
        gettext_lazy("Entry {entry} of the log goes back to a place that it does not come after."),
    )
    AFTER_END = "after end", gettext_lazy("Entry {entry} of the log comes after the end of the game.")
    ENDING = "ending", gettext_lazy("The game did not end as the file says.")
    POSITION = "position", gettext_lazy("The log leads to another position than the file shows.")
    STANDINGS = "standings", gettext_lazy("The log leads to other standings than the file shows.")


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
