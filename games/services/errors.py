"""Why the door stays shut. What the rules forbid is told by `games.rules.errors`."""

from datetime import datetime, timedelta

from games.models import Note


class Refused(Exception):
    """The common ancestor of all refusals of the record."""


# -- Sanctions -----------------------------------------------------------------------------------------


class ShutOut(Refused):
    """The user may not play here, until `until`; accounts.models.sanction tells what is for ever."""

    def __init__(self, until: datetime) -> None:
        super().__init__(until)
        self.until = until


class Muted(Refused):
    """The user may not talk, until `until`."""

    def __init__(self, until: datetime) -> None:
        super().__init__(until)
        self.until = until


class Warned(Refused):
    """The user has to read a warning first."""


# -- A game that runs ----------------------------------------------------------------------------------


class TooFast(Refused):
    """The user has made as many moves within a minute as one may; the next one is taken after `wait`."""

    def __init__(self, wait: timedelta) -> None:
        super().__init__(wait)
        self.wait = wait


class Stale(Refused):
    """The place in the log is taken by another entry, or not reached yet: the sender saw another position."""


class Covered(Refused):
    """At a practice table the hand of whoever is asked is not open on this device."""


class Paused(Refused):
    """Nothing may happen in the game for now: its system may not be played here, or might not just now."""


class Held(Paused):
    """A moderator has paused the game, and it goes on when a moderator says so."""


class Deleted(Refused):
    """A moderator has deleted the game: for its players it is not there any more."""


class NotYourSeat(Refused):
    """The sender does not sit where the move comes from."""


class OtherDecision(Refused):
    """Another seat is asked, or nobody is: the game is over or has not begun."""


class StandIn(Refused):
    """A computer plays for the sender, who has not come back yet."""


class NotAway(Refused):
    """No computer plays for the user here, so there is nothing to come back to."""


class SeatNotFree(Refused):
    """Nobody else may take over the seat: its player is there, or it is a computer's own."""


class Overseer(Refused):
    """The user has acted on the game as one of the staff."""


class NotOverdue(Refused):
    """The person who is asked still has time."""


class NotTakenBack(Refused):
    """The step stands: something was revealed, somebody else has acted, or the host wanted it so."""


class TimeIsOver(Refused):
    """The time for the decision that would be asked again is over."""


class NotRunning(Refused):
    """The game has not begun, or it is over."""


class NoOrders(Refused):
    """By the rules of this game there is nothing that an order could answer."""


class NotTheVote(Refused):
    """That is not proposed any more, or something else is."""


class AskedLately(Refused):
    """The user has proposed to end the game not long ago, and did not get agreement."""


# -- Advice of a computer opponent -----------------------------------------------------------------------


class Counts(Refused):
    """The game is rated: everybody decides alone."""


class NotAlone(Refused):
    """Other people sit at the table."""


class OnlyMove(Refused):
    """There is nothing to choose: one move is legal."""


class NoAdviser(Refused):
    """No computer opponent can be asked: the site has none that advises, or no worker can be told."""


# -- Exploring -----------------------------------------------------------------------------------------


class HiddenFromExplorers(Refused):
    """What the others have is hidden while the game runs, so no position that fits can be made up."""


class NotExploring(Refused):
    """The user explores nothing beside this game, or has left it."""


class ExploredFurther(Refused):
    """What was tried went on, or back, on another page."""


class NoSuchTurn(Refused):
    """The game had only `most` turns."""

    def __init__(self, most: int) -> None:
        super().__init__(most)
        self.most = most


class NoSuchPosition(Refused):
    """The log of the game has only `last` entries."""

    def __init__(self, last: int) -> None:
        super().__init__(last)
        self.last = last


class YoursToTry(Refused):
    """The explorer's own seat is asked: there a computer does not answer."""


# -- Talk and notes ------------------------------------------------------------------------------------


class MayNotTalk(Refused):
    """The user neither reads nor writes here: a guest, or somebody without a seat before the start."""


class MembersOnly(Refused):
    """Guests cannot do this."""


class TooManyBlocks(Refused):
    """The user keeps away from as many people as one may, which is `most`."""

    def __init__(self, most: int) -> None:
        super().__init__(most)
        self.most = most


class TalkLocked(Refused):
    """A moderator has locked the talk at this table: what was said can be read, and nothing added."""


class TooManyReports(Refused):
    """The user has reported `most` things today, which is as many as one may."""

    def __init__(self, most: int) -> None:
        super().__init__(most)
        self.most = most


class NothingSaid(Refused):
    """There are no words."""


class TooLong(Refused):
    """There are more letters than `most`."""

    def __init__(self, most: int) -> None:
        super().__init__(most)
        self.most = most


class NoteChanged(Refused):
    """Another page of the user has changed the notes; `note` is what is kept."""

    def __init__(self, note: Note) -> None:
        super().__init__(note)
        self.note = note


# -- A game that waits for players ---------------------------------------------------------------------


class AccountClosed(Refused):
    """The user's account has ended, or is about to."""


class GamesClosed(Refused):
    """Those who run the site let nobody open a new game for now."""


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


class NotReliable(Refused):
    """Too many of the user's decisions came late for what the host asks for, `least` per cent in time."""

    def __init__(self, least: int) -> None:
        super().__init__(least)
        self.least = least


class Kicked(Refused):
    """The host sent the user away; `reason` says why."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class KeptApart(Refused):
    """A block stands between the user and somebody at the table. Which one, and whose, nobody is told."""


class NoPrograms(Refused):
    """The host lets no programs in, but for those who are invited."""


class MeetsOwn(Refused):
    """In a rated game nobody meets an own program, nor a program its owner or another one of that owner."""


class NotToBeAsked(Refused):
    """Who is invited may not play, or a block stands between the two. Which, and whose, nobody is told."""


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


class NotAVacation(Refused):
    """The days are over, go backwards, or lie too far ahead."""


class AwayAlready(Refused):
    """The user is away on one of these days in any case."""


class NoVacationLeft(Refused):
    """The user has only so many days `left` of the allowance of a `year`."""

    def __init__(self, year: int, left: int) -> None:
        super().__init__(year, left)
        self.year, self.left = year, left


class TooManyInvitations(Refused):
    """The user has sent as many invitations within a day as one may; the next one is taken after `wait`."""

    def __init__(self, wait: timedelta) -> None:
        super().__init__(wait)
        self.wait = wait


class NotOver(Refused):
    """The game was not played to its end."""
