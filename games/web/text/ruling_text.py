"""Sentences of rulings in the log."""

from typing import Final

from django.utils.translation import gettext_lazy as _

from games.log import rulings
from games.log.rulings import Ruling
from games.models import LogEntry
from games.web.presenters.table_people import TablePeople


def sentence(entry: LogEntry, people: TablePeople, before: str = "") -> str:
    """Return the sentence of a ruling for the reader of `people`.

    `before` is the previous player of a seat that is taken over, if known.
    """
    said = _said(entry, people, before)
    if not entry.reason:
        return said
    return people.say(str(_("{what} The reason: {reason}")), what=said, reason=entry.reason)


def _said(entry: LogEntry, people: TablePeople, before: str) -> str:
    ruling = rulings.parse_ruling(entry.text)
    what = rulings.parse_ruling(ruling.what) if ruling.what else None
    kind = f"{ruling.kind} {what.kind}" if what else ruling.kind
    if entry.seat is None:
        return str(_SENTENCES[kind])
    if before:
        kind = {"adopts": "inherits", "appoints": "succeeds"}[kind]
    mine = entry.seat == people.reader
    return people.say(
        str(_TO_READER.get(kind, _SENTENCES[kind]) if mine else _SENTENCES[kind]),
        who=people.sentence_start(entry.seat),
        whom=people.name(entry.seat),
        late=_late(what, people),
        before=before,
    )


def _late(what: Ruling | None, people: TablePeople) -> str:
    """Return the name of the absent player that a vote is about, or ""."""
    return people.name(what.number) if what is not None and what.kind == "keeps" else ""


# Keys are the kind of a ruling, for votes followed by the kind of what is voted on. `who` begins a
# sentence, `whom` stands inside one.
_SENTENCES: Final = {
    "back": _("{who} took back what is struck through."),
    "concede": _("{who} conceded."),
    "takes": _("{who} plays on for the player who left."),
    "keeps": _("Time was up: a computer plays for {whom}."),
    "returns": _("{who} is back and plays again."),
    "adopts": _("{who} took over this seat."),
    "inherits": _("{who} took over the seat of {before}."),
    "grace": _("Time was up for {whom}, who has the time for one decision more, once in this game."),
    "extends": _("{who} was given more time."),
    "standings": _("Everybody agreed to end the game with the standings as they are."),
    "none": _("Everybody agreed to end the game without a result."),
    "halt": _("The game was paused: it may not be played here for now."),
    "goes on": _("The game goes on. Nobody lost time while it was paused."),
    "pause": _("{who} is on vacation: the clock stands still."),
    "resume": _("The clock of {whom} runs again."),
    "holds": _("A moderator paused the game. Nobody loses time by it."),
    "releases": _("A moderator let the game go on."),
    "rolls": _("A moderator took back what is struck through."),
    "lengthens": _("A moderator gave {whom} more time."),
    "lengthens all": _("A moderator gave everybody more time."),
    "stands in": _("A moderator put a computer in the seat of {whom}."),
    "appoints": _("A moderator gave this seat to {whom}."),
    "succeeds": _("A moderator gave the seat of {before} to {whom}."),
    "ends": _("A moderator ended the game with the standings as they were."),
    "voids": _("A moderator ended the game without a result."),
    "unrates": _("A moderator decided that the game does not count."),
    "deletes": _("A moderator deleted the game."),
    "restores": _("A moderator restored the game. Nobody lost time by it."),
    "question keeps": _("Time was up for {late}. The others vote whether a computer takes the seat."),
    "agrees keeps": _("{who} wants a computer to play on for {late}."),
    "refuses keeps": _("{who} wants a computer to decide this once for {late}."),
    "proposes none": _("{who} proposes to end the game without a result."),
    "proposes standings": _("{who} proposes to end the game with the standings as they are."),
    **dict.fromkeys(("agrees none", "agrees standings"), _("{who} agrees to end the game.")),
    **dict.fromkeys(("refuses none", "refuses standings"), _("{who} wants to play on, so the game goes on.")),
    **dict.fromkeys(
        ("withdraws none", "withdraws standings"), _("{who} does not propose to end the game any more.")
    ),
}

# Sentences for the reader whose seat the ruling concerns, where more than the name differs.
_TO_READER: Final = {
    "takes": _("A computer played on here for the player who left."),
    "returns": _("You are back and play again."),
    "grace": _("Time was up for you. You have the time for one decision more, once in this game."),
    "extends": _("You were given more time."),
    "pause": _("You are on vacation: your clock stands still."),
    "resume": _("Your clock runs again."),
    "stands in": _("A moderator put a computer in your seat."),
    "question keeps": _("Time was up for you. The others vote whether a computer takes your seat."),
    "agrees keeps": _("You want a computer to play on for {late}."),
    "refuses keeps": _("You want a computer to decide this once for {late}."),
    "proposes none": _("You propose to end the game without a result."),
    "proposes standings": _("You propose to end the game with the standings as they are."),
    **dict.fromkeys(("agrees none", "agrees standings"), _("You agree to end the game.")),
    **dict.fromkeys(("refuses none", "refuses standings"), _("You want to play on, so the game goes on.")),
    **dict.fromkeys(
        ("withdraws none", "withdraws standings"), _("You do not propose to end the game any more.")
    ),
}
