"""Why something was not done, in a sentence, and with which status the answer says so."""

import math
from datetime import timedelta
from typing import Any

from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import Switch
from accounts.services import switches
from accounts.services.telling import until
from games import services
from games.services import Refused
from games.services.limits import MOST_INVITATIONS, MOST_UNFINISHED

from . import imports

FORBIDDEN, NOT_FOUND, CONFLICT, GONE, WRONG, TOO_MANY, AWAY = 403, 404, 409, 410, 422, 429, 503

_STATUSES: dict[type[Refused], int] = {
    services.AccountClosed: FORBIDDEN,
    services.Counts: FORBIDDEN,
    services.Deleted: GONE,
    services.GamesClosed: AWAY,
    services.GuestsPlayComputers: FORBIDDEN,
    services.Kicked: FORBIDDEN,
    services.KeptApart: FORBIDDEN,
    services.LeftTooOften: FORBIDDEN,
    services.MayNotTalk: FORBIDDEN,
    services.MembersOnly: FORBIDDEN,
    services.Muted: FORBIDDEN,
    services.MeetsOwn: FORBIDDEN,
    services.NoAdviser: AWAY,
    services.NoLink: FORBIDDEN,
    services.NoOrders: FORBIDDEN,
    services.NoPrograms: FORBIDDEN,
    services.NotAlone: FORBIDDEN,
    services.NotHost: FORBIDDEN,
    services.NotInvited: FORBIDDEN,
    services.NotReliable: FORBIDDEN,
    services.NotSeated: FORBIDDEN,
    services.NotYourSeat: FORBIDDEN,
    services.NotToBeAsked: FORBIDDEN,
    services.TalkLocked: FORBIDDEN,
    services.NothingSaid: WRONG,
    services.NotImported: WRONG,
    services.ShutOut: FORBIDDEN,
    services.Warned: FORBIDDEN,
    services.Overseer: FORBIDDEN,
    services.NoSuchTurn: WRONG,
    services.NoSuchPosition: NOT_FOUND,
    services.TooLong: WRONG,
    services.TooFast: TOO_MANY,
    services.TooManyBlocks: TOO_MANY,
    services.TooManyGames: TOO_MANY,
    services.TooManyImported: TOO_MANY,
    services.TooManyInvitations: TOO_MANY,
    services.TooManyReports: TOO_MANY,
}


def status(error: Refused) -> int:
    """The status of the answer that tells this refusal."""
    return _STATUSES.get(type(error), CONFLICT)


def seconds(error: Refused) -> int:
    """After how many seconds the same will not be refused any more; 0 where time alone does not help."""
    wait: timedelta | None = getattr(error, "wait", None)
    return 0 if wait is None else max(1, math.ceil(wait.total_seconds()))


def told(error: Refused) -> dict[str, Any]:
    """The `problem` in a sentence, the `status` of the answer, and the seconds to `wait`, 0 if unknown."""
    return {"problem": sentence(error), "status": status(error), "wait": seconds(error)}


def say_when(answer: HttpResponse, wait: int) -> HttpResponse:
    """The answer, which tells after how many seconds to come back, if that is known."""
    if wait:
        answer["Retry-After"] = str(wait)
    return answer


def sentence(error: Refused) -> str:
    """What the reader is told of this refusal."""
    if isinstance(error, services.GamesClosed):
        return switches.told(Switch.Kind.GAMES)
    if isinstance(error, services.NotReliable):
        return _(
            "The host asks for players who decide in time at least {least} % of the times. You can join when"
            " you are invited."
        ).format(least=error.least)
    if isinstance(error, services.NoVacationLeft):
        return ngettext(
            "You have {n} day of vacation left in {year}.",
            "You have {n} days of vacation left in {year}.",
            error.left,
        ).format(n=error.left, year=error.year)
    if isinstance(error, services.Kicked):
        return _("The host has sent you away from this game: “{reason}”").format(reason=error.reason)
    if isinstance(error, services.Muted):
        return _("{until} you may not talk. Your menu leads to the reason: “Your standing”.").format(
            until=until(error.until)
        )
    if isinstance(error, services.ShutOut):
        return _("{until} you may not play here. Log in again to read why.").format(until=until(error.until))
    if isinstance(error, services.TooFast):
        return ngettext(
            "You move very fast. This one was not made: send it again in {n} second.",
            "You move very fast. This one was not made: send it again in {n} seconds.",
            seconds(error),
        ).format(n=seconds(error))
    if isinstance(error, services.TooLong):
        return _("That is too long: there is room for {n} letters. Shorten it and send it again.").format(
            n=error.most
        )
    if isinstance(error, services.TooManyBlocks):
        return _("You have blocked {n} people, as many as one may. Take a block back first.").format(
            n=error.most
        )
    if isinstance(error, services.TooManyReports):
        return _("You have reported {n} things today, as many as one may. Go on tomorrow.").format(
            n=error.most
        )
    if isinstance(error, services.NoSuchPosition):
        return ngettext(
            "There is no such position: the log of this game has {n} entry.",
            "There is no such position: the log of this game has {n} entries.",
            error.last,
        ).format(n=error.last)
    if isinstance(error, services.TooManyImported):
        return _("You keep {n} imported games, as many as one may. Delete one of them first.").format(
            n=error.most
        )
    if isinstance(error, services.NotImported):
        return imports.sentence(error)
    if isinstance(error, services.NoSuchTurn):
        return ngettext(
            "This game had {n} turn. Begin with that.",
            "This game had {n} turns. Choose one of them.",
            error.most,
        ).format(n=error.most)
    return {
        services.AccountClosed: _("Your account is closed."),
        services.Counts: _("This game is rated, so you decide alone."),
        services.Covered: _(
            "The hands are covered. Whoever decides now takes the device and opens the own hand first."
        ),
        services.AwayAlready: _("You are away on one of these days already."),
        services.Declined: _("They have declined before and are not asked again."),
        services.Deleted: _("A moderator has deleted this game."),
        services.ExploredFurther: _(
            "You went on with this, or back, on another page. This is how it stands now."
        ),
        services.Full: _("All seats are taken."),
        services.Gone: _("They have left already."),
        services.GuestsPlayComputers: _(
            "Guests play against computers only. Register, and a seat here can be yours; it takes a minute."
        ),
        services.Held: _("A moderator has paused this game. You lose no time by it; look again later."),
        services.HiddenFromExplorers: _(
            "What the others have is hidden in this game. It can be explored when it is over."
        ),
        services.KeptApart: _("You cannot take a seat at this table. There are others in the lobby."),
        services.LeftTooOften: _(
            "You have left this game again and again. You can join once more when its host invites you."
        ),
        services.MayNotTalk: _("You cannot talk here: members do, and before the start those who sit here."),
        services.MembersOnly: _("This is for members. Register, and you can do it, too; it takes a minute."),
        services.NoAdviser: _("Nobody can be asked just now. Decide alone, or ask again in a minute."),
        services.NoLink: _("This game is not listed: you can join by the invite link, which its host has."),
        services.NoOrders: _("By the rules of this game nobody is asked about shares in a merger."),
        services.NoPrograms: _("The host of this game lets no programs in, but for those who are invited."),
        services.MeetsOwn: _(
            "This game is rated. Nobody meets an own program there, and no two programs of one owner meet."
        ),
        services.NotAVacation: _(
            "Choose days from today on, the last one not before the first, within a year."
        ),
        services.NotAlone: _("Other people sit at this table, so you decide alone."),
        services.NotAway: _("No computer plays for you here: the seat is yours already."),
        services.NotExploring: _("You are not exploring this game any more."),
        services.NotHost: _("Only the host of the game can do this."),
        services.NotInvited: _("This game is by invitation, and you have none."),
        services.NotOpen: _("This game waits for players no more: it has begun or was closed."),
        services.NotOver: _("The game goes on; it can be played again when it is over."),
        services.NotRunning: _("This game is not being played: it has not begun, or it is over."),
        services.NotTakenBack: _(
            "This stands now: something was revealed, or somebody else has acted since."
        ),
        services.NotToBeAsked: _("You cannot invite them."),
        services.NotTheVote: _("This is not proposed any more. Look at what the table says now."),
        services.AskedLately: _(
            "You have proposed to end the game not long ago. You can do so again a day after that."
        ),
        services.TimeIsOver: _("The time for that decision is over, so what you did stands."),
        services.NotSeated: _("You have no seat at this table."),
        services.NothingSaid: _("There is nothing to send yet. Write something first."),
        services.NotYourSeat: _("This seat is not yours any more, so you can only watch."),
        services.OnlyMove: _("There is only one thing you can do here."),
        services.OtherDecision: _("It is not for you to decide now."),
        services.Overseer: _("You have acted on this game as a moderator, so you do not play in it."),
        services.Paused: _("This game is paused. It goes on by itself, and nobody loses time by it."),
        services.SeatNotFree: _("This seat is not free any more."),
        services.StandIn: _("A computer plays for you. Take your seat back first, then decide."),
        services.TalkLocked: _("A moderator has locked the talk at this table. You can still read it."),
        services.SeatedAlready: _("They sit at the table already."),
        services.Stale: _("The game has moved on. This is how it stands now."),
        services.Warned: _(
            "Those who look after the site have warned you. Choose “Your standing” in your menu, and read the"
            " warning before you play on."
        ),
        services.TooFew: _("Too few seats are taken to start."),
        services.TooManyGames: _(
            "You have {n} unfinished games, as many as one may have. Play one of them to its end first."
        ).format(n=MOST_UNFINISHED),
        services.YoursToTry: _("It is your own seat that is asked here: try something yourself."),
        services.TooManyInvitations: _(
            "You have sent {n} invitations today, as many as one may send. Go on tomorrow."
        ).format(n=MOST_INVITATIONS),
    }[type(error)]
