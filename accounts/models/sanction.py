"""Sanctions against members, and their appeals."""

from datetime import UTC, datetime

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models.choice_field import ChoiceField

MAX_REASON_LENGTH = 1000
MAX_APPEAL_LENGTH = 2000

# Stands for "no end": later than any date that somebody would choose.
NO_END = datetime(9000, 1, 1, tzinfo=UTC)


class Sanctions(models.QuerySet["Sanction"]):
    def active(self, now: datetime | None = None) -> "Sanctions":
        """Sanctions in force at this moment: not lifted, not over and, for warnings, not read."""
        now = now or timezone.now()
        held = self.filter(Q(until=None) | Q(until__gt=now), lifted=None)
        return held.exclude(kind=Sanction.Kind.WARNING, read__isnull=False)


class Sanction(models.Model):
    """A warning or a restriction of a member, with or without an end.

    The row stays when the sanction is over. Its effect is also stored in the member's row, which every page
    reads (`User.muted_until` and others); only accounts.moderation.sanctions writes it.
    """

    class Kind(models.TextChoices):
        WARNING = "warning", _("warning")
        MUTE = "mute", _("muted")
        SUSPENSION = "suspension", _("suspended")
        BAN = "ban", _("banned")

    member = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="sanctions", verbose_name=_("member")
    )
    kind = ChoiceField(_("kind"), max_length=10, choices=Kind)
    reason = models.CharField(
        _("reason"), max_length=MAX_REASON_LENGTH, help_text=_("The member reads this word for word.")
    )
    made = models.DateTimeField(_("created"), default=timezone.now)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
        verbose_name=_("by"),
        help_text=_("Empty if done on the command line."),
    )
    until = models.DateTimeField(
        _("until"), null=True, blank=True, help_text=_("Empty if there is no end date.")
    )
    read = models.DateTimeField(
        _("read"), null=True, blank=True, help_text=_("When the member confirmed reading the warning.")
    )
    end_told = models.DateTimeField(
        null=True, blank=True, editable=False, help_text=_("When the member was notified of its end.")
    )
    lifted = models.DateTimeField(_("lifted"), null=True, blank=True)
    lifted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
        verbose_name=_("lifted by"),
    )
    lifted_why = models.CharField(_("reason for lifting"), max_length=MAX_REASON_LENGTH, blank=True)

    objects = Sanctions.as_manager()

    class Meta:
        verbose_name = _("sanction")
        verbose_name_plural = _("sanctions")
        ordering = ["-made", "-pk"]
        indexes = [
            models.Index(fields=["member", "-made"], name="sanction_of_member"),
            models.Index(
                fields=["until"],
                condition=Q(until__isnull=False, lifted=None, end_told=None),
                name="sanction_end_to_tell",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()}: {self.member}"

    @property
    def ended(self) -> datetime | None:
        """The time when it was lifted, read or over, whichever came first; None while it is in force."""
        read = self.read if self.kind == self.Kind.WARNING else None
        ends = [end for end in (self.lifted, read, self.until) if end and end <= timezone.now()]
        return min(ends, default=None)


class Appeal(models.Model):
    """A member's appeal against a sanction, and the staff's reply."""

    sanction = models.ForeignKey(
        Sanction, on_delete=models.CASCADE, related_name="appeals", verbose_name=_("sanction")
    )
    text = models.CharField(_("text"), max_length=MAX_APPEAL_LENGTH)
    made = models.DateTimeField(_("created"), default=timezone.now)
    reply = models.CharField(_("reply"), max_length=MAX_APPEAL_LENGTH, blank=True)
    replied = models.DateTimeField(_("replied"), null=True, blank=True)
    replied_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
        verbose_name=_("replied by"),
    )

    class Meta:
        verbose_name = _("appeal")
        verbose_name_plural = _("appeals")
        ordering = ["made"]
        constraints = [
            models.UniqueConstraint(
                fields=["sanction"], condition=Q(replied=None), name="one_open_appeal_a_sanction"
            )
        ]
        indexes = [models.Index(fields=["made"], condition=Q(replied=None), name="appeal_open")]

    def __str__(self) -> str:
        return str(self.sanction)
