"""Why the door stays shut. What the rules forbid is told by `games.rules.errors`."""


class Refused(Exception):
    """The common ancestor of all refusals of the record."""


# -- A game that runs ----------------------------------------------------------------------------------


class Stale(Refused):
    """The place in the log is taken by another entry, or not reached yet: the sender saw another position."""


class NotYourSeat(Refused):
    """The sender does not sit where the move comes from."""


class OtherDecision(Refused):
    """Another seat is asked, or nobody is: the game is over or has not begun."""


class NotOverdue(Refused):
    """The person who is asked still has time."""


# -- Advice of a computer opponent -----------------------------------------------------------------------


class Counts(Refused):
    """The game is rated: everybody decides alone."""


class NotAlone(Refused):
    """Other people sit at the table."""


class OnlyMove(Refused):
    """There is nothing to choose: one move is legal."""


class NoAdviser(Refused):
    """No computer opponent can be asked: the site has none that advises, or no worker can be told."""


# -- A game that waits for players ---------------------------------------------------------------------


class AccountClosed(Refused):
    """The user's account has ended, or is about to."""


class TooManyGames(Refused):
    """The user has as many unfinished games as one person may have."""


class NotOpen(Refused):
    """The game has begun, or was closed."""


class GuestsPlayComputers(Refused):
    """A guest sits down with computer opponents only."""


class Full(Refused):
    """All seats are taken."""


class NotInvited(Refused):
    """The game is by invitation, and the user has none."""


class NoLink(Refused):
    """The game is not listed, and the user did not come by its invite link."""


class Kicked(Refused):
    """The host sent the user away; `reason` says why."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class LeftTooOften(Refused):
    """The user has sat down and stood up again and again."""


class NotHost(Refused):
    """Only the host may do this."""


class NotSeated(Refused):
    """The user has no seat at this table."""


class Gone(Refused):
    """Who is to be sent away does not sit there, or is the host."""


class TooFew(Refused):
    """Fewer seats are taken than the host may start with."""


class SeatedAlready(Refused):
    """Who is invited sits at the table already."""


class Declined(Refused):
    """Who is invited has said no before."""


class TooManyInvitations(Refused):
    """The user has sent as many invitations today as one person may send."""


class NotOver(Refused):
    """The game was not played to its end."""
