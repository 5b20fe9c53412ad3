"""Failures of bots."""

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.models.game import Game


class BotFailure(models.Model):
    """Failures of a bot to decide at one version of a game; it has failed this many `times`.

    Stores only the type of the error: its message may contain secrets.
    """

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="failures")
    version = models.PositiveIntegerField()
    seat = models.PositiveSmallIntegerField()
    level = models.CharField(max_length=20)
    error = models.CharField(max_length=100)
    times = models.PositiveIntegerField(default=1)
    first = models.DateTimeField(default=timezone.now)
    last = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name = _("computer player failure")
        verbose_name_plural = _("computer player failures")
        ordering = ["-last"]
        constraints = [
            models.UniqueConstraint(fields=["game", "version", "level"], name="one_failure_a_decision")
        ]
        indexes = [models.Index(fields=["last"], name="failure_last")]

    def __str__(self) -> str:
        return f"{self.level} in {self.game_id} at {self.version}: {self.error}"
