"""Open pages per game and member."""

from datetime import timedelta

from django.conf import settings
from django.db import models
from django.db.models.functions import Now

from games.models.game import Game

# A visible page reports twice within this time; a page that stops reporting counts as hidden.
VISIBLE_FOR = timedelta(seconds=45)

# The web process of an open page shows twice within this time that its socket is open.
OPEN_FOR = timedelta(seconds=45)


class OpenPage(models.Model):
    """A page of a game that a user has open, or had open until `open_until`, and saw until `visible_until`.

    Both are a little ahead of the last sign while the page is open or visible. The row stays for a while
    after the page is closed, because it tells when the user last saw the game and when the user left it.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="+")
    socket = models.CharField(max_length=150, unique=True)
    visible_until = models.DateTimeField()
    open_until = models.DateTimeField(db_default=Now())

    class Meta:
        indexes = [
            models.Index(fields=["user", "game", "visible_until"], name="presence_of_user"),
            models.Index(fields=["visible_until"], name="presence_until"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} at {self.game_id} until {self.visible_until}"
