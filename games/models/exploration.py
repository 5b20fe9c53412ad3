"""Explorations of moves beside a game."""

from typing import Any

from django.conf import settings
from django.db import models
from django.utils import timezone

from games.models.game import Game


class Exploration(models.Model):
    """Moves that one user tries from a position of one game, privately and without effect on the game.

    `start` is a state that fits what `seat` (None: a spectator) could see after entry `version` of the log:
    everything hidden is dealt anew, so it contains nothing of the game's own state. `steps` are the moves
    tried from there, see `add`.
    """

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="explorations")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="explorations")
    seat = models.PositiveSmallIntegerField(null=True)
    version = models.PositiveIntegerField()
    # Read by processes of the release before, which explored finished games; nothing sets it any more.
    turn = models.PositiveSmallIntegerField(null=True)
    start = models.JSONField()
    steps = models.JSONField(default=list)
    touched = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["game", "user"], name="one_exploration_a_game")]
        indexes = [models.Index(fields=["touched"], name="exploration_touched")]

    class By(models.TextChoices):
        """The maker of a step."""

        HAND = "hand"
        COMPUTER = "computer"
        FORCED = "forced"

    def __str__(self) -> str:
        # Without the moves: this may appear in the server's log.
        return f"exploration of {self.user_id} beside {self.game_id}"

    def add(self, seat: int, move: Any, by: By) -> None:
        """Append a step, unsaved: the seat to move, the move in the rules' notation, and who made it."""
        self.steps.append({"seat": seat, "move": str(move), "by": by.value})
