"""Refusals of actions on games. What the rules forbid is an `IllegalMove` of the engine."""

from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, ngettext_lazy

from accounts.mail.staff_letters import format_end
from accounts.models import SiteSwitch
from accounts.operator import site_switches
from accounts.refusals import Refusal
from games.models import Note


class LimitReached(Refusal):
    """The user has or does as much as allowed; a subclass has a `sentence`, an `ngettext_lazy` of `n`."""

    status = 429
    sentence: Any

    def __init__(self, most: int) -> None:
        super().__init__(most)
        self.most = most

    @property
    def message(self) -> str:
        return str(self.sentence.format(n=self.most))


# -- Sanctions -----------------------------------------------------------------------------------------


class Suspended(Refusal):
    """The member is suspended or banned; a ban ends at `NO_END` of `accounts.models.sanction`."""

    status = 403

    def __init__(self, until: datetime) -> None:
        super().__init__(until)
        self.until = until

    @property
    def message(self) -> str:
        if end := format_end(self.until):
            return _("You are suspended until {end}. Log in again to see why.").format(end=end)
        return _("You are banned. Log in again to see why.")


class Muted(Refusal):
    status = 403

    def __init__(self, until: datetime) -> None:
        super().__init__(until)
        self.until = until

    @property
    def message(self) -> str:
        if end := format_end(self.until):
            return _("You are muted until {end}. To see why, open “Account status” in your menu.").format(
                end=end
            )
        return _("You are muted. To see why, open “Account status” in your menu.")


class Warned(Refusal):
    """The member has to read a warning first."""

    status = 403
    message = gettext_lazy(
        "The moderators have warned you. Open “Account status” in your menu and read the warning to "
        "continue playing."
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
            "You are moving too fast, so this move was not made. Send it again in {n} second.",
            "You are moving too fast, so this move was not made. Send it again in {n} seconds.",
            self.retry_after,
        ).format(n=self.retry_after)


class StalePosition(Refusal):
    """The move was chosen for another position than the one that is asked about."""

    message = gettext_lazy("The game has moved on. This is the current position.")


class HandCovered(Refusal):
    """The hand of the player to move is not open on this device."""

    message = gettext_lazy(
        "The tiles are hidden. Pass the device to the player whose turn it is and show their tiles first."
    )


class Paused(Refusal):
    """The rule system of the game cannot be played at the moment."""

    message = gettext_lazy("This game is paused. It resumes automatically, and nobody loses time.")


class PausedByModerator(Paused):
    """A moderator has paused the game and has not resumed it."""

    message = gettext_lazy("A moderator has paused this game. You lose no time. Check again later.")


class Deleted(Refusal):
    status = 410
    message = gettext_lazy("A moderator has deleted this game.")


class NotYourSeat(Refusal):
    status = 403
    message = gettext_lazy("You no longer have this seat. You can only watch.")


class NotYourDecision(Refusal):
    """Another seat is asked, or none: the game has not begun or is over."""

    message = gettext_lazy("It is not your turn.")


class BotIsPlaying(Refusal):
    message = gettext_lazy("A computer player is playing for you. Take your seat back first.")


class SeatNotReplaced(Refusal):
    message = gettext_lazy("Your seat is already yours. No computer player is playing for you.")


class SeatNotFree(Refusal):
    """The seat cannot be taken over: its player is present, or it belongs to a bot."""

    message = gettext_lazy("This seat is no longer open.")


class SeatLostForGood(Refusal):
    """The user had a seat of the game and has seen its tiles."""

    status = 403
    message = gettext_lazy("You have lost your seat in this game for good, so you cannot come back.")


class ModeratorMayNotPlay(Refusal):
    status = 403
    message = gettext_lazy("You moderated this game, so you cannot play in it.")


class NotOverdue(Refusal):
    message = gettext_lazy("The player to move still has time.")


class TakebackExpired(Refusal):
    """The step stands: something was revealed, another player has acted, or the game has no takebacks."""

    message = gettext_lazy(
        "You can no longer take this back. Something was revealed, or someone else has moved."
    )


class DecisionTimedOut(Refusal):
    """A takeback would ask again for a decision whose time is over."""

    message = gettext_lazy("The time for that move has run out, so your move stands.")


class GameNotRunning(Refusal):
    message = gettext_lazy("This game is not in progress. It has not started yet or is already over.")


class NoStandingOrders(Refusal):
    """The game's options leave no question that a standing order could answer."""

    status = 403
    message = gettext_lazy(
        "This game has no standing orders, because you cannot sell or trade shares in a merger."
    )


class ProposalChanged(Refusal):
    """The proposal was withdrawn, or another one has replaced it."""

    message = gettext_lazy("This proposal is no longer open. The table shows what is happening now.")


class NotEndedUnrated(Refusal):
    """The game is not rated, an opponent is left, or those who are left have played on."""

    message = gettext_lazy(
        "You can end a rated game unrated only soon after all the people playing against you have left. "
        "Play on, or concede."
    )


class ProposedRecently(Refusal):
    """The user's last proposal to end the game was rejected less than a day ago."""

    message = gettext_lazy("Your last proposal was rejected less than 24 hours ago. Try again later.")


class PaceProposedRecently(Refusal):
    """The user's last proposal of another pace failed less than five minutes ago."""

    message = gettext_lazy("Your last proposal failed less than 5 minutes ago. Try again later.")


class SamePace(Refusal):
    """The game is played at the pace that is proposed."""

    message = gettext_lazy("The game has this pace already.")


# -- Advice of a bot -----------------------------------------------------------------------------------


class RatedGame(Refusal):
    status = 403
    message = gettext_lazy("You cannot ask for advice in a rated game.")


class OthersAtTable(Refusal):
    status = 403
    message = gettext_lazy("You can ask for advice only in games against computer players.")


class OnlyMove(Refusal):
    message = gettext_lazy("There is only one possible move here.")


class AdviceUnavailable(Refusal):
    """The site has no bot that advises, or no worker can be reached."""

    status = 503
    message = gettext_lazy("Advice is not available right now. Decide yourself, or ask again in a minute.")


# -- Exploration ---------------------------------------------------------------------------------------


class ExplorationHidden(Refusal):
    """Other players' holdings are hidden while the game runs, so no position to explore can be sampled."""

    message = gettext_lazy(
        "Other players’ shares are hidden in this game. You can explore it when it is over."
    )


class NotExploring(Refusal):
    message = gettext_lazy("You are no longer exploring this game.")


class ExplorationChanged(Refusal):
    """The exploration was changed on another page."""

    message = gettext_lazy("You changed this exploration on another page. This is its current position.")


class NoSuchPosition(Refusal):
    """The log has no entry of this number; `last` is that of its last one."""

    status = 404

    def __init__(self, last: int) -> None:
        super().__init__(last)
        self.last = last

    @property
    def message(self) -> str:
        return ngettext(
            "This position does not exist. The log of this game has {n} entry.",
            "This position does not exist. The log of this game has {n} entries.",
            self.last,
        ).format(n=self.last)


class YourSeatToMove(Refusal):
    """In an exploration the bots do not move for the member's own seat."""

    message = gettext_lazy("It is your own turn here. Try a move.")


# -- Chat and notes ------------------------------------------------------------------------------------


class ChatNotAllowed(Refusal):
    """Guests, and spectators before the start, neither read nor write here."""

    status = 403
    message = gettext_lazy("Only members can write here. Before the game starts, only its players can.")


class MembersOnly(Refusal):
    status = 403
    message = gettext_lazy("Only members can do this. Sign up first. It takes a minute.")


class TooManyBlocks(LimitReached):
    sentence = ngettext_lazy(
        "You have blocked {n} person, which is the limit. Unblock them first.",
        "You have blocked {n} people, which is the limit. Unblock someone first.",
        "n",
    )


class NoTeamChat(Refusal):
    """Teams have no chat in this game, or the member is in none of them."""

    status = 403
    message = gettext_lazy("You have no team chat in this game. Write to everyone instead.")


class TeamWaits(Refusal):
    """Partners can write to each other only between turns, and the member has to move."""

    status = 409
    message = gettext_lazy("You can write to your team only between your turns. Make your moves first.")


class ChatLocked(Refusal):
    status = 403
    message = gettext_lazy("A moderator has locked this chat. You can still read it.")


class TooManyReports(LimitReached):
    """The member has made as many abuse reports today as allowed."""

    sentence = ngettext_lazy(
        "You have sent {n} report today, which is the limit. Try again tomorrow.",
        "You have sent {n} reports today, which is the limit. Try again tomorrow.",
        "n",
    )


class EmptyMessage(Refusal):
    status = 422
    message = gettext_lazy("Your message is empty. Write something first.")


class TextTooLong(LimitReached):
    status = 422
    sentence = ngettext_lazy(
        "Your text is too long. Shorten it to {n} character and send it again.",
        "Your text is too long. Shorten it to {n} characters and send it again.",
        "n",
    )


class NoteChanged(Refusal):
    """The notes were saved on another page; `note` is what is kept."""

    message = gettext_lazy(
        "You changed these notes on another page, so this version is not saved yet. The other version:"
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


class TooManyGames(LimitReached):
    sentence = ngettext_lazy(
        "You have {n} unfinished game, which is the limit. Finish it first.",
        "You have {n} unfinished games, which is the limit. Finish one first.",
        "n",
    )


class GameNotOpen(Refusal):
    message = gettext_lazy("You can no longer join this game. It has started or was closed.")


class AlreadyInLiveGame(Refusal):
    message = gettext_lazy("You are already in a live game. Finish it first.")


class NotQueued(Refusal):
    message = gettext_lazy("You are no longer waiting for a live game. Look for one again.")


class NoReadyCheck(Refusal):
    message = gettext_lazy("You do not need to answer now. We will ask you again when the game can start.")


class GuestsPlayComputers(Refusal):
    """Guests sit down with bots only."""

    status = 403
    message = gettext_lazy(
        "Guests can play against computer players only. Sign up to join this game. It takes a minute."
    )


class TableFull(Refusal):
    message = gettext_lazy("All seats are taken. Choose another game in the lobby.")


class TeamFull(Refusal):
    message = gettext_lazy("All seats of this team are taken. Choose another team.")


class NoSuchTeam(Refusal):
    status = 404
    message = gettext_lazy("This game has no such team. Reload the page and choose one of its teams.")


class NotInvited(Refusal):
    status = 403
    message = gettext_lazy("You need an invitation to join this game.")


class InviteLinkRequired(Refusal):
    """The game is not listed, and the user has not opened its invite link."""

    status = 403
    message = gettext_lazy("This game is not listed. Ask the host for the invite link to join it.")


class NotReliableEnough(Refusal):
    """The user's on-time rate is below the `least` per cent that the host asks for."""

    status = 403

    def __init__(self, least: int) -> None:
        super().__init__(least)
        self.least = least

    @property
    def message(self) -> str:
        return _(
            "The host requires at least {least}% punctuality. You can join if the host invites you."
        ).format(least=self.least)


class Kicked(Refusal):
    """The host sent the user away for a `reason`."""

    status = 403

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason

    @property
    def message(self) -> str:
        return _("The host removed you from this game: “{reason}”").format(reason=self.reason)


class BlockedFromTable(Refusal):
    """A block stands between the user and somebody at the table; the message does not say whose."""

    status = 403
    message = gettext_lazy("You cannot join this game. Choose another one in the lobby.")


class BotAccountsNotAllowed(Refusal):
    """The host admits no bot accounts except those that are invited."""

    status = 403
    message = gettext_lazy("The host allows bots only by invitation.")


class OwnBotAtTable(Refusal):
    """In a rated game nobody plays with their own bot account, and no two of one owner play."""

    status = 403
    message = gettext_lazy(
        "In rated games a bot cannot play against its owner or against another bot of the same owner."
    )


class NotYourMessage(Refusal):
    status = 404
    message = gettext_lazy("You can remove only your own messages.")


class MessageTooOld(Refusal):
    """The author may remove a message for a few minutes only."""

    message = gettext_lazy(
        "You can remove a message only in the first 5 minutes. Ask a moderator to remove it."
    )


class CannotBeInvited(Refusal):
    """The invited user may not play, or a block stands between the two; the message does not say which."""

    status = 403
    message = gettext_lazy("You cannot invite this member.")


class LeftTooOften(Refusal):
    status = 403
    message = gettext_lazy(
        "You have left this game too often. You can join again only if the host invites you."
    )


class NotHost(Refusal):
    status = 403
    message = gettext_lazy("Only the host of the game can do this.")


class NotSeated(Refusal):
    status = 403
    message = gettext_lazy(
        "You are not playing in this game. Check that you are logged in to the right account."
    )


class NotAtTable(Refusal):
    """The user to be kicked has no seat in the game, or is its host."""

    message = gettext_lazy("This player has already left.")


class TooFewPlayers(Refusal):
    message = gettext_lazy("Not enough players have joined yet. Wait for more, or invite some.")


class AlreadySeated(Refusal):
    message = gettext_lazy("This player has already joined.")


class InvitationDeclined(Refusal):
    message = gettext_lazy(
        "This player has declined an invitation to this game. You cannot invite them again."
    )


class InvalidVacation(Refusal):
    message = gettext_lazy(
        "Choose days from today up to a year ahead. The last day cannot be before the first."
    )


class VacationOverlap(Refusal):
    message = gettext_lazy("You already have a vacation on one of these days. Choose other days.")


class NoVacationLeft(Refusal):
    """The user has only `left` days of the vacation allowance of a `year`."""

    def __init__(self, year: int, left: int) -> None:
        super().__init__(year, left)
        self.year, self.left = year, left

    @property
    def message(self) -> str:
        return ngettext(
            "You have only {n} vacation day left in {year}. Choose fewer days.",
            "You have only {n} vacation days left in {year}. Choose fewer days.",
            self.left,
        ).format(n=self.left, year=self.year)


class TooManyInvitations(LimitReached):
    """The user has sent as many invitations within a day as allowed."""

    sentence = ngettext_lazy(
        "You have sent {n} invitation today, which is the limit. Try again tomorrow.",
        "You have sent {n} invitations today, which is the limit. Try again tomorrow.",
        "n",
    )

    def __init__(self, most: int, wait: timedelta) -> None:
        super().__init__(most)
        self.wait = wait


class GameNotFinished(Refusal):
    message = gettext_lazy("The game is still in progress. You can replay it when it is over.")


# -- Imports and endpoints -----------------------------------------------------------------------------


class TooManyImported(LimitReached):
    """The member has imported as many games as are allowed."""

    sentence = ngettext_lazy(
        "You have {n} imported game, which is the limit. Delete it first.",
        "You have {n} imported games, which is the limit. Delete one first.",
        "n",
    )


class TooManyEndpoints(Refusal):
    """The user has as many endpoints as allowed."""

    status = 422
    message = gettext_lazy("You have reached the limit of browsers and webhooks. Remove one first.")


# -- Retries -------------------------------------------------------------------------------------------


class NoSuchMistake(Refusal):
    """Not one of the member's own mistakes, or its game cannot be seen any more."""

    status = 404
    message = gettext_lazy("This is not one of your mistakes. Choose one from your own list.")


class RetryNotDue(Refusal):
    """The member has answered already; the mistake comes back later."""

    def __init__(self, due: datetime) -> None:
        super().__init__(due)
        self.due = due

    @property
    def message(self) -> str:
        day = date_format(timezone.localtime(self.due), "j F Y")
        return _("You have already answered this one. It comes back on {day}.").format(day=day)
