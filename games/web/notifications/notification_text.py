"""Subjects and sentences of notifications."""

from collections.abc import Callable
from datetime import datetime
from typing import Final

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext

from games.lobby.stale_games import CLOSE_AFTER
from games.log.end_proposals import ended_unrated_by
from games.log.pace_proposals import proposed_pace
from games.models import Game, Kind, Notification, Seat
from games.moderation.report_actions import outcome_message
from games.players.chat_access import TEAMS
from games.ratings.rated_places import counts_for
from games.web.text import rating_text
from games.web.text.absence_text import after_extension
from games.web.text.game_titles import report_subject
from games.web.text.pace_text import pace_name

_SUBJECTS: Final = {
    Kind.LATE: gettext_lazy("You ran out of time"),
    Kind.SEAT: gettext_lazy("{about} took over your seat"),
    Kind.VOTE: gettext_lazy("A vote has started in your game"),
    Kind.ENDING: gettext_lazy("{about} proposes to end the game"),
    Kind.CONCESSION: gettext_lazy("{about} wants your team to concede"),
    Kind.STARTED: gettext_lazy("The game has started"),
    Kind.FINISHED: gettext_lazy("The game is over"),
    Kind.REPORT: gettext_lazy("Your report has been reviewed"),
    Kind.MENTION: gettext_lazy("{about} mentioned you"),
    Kind.INVITATION: gettext_lazy("{about} invited you to a game"),
    Kind.REMOVED: gettext_lazy("The host removed you"),
    Kind.CHECK: gettext_lazy("Are you ready?"),
    Kind.JOINED: gettext_lazy("{about} joined"),
    Kind.LEFT: gettext_lazy("{about} left"),
    Kind.HOST: gettext_lazy("You are now the host"),
    Kind.CLOSING: gettext_lazy("Your game is about to close"),
    Kind.CLOSED: gettext_lazy("The game was closed"),
}


# Subject and sentence by the name of the moderator's action.
_ACTION_SENTENCES: Final = {
    "pause": (
        gettext_lazy("The game is paused"),
        gettext_lazy("A moderator paused this game. You lose no time."),
    ),
    "resume": (gettext_lazy("The game has resumed"), gettext_lazy("A moderator resumed this game.")),
    "more-time": (
        gettext_lazy("You got more time"),
        gettext_lazy("A moderator gave you more time in this game."),
    ),
    "roll-back": (
        gettext_lazy("A moderator took back moves"),
        gettext_lazy(
            "A moderator took back moves in this game. It continues from an earlier position. The "
            "log shows which one."
        ),
    ),
    "redeal": (
        gettext_lazy("The game continues with new tiles"),
        gettext_lazy(
            "A moderator took this game back to an earlier position. The hidden tiles were dealt again,"
            " because everyone had seen them. The log shows which position."
        ),
    ),
    "reopen": (
        gettext_lazy("The game continues"),
        gettext_lazy("A moderator took this game back to an earlier position. The log shows which one."),
    ),
    "replace-by-computer": (
        gettext_lazy("A computer player took over your seat"),
        gettext_lazy("A moderator gave your seat in this game to a computer player."),
    ),
    "replace-by-member": (
        gettext_lazy("A seat changed hands"),
        gettext_lazy(
            "A moderator gave a seat in this game to another member. The log shows which seat and "
            "who has it now."
        ),
    ),
    "make-unrated": (
        gettext_lazy("The game is now unrated"),
        gettext_lazy("A moderator made this game unrated."),
    ),
    "unlist": (
        gettext_lazy("Your game is no longer listed"),
        gettext_lazy("A moderator removed this game from the lists. You can play on."),
    ),
    "list": (
        gettext_lazy("Your game is listed again"),
        gettext_lazy("A moderator listed this game again."),
    ),
    "delete": (gettext_lazy("The game was deleted"), gettext_lazy("A moderator deleted this game.")),
    "restore": (
        gettext_lazy("The game is back"),
        gettext_lazy("A moderator restored this game. You lost no time."),
    ),
}


def subject(row: Notification, asked: str = "") -> str:
    """The subject, without the name of the game; `asked` is what the reader must decide, if anything."""
    if row.kind == Kind.DECISION:
        return _("Your turn: {asked}").format(asked=asked)
    if row.kind == Kind.REMINDER:
        return _("Reminder: {asked}").format(asked=asked)
    if row.kind == Kind.LATE and row.about:
        return _("Your game goes on by mail")
    if row.kind == Kind.LATE and asked:
        return _("Extension: {asked}").format(asked=asked)
    if row.kind == Kind.ENDING and proposed_pace(row.its_game, row.version):
        return _("{about} proposes another pace").format(about=row.about)
    if row.kind == Kind.READY:
        return _("All seats are taken") if not row.its_game.free_seats else _("Your game is ready to start")
    if row.kind == Kind.REMOVED and not row.about:
        return _("You lost your seat")
    if row.kind == Kind.MODERATED:
        said = _ACTION_SENTENCES.get(row.moderator_action)
        return str(said[0]) if said else _("A moderator changed your game")
    return str(_SUBJECTS[Kind(row.kind)]).format(about=row.about)


def sentence(row: Notification) -> str:
    """A sentence on what happened and what to do; "" for decisions, which the table words."""
    say = _SENTENCES.get(Kind(row.kind))
    return say(row) if say else ""


def _finished(row: Notification) -> str:
    if row.its_game.ended_by_moderator:
        ended = {
            Game.Ending.STANDINGS: _("A moderator ended the game with the current standings."),
            Game.Ending.NONE: _("A moderator ended the game without a result."),
        }[Game.Ending(row.its_game.ending)]
        return _with_reason(_with_rating(ended, row), row)
    if row.its_game.ending == Game.Ending.UNRATED:
        return _ended_unrated(row)
    return _with_rating(_ended(row.its_game), row)


def _with_rating(ended: str, row: Notification) -> str:
    """Sentences on how the game ended, and on what that changes in the reader's rating."""
    assert row.user_id is not None
    if row.its_game.ending == Game.Ending.NONE:
        return " ".join([ended, _("No ratings changed.")]) if row.its_game.rated else ended
    return " ".join(filter(None, [ended, rating_text.change_for(row.its_game, row.user_id)]))


def _ended(game: Game) -> str:
    return {
        Game.Ending.RULES: _("The game is over."),
        Game.Ending.STANDINGS: _(
            "The game is over. Everyone agreed to end it with the standings at that time."
        ),
        Game.Ending.NONE: _("The game is over. Everyone agreed to end it without a result."),
        Game.Ending.CONCEDED: _("The game is over because a team conceded.")
        if game.teams
        else _("The game is over because a player conceded."),
    }[Game.Ending(game.ending)]


def _ended_unrated(row: Notification) -> str:
    alone = ended_unrated_by(list(row.its_game.seats.select_related("user")))
    if alone is None:
        return _("The game is over. The standings at that time count as the result. No ratings changed.")
    told = _("The game is over. {who} ended it early, with the standings at that time. No ratings changed.")
    is_reader = alone.user_id == row.user_id
    return told.format(who=pgettext("beginning of a sentence", "You") if is_reader else alone.name)


def _closed(row: Notification) -> str:
    if row.its_game.ended_by_moderator:
        return _with_reason(_("A moderator closed this game before it began."), row)
    return _("The game was closed because nobody started it within 2 weeks.")


def _moderated(row: Notification) -> str:
    said = _ACTION_SENTENCES.get(row.moderator_action)
    sentence = _with_reason(str(said[1]) if said else _("A moderator changed this game."), row)
    if row.moderator_action not in ("replace-by-computer", "replace-by-member"):
        return sentence
    return " ".join([sentence, *_what_became_of_seat(row)])


def _what_became_of_seat(row: Notification) -> list[str]:
    """Sentences on whether the reader can come back, and what the game counts for."""
    seat = row.its_game.seats.filter(user=row.user_id).first()
    if seat is not None and seat.can_be_reclaimed:
        return _until_somebody_else(seat)
    lost = [] if seat is not None else [_("You have lost your seat for good.")]
    return [*lost, *_what_handover_counts_for(row)]


def _until_somebody_else(seat: Seat) -> list[str]:
    """Sentences on how long a player for whom a computer plays can come back, and what it counts for."""
    told = [_("Open the game to take your seat back.")]
    by_invitation = seat.game.visibility == Game.Visibility.INVITED
    if seat.reserved_until is not None and not seat.can_be_taken_over:
        until = date_format(timezone.localtime(seat.reserved_until), "D j F, H:i")
        kept = _("We keep it for you until {time} ({zone}).")
        told.append(kept.format(time=until, zone=timezone.get_current_timezone_name()))
        told.append(
            _("After that another invited member can take it over for good.")
            if by_invitation
            else _("After that another member can take it over for good.")
        )
    elif by_invitation:
        told.append(_("Until you come back, another invited member can take over your seat for good."))
    else:
        told.append(_("Until you come back, another member can take over your seat for good."))
    if seat.game.rated and not seat.game.teams:
        told.append(_("This game is rated. If you are not back by the end, it counts as conceded."))
    return told


def _what_handover_counts_for(row: Notification) -> list[str]:
    """Sentences on the rating of a reader who has lost a seat for good, or got one from somebody else."""
    game = row.its_game
    assert row.user_id is not None
    if not game.rated:
        return []
    if counts_for(game, row.user_id):
        if game.teams:
            return [_("For your rating, you get the place of your team.")]
        return [_("For your rating, this game counts as conceded.")]
    return [_("This game does not change your rating.")]


def _seat_lost(row: Notification) -> str:
    lost = _("{who} has taken over your seat, so you cannot come back to this game.").format(who=row.about)
    return " ".join([lost, *_what_handover_counts_for(row)])


def _with_reason(sentence: str, row: Notification) -> str:
    """Append the moderator's reason to the sentence."""
    if not row.about:
        return sentence
    return _("{what} Reason: {reason}").format(what=sentence, reason=row.about)


def _joined(row: Notification) -> str:
    game = row.its_game
    return ngettext(
        "{who} joined your game. {taken} of {n} seat is taken.",
        "{who} joined your game. {taken} of {n} seats are taken.",
        game.max_players,
    ).format(who=row.about, taken=game.seats_taken, n=game.max_players)


def _late(row: Notification) -> str:
    seat = row.its_game.seats.filter(user=row.user_id, replaced_at__isnull=False).first()
    if seat is not None and row.about:
        agreed = _("The players agreed to play on {pace}. A computer player has your seat.")
        return " ".join([agreed.format(pace=pace_name(row.about)), *_until_somebody_else(seat)])
    if seat is not None:
        over = _("You ran out of time, so a computer player has taken over your seat.")
        return " ".join([over, *_until_somebody_else(seat)])
    told = _(
        "You ran out of time and got an extension. It is your only one in this game, so move before "
        "it runs out."
    )
    seats = list(row.its_game.seats.select_related("user"))
    late = next((seat for seat in seats if seat.user_id == row.user_id), None)
    return told if late is None else f"{told} {after_extension(row.its_game, seats, late)}"


def _vote(row: Notification) -> str:
    late = row.its_game.seats.select_related("user").filter(replacement_vote_open=True).first()
    return _(
        "{name} ran out of time. Open the game to vote: should a computer player make only this move "
        "for {name}, or take over the seat?"
    ).format(name=late.name if late else "")


def _proposed(row: Notification) -> str:
    if pace := proposed_pace(row.its_game, row.version):
        told = _("{who} proposes to play on {pace}. The pace changes only if everyone agrees.")
        return " ".join([told.format(who=row.about, pace=pace_name(pace)), _("Open the game to respond.")])
    return _(
        "{who} proposes to end this game. It ends only if everyone agrees. Open the game to respond."
    ).format(who=row.about)


def _report(row: Notification) -> str:
    report = row.report
    assert report is not None
    what = _("You reported {what}.").format(what=report_subject(report))
    return " ".join(filter(None, [what, outcome_message(report.outcome), report.answer]))


def _ready(row: Notification) -> str:
    if not row.its_game.free_seats:
        return _("All seats are taken. You can start the game.")
    return _("Your game has enough players. Start it now, or wait for more.")


def _removed(row: Notification) -> str:
    if not row.about:
        return _("You did not say in time that you were ready, so you lost your seat.")
    return _("The host removed you from this game: “{reason}”").format(reason=row.about)


def _closing(row: Notification) -> str:
    closes = date_format(timezone.localtime(_closes(row.its_game)), "j F")
    return _("Your game has been waiting for a week. It will close on {day} unless you start it.").format(
        day=closes
    )


def _closes(game: Game) -> datetime:
    return game.opened + CLOSE_AFTER


def _mention(row: Notification) -> str:
    """The message; one to a team is not quoted, because others may read where a webhook leads."""
    if row.line is not None and row.line.channel in TEAMS:
        return _("{who} mentioned you in your team’s chat.").format(who=row.about)
    return _("{who} wrote in the chat: “{line}”").format(
        who=row.about, line=row.line.text if row.line else ""
    )


_SENTENCES: Final[dict[Kind, Callable[[Notification], str]]] = {
    Kind.REMINDER: lambda row: _("You have used 80% of your time for this move."),
    Kind.LATE: _late,
    Kind.SEAT: _seat_lost,
    Kind.VOTE: _vote,
    Kind.STARTED: lambda row: _("The game has started."),
    Kind.ENDING: _proposed,
    Kind.CONCESSION: lambda row: _(
        "{who} wants your team to concede. It concedes only if all of you want to. Open the game to respond."
    ).format(who=row.about),
    Kind.FINISHED: _finished,
    Kind.REPORT: _report,
    Kind.MENTION: _mention,
    Kind.INVITATION: lambda row: _("{who} invited you to this game. Join it or decline.").format(
        who=row.about
    ),
    Kind.REMOVED: _removed,
    Kind.READY: _ready,
    Kind.CHECK: lambda row: _(
        "The game starts when everyone is ready. Say so in time, or you lose your seat."
    ),
    Kind.JOINED: _joined,
    Kind.LEFT: lambda row: _("{who} left your game.").format(who=row.about),
    Kind.HOST: lambda row: _("{who} left, so you are now the host of this game.").format(who=row.about),
    Kind.CLOSING: _closing,
    Kind.CLOSED: _closed,
    Kind.MODERATED: _moderated,
}
