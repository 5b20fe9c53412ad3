"""Notifications and their delivery attempts."""

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

    DECISION = "decision", _("it is for me to decide")
    REMINDER = "reminder", _("four fifths of my time are over")
    LATE = "late", _("my time was over, and what follows from it")
    VOTE = "vote", _("there is a vote at a table of mine")
    ENDING = "ending", _("somebody proposes to end a game of mine")
    MODERATED = "moderated", _("a moderator does something about a game of mine")
    STARTED = "started", _("a game of mine starts")
    FINISHED = "finished", _("a game of mine is over")
    REPORT = "report", _("something that I reported was looked at")
    MENTION = "mention", _("somebody mentions me in the talk at a table of mine")
    INVITATION = "invitation", _("somebody invites me")
    REMOVED = "removed", _("a host sends me away from a game")
    READY = "ready", _("a game that I host can start")
    JOINED = "joined", _("somebody joins a game that I host")
    LEFT = "left", _("somebody leaves a game that I host")
    HOST = "host", _("I become the host of a game")
    CLOSING = "closing", _("a game that I host is about to be closed, because nobody starts it")
    CLOSED = "closed", _("a game of mine was closed, because nobody started it")


class Notification(OutboxRow):
    """One notification for one person by one way: mail or an endpoint.

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
    about = models.CharField(max_length=200, blank=True, help_text="A name or a reason, for the sentence.")
    moderator_action = models.CharField(
        "deed", max_length=20, blank=True, help_text="What a moderator did, by the action's name."
    )
    # The user named in `about`.
    who = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )

    digest = models.BooleanField(default=False, help_text="Waits for the daily mail.")

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
    """One attempt to deliver a notification, for people who wonder where their mail is."""

    class Outcome(models.TextChoices):
        HANDED_OVER = "handed over", _("handed over")
        FAILED = "failed", _("failed, to be tried again")
        GIVEN_UP = "given up", _("given up")
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
    trial = models.BooleanField(default=False, help_text="Sent only to see whether it arrives.")
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
