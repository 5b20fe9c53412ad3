"""Private notes about games."""

from django.conf import settings
from django.db import models
from django.utils import timezone

from games.models.game import Game

MAX_NOTE_LENGTH = 10_000


class Note(models.Model):
    """A user's notes about a game, which nobody else can read, not even moderators.

    `version` counts the changes, so that two open pages cannot silently overwrite each other.
    """

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="notes")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="notes")
    text = models.TextField(max_length=MAX_NOTE_LENGTH, blank=True)
    version = models.PositiveIntegerField(default=0)
    saved = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["game", "user"], name="one_note_a_game")]

    def __str__(self) -> str:
        return f"{self.user_id} about {self.game_id}"
