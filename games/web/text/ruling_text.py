"""Sentences of rulings in the log."""

from typing import Final

from django.utils.translation import gettext_lazy as _

from games.log import rulings
from games.log.end_proposals import ended_unrated_by
from games.log.rulings import Ruling
from games.models import LogEntry
from games.web.presenters.table_people import TablePeople
from games.web.text.pace_text import pace_name


def sentence(entry: LogEntry, people: TablePeople, before: str = "") -> str:
    """Return the sentence of a ruling for the reader of `people`.

    `before` is the previous player of a seat that is taken over, if known.
    """
    said = _said(entry, people, before)
    if not entry.reason:
        return said
    return people.say(str(_("{what} Reason: {reason}")), what=said, reason=entry.reason)


def _said(entry: LogEntry, people: TablePeople, before: str) -> str:
    ruling = rulings.parse_ruling(entry.text)
    what = rulings.parse_ruling(ruling.what) if ruling.what else None
    kind = f"{ruling.kind} {what.kind}" if what else ruling.kind
    if kind == "unrated" and (alone := ended_unrated_by(list(entry.game.seats.all()))) is not None:
        said = _("{who} ended the game early, with the current standings. No ratings changed.")
        return people.say(str(said), who=people.sentence_start(alone.number))
    pace = pace_name((what or ruling).name) if kind.endswith("paces") else ""
    if entry.seat is None:
        return str(_SENTENCES[kind]).format(pace=pace)
    if before:
        kind = {"adopts": "inherits", "appoints": "succeeds"}[kind]
    mine = entry.seat == people.reader
    return people.say(
        str(_TO_READER.get(kind, _SENTENCES[kind]) if mine else _SENTENCES[kind]),
        who=people.sentence_start(entry.seat),
        whom=people.name(entry.seat),
        late=_late(what, people),
        pace=pace,
        before=before,
    )


def _late(what: Ruling | None, people: TablePeople) -> str:
    """Return the name of the absent player that a vote is about, or ""."""
    return people.name(what.number) if what is not None and what.kind == "keeps" else ""


# Keys are the kind of a ruling, for votes followed by the kind of what is voted on. `who` begins a
# sentence, `whom` stands inside one.
_SENTENCES: Final = {
    "back": _("{who} took back the moves that are struck through."),
    "concede": _("{who} conceded."),
    "takes": _("{who} took over the seat of the player who left."),
    "keeps": _("{who} ran out of time. A computer player took over the seat."),
    "leaves": _("{who} was away for a minute. A computer player took over the seat."),
    "returns": _("{who} came back and took over the seat again."),
    "adopts": _("{who} took over this seat."),
    "inherits": _("{who} took over from {before}."),
    "grace": _("{who} ran out of time and got an extension (one per game)."),
    "extends": _("{who} got more time."),
    "standings": _("Everyone agreed to end the game with the current standings."),
    "none": _("Everyone agreed to end the game without a result."),
    "unrated": _("The game ended early, with the current standings. No ratings changed."),
    "paces": _("The game goes on {pace}."),
    "proposes paces": _("{who} proposed to play on {pace}."),
    "agrees paces": _("{who} agreed to play on {pace}."),
    "refuses paces": _("{who} chose to keep the pace."),
    "withdraws paces": _("{who} withdrew the proposal to change the pace."),
    "halt": _("The game was paused because this site could not offer it."),
    "goes on": _("The game resumed. Nobody lost time."),
    "pause": _("{who} went on vacation. The clock was paused."),
    "resume": _("{who}’s clock started again."),
    "holds": _("A moderator paused the game. Nobody lost time."),
    "releases": _("A moderator resumed the game."),
    "rolls": _("A moderator took back the moves that are struck through."),
    "redeals": _(
        "A moderator took the game back to an earlier position. The hidden tiles were dealt again, because"
        " everyone had seen them."
    ),
    "reopens": _("A moderator took the game back to an earlier position."),
    "lengthens": _("A moderator gave {whom} more time."),
    "lengthens all": _("A moderator gave everyone more time."),
    "stands in": _("A moderator gave {whom}’s seat to a computer player."),
    "appoints": _("A moderator gave this seat to {whom}."),
    "succeeds": _("A moderator gave {before}’s seat to {whom}."),
    "ends": _("A moderator ended the game with the current standings."),
    "voids": _("A moderator ended the game without a result."),
    "unrates": _("A moderator made the game unrated."),
    "deletes": _("A moderator deleted the game."),
    "restores": _("A moderator restored the game. Nobody lost time."),
    "question keeps": _(
        "{late} ran out of time. A vote began on whether a computer player takes over the seat."
    ),
    "agrees keeps": _("{who} voted for a computer player to take over from {late}."),
    "refuses keeps": _("{who} voted for a computer player to make this move for {late}."),
    "proposes none": _("{who} proposed to end the game without a result."),
    "proposes standings": _("{who} proposed to end the game with the current standings."),
    "proposes unrated": _("{who} proposed to end the game unrated, with the current standings."),
    **dict.fromkeys(
        ("agrees none", "agrees standings", "agrees unrated"), _("{who} agreed to end the game.")
    ),
    **dict.fromkeys(
        ("refuses none", "refuses standings", "refuses unrated"),
        _("{who} chose to play on, so the game continued."),
    ),
    **dict.fromkeys(
        ("withdraws none", "withdraws standings", "withdraws unrated"),
        _("{who} withdrew the proposal to end the game."),
    ),
}

# Sentences for the reader whose seat the ruling concerns, where more than the name differs.
_TO_READER: Final = {
    "takes": _("A computer player took over this seat from the player who left."),
    "leaves": _("You were away for a minute. A computer player took over your seat."),
    "returns": _("You came back and took over your seat again."),
    "pause": _("You went on vacation. Your clock was paused."),
    "resume": _("Your clock started again."),
    "stands in": _("A moderator gave your seat to a computer player."),
    "question keeps": _(
        "You ran out of time. A vote began on whether a computer player takes over your seat."
    ),
}
