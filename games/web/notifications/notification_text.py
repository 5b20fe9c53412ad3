"""Subjects and sentences of notifications."""

from collections.abc import Callable
from datetime import datetime
from typing import Final

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.lobby.stale_games import CLOSE_AFTER
from games.models import Game, Kind, Notification
from games.moderation.report_actions import outcome_message
from games.web.text.game_titles import report_subject

_SUBJECTS: Final = {
    Kind.LATE: gettext_lazy("Your time was over"),
    Kind.VOTE: gettext_lazy("There is a vote at your table"),
    Kind.ENDING: gettext_lazy("{about} proposes to end the game"),
    Kind.STARTED: gettext_lazy("The game has started"),
    Kind.FINISHED: gettext_lazy("The game is over"),
    Kind.REPORT: gettext_lazy("What you reported was looked at"),
    Kind.MENTION: gettext_lazy("{about} mentions you"),
    Kind.INVITATION: gettext_lazy("{about} invites you"),
    Kind.REMOVED: gettext_lazy("You were sent away"),
    Kind.JOINED: gettext_lazy("{about} joined"),
    Kind.LEFT: gettext_lazy("{about} left"),
    Kind.HOST: gettext_lazy("You are the host now"),
    Kind.CLOSING: gettext_lazy("Your game waits to be started"),
    Kind.CLOSED: gettext_lazy("The game was closed"),
}


# Subject and sentence by the name of the moderator's action.
_ACTION_SENTENCES: Final = {
    "pause": (
        gettext_lazy("Paused"),
        gettext_lazy("A moderator paused this game. It will go on, and you lose no time."),
    ),
    "resume": (gettext_lazy("The game goes on"), gettext_lazy("A moderator let this game go on.")),
    "more-time": (gettext_lazy("More time"), gettext_lazy("A moderator gave you more time in this game.")),
    "roll-back": (
        gettext_lazy("Moves were taken back"),
        gettext_lazy(
            "A moderator took moves of this game back. It goes on from an earlier position; the log"
            " shows which."
        ),
    ),
    "replace-by-computer": (
        gettext_lazy("A computer has your seat"),
        gettext_lazy("A moderator put a computer in your seat in this game."),
    ),
    "replace-by-member": (
        gettext_lazy("A seat changes hands"),
        gettext_lazy(
            "A moderator gave a seat in this game to another member. The log says whose, and to whom."
        ),
    ),
    "make-unrated": (
        gettext_lazy("The game does not count"),
        gettext_lazy("A moderator decided that this game does not count."),
    ),
    "unlist": (
        gettext_lazy("Your game is not listed any more"),
        gettext_lazy("A moderator took this game out of the lists. You can play on."),
    ),
    "list": (
        gettext_lazy("Your game is listed"),
        gettext_lazy("A moderator put this game back into the lists."),
    ),
    "delete": (gettext_lazy("The game was deleted"), gettext_lazy("A moderator deleted this game.")),
    "restore": (
        gettext_lazy("The game is there again"),
        gettext_lazy("A moderator restored this game. You lost no time."),
    ),
}


def subject(row: Notification, asked: str = "") -> str:
    """The subject, without the name of the game; `asked` is what the reader must decide, if anything."""
    if row.kind == Kind.DECISION:
        return _("Your turn: {asked}").format(asked=asked)
    if row.kind == Kind.REMINDER:
        return _("Your time is running out: {asked}").format(asked=asked)
    if row.kind == Kind.READY:
        return _("All seats are taken") if not row.its_game.free_seats else _("Your game can start")
    if row.kind == Kind.MODERATED:
        said = _ACTION_SENTENCES.get(row.moderator_action)
        return str(said[0]) if said else _("A moderator was here")
    return str(_SUBJECTS[Kind(row.kind)]).format(about=row.about)


def sentence(row: Notification) -> str:
    """A sentence on what happened and what to do; "" for decisions, which the table words."""
    say = _SENTENCES.get(Kind(row.kind))
    return say(row) if say else ""


def _finished(row: Notification) -> str:
    if row.its_game.ended_by_moderator:
        ended = {
            Game.Ending.STANDINGS: _("A moderator ended the game, with the standings as they were."),
            Game.Ending.NONE: _("A moderator ended the game, without a result."),
        }[Game.Ending(row.its_game.ending)]
        return _with_reason(ended, row)
    return {
        Game.Ending.RULES: _("The game is over."),
        Game.Ending.STANDINGS: _("The game is over: everybody agreed to end it with its standings then."),
        Game.Ending.NONE: _("The game is over: everybody agreed to end it without a result."),
        Game.Ending.CONCEDED: _("The game is over by concession."),
    }[Game.Ending(row.its_game.ending)]


def _closed(row: Notification) -> str:
    if row.its_game.ended_by_moderator:
        return _with_reason(_("A moderator closed this game before it began."), row)
    return _("Nobody started this game for two weeks, so it was closed.")


def _moderated(row: Notification) -> str:
    said = _ACTION_SENTENCES.get(row.moderator_action)
    return _with_reason(str(said[1]) if said else _("A moderator has changed something."), row)


def _with_reason(sentence: str, row: Notification) -> str:
    """Append the moderator's reason to the sentence."""
    if not row.about:
        return sentence
    return _("{what} The reason: {reason}").format(what=sentence, reason=row.about)


def _joined(row: Notification) -> str:
    game = row.its_game
    return ngettext(
        "{who} sat down at your table. {taken} of {n} seat is taken.",
        "{who} sat down at your table. {taken} of {n} seats are taken.",
        game.max_players,
    ).format(who=row.about, taken=game.seats_taken, n=game.max_players)


def _late(row: Notification) -> str:
    if row.its_game.seats.filter(user=row.user_id, replaced_at__isnull=False).exists():
        return _("Your time was over, so a computer plays for you. Come back, and the seat is yours again.")
    return _(
        "Your time was over. You have the time for one decision more, once in this game:"
        " decide before that is over, too."
    )


def _vote(row: Notification) -> str:
    late = row.its_game.seats.select_related("user").filter(replacement_vote_open=True).first()
    return _(
        "{name} is late. Say at the table whether a computer decides this once for {name}, or takes the seat."
    ).format(name=late.name if late else "")


def _report(row: Notification) -> str:
    report = row.report
    assert report is not None
    what = _("You reported {what}.").format(what=report_subject(report))
    return " ".join(filter(None, [what, outcome_message(report.outcome), report.answer]))


def _ready(row: Notification) -> str:
    if not row.its_game.free_seats:
        return _("All seats are taken. Start the game when you like.")
    return _("Enough people sit at your table. Start the game when you like, or wait for more.")


def _closing(row: Notification) -> str:
    closes = date_format(_closes(row.its_game), "j F")
    return _(
        "Nobody has started this game for a week. It will be closed on {day} unless you start it."
    ).format(day=closes)


def _closes(game: Game) -> datetime:
    return game.opened + CLOSE_AFTER


_SENTENCES: Final[dict[Kind, Callable[[Notification], str]]] = {
    Kind.REMINDER: lambda row: _("Four fifths of your time for this decision are over."),
    Kind.LATE: _late,
    Kind.VOTE: _vote,
    Kind.STARTED: lambda row: _("The game has started."),
    Kind.ENDING: lambda row: _(
        "{who} proposes to end this game. It ends once everybody agrees, so say at the table what you think."
    ).format(who=row.about),
    Kind.FINISHED: _finished,
    Kind.REPORT: _report,
    Kind.MENTION: lambda row: _("{who} says at the table: “{line}”").format(
        who=row.about, line=row.line.text if row.line else ""
    ),
    Kind.INVITATION: lambda row: _(
        "{who} invites you to this game. Have a look at it, then sit down or decline."
    ).format(who=row.about),
    Kind.REMOVED: lambda row: _("The host has sent you away from this game: {reason}").format(
        reason=row.about
    ),
    Kind.READY: _ready,
    Kind.JOINED: _joined,
    Kind.LEFT: lambda row: _("{who} left your table.").format(who=row.about),
    Kind.HOST: lambda row: _("{who} left, and you are the host of this game now.").format(who=row.about),
    Kind.CLOSING: _closing,
    Kind.CLOSED: _closed,
    Kind.MODERATED: _moderated,
}
