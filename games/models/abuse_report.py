"""Abuse reports and reply templates."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models.choice_field import ChoiceField
from games.models.chat_message import ChatMessage
from games.models.game import Game

MAX_REPORT_LENGTH = 500
MAX_ANSWER_LENGTH = 1000


class ReportOutcome(models.TextChoices):
    """Outcomes of a report, as labelled on the desk."""

    REMOVED = "removed", _("message removed")
    KEPT = "kept", _("message kept")
    ACTED = "acted", _("action taken")
    NOTHING = "nothing", _("no rule broken")


class AbuseReport(models.Model):
    """A member's report to the moderators; `settled` once it is dealt with.

    Reports with the same `subject` are dealt with together. `person` wrote the line, bears the name or is
    complained about, `game` is where. One moderator at a time has `claimed` it.
    """

    class About(models.TextChoices):
        LINE = "line", _("a chat message")
        PERSON = "person", _("a member")
        NAME = "name", _("a name")
        GAME = "game", _("a game")

    class Trouble(models.TextChoices):
        INSULT = "insult", _("insults or threats")
        CHEATING = "cheating", _("cheating or using several accounts")
        STALLING = "stalling", _("stalling or leaving games")
        SPAM = "spam", _("advertising or spam")
        NAME = "name", _("an offensive or misleading name")
        OTHER = "other", _("something else")

    Outcome = ReportOutcome

    about = ChoiceField(max_length=10, choices=About, default=About.LINE)
    subject = models.CharField(max_length=60, editable=False)
    category = ChoiceField("trouble", max_length=10, choices=Trouble, default=Trouble.OTHER)
    line = models.ForeignKey(
        ChatMessage, null=True, blank=True, on_delete=models.CASCADE, related_name="reports"
    )
    game = models.ForeignKey(Game, null=True, blank=True, on_delete=models.CASCADE, related_name="reports")
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.CASCADE, related_name="reports"
    )
    called = models.CharField(max_length=40, blank=True, help_text="The name that was reported.")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    reason = models.CharField(max_length=MAX_REPORT_LENGTH, blank=True)
    made = models.DateTimeField(default=timezone.now)

    claimed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    claimed = models.DateTimeField(null=True, blank=True)
    escalated_at = models.DateTimeField(
        "handed", null=True, blank=True, help_text="When it was passed to the member managers."
    )
    settled = models.DateTimeField(null=True, blank=True)
    outcome = ChoiceField(max_length=10, choices=ReportOutcome, blank=True)
    answer = models.CharField(
        max_length=MAX_ANSWER_LENGTH, blank=True, help_text="The reply to the member who reported it."
    )

    class Meta:
        verbose_name = _("report")
        verbose_name_plural = _("reports")
        ordering = ["-made"]
        permissions = [("handle_report", _("Can close reports"))]
        constraints = [
            models.UniqueConstraint(
                fields=["subject", "by"], condition=Q(settled=None), name="one_open_report_a_subject"
            ),
        ]
        indexes = [
            models.Index(fields=["subject"], condition=Q(settled=None), name="report_open"),
            models.Index(fields=["by", "made"], name="report_by_whom_and_when"),
        ]

    # True if the member has already made this report, so that no second one was stored.
    is_repeated = False

    def __str__(self) -> str:
        return f"#{self.pk}"


class ReplyTemplate(models.Model):
    """A text that moderators can choose as the reply to reporters."""

    name = models.CharField(_("name"), max_length=60, unique=True)
    text = models.CharField(
        _("text"),
        max_length=MAX_ANSWER_LENGTH,
        help_text=_("Say nothing about what happened to anyone else."),
    )

    class Meta:
        verbose_name = _("reply to reports")
        verbose_name_plural = _("replies to reports")
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name
