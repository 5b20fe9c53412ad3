"""Members who wait for a live game, and what they wait for."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from accounts.models.choice_field import ChoiceField


class QueuedPlayer(models.Model):
    """A member’s wish for a live game; in the queue while `since` is set, else the last choices."""

    class Pace(models.TextChoices):
        FAST = "fast", _("Fast (3\N{NO-BREAK SPACE}min + 30\N{NO-BREAK SPACE}s per move)")
        EVENING = "evening", _("For an evening (5\N{NO-BREAK SPACE}min + 60\N{NO-BREAK SPACE}s per move)")

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, primary_key=True, on_delete=models.CASCADE, related_name="queued"
    )
    pace = ChoiceField(max_length=10, choices=Pace, default=Pace.FAST)
    least = models.PositiveSmallIntegerField(default=3)
    most = models.PositiveSmallIntegerField(default=4)
    patience = models.PositiveIntegerField(
        null=True, blank=True, help_text="Seconds until the site offers computer players; empty for never."
    )
    level = models.CharField(max_length=20, blank=True, help_text="The level of these computer players.")
    since = models.DateTimeField(null=True, blank=True, help_text="When the member entered the queue.")
    seen_at = models.DateTimeField(null=True, blank=True, help_text="When the page last asked for news.")
    offer_at = models.DateTimeField(null=True, blank=True, help_text="When computer players are offered.")
    accepted_at = models.DateTimeField(null=True, blank=True, help_text="When they were accepted.")
    found = models.ForeignKey(
        "games.Game",
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
        help_text="The game in which the last wait ended.",
    )

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(least__lte=models.F("most")), name="queued_numbers_in_order"),
            models.CheckConstraint(
                condition=Q(since__isnull=False, seen_at__isnull=False)
                | Q(since=None, seen_at=None, offer_at=None, accepted_at=None),
                name="queued_or_not",
            ),
        ]
        indexes = [models.Index(fields=["since"], condition=Q(since__isnull=False), name="queued_since")]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.pace}, {self.least}–{self.most}"
