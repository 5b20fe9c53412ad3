"""Why a file does not become a game, in sentences."""

from typing import Final

from django.utils.translation import gettext_lazy as _

from games.services import MOST_BYTES, NotImported, Wrong


def sentence(error: NotImported) -> str:
    """What whoever brought the file is told."""
    return str(_SENTENCES[error.wrong]).format(
        entry=error.entry, field=error.field, most=f"{MOST_BYTES // 1_000_000} MB"
    )


_SENTENCES: Final = {
    Wrong.NO_FILE: _("Choose a file first."),
    Wrong.TOO_BIG: _("This file is too big: at most {most} are taken."),
    Wrong.NO_TEXT: _("This file is no text. Choose the JSON file of an exported game."),
    Wrong.NO_GAME: _("This is not an exported game. Choose the JSON file that “Export” gives, unchanged."),
    Wrong.NEWER: _("This file was made by a newer site, and cannot be read here yet."),
    Wrong.FIELD: _("“{field}” is missing in this file, or is not what it should be."),
    Wrong.SYSTEM: _("The game of this file is not played here."),
    Wrong.RULES: _("This game was played by other rules of computing than this site has."),
    Wrong.PRESET: _("This site does not know the set of rules that the game was played by."),
    Wrong.OPTIONS: _("This site does not know an option of the rules that the game was played by."),
    Wrong.NOT_OVER: _("This game is not over. Export it again when it is."),
    Wrong.SEATS: _("So many cannot play this game."),
    Wrong.NAME: _("Each player needs a name of 1 to 20 letters."),
    Wrong.DEAL: _("The seed does not fit its fingerprint, so this is not the deal that was played."),
    Wrong.ENTRY: _("Entry {entry} of the log cannot be read."),
    Wrong.NUMBERS: _("The entries of the log are not numbered one by one: {entry} is not in its place."),
    Wrong.NOT_ASKED: _("Entry {entry} of the log is a move of a seat that was not asked."),
    Wrong.ILLEGAL: _("Entry {entry} of the log is a move that the rules do not allow there."),
    Wrong.EVENTS: _("Entry {entry} of the log tells something else than what its move causes."),
    Wrong.RULING: _("Entry {entry} of the log is a ruling that there cannot be."),
    Wrong.BACK: _("Entry {entry} of the log goes back to a place that it does not come after."),
    Wrong.AFTER_END: _("Entry {entry} of the log comes after the end of the game."),
    Wrong.ENDING: _("The game did not end as the file says."),
    Wrong.POSITION: _("The log leads to another position than the file shows."),
    Wrong.STANDINGS: _("The log leads to other standings than the file shows."),
}
