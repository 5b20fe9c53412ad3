"""On-time rate of players."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q


class Reliability(models.Model):
    """A user's record in games with a time limit: `late` of all `decisions` came too late.

    A decision within the grace is in time. `left` counts the seats that a bot had to take over.
    """

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, primary_key=True, on_delete=models.CASCADE, related_name="reliability"
    )
    decisions = models.PositiveIntegerField(default=0)
    late = models.PositiveIntegerField(default=0)
    left = models.PositiveIntegerField(default=0)

    class Meta:
        verbose_name_plural = "reliabilities"
        constraints = [
            models.CheckConstraint(condition=Q(late__lte=F("decisions")), name="no_more_late_than_decided")
        ]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.late} of {self.decisions} late, {self.left} left"
