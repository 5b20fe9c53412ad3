"""Moves that somebody tries for themselves, beside a game."""

from typing import Any

from django.conf import settings
from django.db import models
from django.utils import timezone

from games.models.game import Game


class Exploration(models.Model):
    """What one user tries from a position of one game, for nobody else: it touches nothing of the game.

    `start` is a state that fits what `seat` (None: a spectator) could see after entry `version` of the log:
    all that was hidden is dealt anew in it, so nothing of the game's own state is here. `turn` is the
    how-manyth turn of a game that was over when this began, None where it began at the position of then.
    `steps` are the moves tried from there, see `add`.
    """

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="explorations")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="explorations")
    seat = models.PositiveSmallIntegerField(null=True)
    version = models.PositiveIntegerField()
    turn = models.PositiveSmallIntegerField(null=True)
    start = models.JSONField()
    steps = models.JSONField(default=list)
    touched = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["game", "user"], name="one_exploration_a_game")]
        indexes = [models.Index(fields=["touched"], name="exploration_touched")]

    class By(models.TextChoices):
        """Who made a step."""

        HAND = "hand"
        COMPUTER = "computer"
        FORCED = "forced"

    def __str__(self) -> str:
        # Not what is tried: this may stand in a log.
        return f"exploration of {self.user_id} beside {self.game_id}"

    def add(self, seat: int, move: Any, by: By) -> None:
        """Add a step, unsaved: who moves, the move in the notation of the rules, and by whom it was made."""
        self.steps.append({"seat": seat, "move": str(move), "by": by.value})
