"""How far somebody has followed a game."""

from django.conf import settings
from django.db import models
from django.utils import timezone

from games.models.game import Game


class GameVisit(models.Model):
    """The latest visit of one user to one game.

    It began after entry `since` of the log had been seen, goes up to entry `seen` so far, and was going on
    at `at`. `read` is the key of the last line of the talk that was read.
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
