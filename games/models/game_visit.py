"""Visits of users to games."""

from django.conf import settings
from django.db import models
from django.utils import timezone

from games.models.game import Game


class GameVisit(models.Model):
    """The latest visit of one user to one game.

    When it began, entry `seen_before` of the log had been seen; `seen` is the last entry seen so far, and
    `at` when the visit was last noticed. `read` is the key of the last chat message read.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="+")
    seen_before = models.PositiveIntegerField(default=0)
    seen = models.PositiveIntegerField(default=0)
    at = models.DateTimeField(default=timezone.now)
    read = models.PositiveBigIntegerField(default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "game"], name="one_visit_a_game")]
        indexes = [models.Index(fields=["at"], name="visit_at")]

    def __str__(self) -> str:
        return f"{self.user_id} at {self.game_id} up to {self.seen}"
