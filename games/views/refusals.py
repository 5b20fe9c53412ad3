"""Why something was not done, in a sentence, and with which status the answer says so."""

from django.utils.translation import gettext as _

from games import services
from games.services import Refused
from games.services.limits import MOST_INVITATIONS, MOST_UNFINISHED

FORBIDDEN, CONFLICT, TOO_MANY, AWAY = 403, 409, 429, 503

_STATUSES: dict[type[Refused], int] = {
    services.AccountClosed: FORBIDDEN,
    services.Counts: FORBIDDEN,
    services.GuestsPlayComputers: FORBIDDEN,
    services.Kicked: FORBIDDEN,
    services.LeftTooOften: FORBIDDEN,
    services.NoAdviser: AWAY,
    services.NoLink: FORBIDDEN,
    services.NotAlone: FORBIDDEN,
    services.NotHost: FORBIDDEN,
    services.NotInvited: FORBIDDEN,
    services.NotSeated: FORBIDDEN,
    services.NotYourSeat: FORBIDDEN,
    services.TooManyGames: TOO_MANY,
    services.TooManyInvitations: TOO_MANY,
}


def status(error: Refused) -> int:
    """The status of the answer that tells this refusal."""
    return _STATUSES.get(type(error), CONFLICT)


def sentence(error: Refused) -> str:
    """What the reader is told of this refusal."""
    if isinstance(error, services.Kicked):
        return _("The host has sent you away from this game: “{reason}”").format(reason=error.reason)
    return {
        services.AccountClosed: _("Your account is closed."),
        services.Counts: _("This game is rated, so you decide alone."),
        services.Declined: _("They have declined before and are not asked again."),
        services.Full: _("All seats are taken."),
        services.Gone: _("They have left already."),
        services.GuestsPlayComputers: _(
            "Guests play against computers only. Register, and a seat here can be yours; it takes a minute."
        ),
        services.LeftTooOften: _(
            "You have left this game again and again. You can join once more when its host invites you."
        ),
        services.NoAdviser: _("Nobody can be asked just now. Decide alone, or ask again in a minute."),
        services.NoLink: _("This game is not listed: you can join by the invite link, which its host has."),
        services.NotAlone: _("Other people sit at this table, so you decide alone."),
        services.NotHost: _("Only the host of the game can do this."),
        services.NotInvited: _("This game is by invitation, and you have none."),
        services.NotOpen: _("This game waits for players no more: it has begun or was closed."),
        services.NotOver: _("The game goes on; it can be played again when it is over."),
        services.NotSeated: _("You have no seat at this table."),
        services.NotYourSeat: _("This seat is not yours any more, so you can only watch."),
        services.OnlyMove: _("There is only one thing you can do here."),
        services.OtherDecision: _("It is not for you to decide now."),
        services.SeatedAlready: _("They sit at the table already."),
        services.Stale: _("The game has moved on. This is how it stands now."),
        services.TooFew: _("Too few seats are taken to start."),
        services.TooManyGames: _(
            "You have {n} unfinished games, as many as one may have. Play one of them to its end first."
        ).format(n=MOST_UNFINISHED),
        services.TooManyInvitations: _(
            "You have sent {n} invitations today, as many as one may send. Go on tomorrow."
        ).format(n=MOST_INVITATIONS),
    }[type(error)]
