"""Who has which game before the eyes."""

from django.conf import settings
from django.db import models

from games.models.game import Game


class OpenPage(models.Model):
    """One open page of a game that a user can see, or could until `until`.

    A page that is visible says so again and again; `until` lies a little ahead of what it said last. The
    row stays for a while after the page is gone, for it tells when the user saw the game last.
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
