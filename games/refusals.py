"""Refusals of actions on games. What the rules forbid is an `IllegalMove` of the engine."""

from datetime import datetime, timedelta

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from accounts.mail.staff_letters import format_until
from accounts.models import SiteSwitch
from accounts.operator import site_switches
from accounts.refusals import Refusal
from games.models import Note

# -- Sanctions -----------------------------------------------------------------------------------------


class Suspended(Refusal):
    """The member is suspended or banned; a ban ends at `FOREVER` of `accounts.models.sanction`."""

    status = 403

    def __init__(self, until: datetime) -> None:
        super().__init__(until)
        self.until = until

    @property
    def message(self) -> str:
        return _("{until} you may not play here. Log in again to read why.").format(
            until=format_until(self.until)
        )


class Muted(Refusal):
    status = 403

    def __init__(self, until: datetime) -> None:
        super().__init__(until)
        self.until = until

    @property
    def message(self) -> str:
        return _("{until} you may not talk. Your menu leads to the reason: “Your standing”.").format(
            until=format_until(self.until)
        )


class Warned(Refusal):
    """The member has to read a warning first."""

    status = 403
    message = gettext_lazy(
        "Those who look after the site have warned you. Choose “Your standing” in your menu, and read the"
        " warning before you play on."
    )


# -- A running game ------------------------------------------------------------------------------------


class TooManyMoves(Refusal):
    """The user has made as many moves within a minute as allowed."""

    status = 429

    def __init__(self, wait: timedelta) -> None:
        super().__init__(wait)
        self.wait = wait

    @property
    def message(self) -> str:
        return ngettext(
            "You move very fast. This one was not made: send it again in {n} second.",
            "You move very fast. This one was not made: send it again in {n} seconds.",
            self.retry_after,
        ).format(n=self.retry_after)


class StalePosition(Refusal):
    """The move was chosen for another position than the one that is asked about."""

    message = gettext_lazy("The game has moved on. This is how it stands now.")


class HandCovered(Refusal):
    """The hand of the player to move is not open on this device."""

    message = gettext_lazy(
        "The hands are covered. Whoever decides now takes the device and opens the own hand first."
    )


class Paused(Refusal):
    """The rule system of the game cannot be played at the moment."""

    message = gettext_lazy("This game is paused. It goes on by itself, and nobody loses time by it.")


class PausedByModerator(Paused):
    """A moderator has paused the game and has not resumed it."""

    message = gettext_lazy("A moderator has paused this game. You lose no time by it; look again later.")


class Deleted(Refusal):
    status = 410
    message = gettext_lazy("A moderator has deleted this game.")


class NotYourSeat(Refusal):
    status = 403
    message = gettext_lazy("This seat is not yours any more, so you can only watch.")


class NotYourDecision(Refusal):
    """Another seat is asked, or none: the game has not begun or is over."""

    message = gettext_lazy("It is not for you to decide now.")


class BotIsPlaying(Refusal):
    message = gettext_lazy("A computer plays for you. Take your seat back first, then decide.")


class SeatNotReplaced(Refusal):
    message = gettext_lazy("No computer plays for you here: the seat is yours already.")


class SeatNotFree(Refusal):
    """The seat cannot be taken over: its player is present, or it belongs to a bot."""

    message = gettext_lazy("This seat is not free any more.")


class ModeratorMayNotPlay(Refusal):
    status = 403
    message = gettext_lazy("You have acted on this game as a moderator, so you do not play in it.")


class NotOverdue(Refusal):
    message = gettext_lazy("Whoever decides now still has time.")


class TakebackExpired(Refusal):
    """The step stands: something was revealed, another player has acted, or the game has no takebacks."""

    message = gettext_lazy("This stands now: something was revealed, or somebody else has acted since.")


class DecisionTimedOut(Refusal):
    """A takeback would ask again for a decision whose time is over."""

    message = gettext_lazy("The time for that decision is over, so what you did stands.")


class GameNotRunning(Refusal):
    message = gettext_lazy("This game is not being played: it has not begun, or it is over.")


class NoStandingOrders(Refusal):
    """By its options the game asks no question that a standing order could answer."""

    status = 403
    message = gettext_lazy("By the rules of this game nobody is asked about shares in a merger.")


class ProposalChanged(Refusal):
    """The proposal was withdrawn, or another one has replaced it."""

    message = gettext_lazy("This is not proposed any more. Look at what the table says now.")


class ProposedRecently(Refusal):
    """The user's last proposal to end the game was rejected less than a day ago."""

    message = gettext_lazy(
        "You have proposed to end the game not long ago. You can do so again a day after that."
    )


# -- Advice of a bot -----------------------------------------------------------------------------------


class RatedGame(Refusal):
    status = 403
    message = gettext_lazy("This game is rated, so you decide alone.")


class OthersAtTable(Refusal):
    status = 403
    message = gettext_lazy("Other people sit at this table, so you decide alone.")


class OnlyMove(Refusal):
    message = gettext_lazy("There is only one thing you can do here.")


class AdviceUnavailable(Refusal):
    """The site has no bot that advises, or no worker can be reached."""

    status = 503
    message = gettext_lazy("Nobody can be asked just now. Decide alone, or ask again in a minute.")


# -- Exploration ---------------------------------------------------------------------------------------


class ExplorationHidden(Refusal):
    """What other players hold is hidden while the game runs, so no position to explore can be made up."""

    message = gettext_lazy("What the others have is hidden in this game. It can be explored when it is over.")


class NotExploring(Refusal):
    message = gettext_lazy("You are not exploring this game any more.")


class ExplorationChanged(Refusal):
    """The exploration was changed on another page."""

    message = gettext_lazy("You went on with this, or back, on another page. This is how it stands now.")


class NoSuchTurn(Refusal):
    status = 422

    def __init__(self, most: int) -> None:
        super().__init__(most)
        self.most = most

    @property
    def message(self) -> str:
        return ngettext(
            "This game had {n} turn. Begin with that.",
            "This game had {n} turns. Choose one of them.",
            self.most,
        ).format(n=self.most)


class NoSuchPosition(Refusal):
    """The log has no entry of this number; `last` is that of its last one."""

    status = 404

    def __init__(self, last: int) -> None:
        super().__init__(last)
        self.last = last

    @property
    def message(self) -> str:
        return ngettext(
            "There is no such position: the log of this game has {n} entry.",
            "There is no such position: the log of this game has {n} entries.",
            self.last,
        ).format(n=self.last)


class YourSeatToMove(Refusal):
    """In an exploration the bots do not move for the member's own seat."""

    message = gettext_lazy("It is your own seat that is asked here: try something yourself.")


# -- Chat and notes ------------------------------------------------------------------------------------


class ChatNotAllowed(Refusal):
    """Guests, and spectators before the start, neither read nor write here."""

    status = 403
    message = gettext_lazy("You cannot talk here: members do, and before the start those who sit here.")


class MembersOnly(Refusal):
    status = 403
    message = gettext_lazy("This is for members. Register, and you can do it, too; it takes a minute.")


class TooManyBlocks(Refusal):
    status = 429

    def __init__(self, most: int) -> None:
        super().__init__(most)
        self.most = most

    @property
    def message(self) -> str:
        return _("You have blocked {n} people, as many as one may. Take a block back first.").format(
            n=self.most
        )


class ChatLocked(Refusal):
    status = 403
    message = gettext_lazy("A moderator has locked the talk at this table. You can still read it.")


class TooManyReports(Refusal):
    """The member has made as many abuse reports today as allowed."""

    status = 429

    def __init__(self, most: int) -> None:
        super().__init__(most)
        self.most = most

    @property
    def message(self) -> str:
        return _("You have reported {n} things today, as many as one may. Go on tomorrow.").format(
            n=self.most
        )


class EmptyMessage(Refusal):
    status = 422
    message = gettext_lazy("There is nothing to send yet. Write something first.")


class TextTooLong(Refusal):
    status = 422

    def __init__(self, most: int) -> None:
        super().__init__(most)
        self.most = most

    @property
    def message(self) -> str:
        return _("That is too long: there is room for {n} letters. Shorten it and send it again.").format(
            n=self.most
        )


class NoteChanged(Refusal):
    """The notes were saved on another page; `note` is what is kept."""

    message = gettext_lazy(
        "These notes were changed on another page, and yours are not kept yet. There it says:"
    )

    def __init__(self, note: Note) -> None:
        super().__init__(note)
        self.note = note


# -- A waiting room ------------------------------------------------------------------------------------


class AccountClosed(Refusal):
    status = 403
    message = gettext_lazy("Your account is closed.")


class NewGamesClosed(Refusal):
    """The operator has stopped the opening of games."""

    status = 503

    @property
    def message(self) -> str:
        return site_switches.message(SiteSwitch.Kind.GAMES)


class TooManyGames(Refusal):
    status = 429

    def __init__(self, most: int) -> None:
        super().__init__(most)
        self.most = most

    @property
    def message(self) -> str:
        return _(
            "You have {n} unfinished games, as many as one may have. Play one of them to its end first."
        ).format(n=self.most)


class GameNotOpen(Refusal):
    message = gettext_lazy("This game waits for players no more: it has begun or was closed.")


class GuestsPlayComputers(Refusal):
    """Guests sit down with bots only."""

    status = 403
    message = gettext_lazy(
        "Guests play against computers only. Register, and a seat here can be yours; it takes a minute."
    )


class TableFull(Refusal):
    message = gettext_lazy("All seats are taken.")


class NotInvited(Refusal):
    status = 403
    message = gettext_lazy("This game is by invitation, and you have none.")


class InviteLinkRequired(Refusal):
    """The game is not listed, and the user has not opened its invite link."""

    status = 403
    message = gettext_lazy("This game is not listed: you can join by the invite link, which its host has.")


class NotReliableEnough(Refusal):
    """The user's on-time rate is below the `least` per cent that the host asks for."""

    status = 403

    def __init__(self, least: int) -> None:
        super().__init__(least)
        self.least = least

    @property
    def message(self) -> str:
        return _(
            "The host asks for players who decide in time at least {least} % of the times. You can join when"
            " you are invited."
        ).format(least=self.least)


class Kicked(Refusal):
    """The host sent the user away for a `reason`."""

    status = 403

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason

    @property
    def message(self) -> str:
        return _("The host has sent you away from this game: “{reason}”").format(reason=self.reason)


class BlockedFromTable(Refusal):
    """A block stands between the user and somebody at the table; the message does not say whose."""

    status = 403
    message = gettext_lazy("You cannot take a seat at this table. There are others in the lobby.")


class BotAccountsNotAllowed(Refusal):
    """The host admits no bot accounts except those that are invited."""

    status = 403
    message = gettext_lazy("The host of this game lets no programs in, but for those who are invited.")


class OwnBotAtTable(Refusal):
    """In a rated game nobody plays with an own bot account, and no two bot accounts of one owner play."""

    status = 403
    message = gettext_lazy(
        "This game is rated. Nobody meets an own program there, and no two programs of one owner meet."
    )


class CannotBeInvited(Refusal):
    """The invited user may not play, or a block stands between the two; the message does not say which."""

    status = 403
    message = gettext_lazy("You cannot invite them.")


class LeftTooOften(Refusal):
    status = 403
    message = gettext_lazy(
        "You have left this game again and again. You can join once more when its host invites you."
    )


class NotHost(Refusal):
    status = 403
    message = gettext_lazy("Only the host of the game can do this.")


class NotSeated(Refusal):
    status = 403
    message = gettext_lazy("You have no seat at this table.")


class NotAtTable(Refusal):
    """The user to be kicked has no seat in the game, or is its host."""

    message = gettext_lazy("They have left already.")


class TooFewPlayers(Refusal):
    message = gettext_lazy("Too few seats are taken to start.")


class AlreadySeated(Refusal):
    message = gettext_lazy("They sit at the table already.")


class InvitationDeclined(Refusal):
    message = gettext_lazy("They have declined before and are not asked again.")


class InvalidVacation(Refusal):
    message = gettext_lazy("Choose days from today on, the last one not before the first, within a year.")


class VacationOverlap(Refusal):
    message = gettext_lazy("You are away on one of these days already.")


class NoVacationLeft(Refusal):
    """The user has only `left` days of the vacation allowance of a `year`."""

    def __init__(self, year: int, left: int) -> None:
        super().__init__(year, left)
        self.year, self.left = year, left

    @property
    def message(self) -> str:
        return ngettext(
            "You have {n} day of vacation left in {year}.",
            "You have {n} days of vacation left in {year}.",
            self.left,
        ).format(n=self.left, year=self.year)


class TooManyInvitations(Refusal):
    """The user has sent as many invitations within a day as allowed."""

    status = 429

    def __init__(self, most: int, wait: timedelta) -> None:
        super().__init__(most, wait)
        self.most, self.wait = most, wait

    @property
    def message(self) -> str:
        return _("You have sent {n} invitations today, as many as one may send. Go on tomorrow.").format(
            n=self.most
        )


class GameNotFinished(Refusal):
    message = gettext_lazy("The game goes on; it can be played again when it is over.")


# -- Imports and endpoints -----------------------------------------------------------------------------


class TooManyImported(Refusal):
    """The member has imported as many games as are allowed."""

    status = 429

    def __init__(self, most: int) -> None:
        super().__init__(most)
        self.most = most

    @property
    def message(self) -> str:
        return _("You keep {n} imported games, as many as one may. Delete one of them first.").format(
            n=self.most
        )


class TooManyEndpoints(Refusal):
    """The user has as many endpoints as allowed."""

    status = 422
    message = gettext_lazy("You have as many as one may have. Remove one first.")
