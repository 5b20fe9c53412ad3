"""Notifications and their delivery attempts."""

from typing import Final

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models.choice_field import ChoiceField
from accounts.models.outbox_row import OutboxRow
from games.models.abuse_report import AbuseReport
from games.models.chat_message import ChatMessage
from games.models.endpoint import Endpoint
from games.models.game import Game
from games.models.invitation import Invitation


class Kind(models.TextChoices):
    """Kinds of notifications; the labels complete "Tell me when …"."""

    DECISION = "decision", _("it is my turn")
    REMINDER = "reminder", _("I have used 80% of my time")
    LATE = "late", _("I run out of time")
    SEAT = "seat", _("another member takes over my seat")
    VOTE = "vote", _("a vote starts in one of my games")
    ENDING = "ending", _("someone proposes to end one of my games, or to change its pace")
    CONCESSION = "concession", _("a partner wants our team to concede")
    MODERATED = "moderated", _("a moderator changes one of my games")
    STARTED = "started", _("one of my games starts")
    FINISHED = "finished", _("one of my games ends")
    REPORT = "report", _("the moderators have reviewed one of my reports")
    MENTION = "mention", _("someone mentions me in a chat")
    INVITATION = "invitation", _("someone invites me to a game")
    REMOVED = "removed", _("I am removed from a game before it starts")
    READY = "ready", _("a game I host is ready to start")
    CHECK = "check", _("one of my live games asks if I am ready")
    JOINED = "joined", _("someone joins a game I host")
    LEFT = "left", _("someone leaves a game I host")
    HOST = "host", _("I become the host of a game")
    CLOSING = "closing", _("a game I host is about to close because nobody has started it")
    CLOSED = "closed", _("one of my games closes because nobody has started it")


# News that an email would bring too late.
NEVER_MAILED: Final = frozenset((Kind.CHECK,))


class Notification(OutboxRow):
    """A notification for one person by one way: mail or an endpoint.

    The row is written in the transaction of the event. `version` is the version of the game whose decision is
    notified; events before the start, and mentions, are counted instead.
    """

    Kind = Kind

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="notifications",
    )
    # Null for notifications without a game, such as the reply to a report.
    game = models.ForeignKey(
        Game, null=True, blank=True, on_delete=models.CASCADE, related_name="notifications"
    )
    kind = ChoiceField(max_length=10, choices=Kind)
    version = models.PositiveIntegerField(default=0)
    endpoint = models.ForeignKey(
        Endpoint, null=True, blank=True, on_delete=models.CASCADE, related_name="notifications"
    )
    # An invitation may go to an address that is no member's.
    invitation = models.ForeignKey(
        Invitation, null=True, blank=True, on_delete=models.CASCADE, related_name="notifications"
    )
    # The message with the mention.
    line = models.ForeignKey(
        ChatMessage, null=True, blank=True, on_delete=models.CASCADE, related_name="notifications"
    )
    report = models.ForeignKey(
        AbuseReport, null=True, blank=True, on_delete=models.CASCADE, related_name="notifications"
    )
    about = models.CharField(max_length=200, blank=True, help_text=("A name or a reason, used in the text."))
    moderator_action = models.CharField(
        "deed", max_length=20, blank=True, help_text="The name of the moderator’s action."
    )
    # The user named in `about`.
    who = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )

    digest = models.BooleanField(default=False, help_text="Waits for the daily email.")
    tells_limit = models.BooleanField(
        default=False,
        db_default=False,
        editable=False,
        help_text="The email says that the daily limit is reached.",
    )

    class Meta:
        verbose_name = _("notification")
        verbose_name_plural = _("notifications")
        constraints = [
            models.UniqueConstraint(
                fields=["user", "game", "version", "kind"],
                condition=Q(endpoint=None),
                name="one_mail_a_decision_and_kind",
            ),
            models.UniqueConstraint(
                fields=["endpoint", "game", "version", "kind"],
                condition=Q(endpoint__isnull=False),
                name="one_message_a_decision_and_kind",
            ),
            models.UniqueConstraint(
                fields=["invitation"], condition=Q(user=None), name="one_mail_an_address_invited"
            ),
            models.CheckConstraint(
                condition=Q(user__isnull=False) | Q(invitation__isnull=False, endpoint=None),
                name="notification_of_a_user_or_an_address",
            ),
            models.CheckConstraint(
                condition=Q(game__isnull=False) | Q(report__isnull=False),
                name="notification_of_a_game_or_a_report",
            ),
        ]
        indexes = [
            models.Index(fields=["due"], condition=Q(state="waiting"), name="notification_due"),
            models.Index(fields=["user", "due"], condition=Q(state="waiting"), name="notification_of_user"),
            models.Index(fields=["settled"], condition=Q(state="given up"), name="notification_given_up"),
            models.Index(fields=["settled"], condition=Q(settled__isnull=False), name="notification_settled"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} of {self.game_id} at {self.version} for {self.user_id or self.invitation_id}"

    @property
    def its_game(self) -> Game:
        """The game of the notification, for kinds that have one."""
        assert self.game is not None
        return self.game


class DeliveryAttempt(models.Model):
    """An attempt to deliver a notification, listed for people who wonder where their mail is."""

    class Outcome(models.TextChoices):
        HANDED_OVER = "handed over", _("accepted")
        FAILED = "failed", _("failed, will try again")
        GIVEN_UP = "given up", _("failed for good")
        REFUSED = "refused", _("refused")

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.CASCADE, related_name="deliveries"
    )
    endpoint = models.ForeignKey(
        Endpoint, null=True, blank=True, on_delete=models.CASCADE, related_name="deliveries"
    )
    address = models.CharField(max_length=254, blank=True)
    message_id = models.CharField(max_length=200, blank=True)
    subject = models.CharField(max_length=250, blank=True)
    trial = models.BooleanField(default=False, help_text="Sent only as a test.")
    at = models.DateTimeField(default=timezone.now)
    outcome = ChoiceField(max_length=12, choices=Outcome)
    detail = models.CharField(max_length=300, blank=True)

    class Meta:
        verbose_name = _("delivery")
        verbose_name_plural = _("deliveries")
        indexes = [
            models.Index(fields=["user", "-at"], name="delivery_of_user"),
            models.Index(fields=["at"], name="delivery_at"),
        ]

    def __str__(self) -> str:
        return f"{self.subject}: {self.outcome}"
