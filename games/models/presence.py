"""Open pages per game and member."""

from datetime import timedelta

from django.conf import settings
from django.db import models

from games.models.game import Game

# A visible page reports twice within this time; a page that stops reporting counts as hidden.
VISIBLE_FOR = timedelta(seconds=45)


class OpenPage(models.Model):
    """An open page of a game that is visible to a user, or was until `until`.

    A visible page renews it regularly; `until` is a little ahead of the last renewal. The row stays for a
    while after the page is closed, because it tells when the user last saw the game.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="+")
    socket = models.CharField(max_length=150, unique=True)
    visible_until = models.DateTimeField()

    class Meta:
        indexes = [
            models.Index(fields=["user", "game", "visible_until"], name="presence_of_user"),
            models.Index(fields=["visible_until"], name="presence_until"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} at {self.game_id} until {self.visible_until}"
